import Foundation
import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The index of a scan")
struct ScanIndexTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private var path: String { test.library.statePath("index").text }

  /// Scans with the index that is there.
  private func scan(workers: Int = 1) throws -> Scan { try test.scan(workers: workers) }

  /// The number of records that the index knows.
  private func known() throws -> Int {
    var index = ScanIndex(test.library)
    for kind in EntityKind.writable {
      _ = index.entries(for: [], of: kind, try truth().references)
    }
    return index.known
  }

  /// Scans as if there were no index.
  private func truth() throws -> Scan {
    var scanner = Scanner(test.library)
    scanner.usesIndex = false
    scanner.assumeRecordsInGit()
    return try scanner.scan()
  }

  /// Waits until a file that is written now is younger than everything that is there.
  private func settle() throws {
    func now() throws -> Int {
      try test.folder.write("x", to: "clock")
      return try #require(try FileSystem.status(test.folder.path("clock"))).modified
    }
    let start = try now()
    for _ in 0..<1_000_000 where try now() > start { return }
    Issue.record("the file system's clock stands still")
  }

  /// A hero, a story that names it, a new record, an edited one, one that is gone, and a conflict.
  private func fill() throws {
    try test.synced("heroes/luna", id: "h1", heroText("Luna"))
    try test.synced("heroes/family/otto", id: "h2", heroText("Otto"))
    try test.write("heroes/family/otto", heroText("Otto", age: 9))
    try test.write("heroes/new", heroText("New"))
    try test.sidecar("heroes/gone", id: "h3", base: ["name": "Gone"])
    try test.sidecar("heroes/stated", id: "h4", base: ["name": "S"], isDeleteStated: true)
    try test.write(
      "stories/snow", "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"x\"]}")
    try test.sidecar(
      "stories/snow", id: "s1", base: ["title": "Snow", "heroId": "h1", "content": "x"],
      refs: ["hero": "luna"])
    try test.write(
      "stories/waits", "{\"title\": \"Waits\", \"hero\": \"new\", \"content\": [\"y\"]}")
    try test.synced("events/tooth", id: "e1", "{\"title\": \"T\", \"promptSeed\": \"p\"}")
    try test.sidecar(
      "events/tooth", id: "e1", base: ["title": "T", "promptSeed": "p"],
      conflict: .deletedOnServer)
    try test.write("stories/broken", "{")
    try settle()
  }

  @Test("a second scan reads nothing and finds the same", arguments: [1, 8])
  func warm(_ workers: Int) throws {
    try fill()
    let expected = try truth()
    #expect(try scan(workers: workers).entries == expected.entries)
    // All but what is wrong with something.
    #expect(try known() == 8)
    let written = try FileSystem.status(path)
    let again = try scan(workers: workers)
    #expect(again.entries == expected.entries)
    #expect(test.waitsFor("stories/waits", in: again) == ["heroes/new"])
    // Nothing changed, so it is not written again.
    #expect(try FileSystem.status(path) == written)
  }

  @Test("one change is read once")
  func oneChange() throws {
    let refs = (0..<300).map { RecordRef(kind: .heroes, name: "hero-\($0)") }
    for (number, ref) in refs.enumerated() {
      try test.synced(ref, id: "h\(number)", heroText("Hero \(number)"))
    }
    try settle()
    _ = try scan()
    try test.write(refs[7], heroText("Edited", age: 9))
    try settle()
    let written = try FileSystem.status(path)
    #expect(try scan().entries == (try truth().entries))
    let updated = try FileSystem.status(path)
    #expect(updated != written)
    #expect(try known() == 300)
    #expect(try scan().entry(refs[7])?.state == .pendingUpdate)
    #expect(try FileSystem.status(path) == updated)
  }

  @Test(
    "what could not be saved, and a folder, may go", arguments: ["heroes/bad.json", "heroes/empty"])
  func staleSum(_ gone: String) throws {
    try test.synced("heroes/luna", id: "h1", heroText("Luna"))
    if gone.hasSuffix(".json") {
      try test.folder.write("{", to: "library/" + gone)
    } else {
      try FileSystem.makeFolder(test.folder.path("library/" + gone))
    }
    try settle()
    _ = try scan()
    try test.folder.remove("library/" + gone)
    try settle()
    let written = try FileSystem.status(path)
    #expect(try scan().entries.count == 1)
    let updated = try FileSystem.status(path)
    #expect(updated != written)
    #expect(try scan().entries.count == 1)
    #expect(try FileSystem.status(path) == updated)
  }

  @Test("an unchanged library still misses a record that was seen and is gone with its sidecar")
  func settled() throws {
    for number in 0..<4 {
      let ref = RecordRef(kind: .heroes, name: "hero-\(number)")
      try test.synced(ref, id: "h\(number)", heroText("Hero \(number)"))
    }
    try settle()
    for _ in 0..<2 { #expect(try scan().missingPairs.isEmpty) }
    let seen = SeenRecords(test.library)
    let index = try FileSystem.status(path)
    #expect(try scan().missingPairs.isEmpty)
    #expect(try FileSystem.status(path) == index, "a settled index is written once")

    let lost = Scan.SeenPair(ref: RecordRef(kind: .heroes, name: "lost"), id: "h9")
    seen.write(try truth(), keeping: [SeenRecords.Record(lost, revision: "1")])
    #expect(try scan().missingPairs.map(\.ref) == [lost.ref])
    #expect(try scan().missingPairs.map(\.ref) == [lost.ref])

    // Without the evidence the library is as it was, and the list is made again.
    try FileSystem.remove(test.library.statePath("seen"))
    #expect(try scan().missingPairs.isEmpty)
    #expect(SeenRecords(test.library).sum == seen.sum)
    #expect(try scan().entries == (try truth()).entries)
  }

  @Test("a record that came back is missed when it is gone again")
  func goneAgain() throws {
    for number in 0..<200 {
      let ref = RecordRef(kind: .heroes, name: "hero-\(number)")
      try test.synced(ref, id: "h\(number)", heroText("Hero \(number)"))
    }
    for number in 0..<3 {
      let ref = RecordRef(kind: .events, name: "e\(number)")
      try test.synced(ref, id: "e\(number)", "{\"title\": \"E\", \"promptSeed\": \"p\"}")
    }
    let gone = RecordRef(kind: .events, name: "e1")
    let refs = [gone] + (0..<3).map { RecordRef(kind: .heroes, name: "hero-\($0)") }
    let paths = refs.flatMap { [$0.path, $0.sidecarPath] }.map { test.folder.path("library/\($0)") }
    for path in paths { try FileManager.default.moveItem(atPath: path, toPath: path + ".away") }
    try settle()
    for _ in 0..<2 { _ = try scan() }
    for path in paths { try FileManager.default.moveItem(atPath: path + ".away", toPath: path) }
    try settle()
    #expect(try scan().missingPairs.isEmpty)
    for path in paths.prefix(2) { try FileManager.default.removeItem(atPath: path) }
    #expect(try scan().missingPairs.map(\.ref) == [gone])
  }

  @Test("any flipped byte, and any end, gives right answers")
  func damage() throws {
    try fill()
    let expected = try truth().entries
    _ = try scan()
    let bytes = try FileSystem.read(path)
    func check(_ damaged: [UInt8], _ what: String) throws {
      try test.folder.write(damaged, to: "library/.stories/index")
      #expect(ScanIndex.file.read(test.library) == nil, "\(what)")
      guard try scan().entries == expected else {
        Issue.record("\(what): another answer")
        return
      }
    }
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << (place % 8)
      try test.folder.write(damaged, to: "library/.stories/index")
      if ScanIndex.file.read(test.library) != nil { Issue.record("byte \(place) is not checked") }
    }
    for place in stride(from: 0, to: bytes.count, by: 97) {
      var damaged = bytes
      damaged[place] ^= 0xFF
      try check(damaged, "byte \(place)")
    }
    for count in [0, 1, 63, bytes.count / 2, bytes.count - 1] {
      try check(Array(bytes.prefix(count)), "\(count) bytes")
    }
    try check(bytes + [0], "one byte more")
    // It was made anew each time.
    #expect(try known() == 8)
  }

  @Test("an index whose sum is right but whose parts are not crosses no border")
  func wrongParts() throws {
    try fill()
    let expected = try truth().entries
    _ = try scan()
    let bytes = try FileSystem.read(path)
    let header = StateFile.headerSize
    var random = SeededGenerator(seed: 11)
    for round in 0..<300 {
      var damaged = bytes
      for _ in 0..<1 + random.below(3) {
        damaged[header + random.below(bytes.count - header)] = UInt8(random.below(256))
      }
      let sum = damaged.withUnsafeBytes {
        xxHash64(UnsafeRawBufferPointer(rebasing: $0[header...]), seed: 0)
      }
      withUnsafeBytes(of: sum) { damaged.replaceSubrange(8..<16, with: $0) }
      try test.folder.write(damaged, to: "library/.stories/index")
      // Nobody can promise the right answer to a forged index; but it answers.
      #expect(try scan().entries.count == expected.count, "round \(round)")
    }
  }

  @Test("the form is another one when a field changes")
  func fields() {
    let fields = EntityKind.allCases.map { ($0, $0.schema.fields) }
    let digest = ContentDigest(String(describing: fields).utf8)
    // With other fields, what an index says may be wrong: increase the form, and put both here.
    #expect(ScanIndex.file.form == 0x5354_4F52_4945_0009)
    #expect(digest.description == "f22d8c9e55048bdf044cbe46712fc34f")
  }

  @Test("another form, and another kind of thing, is no index")
  func otherForms() throws {
    try fill()
    let expected = try truth().entries
    _ = try scan()
    var bytes = try FileSystem.read(path)
    bytes[0] += 1
    try test.folder.write(bytes, to: "library/.stories/index")
    #expect(ScanIndex.file.read(test.library) == nil)
    #expect(try scan().entries == expected)
    try test.folder.remove("library/.stories/index")
    try test.folder.makeFolder("library/.stories/index")
    #expect(try scan().entries == expected)
    try test.folder.remove("library/.stories")
    #expect(try scan().entries == expected)
    #expect(test.folder.exists("library/.stories/.gitignore"))
    try test.folder.remove("library/.stories")
    symlink("/tmp", test.library.statePath().text)
    #expect(try scan().entries == expected)
    #expect(unlink(test.library.statePath().text) == 0)
  }

  @Test("an edit of the same size is found though its time is set back")
  func sameSizeAndTime() throws {
    try fill()
    _ = try scan()
    let file = test.library.path("heroes/luna.json")
    var status = stat()
    #expect(lstat(file.text, &status) == 0)
    try test.write("heroes/luna", heroText("Lina"))
    #if canImport(Glibc)
      var times = [status.st_atim, status.st_mtim]
    #else
      var times = [status.st_atimespec, status.st_mtimespec]
    #endif
    #expect(utimensat(AT_FDCWD, file.text, &times, 0) == 0)
    #expect(try scan().entry("heroes/luna")?.state == .pendingUpdate)
  }

  @Test("what is as new as the scan is not noted")
  func racy() throws {
    let stamp = try #require(ScanIndex.Stamp(test.library))
    try test.folder.write("x", to: "later")
    var status = stat()
    #expect(lstat(test.folder.path("later"), &status) == 0)
    var key = FileKey(FileSystem.Status(status))
    #expect(!stamp.isSettled(key))
    key.changed -= 10_000_000_000
    #expect(!stamp.isSettled(key))
    key.modified -= 10_000_000_000
    #expect(stamp.isSettled(key))
    key.device += 1
    #expect(!stamp.isSettled(key))
    #expect(stamp.isSettled(nil))
  }

  @Test("a library of a newer form gets no index")
  func newerForm() throws {
    try test.folder.write(
      #"{"version": 2, "server": "embedded"}"#, to: "library/library.json")
    _ = try Scanner(Library(root: test.library.root)).scan()
    #expect(!FileSystem.exists(path))
  }

  @Test("a story is read again where the name of its hero stands for something else")
  func references() throws {
    try fill()
    _ = try scan()
    try test.folder.move("library/heroes/luna.json", to: "library/heroes/moon.json")
    try test.folder.move("library/heroes/.sync/luna.json", to: "library/heroes/.sync/moon.json")
    #expect(try scan().entries == truth().entries)
    try test.sidecar("heroes/moon", id: "h9", base: ["name": "Luna"])
    #expect(try scan().entries == truth().entries)
    try test.sidecar("heroes/new", id: "h5", base: ["name": "New"])
    #expect(try scan().entries == truth().entries)
    #expect(try scan().entry("stories/waits")?.waitsFor == [])
  }

  @Test(
    "random histories: the index never changes an answer", arguments: 1...6 as ClosedRange<UInt64>)
  func histories(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = ["a", "b", "sub/c", "D", "é", "e\u{301}", "sub/x"]
    var saved: [UInt8]?
    try fill()
    for step in 0..<60 {
      let kind = random.pick([EntityKind.heroes, .heroes, .stories, .events])
      let ref = RecordRef(kind: kind, name: random.pick(names))
      let other = RecordRef(kind: kind, name: random.pick(names))
      switch random.below(12) {
      case 0...2: try test.write(ref, text(of: kind, &random))
      case 3...4: try test.synced(ref, id: "\(random.below(9))", text(of: .heroes, &random))
      case 5:
        let target = kind == .stories ? "hero" : "name"
        try test.sidecar(
          ref, id: "\(random.below(9))", base: ["title": "t", "name": "n"],
          refs: kind == .stories ? [target: "a"] : [:],
          conflict: random.oneIn(2) ? .deletedLocally : nil, isDeleteStated: random.oneIn(3))
      case 6: try? test.folder.remove("library/" + ref.path)
      case 7: try? test.folder.remove("library/" + ref.sidecarPath)
      case 8: try? test.folder.move("library/" + ref.path, to: "library/" + other.path)
      case 9: try test.write(ref, random.pick(["", "{", "<<<<<<< a\n", "[]"]))
      case 10:
        // An older index comes back, as a copy of the folder would bring it.
        if let saved { try test.folder.write(saved, to: "library/.stories/index") }
      default: saved = try? FileSystem.read(path)
      }
      if random.oneIn(3) { try settle() }
      var scanner = Scanner(test.library)
      scanner.workers = random.pick([1, 8])
      scanner.assumeRecordsInGit()
      let found = try scanner.scan()
      let expected = try truth()
      guard found.entries == expected.entries, found.problems == expected.problems else {
        Issue.record("seed \(seed), step \(step): the index changed an answer")
        return
      }
    }
  }

  private func text(of kind: EntityKind, _ random: inout SeededGenerator) -> String {
    switch kind {
    case .stories:
      let hero = random.pick(["a", "b", "luna", "new", "nobody"])
      return "{\"title\": \"T\", \"hero\": \"\(hero)\", \"content\": [\"\(random.below(9))\"]}"
    default: return heroText("N", age: 3 + random.below(6))
    }
  }
}
