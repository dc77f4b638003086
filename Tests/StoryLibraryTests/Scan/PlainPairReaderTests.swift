import JSONText
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The quick way to find out about a pair says all that the full way says, and nothing else.
@Suite("Plain pairs")
struct PlainPairReaderTests {
  private let test: TestLibrary
  private let comparer: PairComparer

  init() throws {
    test = try TestLibrary()
    comparer = PairComparer(
      library: test.library, references: RecordGenerator.oddReferences)
  }

  private func pair(_ ref: RecordRef) -> FolderWalk.Pair {
    FolderWalk.Pair(ref: ref, record: .regular, sidecar: ref)
  }

  private func write(_ ref: RecordRef, _ record: [UInt8], _ sidecar: [UInt8]) throws {
    try test.folder.write(record, to: "library/" + ref.path)
    try test.folder.write(sidecar, to: "library/" + ref.sidecarPath)
  }

  /// A pair that is plainly in sync.
  private func writePlain(_ ref: RecordRef, _ name: String = "Luna") throws {
    try test.synced(ref, id: "1", heroText(name))
  }

  private func isPlain(_ answer: PlainPairReader.Answer) -> Bool {
    if case .plain = answer { true } else { false }
  }

  // MARK: Whatever stands in the files

  @Test("each is what the full way finds, in every part", arguments: [91 as UInt64, 92, 93])
  func agreement(seed: UInt64) throws {
    print("plain pairs, seed \(seed)")
    var generator = RecordGenerator(seed: seed)
    // Its memory and its folders serve one pair after the other.
    var reader = comparer.reader()
    var found: [String: Int] = [:]
    for round in 0..<1_500 {
      let kind = generator.random.pick(EntityKind.writable)
      let name = generator.random.pick([
        "x", "y", "family/x", "family/old/x", "friend/x", "caf\u{E9}",
      ])
      let ref = RecordRef(kind: kind, name: name)
      let base = generator.values(kind)
      let values = generator.random.oneIn(3) ? generator.edited(base) : base
      var record =
        generator.random.oneIn(3)
        ? generator.text(values) : RecordFile.newFile(values, references: comparer.references)
      var sidecar = Sidecar(
        id: generator.random.pick(["1", "caf\u{E9}", "\"", ""]),
        updatedAt: generator.random.pick(["2026-11-20T10:00:00.000Z", "2", "\n"]), base: base,
        refs: generator.random.oneIn(3) ? ["hero": "luna"] : JSONObject(),
        server: ["createdAt": "2026-11-19T10:00:00.000Z"],
        conflict: generator.random.oneIn(12) ? .deletedOnServer : nil,
        isDeleteStated: generator.random.oneIn(12)
      ).fileBytes
      if generator.random.oneIn(4) { generator.mutate(&record) }
      if generator.random.oneIn(4) { generator.mutate(&sidecar) }
      if generator.random.oneIn(30) { record = [] }
      try write(ref, record, sidecar)
      let full = comparer.fullOutcome(for: pair(ref))
      let answer = reader.read(pair(ref))
      let quick = comparer.outcome(for: pair(ref), &reader)
      switch answer {
      case .plain: found["plain", default: 0] += 1
      case .texts: found["texts", default: 0] += 1
      case .none: found["none", default: 0] += 1
      }
      found[full.entry.state.rawValue, default: 0] += 1
      guard quick == full, full.sidecar != .absent else {
        Issue.record(
          """
          seed \(seed), round \(round): \(quick) is not \(full) of \(record.text) and \
          \(sidecar.text)
          """)
        return
      }
    }
    for what in ["plain", "texts", "none", "synced", "pendingUpdate", "conflict", "unreadable"] {
      #expect(found[what] ?? 0 > 20, "\(what) in \(found)")
    }
  }

  @Test("a text that is not plain is not read again")
  func texts() throws {
    try write("heroes/luna", heroText("Mond").bytes, [])
    try test.sidecar("heroes/luna", id: "1", base: ["name": "Luna", "age": 7])
    var reader = comparer.reader()
    guard case .texts(let record, let sidecar) = reader.read(pair("heroes/luna")) else {
      Issue.record("no texts")
      return
    }
    try test.folder.remove("library/heroes")
    let outcome = comparer.fullOutcome(
      for: pair("heroes/luna"), record: record, sidecar: sidecar)
    #expect(outcome.entry.state == .pendingUpdate)
    #expect(outcome.entry.changedFields.map(\.key) == ["name", "traits"])
    #expect(outcome.record == record.key)
  }

  // MARK: Odd files

  /// What became of a pair's files after they were listed.
  private static let changes: [NamedCase<@Sendable (TestLibrary) throws -> Void>] = [
    NamedCase("a record that is gone") { try $0.folder.remove("library/heroes/luna.json") },
    NamedCase("a sidecar that is gone") { try $0.folder.remove("library/heroes/.sync/luna.json") },
    NamedCase("no sidecars at all") { try $0.folder.remove("library/heroes/.sync") },
    NamedCase("no folder") { try $0.folder.remove("library/heroes") },
    NamedCase("a record that is a link") { test in
      try test.folder.move("library/heroes/luna.json", to: "luna.json")
      try test.folder.link("library/heroes/luna.json", to: "../../luna.json")
    },
    NamedCase("a sidecar that is a link") { test in
      try test.folder.move("library/heroes/.sync/luna.json", to: "luna.json")
      try test.folder.link("library/heroes/.sync/luna.json", to: "../../../luna.json")
    },
    NamedCase("a record that is a folder") { test in
      try test.folder.remove("library/heroes/luna.json")
      try test.folder.makeFolder("library/heroes/luna.json")
    },
    NamedCase("a record that is a pipe") { test in
      try test.folder.remove("library/heroes/luna.json")
      #expect(mkfifo(test.folder.path("library/heroes/luna.json"), 0o600) == 0)
    },
    NamedCase("a sidecar that is a pipe") { test in
      try test.folder.remove("library/heroes/.sync/luna.json")
      #expect(mkfifo(test.folder.path("library/heroes/.sync/luna.json"), 0o600) == 0)
    },
    NamedCase("a record over the limit") { test in
      #expect(truncate(test.folder.path("library/heroes/luna.json"), 64 << 20 + 1) == 0)
    },
    NamedCase("a sidecar over the limit") { test in
      #expect(truncate(test.folder.path("library/heroes/.sync/luna.json"), 64 << 20 + 1) == 0)
    },
    NamedCase("an empty record") { try $0.folder.write("", to: "library/heroes/luna.json") },
    NamedCase("an empty sidecar") { try $0.folder.write("", to: "library/heroes/.sync/luna.json") },
  ]

  @Test("is what the full way says of it", arguments: changes)
  func odd(_ row: NamedCase<@Sendable (TestLibrary) throws -> Void>) throws {
    try writePlain("heroes/luna")
    try writePlain("heroes/otto", "Otto")
    try row.value(test)
    var reader = comparer.reader()
    #expect(!isPlain(reader.read(pair("heroes/luna"))))
    let full = comparer.fullOutcome(for: pair("heroes/luna"))
    #expect(full.entry.state == .unreadable)
    #expect(full.entry.problems.count == 1)
    #expect(comparer.outcome(for: pair("heroes/luna"), &reader) == full)
    // What follows does not suffer from it.
    let other = comparer.fullOutcome(for: pair("heroes/otto"))
    #expect(comparer.outcome(for: pair("heroes/otto"), &reader) == other)
  }

  @Test("large files are in sync as well")
  func large() throws {
    for count in [(1 << 20) - 200, 1 << 20, 3 << 20] {
      let name = String(repeating: "n", count: count)
      try writePlain("heroes/luna", name)
      var reader = comparer.reader()
      #expect(isPlain(reader.read(pair("heroes/luna"))) == (count < 1 << 20))
      let full = comparer.fullOutcome(for: pair("heroes/luna"))
      #expect(full.entry.state == .synced)
      #expect(comparer.outcome(for: pair("heroes/luna"), &reader) == full)
    }
  }

  @Test("a folder that is replaced is read as it was, and then as it is")
  func replacedFolder() throws {
    try writePlain("heroes/family/luna")
    var reader = comparer.reader()
    let old = comparer.outcome(for: pair("heroes/family/luna"), &reader)
    #expect(old.entry.state == .synced)
    try test.folder.move("library/heroes/family", to: "away")
    try writePlain("heroes/family/luna", "Mond")
    let new = comparer.fullOutcome(for: pair("heroes/family/luna"))
    #expect(new.entry.digest != old.entry.digest)
    // One folder at one moment: what an index notes of it is the old file's key, not the new one's.
    #expect(comparer.outcome(for: pair("heroes/family/luna"), &reader) == old)
    // Nothing is left in the old folder, so the paths tell.
    try test.folder.remove("away")
    #expect(comparer.outcome(for: pair("heroes/family/luna"), &reader) == new)
    var other = comparer.reader()
    #expect(comparer.outcome(for: pair("heroes/family/luna"), &other) == new)
  }

  @Test("every pair of an odd library is what the full way finds")
  func walked() throws {
    let names = [
      "luna", "caf\u{E9}", "cafe\u{301} 2", "family/otto", "family/caf\u{E9}/x", "雪", "a b",
      "x.json",
    ]
    for name in names { try writePlain(RecordRef(kind: .heroes, name: name)) }
    // A sidecar whose name has another Unicode form, and one of each alone.
    try writePlain("heroes/e\u{301}")
    try test.folder.move(
      "library/heroes/.sync/e\u{301}.json", to: "library/heroes/.sync/\u{E9}.json")
    try test.folder.move("library/heroes/.sync/x.json.json", to: "library/heroes/.sync/alone.json")
    try test.folder.link("library/heroes/link.json", to: "luna.json")
    try writePlain("heroes/with")
    try test.folder.move("library/heroes/with.json", to: "library/heroes/with link.json")
    try test.folder.link("library/heroes/with.json", to: "luna.json")
    var walk = FolderWalk(root: test.library.root, kind: .heroes)
    try walk.run()
    var reader = comparer.reader()
    var plain: [String] = []
    for pair in walk.pairs {
      if isPlain(reader.read(pair)) { plain.append(pair.ref.name) }
      #expect(
        comparer.outcome(for: pair, &reader) == comparer.fullOutcome(for: pair), "\(pair.ref)")
    }
    #expect(plain.sorted() == names.filter { $0 != "x.json" }.sorted())
    #expect(walk.pairs.count == names.count + 5)
  }

  @Test("where everything is checked, nothing is taken for plain")
  func checksEverything() throws {
    try test.synced("heroes/luna", id: "1", #"{"name":"Luna","age":7,"traits":[],"x":1}"#)
    let strict = PairComparer(
      library: test.library, references: comparer.references, checksEverything: true)
    var reader = comparer.reader()
    #expect(isPlain(reader.read(pair("heroes/luna"))))
    #expect(comparer.outcome(for: pair("heroes/luna"), &reader).entry.problems.isEmpty)
    #expect(!strict.outcome(for: pair("heroes/luna"), &reader).entry.problems.isEmpty)
  }
}
