import Testing
import TestSupport

@testable import StoryLibrary

/// An identity gives back the bytes of id and version, in whatever form it keeps them.
@Suite struct RecordIdentityTests {
  private static let uuid = "0190f3a2-7c1e-7b60-9d2f-00ff12ab34cd"
  private static let moment = "2026-11-20T10:00:00.123Z"

  private func packed(_ id: String, _ version: String) -> PackedIdentity? {
    let text = Array((id + version).utf8)
    return text.withUnsafeBufferPointer { PackedIdentity($0, idLength: id.utf8.count) }
  }

  private func check(_ id: String, _ version: String, isPacked: Bool) throws {
    let identity = RecordIdentity(id: id, version: version)
    #expect(identity.id?.utf8.elementsEqual(id.utf8) == true, "\(id)")
    #expect(identity.version?.utf8.elementsEqual(version.utf8) == true, "\(version)")
    #expect((packed(id, version) != nil) == isPacked, "\(id) \(version)")
    #expect(identity.idSum == RecordIdentity.sum(ofID: id), "\(id) \(version)")
  }

  @Test(
    "ids that fit",
    arguments: [
      uuid, "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
      "cjld2cjxh0000qzrmn831i7rn", "czzzzzzzzzzzzzzzzzzzzzzzz", "tz4a98xxat96iws9zmbrgj3a",
      "000000000000000000000000", "zzzzzzzzzzzzzzzzzzzzzzzz",
    ])
  func idsThatFit(_ id: String) throws { try check(id, Self.moment, isPacked: true) }

  @Test(
    "ids that do not",
    arguments: [
      "", "1", uuid.uppercased(), uuid + "0", String(uuid.dropLast()), "djld2cjxh0000qzrmn831i7rn",
      "0190f3a2-7c1e-7b60-9d2f+00ff12ab34cd", "0190f3a2-7c1e-7b60-9d2f-00ff12ab34cg",
      "0190f3a27-c1e-7b60-9d2f-00ff12ab34cd", "tz4a98xxat96iws9zmbrgj3A",
      "tz4a98xxat96iws9zmbrg\u{0}3a", "tz4a98xxat96iws9zmbrgé3",
    ])
  func idsThatDoNot(_ id: String) throws { try check(id, Self.moment, isPacked: false) }

  @Test(
    "versions that fit",
    arguments: [
      moment, "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.1Z", "2026-11-20T10:00:00.000000Z",
      "2026-02-31T31:63:63.999999Z", "0000-00-00T00:00:00Z", "8000-12-31T23:59:59.999999Z",
    ])
  func versionsThatFit(_ version: String) throws { try check(Self.uuid, version, isPacked: true) }

  @Test(
    "versions that do not",
    arguments: [
      "", "Z", "7", "2026-11-20T10:00:00.Z", "2026-11-20T10:00:00.1234567Z",
      "2026-11-20T10:00:00+00:00", "2026-11-20t10:00:00Z", "2026-11-20T10:00:00z",
      "2026-99-20T10:00:00Z", "2026-11-20T10:00:99Z", "2026-11-20T10:00:00,123Z",
      "+026-11-20T10:00:00Z", "2026-11-20T10:00: 0Z", "9999-15-31T31:63:63.999999Z",
      "2026-11-20T10:00:00.-12Z",
    ])
  func versionsThatDoNot(_ version: String) throws {
    try check(Self.uuid, version, isPacked: false)
  }

  @Test("what very many records have takes as little room as it says")
  func sizes() {
    #expect(MemoryLayout<PackedIdentity>.size == 24)
    #expect(MemoryLayout<RecordIdentity>.size == 25)
    // Another order of the members takes more.
    #expect(MemoryLayout<ScanEntry>.stride == 104)
  }

  @Test("what is missing stays missing")
  func missing() {
    for (id, version) in [(nil, nil), ("a", nil), (Self.uuid, nil), (nil, Self.moment), ("", "")]
      as [(String?, String?)]
    {
      let identity = RecordIdentity(id: id, version: version)
      #expect(identity.id == id)
      #expect(identity.version == version)
      #expect(identity.hasID == (id != nil))
      #expect(identity.hasVersion == (version != nil))
      #expect(identity.idSum == id.map { RecordIdentity.sum(ofID: $0) })
    }
    var identity = RecordIdentity()
    identity.id = Self.uuid
    identity.version = Self.moment
    #expect(identity == RecordIdentity(id: Self.uuid, version: Self.moment))
  }

  @Test("identities are one where id and version are, in whatever form", arguments: 1...8)
  func generated(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func pick(_ letters: String, _ count: Int) -> String {
      String((0..<count).map { _ in Array(letters).randomElement(using: &random) ?? "0" })
    }
    let hex = "0123456789abcdef"
    let word = hex + "ghijklmnopqrstuvwxyz"
    var known: [RecordIdentity: [String]] = [:]
    for _ in 0..<500 {
      let id =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: [8, 4, 4, 4, 12].map { pick(hex, $0) }.joined(separator: "-")
        case 1: "c" + pick(word, 24)
        case 2: pick(word, 24)
        default: pick("ab", Int.random(in: 0...3, using: &random))
        }
      let version =
        Bool.random(using: &random)
        ? "\(pick("012345678", 1))\(pick("0123456789", 3))-1\(pick("012", 1))-0\(pick("123", 1))T1"
          + "\(pick("0123456789", 1)):30:5\(pick("0123456789", 1)).\(pick("0123456789", 3))Z"
        : pick("01", 2)
      let identity = RecordIdentity(id: id, version: version)
      #expect(identity.id == id && identity.version == version, "seed \(seed)")
      let texts = known.updateValue([id, version], forKey: identity) ?? [id, version]
      #expect(texts == [id, version], "seed \(seed)")
    }
    for (identity, texts) in known {
      let (id, version) = (texts[0], texts[1])
      #expect(identity == RecordIdentity(id: id, version: version), "seed \(seed)")
      #expect(identity.hasSameID(as: RecordIdentity(id: id, version: nil)), "seed \(seed)")
      #expect(!identity.hasSameID(as: RecordIdentity(id: id + "0", version: version)))
    }
  }
}
