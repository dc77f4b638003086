import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct SidecarRepairTests {
  private func conflicted(_ ours: String, _ theirs: String) -> String {
    "<<<<<<< HEAD\n\(ours)=======\n\(theirs)>>>>>>> branch\n"
  }

  @Test func markersWithOneIDBecomeTheNewerSide() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let old = try a.read("heroes/.sync/luna.json")
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try await a.sync()
    let new = try a.read("heroes/.sync/luna.json")
    for text in [conflicted(old, new), conflicted(new, old)] {
      try a.write("heroes/.sync/luna.json", text)
      #expect(try a.states() == ["heroes/luna": .unreadable])
      #expect(try await a.sync().failed.isEmpty)
      #expect(try a.read("heroes/.sync/luna.json") == new)
      #expect(try a.states() == [:])
    }
    #expect(try world.records(.heroes).count == 1)
  }

  @Test func markersWithTwoIDsAreLeftToAPerson() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let text = try a.read("heroes/.sync/luna.json")
    let other = text.replacing(try a.sidecar("heroes/luna").id, with: "another-id")
    try a.write("heroes/.sync/luna.json", conflicted(text, other))
    let report = try await a.sync()
    #expect(report.failed.map(\.ref.name) == ["luna"])
    #expect(try a.states() == ["heroes/luna": .unreadable])
    #expect(try world.records(.heroes).count == 1)
    try ConflictResolver(a.library).resolve(RecordRef(kind: .heroes, name: "luna"), .local)
    #expect(try a.read("heroes/.sync/luna.json") == text)
    #expect(try await a.sync().isQuiet)
  }

  @Test func sidecarBeyondReadingIsRebuiltFromTheServer() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let text = try a.read("heroes/.sync/luna.json")
    for broken in ["", "{\"id\": ", "\u{0}\u{1}", "[]", String(text.dropLast(30))] {
      try a.write("heroes/.sync/luna.json", broken)
      let report = try await a.sync()
      #expect(report.failed.isEmpty)
      #expect(try a.read("heroes/.sync/luna.json") == text)
      #expect(try world.records(.heroes).count == 1)
    }
  }

  @Test func rebuiltSidecarOfAnEditedRecordIsAConflict() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.write("heroes/.sync/luna.json", "{")
    try a.edit("heroes/luna.json", "7", "8")
    let report = try await a.sync()
    #expect(report.conflicts.map(\.fields) == [["age"]])
    #expect(try a.value("heroes/luna.json")["age"] == 8)
    #expect(try world.records(.heroes)["Luna"]?["age"] == 7)
    #expect(try world.records(.heroes).count == 1)
  }

  @Test(arguments: ["", "[]", "{\"id\": 5}"])
  func `a rewritten record keeps the id that it was seen with`(_ broken: String) async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let id = try a.sidecar("heroes/luna").id
    try a.write("heroes/.sync/luna.json", broken)
    try a.edit("heroes/luna.json", "Luna", "Mira")
    let report = try await a.sync()
    #expect(report.created.isEmpty && report.receivedNew.isEmpty)
    #expect(report.conflicts.map(\.fields) == [["name"]])
    #expect(try a.sidecar("heroes/luna").id == id)
    #expect(try world.records(.heroes).count == 1)
  }

  @Test func `an edited record whose sidecar is gone is not made again`() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let id = try a.sidecar("heroes/luna").id
    try a.remove("heroes/.sync/luna.json")
    try a.edit("heroes/luna.json", "7", "8")
    let report = try await a.sync()
    #expect(report.created.isEmpty && report.receivedNew.isEmpty)
    #expect(report.conflicts.map(\.fields) == [["age"]])
    #expect(try a.sidecar("heroes/luna").id == id)
    #expect(try world.records(.heroes).count == 1)
  }

  @Test(arguments: [true, false], [true, false])
  func `equal references of rewritten files are no conflict`(
    _ isHeroWritten: Bool, _ isDry: Bool
  ) async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let files = ["heroes/luna.json", "stories/first-snow.json"]
    let texts = try files.map(a.read)
    try FileSystem.removeTree(a.path("heroes"))
    try FileSystem.removeTree(a.path("stories"))
    for (file, text) in zip(files, texts) where isHeroWritten || file != files[0] {
      try a.write(file, text)
    }
    let report = try await a.sync { $0.isDryRun = isDry }
    #expect(report.conflicts.isEmpty)
    #expect(report.created.isEmpty && report.failed.isEmpty)
    if isDry { return }
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }
}
