import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `stories sync REF…`: these records, and what they need.
@Suite(.inTurn) struct SelectedSyncTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let ann: CommandSetting
  private let ben: CommandSetting

  /// Two libraries of one account; Ann's has new records, with a story of one of the heroes.
  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    ann = try server.library(in: folder, "ann")
    ben = try server.library(in: folder, "ben")
    try folder.write(SampleLibrary.luna, to: "ann/heroes/luna.json")
    try folder.write(SampleLibrary.otto, to: "ann/heroes/family/otto.json")
    try folder.write(SampleLibrary.tooth, to: "ann/events/lost-tooth.json")
    try folder.write(SampleLibrary.snow, to: "ann/stories/2026/first-snow.json")
  }

  private func refs(_ run: CommandRun, _ side: String, _ what: String) -> [String] {
    (run.json?[side]?[what]?.array ?? []).compactMap(\.string)
  }

  @Test func aStoryTakesWhatItNeedsAlongAndSaysSo() async throws {
    let dry = await ann.run("sync", "push", "first-snow", "--dry-run", "--json")
    let run = await ann.run("sync", "push", "first-snow", "--json")
    for report in [dry, run] {
      #expect(report.code == .done, "\(report.errors)")
      #expect(
        refs(report, "sent", "created")
          == ["heroes/luna", "events/lost-tooth", "stories/2026/first-snow"])
      #expect(report.json?["included"] == ["heroes/luna", "events/lost-tooth"])
      #expect(
        report.errors == "Note: heroes/luna and events/lost-tooth are included, because selected"
          + " records refer to them.\n")
    }
    let left = await ann.run("status", "--json")
    #expect(
      left.json?["records"]?.array?.compactMap { $0["ref"]?.string } == ["heroes/family/otto"])
  }

  @Test func aKindIsPulledWithWhatIsNewOfIt() async throws {
    #expect(await ann.run("sync").code == .done)
    let heroes = await ben.run("sync", "pull", "heroes", "--json")
    #expect(refs(heroes, "received", "created").sorted() == ["heroes/luna", "heroes/otto"])
    #expect(heroes.errors.isEmpty)
    #expect(heroes.json?["included"] == nil)
    #expect(!folder.exists("ben/events/a-lost-tooth.json"))
    // What was left out is not forgotten.
    let rest = await ben.run("sync", "pull", "--json")
    #expect(
      refs(rest, "received", "created").sorted() == [
        "events/a-lost-tooth", "stories/the-first-snow",
      ])
  }

  @Test func aPulledStoryBringsItsHeroAndEvent() async throws {
    #expect(await ann.run("sync").code == .done)
    let run = await ben.run("sync", "pull", "stories", "--json")
    #expect(
      refs(run, "received", "created").sorted()
        == ["events/a-lost-tooth", "heroes/luna", "stories/the-first-snow"])
    #expect(run.errors.contains("heroes/luna and events/a-lost-tooth are included"))
    #expect(try folder.read("ben/stories/the-first-snow.json").contains("\"hero\": \"luna\""))
  }

  @Test func editsOfOthersWait() async throws {
    #expect(await ann.run("sync").code == .done)
    try folder.edit("ann/heroes/luna.json", "7", to: "8")
    try folder.edit("ann/heroes/family/otto.json", "4", to: "5")
    let run = await ann.run("sync", "heroes/luna", "--json")
    #expect(refs(run, "sent", "updated") == ["heroes/luna"])
    #expect(refs(await ann.run("sync", "--json"), "sent", "updated") == ["heroes/family/otto"])
  }

  @Test func aDeletedHeroTakesAlongWhatReferredToIt() async throws {
    try folder.write(SampleLibrary.snow, to: "ann/stories/second-snow.json")
    try folder.edit("ann/stories/second-snow.json", "First Snow", to: "Second Snow")
    #expect(await ann.run("sync").code == .done)
    // One story goes with the hero; the other one gets a new hero and tells of no event.
    try folder.remove("ann/heroes/luna.json")
    try folder.remove("ann/stories/2026/first-snow.json")
    try folder.write(SampleLibrary.otto, to: "ann/heroes/nova.json")
    try folder.edit("ann/heroes/nova.json", "Otto", to: "Nova")
    try folder.edit("ann/stories/second-snow.json", "\"luna\"", to: "\"nova\"")
    try folder.edit("ann/heroes/family/otto.json", "4", to: "5")
    let dry = await ann.run("sync", "push", "heroes/luna", "--dry-run", "--json")
    let run = await ann.run("sync", "push", "heroes/luna", "--json")
    for report in [dry, run] {
      #expect(report.code == .done, "\(report.errors)")
      #expect(refs(report, "sent", "deleted") == ["stories/2026/first-snow", "heroes/luna"])
      #expect(refs(report, "sent", "updated") == ["stories/second-snow"])
      #expect(refs(report, "sent", "created") == ["heroes/nova"])
      #expect(
        report.errors == """
          Note: heroes/nova is included, because selected records refer to it.
          Note: stories/2026/first-snow and stories/second-snow are included, because they refer \
          to deleted records on the server.

          """)
    }
    let left = await ann.run("status", "--json")
    #expect(
      left.json?["records"]?.array?.compactMap { $0["ref"]?.string } == ["heroes/family/otto"])
  }

  @Test func aDeletedEventTakesAlongTheStoryThatNoLongerNamesIt() async throws {
    #expect(await ann.run("sync").code == .done)
    try folder.remove("ann/events/lost-tooth.json")
    try folder.edit("ann/stories/2026/first-snow.json", "  \"event\": \"lost-tooth\",\n", to: "")
    let run = await ann.run("sync", "push", "events", "--json")
    #expect(run.code == .done, "\(run.errors)")
    #expect(refs(run, "sent", "deleted") == ["events/lost-tooth"])
    #expect(refs(run, "sent", "updated") == ["stories/2026/first-snow"])
  }

  @Test(arguments: [
    (["psuh"], "DIRECTION must be push or pull, not “psuh”", "did you mean “push”?"),
    (["pul"], "DIRECTION must be push or pull, not “pul”", "did you mean “pull”?"),
    (["push", "psuh"], "there is no record “psuh”", "Hint: "),
    (["lunna"], "there is no record “lunna”", "did you mean heroes/luna?"),
  ])
  func aMistakeGetsTheRightSuggestion(
    words: [String], message: String, hint: String
  ) async throws {
    let run = await ann.run(["sync"] + words)
    #expect(run.code == .wrongUsage)
    #expect(run.errors.contains(message) && run.errors.contains(hint), "\(run.errors)")
    #expect(server.takeMethods().isEmpty)
  }
}
