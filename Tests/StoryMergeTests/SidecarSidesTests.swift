import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryMerge

@Suite struct SidecarSidesTests {
  private static func sidecar(
    _ updatedAt: String, id: String = "h1", _ change: (inout Sidecar) -> Void = { _ in }
  ) -> Sidecar {
    var sidecar = Sidecar(
      id: id, updatedAt: updatedAt, base: FieldValues(kind: .heroes, wire: ["name": .string("N")]))
    change(&sidecar)
    return sidecar
  }

  @Test(arguments: [
    ("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z"),
    ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z"),
    ("2026-01-01T00:00:00.25Z", "2026-01-01T00:00:00.300Z"),
    ("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z"),
  ])
  func theNewerTruthStays(older: String, newer: String) {
    let (old, new) = (Self.sidecar(older), Self.sidecar(newer))
    #expect(SidecarSides.merge(old, new) == new)
    #expect(SidecarSides.merge(new, old) == new)
  }

  @Test func equalStaysAndIdsMustAgree() {
    let one = Self.sidecar("2026-01-01T00:00:00.000Z")
    #expect(SidecarSides.merge(one, one) == one)
    #expect(SidecarSides.merge(one, Self.sidecar(one.updatedAt, id: "h2")) == nil)
  }

  @Test func whatOneSideSettledStaysSettled() {
    let plain = Self.sidecar("2026-01-01T00:00:00.000Z")
    let open = Self.sidecar(plain.updatedAt) { $0.conflict = .deletedOnServer }
    // Nobody knows whether one side settled it or the other found it.
    #expect(SidecarSides.merge(plain, open) == open)
    #expect(SidecarSides.merge(plain, open, base: plain) == open)
    #expect(SidecarSides.merge(plain, open, base: open) == plain)
    let gone = Self.sidecar(plain.updatedAt) { $0.isDeleteStated = true }
    #expect(SidecarSides.merge(plain, gone) == gone)
    #expect(SidecarSides.merge(gone, plain, base: gone) == plain)
  }

  /// What the older version has from its own embedded server, such as a portrait, is not in the newer.
  @Test(arguments: [true, false])
  func whatTwoServersMadeStays(isShared: Bool) {
    let base = Self.sidecar("2026-01-01T00:00:00.000Z") { $0.server = ["audioUrl": "/0"] }
    let old = Self.sidecar("2026-01-02T00:00:00.000Z") {
      $0.server = ["audioUrl": "/1", "avatarUrl": "/a"]
    }
    let new = Self.sidecar("2026-01-03T00:00:00.000Z") { $0.server = ["audioUrl": "/2"] }
    let merged = SidecarSides.merge(old, new, base: base, isShared: isShared)
    #expect(merged?.server["avatarUrl"] == (isShared ? nil : "/a"))
    #expect(merged?.server["audioUrl"] == "/2")
  }

  @Test func filesKeepTheirTextWhereTheyAgree() throws {
    let ref = RecordRef(kind: .heroes, name: "luna")
    let one = Self.sidecar("2026-01-01T00:00:00.000Z")
    let two = Self.sidecar("2026-01-02T00:00:00.000Z")
    let own = try JSONValue(parsing: one.fileBytes).compactBytes
    let folder = try TemporaryFolder()
    func merge(_ ours: [UInt8], _ theirs: [UInt8]) throws -> (MergeDriver.Result, [UInt8]) {
      for (name, text) in [("base", []), ("ours", ours), ("theirs", theirs)] {
        try folder.write(text, to: name)
      }
      let call = try #require(
        MergeCall(["base", "ours", "theirs", ref.sidecarPath], in: folder.path))
      return (try MergeDriver(call).mergeSidecar(), try folder.bytes("ours"))
    }
    #expect(try merge(own, two.fileBytes) == (.merged, two.fileBytes))
    #expect(try merge(own, one.fileBytes) == (.merged, own))
    let other = Self.sidecar(one.updatedAt, id: "h2")
    let (result, text) = try merge(one.fileBytes, other.fileBytes)
    #expect(result == .twoRecords(ours: "h1", theirs: "h2"))
    let sides = try #require(SidecarSides(text, ref: ref))
    #expect(sides.ours == one)
    #expect(sides.theirs == other)
  }
}
