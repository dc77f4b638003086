import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a sidecar without its record means: a delete only if something says that a person removed the
/// record.
@Suite struct EvidenceTests {
  private let test: TestLibrary
  private let luna: RecordRef = "heroes/luna"
  private let otto: RecordRef = "heroes/family/otto"

  init() throws {
    var test = try TestLibrary()
    test.gitHasRecords = false
    self.test = test
  }

  private func remove(_ ref: RecordRef, withSidecar: Bool = false) throws {
    try test.folder.remove("library/" + ref.path)
    if withSidecar { try test.folder.remove("library/" + ref.sidecarPath) }
  }

  @Test("a sidecar whose record was never here is missing, not deleted")
  func neverSeen() throws {
    try test.sidecar(luna, id: "1", base: ["name": "Luna"])
    #expect(try test.states() == ["heroes/luna missing"])
    // Not by looking twice either.
    #expect(try test.states() == ["heroes/luna missing"])
  }

  @Test("a record that was seen with its sidecar and is gone was removed")
  func seen() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try remove(luna)
    #expect(try test.states() == ["heroes/luna pendingDelete"])
    #expect(try test.states() == ["heroes/luna pendingDelete"])
  }

  @Test(
    "without what this machine noted, or with damaged notes, nothing is deleted",
    arguments: ["gone", "damaged", "cut off", "all of .stories"])
  func lostNotes(_ loss: String) throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    try test.synced(otto, id: "2", heroText("Otto"))
    _ = try test.scan()
    try remove(luna)
    let path = test.library.statePath(SeenRecords.file.name)
    switch loss {
    case "gone": try FileSystem.remove(path)
    case "damaged":
      var bytes = try FileSystem.read(path)
      bytes[bytes.count - 3] ^= 1
      try AtomicFile.write(bytes, to: path)
    case "cut off":
      try AtomicFile.write(Array(FileSystem.read(path).dropLast(4)), to: path)
    default: try FileSystem.removeTree(test.library.statePath())
    }
    #expect(try test.states() == ["heroes/family/otto synced", "heroes/luna missing"])
  }

  @Test("`stories rm` needs no other evidence")
  func stated() throws {
    try test.sidecar(luna, id: "1", base: ["name": "Luna"], isDeleteStated: true)
    #expect(try test.states() == ["heroes/luna pendingDelete"])
  }

  @Test("git is asked once for all that nobody saw, and only for them")
  func git() throws {
    for (name, id) in [("a", "1"), ("b", "2"), ("c", "3")] {
      try test.sidecar(RecordRef(kind: .heroes, name: name), id: id, base: ["name": "X"])
    }
    try test.synced(luna, id: "4", heroText("Luna"))
    _ = try test.scan()
    try remove(luna)
    let asked = Box<[[RecordRef]]>([])
    var scanner = Scanner(test.library)
    scanner.gitTraces = { records in
      asked.value.append(records)
      return ["heroes/b": .tracked, "heroes/c": .tracked]
    }
    scanner.indexedSidecars = { records in
      asked.value.append(records)
      return ["heroes/b": IndexedSidecar(counts: true)]
    }
    let scan = try scanner.scan()
    #expect(
      asked.value == [
        ["heroes/a", "heroes/b", "heroes/c", "heroes/luna"], ["heroes/b", "heroes/c"],
      ])
    #expect(
      scan.entries.map(\.state) == [.missing, .pendingDelete, .missing, .pendingDelete])
  }

  @Test("a sidecar that came without its record is no delete, unless git wrote it to the end")
  func sidecarAlone() throws {
    for ref in [luna, otto] { try test.synced(ref, id: ref.name, heroText("A")) }
    _ = try test.scan()
    for ref in [luna, otto] {
      try remove(ref)
      try test.sidecar(ref, id: ref.name, updatedAt: "later", base: ["name": "B"])
    }
    var scanner = Scanner(test.library)
    scanner.indexedSidecars = { [luna] _ in [luna: IndexedSidecar(counts: true)] }
    for _ in 0..<2 {
      #expect(try scanner.scan().entries.map(\.state) == [.missing, .pendingDelete])
    }
    // Not by what git says later either.
    scanner.indexedSidecars = { [otto] _ in [otto: IndexedSidecar(counts: true)] }
    #expect(try scanner.scan().entries.map(\.state) == [.missing, .pendingDelete])
  }

  @Test("a record that nobody edited is no edit beside a sidecar that came without it")
  func outdated() throws {
    for ref in [luna, otto] { try test.synced(ref, id: ref.name, heroText("A")) }
    _ = try test.scan()
    for ref in [luna, otto] {
      try test.sidecar(ref, id: ref.name, updatedAt: "later", base: ["name": "B"])
    }
    var scanner = Scanner(test.library)
    scanner.indexedSidecars = { [luna] _ in [luna: IndexedSidecar(counts: true)] }
    for _ in 0..<2 {
      let entries = try scanner.scan().entries
      #expect(entries.map(\.isOutdated) == [true, false])
      #expect(entries.map(\.state) == [.synced, .pendingUpdate])
      #expect(entries[0].problems.map(\.code) == [.outdatedRecord])
    }
  }

  @Test("a renamed record that nobody edited is no edit beside a sidecar that came without it")
  func outdatedUnderNewName() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try test.folder.move("library/heroes/luna.json", to: "library/heroes/moon.json")
    try test.sidecar(luna, id: "1", updatedAt: "later", base: ["name": "Luna", "age": 9])
    let entry = try #require(try test.scan().entries.first)
    #expect(entry.ref == "heroes/moon" && entry.formerName == luna)
    #expect(entry.isOutdated && entry.state == .synced)
  }

  @Test("a conflict that came without its record stays one, and only its text is open")
  func outdatedInConflict() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try test.sidecar(
      luna, id: "1", updatedAt: "later", base: ["name": "Lu", "age": 9],
      conflict: .fields(
        updatedAt: "later", [.init(wireKey: "name", base: "Luna", server: "Lu")]))
    let entry = try #require(try test.scan().entries.first)
    #expect(entry.isOutdated && entry.state == .conflict && entry.conflict == .fields)
    #expect(entry.changes.isEmpty)
  }

  @Test(
    "a sidecar whose record was never here goes with a new record only if both have the same content",
    arguments: [nil, .tracked, .removed, .mayBeTaken] as [GitTrace?])
  func unknownSidecar(_ trace: GitTrace?) throws {
    try test.sidecar(luna, id: "1", base: ["name": "Luna", "age": 9, "traits": ["brave"]])
    try test.write("heroes/moon", heroText("Luna"))
    var scanner = Scanner(test.library)
    if let trace {
      scanner.gitTraces = { Dictionary(uniqueKeysWithValues: $0.map { ($0, trace) }) }
    }
    let expected: [String] =
      [.tracked, .removed].contains(trace)
      ? ["heroes/moon pendingUpdate"] : ["heroes/luna missing", "heroes/moon pendingCreate"]
    #expect(try scanner.scan().entries.map { "\($0.ref) \($0.state)" } == expected)
  }

  @Test("a scan does not replace what a sync noted while it ran")
  func notedMeanwhile() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try test.synced(otto, id: "2", heroText("Otto"))
    var scanner = Scanner(test.library)
    scanner.unmerged = { [test, luna] in
      try? test.write(luna, heroText("Lu"))
      try? test.sidecar(
        luna, id: "1", updatedAt: "later", base: ["name": "Lu", "age": 7, "traits": ["brave"]])
      _ = try? test.scan()
      return []
    }
    _ = try scanner.scan()
    #expect(
      SeenRecords(test.library).records.first { $0.pair.ref == luna }?.revision == "later")
  }

  @Test("what git may have taken is missing until it is back, even if git no longer shows it")
  func recordTakenByGit() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    try test.synced(otto, id: "2", heroText("Otto"))
    _ = try test.scan()
    for ref in [luna, otto] { try remove(ref) }
    var scanner = Scanner(test.library)
    scanner.gitTraces = { [luna, otto] records in
      #expect(Set(records) == [luna, otto])
      return [luna: .mayBeTaken]
    }
    #expect(try scanner.scan().entries.map(\.state) == [.pendingDelete, .missing])
    let states = ["heroes/family/otto pendingDelete", "heroes/luna missing"]
    #expect(try test.states() == states)
    try test.write(luna, heroText("Luna"))
    _ = try test.scan()
    try remove(luna)
    #expect(try test.states() == ["heroes/family/otto pendingDelete", "heroes/luna pendingDelete"])
  }

  @Test("a moved record leaves no evidence for the name that it had")
  func moved() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try test.folder.move("library/heroes/luna.json", to: "library/heroes/moon.json")
    let entry = try #require(try test.scan().entries.first)
    #expect(entry.ref == "heroes/moon")
    #expect(entry.formerName == luna)
  }

  @Test("other records can name one that is missing")
  func references() throws {
    try test.sidecar(luna, id: "1", base: ["name": "Luna"])
    try test.write(
      "stories/snow", #"{"title": "Snow", "hero": "luna", "content": ["It came."]}"#)
    let scan = try test.scan()
    #expect(scan.references.meaning(of: luna) == .id("1"))
    #expect(scan.entry("stories/snow")?.hasErrors == false)
  }

  // MARK: Gone together

  @Test("a record that goes with its sidecar is named, until it is back")
  func goneTogether() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    try test.synced(otto, id: "2", heroText("Otto"))
    #expect(try test.scan().missingPairs.isEmpty)
    try remove(otto, withSidecar: true)
    for _ in 0..<2 {
      let scan = try test.scan()
      #expect(scan.entries.map(\.ref) == [luna])
      #expect(
        scan.missingPairs == [Scan.SeenPair(ref: otto, id: "2", isTakenByGit: false)])
    }
    try test.synced(otto, id: "2", heroText("Otto"))
    #expect(try test.scan().missingPairs.isEmpty)
  }

  @Test("a folder that moved with its sidecars is not gone")
  func movedFolder() throws {
    try test.synced(otto, id: "2", heroText("Otto"))
    _ = try test.scan()
    try test.folder.move("library/heroes/family", to: "library/heroes/kin")
    #expect(try test.scan().missingPairs.isEmpty)
    try test.folder.remove("library/heroes/kin/otto.json")
    #expect(try test.states() == ["heroes/kin/otto pendingDelete"])
  }

  @Test("nor is a record whose sidecar alone is gone")
  func sidecarGone() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try test.folder.remove("library/" + luna.sidecarPath)
    let scan = try test.scan()
    #expect(scan.missingPairs.isEmpty)
    #expect(scan.entries.map(\.state) == [.pendingCreate])
  }

  @Test("what git took away is marked, git is asked once, and it is no evidence for later")
  func takenByGit() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try remove(luna, withSidecar: true)
    var scanner = Scanner(test.library)
    scanner.takenByGit = { records in
      #expect(records == [Scan.SeenPair(ref: luna, id: "1")])
      return Set(records)
    }
    #expect(try scanner.scan().missingPairs.map(\.isTakenByGit) == [true])
    scanner.takenByGit = { records in
      Issue.record("asked again for \(records)")
      return []
    }
    #expect(try scanner.scan().missingPairs.map(\.isTakenByGit) == [true])
    try test.sidecar(luna, id: "1", base: ["name": "Luna"])
    for _ in 0..<2 { #expect(try test.states() == ["heroes/luna missing"]) }
  }

  @Test("so is a record whose name and sidecar git gave to another one", arguments: [true, false])
  func replacedByGit(isTaken: Bool) throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    try test.synced(luna, id: "2", heroText("Luna"))
    var scanner = Scanner(test.library)
    scanner.takenByGit = { isTaken ? Set($0) : [] }
    let expected = isTaken ? [Scan.SeenPair(ref: luna, id: "1", isTakenByGit: true)] : []
    for _ in 0..<2 { #expect(try scanner.scan().missingPairs == expected) }
  }

  // MARK: Incomplete scans

  @Test("nothing of a kind is deleted of which a name cannot be read")
  func undecodableName() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    try test.synced(otto, id: "2", heroText("Otto"))
    _ = try test.scan()
    let old = test.library.path(luna.path).text
    let new = test.library.path("heroes/").text.utf8CString.dropLast() + [-23] + ".json".utf8CString
    try #require(rename(old, Array(new)) == 0, "this file system takes only UTF-8")
    let scan = try test.scan()
    #expect(scan.entry(luna)?.state == .missing)
    #expect(scan.incompleteKinds == [.heroes])
    #expect(scan.problems.map(\.severity) == [.error])
    #expect(scan.problems.map(\.file) == ["heroes/\u{FFFD}.json"])
  }

  @Test("nor of which folders nest too deep")
  func tooDeep() throws {
    try test.synced(luna, id: "1", heroText("Luna"))
    _ = try test.scan()
    let deep = String(repeating: "d/", count: FolderWalk.maximumDepth + 1)
    try test.folder.move("library/heroes/luna.json", to: "library/heroes/\(deep)luna.json")
    let scan = try test.scan()
    #expect(scan.entry(luna)?.state == .missing)
    #expect(scan.incompleteKinds == [.heroes])
    #expect(scan.problems.map(\.severity) == [.error])
  }

  // MARK: What is no record of this library

  @Test("a library inside the library is left out, a record called library is not")
  func innerLibrary() throws {
    _ = try Library.create(
      at: test.library.path("stories/old").text,
      configuration: LibraryConfiguration(server: .embedded))
    try test.write("stories/old/stories/snow", "{}")
    try test.write("stories/2026/library", #"{"version": 2, "title": "The Library"}"#)
    try test.write("stories/library", #"{"title": "The Library"}"#)
    let scan = try test.scan()
    #expect(scan.entries.map(\.ref) == ["stories/2026/library", "stories/library"])
    #expect(scan.problems.map(\.file) == ["stories/old"])
    #expect(scan.problems.map(\.code) == [.otherLibrary])
    #expect(scan.problems.map(\.severity) == [.warning])
    #expect(scan.incompleteKinds.isEmpty)
  }

  @Test("a sidecar of another kind is not believed", arguments: [true, false])
  func otherKind(isEdited: Bool) throws {
    let snow: RecordRef = "stories/snow"
    let text = #"{"title": "Snow", "heroId": "h", "content": ["It came."]}"#
    try test.synced(snow, id: "1", text)
    try test.folder.move("library/stories/snow.json", to: "library/heroes/snow.json")
    try test.folder.move("library/stories/.sync/snow.json", to: "library/heroes/.sync/snow.json")
    if isEdited { try test.write("heroes/snow", text.replacing("It came", with: "It went")) }
    let entry = try #require(try test.scan().entries.first)
    #expect(entry.state == .unreadable)
    #expect(entry.problems.map(\.file) == ["heroes/.sync/snow.json"])
    #expect(entry.problems.first?.what == .otherKind(.stories, of: "heroes/snow"))
  }

  @Test("a name of more than 200 bytes is refused, one of 200 is not")
  func longNames() throws {
    let (fits, tooLong) = (String(repeating: "a", count: 200), String(repeating: "b", count: 201))
    try test.synced(RecordRef(kind: .heroes, name: "x/" + fits), id: "1", heroText("A"))
    try test.write(RecordRef(kind: .heroes, name: tooLong), heroText("B"))
    let entries = try test.scan().entries
    #expect(entries.map(\.state) == [.unreadable, .synced])
    #expect(entries[0].problems.map(\.code) == [.name])
    _ = try AtomicFile.write(
      [], to: test.library.path(RecordRef(kind: .heroes, name: "x/" + fits).sidecarPath))
    #expect(!RecordRef.isWellFormed(tooLong))
    #expect(RecordRef("heroes/\(tooLong)") != nil)
  }
}

/// A value that a closure changes on the thread of its test.
private final class Box<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
