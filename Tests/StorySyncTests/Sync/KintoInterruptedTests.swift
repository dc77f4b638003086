import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Syncs with a real Kinto that end at any of their requests.
@Suite(.inTurn, .withKinto) struct KintoInterruptedTests {
  /// How a sync ends at one of its requests.
  enum End: String, CaseIterable {
    /// From this answer on all are lost.
    case answersAreLost
    /// The program is killed; the request is carried out.
    case killed
    /// The program is killed; the request never arrives.
    case killedBefore
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    var server: ContractServer
    var end: End
    var testDescription: String { "\(server.rawValue), \(end.rawValue)" }
  }

  /// The end that leaves the most to find out comes at each request, the others at every other write: a read
  /// leaves the server as it was, however it ends. Two nodes differ from one in what they answer to the next
  /// run.
  static let endings = ContractServer.kintos.flatMap { server in
    (server == .nodes ? [.killed] : End.allCases).map { Ending(server: server, end: $0) }
  }

  private func hero(_ name: String) -> String {
    "{\n  \"name\": \"\(name)\",\n  \"age\": 7,\n  \"traits\": [\"brave\"]\n}\n"
  }

  /// Two libraries, of which the first has something of everything to send and to take. Pages and
  /// batches are so short that there are several of them.
  private func prepared(
    _ server: ContractServer
  ) async throws -> (world: TestWorld, a: TestLibrary, b: TestLibrary) {
    let world = try TestWorld(server)
    // Each batch has its collection first.
    try world.setLimits(page: 3, batch: 3)
    let a = try Samples.filled(world)
    try a.write("heroes/ben.json", hero("Ben"))
    try await a.sync()
    let b = try world.library("b")
    try await b.sync(.pull)
    try b.write("heroes/ada.json", hero("Ada"))
    try await b.sync()
    for place in 1...3 { try a.write("heroes/new-\(place).json", hero("New \(place)")) }
    try a.write(
      "events/picnic.json",
      "{\n  \"title\": \"A picnic\",\n  \"promptSeed\": \"It rains at a picnic.\"\n}\n")
    try a.edit("heroes/luna.json", "\"age\": 7", "\"age\": 8")
    try a.edit("stories/first-snow.json", "\"content\"", "\"playCount\": 3,\n  \"content\"")
    try a.remove("heroes/ben.json")
    return (world, a, b)
  }

  @Test(.enabled(if: StopPoints.areAvailable), arguments: endings)
  func `a sync that ends at any of its requests makes nothing twice`(_ how: Ending) async throws {
    let undisturbed = try await prepared(how.server)
    _ = undisturbed.world.takeRequests()
    try await undisturbed.a.sync()
    let requests = undisturbed.world.takeRequests()
    // All writes go in batches.
    #expect(Set(requests.map(\.method)) == ["GET", "HEAD", "POST"])
    let isAtEach = how.end == .killed && how.server == .kinto
    let writes = requests.indices.filter { !requests[$0].isRead }
    let everyOther = stride(from: 0, to: writes.count, by: 2).map { writes[$0] }
    let numbers = (isAtEach ? Array(requests.indices) : everyOther).map { $0 + 1 }
    #expect(numbers.count > 2)
    for number in numbers { try await endSync(at: number, how) }
    print("\(how.testDescription): ended at \(numbers) of \(requests.count) requests")
  }

  private func endSync(at number: Int, _ how: Ending) async throws {
    let (world, a, b) = try await prepared(how.server)
    let stops = try StopPoints(a.root)
    let count = Box(0)
    let fault = world.server.addFault(
      FaultRule(how.end == .killedBefore ? .dropBeforeHandling : .dropAfterHandling) { _ in
        count.change { $0 += 1 }
        guard count.value >= number else { return false }
        if how.end != .answersAreLost { stops.stop() }
        return true
      })
    let transport = SocketTransport(port: world.server.port) { stops.isStopped }
    _ = try? await a.attempt(transport: transport)
    world.server.removeFault(fault)
    stops.arm()
    #expect(count.value >= number)
    try b.edit("heroes/luna.json", "\"brave\"", "\"brave\", \"kind\"")
    try b.edit("stories/the-first-snow.json", "\"content\"", "\"isFavorite\": true,\n  \"content\"")
    try await b.sync()
    for library in [a, b, a] { try await library.sync() }
    let heroes = try world.records(.heroes)
    let place: Comment = "request \(number)"
    #expect(heroes.keys.sorted() == ["Ada", "Luna", "New 1", "New 2", "New 3"], place)
    #expect(try world.ids(.heroes).count == 5 && world.ids(.customEvents).count == 2, place)
    #expect(heroes["Luna"]?["age"] == 8 && heroes["Luna"]?["traits"]?.array?.count == 3, place)
    let story = try world.records(.stories)["The First Snow"]
    #expect(story?["playCount"] == 3 && story?["isFavorite"] == true, place)
    for library in [a, b] {
      #expect(try library.states().isEmpty, place)
      #expect(!library.exists("heroes/ben.json") && library.exists("heroes/ada.json"), place)
    }
    #expect(try a.value("heroes/luna.json") == b.value("heroes/luna.json"), place)
  }
}
