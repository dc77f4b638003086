import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Renamed records keep their id, whatever else happens to them.
@Suite(.inTurn) struct RenameTests {
  @Test(arguments: [SyncOptions.Direction.both, .push], ContractServer.single)
  func editOfARenamedRecordIsSentAtOnce(
    _ direction: SyncOptions.Direction, _ server: ContractServer
  ) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.move("heroes/luna.json", "heroes/family/luna-maria.json")
    try a.edit("heroes/family/luna-maria.json", "7", "8")
    _ = world.takeRequests()
    let report = try await a.sync(direction)
    #expect(report.failed.isEmpty)
    #expect(report.renamed.map(\.to.description) == ["heroes/family/luna-maria"])
    #expect(report.updated.map(\.fields) == [["age"]])
    let writes = world.takeRequests().filter { !$0.isRead }
    #expect(writes.map(\.method) == [world.method(of: "PATCH")])
    #expect(try a.sidecar("heroes/family/luna-maria").id == id)
    #expect(try a.states() == [:])
  }

  @Test(arguments: ContractServer.single)
  func renamedEditedAndChangedThereMerges(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    try a.move("heroes/luna.json", "heroes/moon.json")
    try a.edit("heroes/moon.json", "7", "8")
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(report.renamed.count == 1)
    #expect(try a.value("heroes/moon.json")["height"] == "tall")
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  @Test(arguments: ContractServer.single)
  func renamedIntoANewFolderAndDeletedThereGoes(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try world.delete("stories", a.sidecar("stories/first-snow").id)
    try a.move("stories/first-snow.json", "stories/winter/snow.json")
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(report.receivedDeletes.map(\.description) == ["stories/winter/snow"])
    #expect(try a.paths("stories").isEmpty)
  }

  /// A record belongs to the sidecar of its name; texts of two stories are never mixed without a person.
  @Test func swappedNamesAreTwoEdits() async throws {
    let world = try TestWorld()
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    func story(_ title: String) -> String {
      let lines = (1...5).map { "\"\(title) line \($0)\"" }.joined(separator: ", ")
      return "{\"title\": \"\(title)\", \"hero\": \"luna\", \"content\": [\(lines)]}"
    }
    try a.write("stories/apple.json", story("Apple"))
    try a.write("stories/berry.json", story("Berry"))
    try await a.sync()
    let id = try a.sidecar("stories/apple").id
    let text = (1...5).map { "Apple line \($0)" }.joined(separator: "\n") + "\nApple, added there"
    try world.patch("stories", id, ["content": .string(text)])
    try a.move("stories/apple.json", "stories/other.json")
    try a.move("stories/berry.json", "stories/apple.json")
    try a.move("stories/other.json", "stories/berry.json")
    let report = try await a.sync()
    #expect(
      report.conflicts == [.init(ref: .init(kind: .stories, name: "apple"), fields: ["content"])])
    #expect(try a.read("stories/apple.json").contains("Apple line") == false)
    #expect(try a.read("stories/berry.json").contains("Berry line") == false)
    #expect(try world.records(.stories)["Berry"]?["content"]?.string == text)
  }

  @Test(arguments: [true, false])
  func referencesFollowARecordThatMovedWithItsSidecar(nameIsTaken: Bool) async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.move("heroes/luna.json", "heroes/kin/luna.json")
    try a.move("heroes/.sync/luna.json", "heroes/kin/.sync/luna.json")
    if nameIsTaken {
      try a.write("heroes/luna.json", Samples.luna)
      try a.edit("heroes/luna.json", "Luna", "Stella")
    }
    for _ in 0..<2 {
      let story = try #require(try a.scan().entry(RecordRef(kind: .stories, name: "first-snow")))
      #expect(story.state == .synced)
      #expect(!story.outdatedReferences.isEmpty)
    }
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(report.updated.isEmpty)
    #expect(try a.value("stories/first-snow.json")["hero"] == "kin/luna")
    #expect(try a.sidecar("stories/first-snow").refs["hero"] == "kin/luna")
    #expect(try world.records(.stories)["The First Snow"]?["heroId"]?.string == id)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func wholeFolderIsRenamedWithoutAWrite(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try world.library("a")
    for number in 0..<12 {
      try a.write(
        "heroes/old/h\(number).json", "{\"name\": \"H\(number)\", \"age\": 7, \"traits\": [\"x\"]}")
    }
    try await a.sync()
    for number in 0..<12 { try a.move("heroes/old/h\(number).json", "heroes/new/h\(number).json") }
    _ = world.takeRequests()
    let report = try await a.sync()
    #expect(report.stops.isEmpty)
    #expect(report.renamed.count == 12)
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try a.states() == [:])
  }

  @Test(arguments: ContractServer.oneOfEach)
  func caseOnlyRenameKeepsTheID(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.move("heroes/luna.json", "heroes/Luna.json")
    _ = world.takeRequests()
    try await a.sync()
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try a.sidecar("heroes/Luna").id == id)
    #expect(try a.value("stories/first-snow.json")["hero"] == "Luna")
  }

  @Test(arguments: ContractServer.oneOfEach)
  func storiesNameARenamedHeroAnewEvenIfThePushFails(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try a.move("heroes/luna.json", "heroes/moon.json")
    try a.edit("heroes/moon.json", "7", "8")
    world.server.addFault(FaultRule(.dropBeforeHandling, method: world.method(of: "PATCH")))
    #expect(try await a.attempt().error != nil)
    #expect(try a.value("stories/first-snow.json")["hero"] == "moon")
  }

  @Test(arguments: ContractServer.oneOfEach)
  func newRecordFromTheServerDoesNotTakeTheNameThatIsBeingLeft(_ server: ContractServer)
    async throws
  {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try a.move("heroes/luna.json", "heroes/moon.json")
    try world.create("heroes", ["name": "Luna", "age": 3, "traits": ["other"]])
    let report = try await a.sync()
    #expect(report.receivedNew.count == 1)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
    #expect(try world.ids(.heroes).count == 2)
  }

  @Test func `a story that cannot be read while its hero is renamed still means that hero`()
    async throws
  {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    let text = try a.read("stories/first-snow.json")
    try a.write("stories/first-snow.json", text + "<<<<<<< x\n")
    try a.move("heroes/luna.json", "heroes/moon.json")
    try await a.sync()
    try a.write("stories/first-snow.json", text)
    try a.write("heroes/luna.json", Samples.luna.replacing("Luna", with: "Another"))
    try await a.sync()
    #expect(try a.value("stories/first-snow.json")["hero"] == "moon")
    #expect(try world.live(.stories).first?.value["heroId"]?.string == id)
    #expect(try a.states() == [:])
  }
}
