import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite("References between records")
struct ReferenceScanTests {
  private let test: TestLibrary
  private let ref: RecordRef = "heroes/luna"
  private let base: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]

  init() throws { test = try TestLibrary() }

  @Test("a story waits for a hero that has no id, and says so as a change")
  func waiting() throws {
    try test.write(ref, heroText("Luna"))
    try test.write("stories/new", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    try test.write(
      "stories/edited", #"{"title": "A", "hero": "luna", "event": "tooth", "content": "a"}"#)
    try test.write("events/tooth", #"{"title": "T", "promptSeed": "x"}"#)
    try test.sidecar("stories/edited", id: "9", base: ["title": "A", "content": "a"])
    let scan = try test.scan()
    let edited = try #require(scan.entry("stories/edited"))
    #expect(edited.state == .pendingUpdate)
    #expect(edited.changedFields.map(\.key) == ["hero", "event"])
    #expect(test.waitsFor("stories/edited", in: scan) == [ref, "events/tooth"])
    #expect(!edited.hasErrors)
    #expect(test.waitsFor("stories/new", in: scan) == [ref])
  }

  @Test("a mistyped reference in a synced story is an error, not silence")
  func mistyped() throws {
    try test.write("stories/a", #"{"title": "A", "heroId": "h", "content": "a", "event": "odd"}"#)
    try test.sidecar(
      "stories/a", id: "9", base: ["title": "A", "heroId": "h", "content": "a"])
    let entry = try #require(try test.scan().entry("stories/a"))
    #expect(entry.state == .pendingUpdate)
    #expect(entry.problems.map(\.code) == [.reference])
  }

  @Test("a hero that cannot be read is still somebody's hero")
  func unreadableHero() throws {
    try test.write(ref, "{")
    try test.sidecar(ref, id: "1", base: base)
    try test.write("stories/a", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    let entry = try #require(try test.scan().entry("stories/a"))
    #expect(entry.problems.isEmpty)
    #expect(entry.waitsFor.isEmpty)
  }

  @Test("a hero whose sidecar is broken changes no story that named it, and holds back a new one")
  func brokenSidecar() throws {
    try test.write(ref, heroText("Luna"))
    try test.folder.write(#"{"id": "1"#, to: "library/" + ref.sidecarPath)
    try test.write("stories/old", #"{"title": "A", "hero": "luna", "content": "b"}"#)
    try test.sidecar(
      "stories/old", id: "9", base: ["title": "A", "heroId": "1", "content": "a"],
      refs: ["hero": "luna"])
    try test.write("stories/new", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    // Twice, for the second time the index is asked.
    for _ in 0..<2 {
      let scan = try test.scan()
      let old = try #require(scan.entry("stories/old"))
      #expect(old.changedFields.map(\.key) == ["content"])
      #expect(old.waitsFor.isEmpty)
      #expect(test.waitsFor("stories/new", in: scan) == [ref])
    }
    try test.write("stories/old", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    #expect(try test.scan().entry("stories/old")?.state == .synced)
    try test.sidecar(ref, id: "1", base: base)
    let fixed = try test.scan()
    #expect(fixed.entry("stories/old")?.state == .synced)
    #expect(fixed.entry("stories/new")?.waitsFor == [])
  }
}
