import JSONText
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
    #expect(edited.waitsFor == [ref, "events/tooth"])
    #expect(!edited.hasErrors)
    #expect(scan.entry("stories/new")?.waitsFor == [ref])
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
}
