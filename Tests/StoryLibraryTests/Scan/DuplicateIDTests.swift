import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
    #expect(
      scan.entry(ref)?.problems == [
        Problem(
          .duplicateID(["heroes/copy/luna.json"], more: 0, sidecar: "heroes/.sync/luna.json"),
          file: "heroes/luna.json")
      ])
    #expect(
      scan.entry("heroes/copy/luna")?.problems.first?.what
        == .duplicateID(["heroes/luna.json"], more: 0, sidecar: "heroes/copy/.sync/luna.json"))
    #expect(scan.entry(ref)?.problems.first?.code == .duplicateID)
    #expect(scan.staleSidecars.isEmpty)
  }

  @Test("a sidecar without a record whose id a pair has is stale")
  func stale() throws {
    try test.synced(ref, id: "1", heroText("Luna"))
    try test.sidecar("heroes/old/luna", id: "1", base: base)
    try test.sidecar("heroes/older", id: "1", base: base, conflict: .deletedLocally)
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

  @Test("of several sidecars without a record the newest counts, so that one delete is sent")
  func duplicatesWithoutRecord() throws {
    try test.sidecar("heroes/copy", id: "1", updatedAt: "2026-01-02T00:00:00.25Z", base: base)
    try test.sidecar(ref, id: "1", updatedAt: "2026-01-02T00:00:00.3Z", base: base)
    try test.sidecar("heroes/newer", id: "1", updatedAt: "2026-01-02T00:00:00.29Z", base: base)
    try test.sidecar("heroes/oldest", id: "1", updatedAt: "2026-01-01T23:59:59Z", base: base)
    try test.sidecar("heroes/other", id: "2", base: base)
    let scan = try test.scan()
    #expect(
      scan.entries.map { "\($0.ref) \($0.state.rawValue)" } == [
        "heroes/luna pendingDelete", "heroes/other pendingDelete",
      ])
    #expect(scan.staleSidecars == ["heroes/copy", "heroes/newer", "heroes/oldest"])
    #expect(scan.entry(id: "1", of: .heroes)?.ref == ref)
  }

  @Test(
    "of one version the sidecar counts that has something to decide, then a stated delete",
    arguments: [
      (
        first: nil, second: Sidecar.Conflict.deletedLocally, isStated: true,
        state: RecordState.conflict
      ),
      (.deletedLocally, nil, true, .conflict), (nil, nil, true, .pendingDelete),
    ] as [(first: Sidecar.Conflict?, second: Sidecar.Conflict?, isStated: Bool, state: RecordState)]
  )
  func oneVersion(
    _ row: (first: Sidecar.Conflict?, second: Sidecar.Conflict?, isStated: Bool, state: RecordState)
  ) throws {
    try test.sidecar("heroes/a", id: "1", base: base, conflict: row.first)
    try test.sidecar("heroes/b", id: "1", base: base, conflict: row.second)
    try test.sidecar("heroes/c", id: "1", base: base, isDeleteStated: row.isStated)
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [row.state])
    #expect(scan.entries.first?.isDeleteStated == (row.state == .pendingDelete))
    #expect(scan.staleSidecars.count == 2)
  }

  @Test("of one version the sidecar counts that was written last", arguments: ["a", "b"])
  func writtenLast(_ last: String) throws {
    for name in ["a", "b"] {
      try test.sidecar(RecordRef(kind: .heroes, name: name), id: "1", base: base)
      let path = test.folder.path("library/heroes/.sync/\(name).json")
      var times = [timespec(tv_sec: name == last ? 2_000 : 1_000, tv_nsec: 0)]
      times.append(times[0])
      #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
    let scan = try test.scan()
    #expect(scan.entries.map(\.ref.name) == [last])
    #expect(scan.staleSidecars.map(\.name) == [last == "a" ? "b" : "a"])
  }

  @Test("a record that was renamed twice, the first time by a run that died, is found again")
  func renamedAfterAnInterruptedRename() throws {
    try test.sidecar("heroes/first", id: "1", updatedAt: "2026-01-01T00:00:00Z", base: base)
    try test.sidecar("heroes/second", id: "1", updatedAt: "2026-01-02T00:00:00Z", base: base)
    try test.write("heroes/third", heroText("Luna", age: 8))
    let scan = try test.scan()
    #expect(scan.entries.map(\.ref) == ["heroes/third"])
    #expect(scan.entries.first?.state == .pendingUpdate)
    #expect(scan.entries.first?.renamedFrom == "heroes/second")
    #expect(scan.staleSidecars == ["heroes/first"])
  }

  @Test("sidecars without a record of which one cannot be read are left alone")
  func duplicatesWithoutRecordUnreadable() throws {
    try test.sidecar(ref, id: "1", base: base)
    try test.sidecar("heroes/copy", id: "1", base: base)
    let path = test.folder.path("library/heroes/.sync/copy.json")
    var text = try FileSystem.read(path)
    text.removeLast(3)
    try AtomicFile.write(text, to: path)
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [.duplicateId, .duplicateId])
    let problem = try #require(scan.entry(ref)?.problems.first)
    #expect(problem.file == "heroes/.sync/luna.json")
    #expect(problem.what == .duplicateID(["heroes/.sync/copy.json"], more: 0, sidecar: nil))
    // What the hint says: one of them alone is a delete.
    try FileSystem.remove(path)
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
