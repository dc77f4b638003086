import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// A rename that was interrupted leaves two sidecars of one id; here the record is deleted next.
@Suite(.inTurn) struct StaleSidecarTests {
  /// A library with the old sidecar of a hero, `luna`, the new one, `moon`, and no record of it.
  private func library(_ world: TestWorld) async throws -> TestLibrary {
    let a = try await Samples.synced(world)
    try a.remove("stories/first-snow.json")
    try await a.sync()
    let old = try a.read("heroes/.sync/luna.json")
    try a.move("heroes/luna.json", "heroes/moon.json")
    try a.edit("heroes/moon.json", "7", "8")
    try await a.sync()
    try a.write("heroes/.sync/luna.json", old)
    try a.remove("heroes/moon.json")
    return a
  }

  @Test(arguments: ServerAPI.allCases)
  func deleteIsSentOnce(_ api: ServerAPI) async throws {
    let world = try TestWorld(api)
    let a = try await library(world)
    _ = world.takeRequests()
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(report.stops.isEmpty)
    #expect(world.takeRequests().filter { $0.method != "GET" }.map(\.method) == ["DELETE"])
    #expect(try world.records(.heroes)["Luna"] == nil)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  @Test(arguments: ServerAPI.allCases)
  func newRecordFromTheServerDoesNotTakeItsName(_ api: ServerAPI) async throws {
    let world = try TestWorld(api)
    let a = try await library(world)
    try world.create("heroes", ["name": "Luna", "age": 3, "traits": ["other"]])
    let report = try await a.sync()
    let ref = try #require(report.receivedNew.first)
    #expect(ref.name != "luna")
    #expect(a.exists(ref.sidecarPath))
    #expect(try a.states() == [:])
    #expect(try world.ids(.heroes).count == 1)
    #expect(try await a.sync().isQuiet)
  }

  @Test func nothingIsMovedToItsName() async throws {
    let world = try TestWorld()
    let a = try await library(world)
    try a.write("heroes/nova.json", "{\"name\": \"Nova\", \"age\": 3, \"traits\": [\"x\"]}\n")
    let (nova, luna) = (
      RecordRef(kind: .heroes, name: "nova"), RecordRef(kind: .heroes, name: "luna")
    )
    #expect(throws: EditError.exists(luna)) {
      try LibraryEditor(a.library).move(nova, to: luna)
    }
    let report = try await a.sync()
    #expect(report.created == [nova])
    #expect(report.deleted.map(\.name) == ["moon"])
    #expect(try Array(world.records(.heroes).keys) == ["Nova"])
  }

  @Test func anotherServerKnowsNothingOfIt() async throws {
    let (world, other) = (try TestWorld(), try TestWorld())
    let a = try await library(world)
    let moved = TestLibrary(root: a.root, world: other)
    try RemoteMover(a.library).move(to: .url(other.server.url))
    #expect(try a.paths("heroes").isEmpty)
    #expect(try await moved.sync().stops.isEmpty)
  }

  /// Whether they are of the record that is here, nobody can tell.
  @Test(arguments: [2, 3])
  func countsForNothingBesideASplitSidecarThatNamesItsID(_ count: Int) async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let text = try a.read("heroes/.sync/luna.json")
    for number in 0..<count { try a.write("heroes/.sync/other-\(number).json", text) }
    let ours = text.replacing(
      try a.sidecar("heroes/luna").id, with: "00000000-0000-4000-8000-000000000000")
    try a.write(
      "heroes/.sync/luna.json", "<<<<<<< HEAD\n\(ours)=======\n\(text)>>>>>>> branch\n")
    let before = try a.paths("heroes")
    let report = try await a.sync()
    #expect(report.deleted.isEmpty)
    #expect(try a.paths("heroes") == before)
    #expect(try world.ids(.heroes).count == 1)
  }

  @Test func recordThatComesBackUnderItsNameMeanwhileKeepsItsID() async throws {
    let world = try TestWorld()
    let a = try await library(world)
    let id = try a.sidecar("heroes/moon").id
    // The server is opened once the library was scanned.
    let synchronizer = Synchronizer(library: try a.library) { _ in
      try a.write("heroes/luna.json", Samples.luna)
      return Connection(
        client: try world.client(),
        identity: .init(server: world.server.url, account: TestWorld.account))
    }
    let report = try await synchronizer.run(SyncOptions())
    #expect(report.deleted.isEmpty)
    try await a.sync()
    #expect(try a.sidecar("heroes/luna").id == id)
    #expect(try world.ids(.heroes) == [id])
    #expect(try a.states() == [:])
  }
}
