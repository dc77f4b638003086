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

  /// Git picks a commit without the ones before it, so the text lacks what the server had got until then.
  @Test func whatIsOlderThanTheBaseStays() {
    let ours = Self.sidecar("2026-01-01T00:00:00.000Z") {
      $0.conflict = .fields(updatedAt: $0.updatedAt, [.init(wireKey: "age", base: 6, server: 7)])
    }
    let base = Self.sidecar("2026-01-02T00:00:00.000Z")
    let theirs = Self.sidecar("2026-01-03T00:00:00.000Z")
    #expect(SidecarSides.merge(ours, theirs, base: base) == ours)
    #expect(SidecarSides.merge(base, theirs, base: ours) == theirs)
    #expect(SidecarSides.merge(theirs, ours, base: base) == theirs)
    let gone = { (sidecar: Sidecar) in
      var sidecar = sidecar
      sidecar.isDeleteStated = true
      return sidecar
    }
    #expect(SidecarSides.merge(ours, gone(theirs), base: base) == gone(ours))
  }

  /// The fields in conflict of both sides, of the base, and of what is made of them; `-` for no conflict.
  @Test(arguments: [
    ("name", "age", "-", "name age"), ("name", "name age", "-", "name age"),
    ("name age", "name", "-", "name age"), ("name", "name age", "name age", "name"),
    ("-", "name age", "name", "age"), ("age", "name", "name age", "-"), ("name", "-", "-", "name"),
    ("name", "-", "name", "-"), ("gone name", "age", "-", "gone name age"),
    ("name", "gone age", "name", "gone age"), ("deleted", "name", "-", "deleted"),
    ("name", "deleted", "-", "deleted"), ("gone name", "gone age", "gone", "gone name age"),
    ("deleted", "name", "deleted", "name"), ("-", "gone name", "gone age", "-"),
  ])
  func fieldsInConflictAreKeptOneByOne(
    _ left: String, _ right: String, _ base: String, _ expected: String
  ) {
    func sidecar(_ words: String) -> Sidecar {
      Self.sidecar("2026-01-01T00:00:00.000Z") { sidecar in
        let fields = [("name", "N", "M"), ("age", 1, 2)].filter { words.contains($0.0) }
          .map { Sidecar.FieldConflict(wireKey: $0.0, base: $0.1, server: $0.2) }
        if words.hasPrefix("gone") {
          sidecar.conflict = .deletedLocally
          sidecar.serverChanges = fields
        } else if words == "deleted" {
          sidecar.conflict = .deletedOnServer
        } else if !fields.isEmpty {
          sidecar.conflict = .fields(updatedAt: sidecar.updatedAt, fields)
        }
      }
    }
    #expect(
      SidecarSides.merge(sidecar(left), sidecar(right), base: sidecar(base)) == sidecar(expected))
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
