import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// What a sync does with a server that has none of the guarantees of the first form, and peculiar
/// rules of its own.
@Suite(.inTurn) struct DialectV1SyncTests {
  private let world: TestWorld

  init() throws { world = try TestWorld(.v1) }

  private func story(_ library: TestLibrary) throws -> JSONValue {
    try library.value("stories/first-snow.json")
  }

  // MARK: Media

  @Test func `signed URLs dirty no file`() async throws {
    let world = try TestWorld(.v1)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("stories/first-snow").id
    let old = try #require(try world.records(.stories)["The First Snow"])
    guard case .object(var story) = old else { return }
    // Another server has the same story with a narration.
    story["audioUrl"] = "/api/media/snow.wav"
    story["audioGenerationStatus"] = "completed"
    var options = ServerOptions(dataFolder: nil)
    options.api = .v1
    let other = try StoryServer(options: options)
    let refused = try other.replaceRecords(
      of: TestWorld.account,
      with: try RecordKind.allCases.flatMap { kind in
        try world.server.records(kind, of: TestWorld.account).map { record in
          let json = record.id == id ? JSONValue.object(story) : record.value ?? .null
          return ImportedRecord(
            kind: kind, id: record.id,
            updatedAt: record.id == id
              ? "2100-01-01T00:00:00.000Z" : json["updatedAt"]?.string ?? "",
            json: json.compactBytes)
        }
      })
    #expect(refused.isEmpty)
    try other.start()
    defer { other.stop() }
    let token = try other.issueToken(email: TestWorld.account).token
    func sync(_ full: Bool) async throws -> SyncReport {
      let transport = SocketTransport(port: other.port)
      let synchronizer = Synchronizer(library: try a.library) { _ in
        Connection(
          client: APIClient(
            server: try ServerAddress(other.url), transport: transport,
            configuration: .init(dialect: .v1), session: Session(token: Secret(token))),
          identity: .init(server: world.server.url, account: TestWorld.account))
      }
      var options = SyncOptions()
      options.isFull = full
      return try await synchronizer.run(options)
    }
    _ = try await sync(true)
    let url = try a.sidecar("stories/first-snow").server["audioUrl"]?.string
    #expect(url == "\(other.url)/api/media/snow.wav")
    let before = try a.tracked()
    for full in [false, true, true] {
      let report = try await sync(full)
      #expect(report.error == nil && report.isQuiet)
      #expect(try a.tracked() == before)
    }
  }

  // MARK: Counters

  @Test func `a new story brings its readings along`() async throws {
    let a = try Samples.filled(world)
    try a.edit("stories/first-snow.json", "\n  ]\n}", "\n  ],\n  \"playCount\": 3\n}")
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(try world.records(.stories)["The First Snow"]?["playCount"] == 3)
    #expect(try story(a)["playCount"] == 3)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  @Test func `readings of both sides add up`() async throws {
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try await b.sync()
    try a.edit("stories/first-snow.json", "\n  ]\n}", "\n  ],\n  \"playCount\": 2\n}")
    try b.edit("stories/the-first-snow.json", "\n  ]\n", "\n  ],\n  \"playCount\": 3\n")
    _ = world.takeRequests()
    try await a.sync()
    #expect(world.takeRequests().filter { $0.path.hasSuffix("/play") }.count == 2)
    try await b.sync()
    try await a.sync()
    #expect(try world.records(.stories)["The First Snow"]?["playCount"] == 5)
    #expect(try story(a)["playCount"] == 5)
    #expect(try b.value("stories/the-first-snow.json")["playCount"] == 5)
    for library in [a, b] { #expect(try await library.sync().isQuiet) }
  }

  // MARK: Fields

  @Test func `abilities travel as a list and stay what they are here`() async throws {
    let a = try world.library("a")
    for (name, ability) in [("one", "\"flies\""), ("two", "[\"flies\", \"sings\"]")] {
      try a.write(
        "heroes/\(name).json",
        "{\"name\": \"\(name)\", \"age\": 7, \"traits\": [\"x\"], \"specialAbility\": \(ability)}")
    }
    let before = try a.read("heroes/two.json")
    try await a.sync()
    #expect(try a.read("heroes/two.json") == before)
    let b = try world.library("b")
    try await b.sync()
    #expect(try b.value("heroes/one.json")["specialAbility"] == "flies")
    #expect(try b.value("heroes/two.json")["specialAbility"] == ["flies", "sings"])
    try b.write("heroes/one.json", "{\"name\": \"one\", \"age\": 7, \"traits\": [\"x\"]}")
    try b.edit("heroes/two.json", "\"flies\", ", "")
    try await b.sync()
    try await a.sync()
    #expect(try a.value("heroes/one.json")["specialAbility"] == nil)
    #expect(
      try a.value("heroes/two.json")["specialAbility"]?.string == "sings"
        || a.value("heroes/two.json")["specialAbility"] == ["sings"])
    for library in [a, b] { #expect(try await library.sync().isQuiet) }
  }

  @Test func `what the server does not take comes back and is told`() async throws {
    let a = try world.library("a")
    try a.write(
      "heroes/luna.json",
      "{\"name\": \"Luna\", \"age\": 7, \"traits\": [\"x\"], \"height\": \"tall\"}")
    try await a.sync()
    try a.write("heroes/luna.json", "{\"name\": \"Luna\", \"age\": 8, \"traits\": [\"x\"]}")
    let report = try await a.sync()
    #expect(report.updated.map(\.fields) == [["age", "height"]])
    #expect(
      report.overridden.map { "\($0.ref).\($0.field): \($0.kept)" } == [
        "heroes/luna.height: server"
      ])
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
    #expect(try a.value("heroes/luna.json")["age"] == 8)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
    // Nothing is lost: the run has what was written here.
    let versions = try RunHistory(a.library).versions(in: try #require(report.run))
    #expect(!versions.isEmpty)
  }

  @Test func `a story that moves to another hero stays where it was`() async throws {
    let a = try await Samples.synced(world)
    try a.write("heroes/otto.json", "{\"name\": \"Otto\", \"age\": 5, \"traits\": [\"x\"]}")
    try a.edit("stories/first-snow.json", "\"luna\"", "\"otto\"")
    let report = try await a.sync()
    #expect(report.overridden.map(\.field) == ["hero"])
    #expect(try story(a)["hero"] == "luna")
    #expect(try await a.sync().isQuiet)
  }

  @Test func `an event that goes is taken out of stories everywhere`() async throws {
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try await b.sync()
    try world.delete("custom-events", a.sidecar("events/lost-tooth").id)
    for library in [a, b] {
      let report = try await library.sync()
      #expect(report.receivedDeletes.map(\.kind) == [.events])
      #expect(report.receivedChanges.map(\.fields) == [["event"]])
      #expect(try library.states() == [:])
      #expect(try await library.sync().isQuiet)
    }
    #expect(try story(a)["event"] == nil)
  }

  @Test(arguments: [SyncOptions.Direction.both, .push])
  func `an event that is deleted here while a story names it stays on the server`(
    _ direction: SyncOptions.Direction
  ) async throws {
    let a = try await Samples.synced(world)
    try a.remove("events/lost-tooth.json")
    let report = try await a.sync(direction)
    #expect(report.deleted.isEmpty)
    #expect(!report.stops.isEmpty)
    #expect(try world.ids(.customEvents).count == 1)
    #expect(try story(a)["event"] != nil)
  }

  @Test func `a text that changes drops its narration there alone`() async throws {
    let a = try await Samples.synced(world)
    try a.edit("stories/first-snow.json", "whispered", "purred")
    try await a.sync()
    #expect(try a.sidecar("stories/first-snow").server["audioGenerationStatus"] == "pending")
    #expect(try await a.sync().isQuiet)
  }

  // MARK: Creating

  @Test func `many new records go in batches and are read back`() async throws {
    let a = try world.library("a")
    for number in 0..<120 {
      try a.write(
        "heroes/h\(number).json",
        "{\"name\": \"H\(number)\", \"age\": \(3 + number % 10), \"traits\": [\"x\"]}")
      try a.write(
        "stories/s\(number).json",
        "{\"title\": \"S\(number)\", \"hero\": \"h\(number)\", \"content\": [\"Once.\"]}")
    }
    _ = world.takeRequests()
    let report = try await a.sync()
    #expect(report.failed.isEmpty && report.created.count == 240)
    let requests = world.takeRequests()
    #expect(requests.filter { $0.method == "POST" }.count == 4)
    #expect(requests.count < 40)
    #expect(try a.states() == [:])
    let b = try world.library("b")
    try await b.sync()
    #expect(try b.scan().entries.count == 240)
    #expect(try await a.sync().isQuiet)
  }

  @Test func `one bad record of a batch stops no other`() async throws {
    let a = try Samples.filled(world)
    // What a library may hold and this server does not take.
    try a.write("heroes/plain.json", "{\"name\": \"Plain\", \"age\": 7, \"traits\": []}")
    try a.write("heroes/mia.json", "{\"name\": \"Mia\", \"age\": 7, \"traits\": [\"x\"]}")
    let report = try await a.sync()
    #expect(report.failed.allSatisfy { $0.ref.name == "plain" })
    #expect(try world.records(.heroes)["Mia"] != nil)
    #expect(try world.records(.stories).count == 1)
  }

  /// The answer of a batch is lost, and the next sync finds what was made.
  @Test(arguments: [true, false], SyncOptions.Direction.allCases)
  func `a lost batch is looked up`(_ isDone: Bool, _ next: SyncOptions.Direction) async throws {
    let a = try Samples.filled(world)
    try a.write("heroes/mia.json", "{\"name\": \"Mia\", \"age\": 7, \"traits\": [\"x\"]}")
    for path in ["/api/batch", "/api/v1/custom-events", "/api/batch/stories"] {
      let fault = world.server.addFault(
        FaultRule(isDone ? .dropAfterHandling : .dropBeforeHandling, method: "POST", path: path))
      #expect(try await a.attempt(.push).error != nil)
      world.server.removeFault(fault)
      if next == .pull { try await a.sync(.pull) }
    }
    try await a.sync(next)
    try await a.sync()
    #expect(try a.states() == [:])
    #expect(try world.records(.heroes).keys.sorted() == ["Luna", "Mia"])
    for (kind, count) in [(RecordKind.heroes, 2), (.stories, 1), (.customEvents, 1)] {
      #expect(try world.server.records(kind, of: TestWorld.account).count == count)
    }
    #expect(try Journal(a.library).unfinished.isEmpty)
  }

  // MARK: Deleting

  @Test func `a list that leaves a record out deletes nothing that is there by id`() async throws {
    let a = try await Samples.synced(world)
    let body: JSONValue = [
      "data": [
        "heroes": [], "pagination": ["total": 0, "limit": 100, "offset": 0, "hasMore": false],
      ]
    ]
    world.server.addFault(
      FaultRule(.replaceBody(body.compactBytes), method: "GET", path: "/api/v1/heroes"))
    let report = try await a.sync(.both) { $0.isFull = true }
    #expect(report.receivedDeletes.isEmpty)
    #expect(a.exists("heroes/luna.json"))
  }

  @Test func `a record of another account is neither deleted nor overwritten`() async throws {
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    world.server.addFault(
      FaultRule(
        .answer(
          status: 403, body: Array("{\"error\":\"ForbiddenError\",\"message\":\"not yours\"}".utf8)),
        method: "GET", path: "/api/v1/heroes/\(id)"))
    try a.edit("heroes/luna.json", "7", "8")
    let report = try await a.sync(.push)
    #expect(report.failed.map(\.ref.description) == ["heroes/luna"])
    #expect(try world.records(.heroes)["Luna"]?["age"] == 7)
  }
}
