import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Writing many pairs")
struct WriteBatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("heroes/.sync")
  }

  private func digest(_ text: String) -> ContentDigest { ContentDigest(text.utf8) }

  private func path(_ relative: String) -> ConfinedPath {
    ConfinedPath(root: folder.path, relative)
  }
  private func record(_ name: String) -> ConfinedPath { path("heroes/\(name).json") }
  private func sidecar(_ name: String) -> ConfinedPath { path("heroes/.sync/\(name).json") }

  @Test("few and many pairs", arguments: [1, 7, 40])
  func pairs(_ count: Int) throws {
    for number in 0..<count {
      try folder.write("old \(number)", to: "heroes/h\(number).json")
    }
    var batch = WriteBatch(root: folder.path)
    for number in 0..<count {
      let place = batch.add(
        record: (
          record("h\(number)"), .write("new \(number)".bytes, .content(digest("old \(number)")))
        ),
        sidecar: (sidecar("h\(number)"), .write("sidecar \(number)".bytes, .anything)))
      #expect(place == number)
    }
    #expect(batch.count == count)
    #expect(try folder.read("heroes/h0.json") == "old 0", "nothing has its name before the commit")
    #expect(batch.commit() == Array(repeating: .done, count: count))
    for number in 0..<count {
      #expect(try folder.read("heroes/h\(number).json") == "new \(number)")
      #expect(try folder.read("heroes/.sync/h\(number).json") == "sidecar \(number)")
    }
    #expect(try folder.files().count == 2 * count)
  }

  @Test("a record that changed meanwhile keeps its sidecar; the others go on")
  func changed() throws {
    try folder.write("old", to: "heroes/a.json")
    try folder.write("old sidecar", to: "heroes/.sync/a.json")
    var batch = WriteBatch(root: folder.path)
    batch.add(
      record: (record("a"), .write("new".bytes, .content(digest("old")))),
      sidecar: (sidecar("a"), .write("new sidecar".bytes, .anything)))
    batch.add(
      record: (record("b"), .write("b".bytes, .absent)),
      sidecar: (sidecar("b"), .write("b".bytes, .absent)))
    try folder.write("edited", to: "heroes/a.json")
    #expect(batch.commit() == [.changedMeanwhile, .done])
    #expect(try folder.read("heroes/a.json") == "edited")
    #expect(try folder.read("heroes/.sync/a.json") == "old sidecar")
    #expect(
      try folder.files()
        == ["heroes/.sync/a.json", "heroes/.sync/b.json", "heroes/a.json", "heroes/b.json"])
  }

  @Test("removing pairs")
  func removing() throws {
    for name in ["a", "b", "c"] {
      try folder.write("old", to: "heroes/\(name).json")
      try folder.write("x", to: "heroes/.sync/\(name).json")
    }
    var batch = WriteBatch(root: folder.path)
    for name in ["a", "b"] {
      batch.add(
        record: (record(name), .remove(digest("old"))), sidecar: (sidecar(name), .removeAnything))
    }
    batch.add(record: nil, sidecar: (sidecar("c"), .removeAnything))
    batch.add(record: nil, sidecar: (sidecar("nothing"), .removeAnything))
    try folder.write("edited", to: "heroes/b.json")
    #expect(batch.commit() == [.done, .changedMeanwhile, .done, .done])
    #expect(try folder.files() == ["heroes/.sync/b.json", "heroes/b.json", "heroes/c.json"])
  }

  @Test("missing folders are made; a link on the way is refused")
  func folders() throws {
    try folder.makeFolder("outside")
    try folder.link("stories", to: "outside")
    var batch = WriteBatch(root: folder.path)
    batch.add(
      record: (path("events/deep/a.json"), .write("a".bytes, .absent)),
      sidecar: (path("events/deep/.sync/a.json"), .write("s".bytes, .absent)))
    batch.add(
      record: (path("stories/b.json"), .write("b".bytes, .absent)),
      sidecar: (path("heroes/.sync/b.json"), .write("s".bytes, .absent)))
    batch.add(
      record: (record("c"), .write("c".bytes, .absent)),
      sidecar: (path("stories/.sync/c.json"), .write("s".bytes, .absent)))
    batch.add(record: nil, sidecar: (path("stories/d.json"), .removeAnything))
    let results = batch.commit()
    #expect(results.first == .done)
    for result in results.dropFirst() {
      guard case .failed(let error) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(error.code == ELOOP)
    }
    #expect(
      try folder.files() == [
        "events/deep/.sync/a.json", "events/deep/a.json", "heroes/.sync/", "outside/", "stories",
      ])
  }

  @Test("a pair that cannot be staged fails alone")
  func unstageable() throws {
    var batch = WriteBatch(root: folder.path)
    let long = String(repeating: "x", count: 220)
    batch.add(
      record: (record("ok"), .write("x".bytes, .absent)),
      sidecar: (sidecar(long), .write("s".bytes, .absent)))
    batch.add(record: (record("b"), .write("b".bytes, .absent)), sidecar: nil)
    let results = batch.commit()
    #expect(results.last == .done)
    #expect(
      results.first == .failed(FileError(.write, path: sidecar(long).text, code: ENAMETOOLONG)))
    #expect(try folder.files() == ["heroes/.sync/", "heroes/b.json"])
  }

  @Test("of many pairs each ends in its own way")
  func manyPairs() throws {
    var batch = WriteBatch(root: folder.path)
    let long = String(repeating: "x", count: 220)
    var expected: [WriteBatch.Result] = []
    for number in 0..<300 {
      var (name, other) = (record("r\(number)"), sidecar("r\(number)"))
      var result = WriteBatch.Result.done
      switch number % 50 {
      case 7:
        name = record(long + "\(number)")
        result = .failed(FileError(.write, path: name.text, code: ENAMETOOLONG))
      case 21:
        other = sidecar(long + "\(number)")
        result = .failed(FileError(.write, path: other.text, code: ENAMETOOLONG))
      case 33:
        try folder.write("somebody's", to: "heroes/r\(number).json")
        result = .changedMeanwhile
      default: break
      }
      let place = batch.add(
        record: (name, .write("record \(number)".bytes, .absent)),
        sidecar: (other, .write("sidecar \(number)".bytes, .anything)))
      #expect(place == number)
      expected.append(result)
    }
    #expect(batch.commit() == expected)
    let files = try folder.files()
    #expect(!files.contains { TemporaryName.isPrefix(of: Path.name($0)) })
    for number in 0..<300 {
      let isWhole = expected[number] == .done
      #expect(files.contains("heroes/.sync/r\(number).json") == isWhole)
      if isWhole {
        #expect(try folder.read("heroes/r\(number).json") == "record \(number)")
        #expect(try folder.read("heroes/.sync/r\(number).json") == "sidecar \(number)")
      }
    }
  }

  @Test("a sidecar that changed meanwhile is told")
  func sidecarChanged() throws {
    var batch = WriteBatch(root: folder.path)
    batch.add(
      record: (record("a"), .write("a".bytes, .absent)),
      sidecar: (sidecar("a"), .write("s".bytes, .absent)))
    try folder.write("git wrote this", to: "heroes/.sync/a.json")
    #expect(batch.commit() == [.changedMeanwhile])
    #expect(try folder.read("heroes/.sync/a.json") == "git wrote this")
  }

  @Test("an abandoned batch leaves nothing behind")
  func abandoned() throws {
    try folder.write("old", to: "heroes/a.json")
    var batch = WriteBatch(root: folder.path)
    batch.add(
      record: (record("a"), .write("new".bytes, .anything)),
      sidecar: (sidecar("a"), .write("s".bytes, .anything)))
    batch.add(record: (record("a"), .remove(digest("old"))), sidecar: nil)
    batch.stage()
    #expect(try folder.files().count == 3)
    batch.add(
      record: (record("b"), .write("new".bytes, .anything)),
      sidecar: (sidecar("b"), .write("s".bytes, .anything)))
    batch.abandon()
    #expect(try folder.files() == ["heroes/.sync/", "heroes/a.json"])
    #expect(try folder.read("heroes/a.json") == "old")
  }

  @Test("killed between records and sidecars, the new sidecars are only stale temporary files")
  func betweenTheTwo() throws {
    let test = try TestLibrary()
    let ref: RecordRef = "heroes/luna"
    try test.synced(ref, id: "1", heroText("Luna"))
    var batch = WriteBatch(root: test.library.root)
    batch.add(
      record: (
        test.library.path(ref.path),
        .write(heroText("Mond").bytes, .content(ContentDigest(heroText("Luna").utf8)))
      ),
      sidecar: (test.library.path(ref.sidecarPath), .write("{\"never\": 1}".bytes, .anything)))
    batch.stage()
    // What a crash leaves: the record is in place, the sidecar is not.
    try test.write(ref, heroText("Mond"))
    let scan = try test.scan()
    #expect(scan.staleFiles.count == 2)
    #expect(
      StaleFiles.settle(scan.staleFiles, in: test.library).map(\.outcome) == [.removed, .removed])
    let entry = try #require(try test.scan().entry(ref))
    #expect(entry.state == .pendingUpdate)
    #expect(entry.changedFields.map(\.key) == ["name"])
    batch.abandon()
  }
}
