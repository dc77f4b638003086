import JSONText
import Testing

@testable import StoryLibrary

@Suite("Several sidecars with one id")
struct DuplicateIDTests {
  private let test: TestLibrary
  private let ref: RecordRef = "heroes/luna"
  private let base: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]

  init() throws { test = try TestLibrary() }

  @Test("two pairs with one id: both are shown and blocked")
  func duplicates() throws {
    try test.synced(ref, id: "1", heroText("Luna"))
    try test.synced("heroes/copy/luna", id: "1", heroText("Luna"))
    try test.synced("heroes/other", id: "2", heroText("Other"))
    try test.synced("events/luna", id: "1", #"{"title": "A", "promptSeed": "x"}"#)
    let scan = try test.scan()
    #expect(
      scan.entries.map { "\($0.ref) \($0.state.rawValue)" } == [
        "heroes/copy/luna duplicateId", "heroes/luna duplicateId", "heroes/other synced",
        "events/luna synced",
      ])
    #expect(scan.entry(ref)?.problems.first?.message.contains("heroes/copy/luna.json") == true)
    #expect(
      scan.entry("heroes/copy/luna")?.problems.first?.message.contains("heroes/luna.json") == true)
    #expect(scan.entry(ref)?.problems.first?.code == .duplicateID)
    #expect(
      scan.entry(ref)?.problems.first?.hint
        == "keep one of them: remove heroes/luna.json and heroes/.sync/luna.json; or, where it is a"
        + " copy that becomes a record of its own, heroes/.sync/luna.json alone")
    #expect(scan.staleSidecars.isEmpty)
  }

  @Test("a sidecar without a record whose id a pair has is stale")
  func stale() throws {
    try test.synced(ref, id: "1", heroText("Luna"))
    try test.sidecar("heroes/old/luna", id: "1", base: base)
    try test.sidecar("heroes/older", id: "1", base: base, conflict: .deletedHere)
    let scan = try test.scan()
    #expect(scan.entries.map(\.ref) == [ref])
    #expect(scan.entries.map(\.state) == [.synced])
    #expect(scan.staleSidecars == ["heroes/old/luna", "heroes/older"])
  }

  @Test("the pair of a record that cannot be read is a pair, so its sidecar is never stale")
  func unreadableIsNotStale() throws {
    try test.write(ref, "<<<<<<< HEAD\n")
    try test.sidecar(ref, id: "1", base: base)
    try test.synced("heroes/copy", id: "1", heroText("Luna"))
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [.duplicateId, .duplicateId])
    #expect(scan.staleSidecars.isEmpty)
  }

  @Test("several sidecars without a record are blocked, so that nothing is deleted twice")
  func duplicatesWithoutRecord() throws {
    try test.sidecar(ref, id: "1", base: base)
    try test.sidecar("heroes/copy", id: "1", base: base)
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [.duplicateId, .duplicateId])
    let problem = try #require(scan.entry(ref)?.problems.first)
    #expect(problem.file == "heroes/.sync/luna.json")
    #expect(
      problem.message == "names the same record of the server as heroes/.sync/copy.json, and none"
        + " of them has a record here")
    #expect(
      problem.hint == "to delete it there, remove all of these sidecars but one; to have it back,"
        + " remove all and run `stories sync pull`")
    // What the hint says: one of them alone is a delete.
    try FileSystem.remove(test.folder.path("library/heroes/.sync/copy.json"))
    #expect(try test.scan().entries.map(\.state) == [.pendingDelete])
  }

  @Test("a record that is not checked out keeps its sidecar")
  func notCheckedOutIsAPair() throws {
    try test.sidecar(ref, id: "1", base: base)
    try test.sidecar("heroes/gone", id: "1", base: base)
    var scanner = Scanner(test.library)
    scanner.notCheckedOut = { _ in ["heroes/luna.json"] }
    let scan = try scanner.scan()
    #expect(scan.entries.map(\.state) == [.notCheckedOut])
    #expect(scan.staleSidecars == ["heroes/gone"])
  }
}
