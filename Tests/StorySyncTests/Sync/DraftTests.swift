import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@testable import stories

/// New stories that nobody has written the text of yet.
@Suite(.inTurn) struct DraftTests {
  private static let empty = #"{"title": "The First Snow", "hero": "luna", "content": [""]}"# + "\n"

  @Test func draftIsNeverSentAndNoFailure() async throws {
    let world = try TestWorld()
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try a.write("stories/snow.json", Self.empty)
    let report = try await a.sync()
    #expect(report.created.map(\.description) == ["heroes/luna"])
    #expect(report.failed.isEmpty)
    #expect(try world.records(.stories).isEmpty)
    #expect(try await a.sync(.push).isQuiet)
    #expect(try a.states() == ["stories/snow": .draft])
    try a.edit("stories/snow.json", #"[""]"#, #"["It snowed."]"#)
    #expect(try await a.sync(.push).created.map(\.description) == ["stories/snow"])
    #expect(try a.states().isEmpty)
  }

  @Test func storyThatLosesItsTextIsNoDraft() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try a.write("stories/first-snow.json", Self.empty)
    #expect(try a.states() == ["stories/first-snow": .pendingUpdate])
    let report = try await a.sync(.push)
    #expect(report.failed.map(\.message) == ["“content” must not be empty"])
    #expect(try world.records(.stories)["The First Snow"]?["content"]?.string?.isEmpty == false)
  }

  @Test func movedStoryWithoutTextIsStillTheSameStory() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try a.remove("stories/first-snow.json")
    try a.write("stories/snow.json", Self.empty)
    #expect(try a.states() == ["stories/snow": .pendingUpdate])
    #expect(try await a.sync(.push).deleted.isEmpty)
  }
}
