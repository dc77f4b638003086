import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

@testable import stories

/// A server whose answers are not what the contract says changes nothing on disk, and once it is well
/// again a sync comes to the same end as if nothing had been.
@Suite(.inTurn) struct BadAnswerSyncTests {
  private static let bodies: [(name: String, body: String)] = [
    ("nothing", ""), ("a web page", "<!doctype html><p>Sign in to the network"),
    ("half of an answer", #"{"data":["#), ("no JSON", "ok"), ("a number", "7"), ("null", "null"),
    ("an empty object", "{}"), ("an empty list", "[]"),
    ("an error in a success", #"{"error":{"message":"broken"}}"#),
    ("data as text", #"{"data":"x"}"#),
    ("data null", #"{"data":null,"pagination":{"total":0}}"#),
    ("no total", #"{"data":[],"pagination":{}}"#),
    ("more than there is", #"{"data":[],"pagination":{"total":9,"hasMore":true}}"#),
  ]

  @Test(arguments: ServerAPI.allCases, bodies.map(\.name))
  func `a list or a health that makes no sense`(_ api: ServerAPI, _ name: String) async throws {
    let body = try #require(Self.bodies.first { $0.name == name }).body
    let world = try TestWorld(api)
    let a = try await Samples.synced(world)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["age": 9])
    let before = try a.tracked()
    for path in ["heroes", "custom-events", "stories", "health"] {
      world.server.addFault(
        FaultRule(.replaceBody(Array(body.utf8)), method: "GET", path: "\(world.base)/\(path)"))
      // Whatever the direction, the lists come first.
      let report = try await a.attempt()
      world.server.removeFaults()
      let error = try #require(report.error, "\(path)")
      guard case .decoding(_, let place) = error else {
        Issue.record("\(path): \(error)")
        continue
      }
      #expect(place.hasPrefix("GET \(world.base)/\(path)"))
      #expect(try a.tracked() == before, "\(path)")
    }
    #expect(try await a.sync().receivedChanges.map(\.ref.description) == ["heroes/luna"])
  }

  @Test(arguments: ServerAPI.allCases, bodies.map(\.name))
  func `an answer to a write that makes no sense`(_ api: ServerAPI, _ name: String) async throws {
    let body = try #require(Self.bodies.first { $0.name == name }).body
    let world = try TestWorld(api)
    let a = try await Samples.synced(world)
    try a.write("heroes/mira.json", #"{"name": "Mira", "age": 5, "traits": ["kind"]}"#)
    try a.edit("heroes/luna.json", "7", "8")
    let before = try a.tracked()
    for method in ["POST", "PATCH"] {
      world.server.addFault(FaultRule(.replaceBody(Array(body.utf8)), method: method, path: "*"))
    }
    let report = try await a.attempt(.push)
    #expect(report.error != nil || !report.failed.isEmpty)
    #expect(try a.tracked() == before)
    world.server.removeFaults()
    try await a.sync()
    #expect(try a.states().isEmpty)
    #expect(try world.records(.heroes).keys.sorted() == ["Luna", "Mira"])
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
  }

  /// A record that cannot be understood may be the one whose sidecar was lost, so none is made anew.
  @Test(arguments: ServerAPI.allCases, [String?.none, "{"])
  func `a record that may be one without a sidecar`(
    _ api: ServerAPI, _ broken: String?
  ) async throws {
    let world = try TestWorld(api)
    let a = try await Samples.synced(world)
    let sidecar = "stories/.sync/first-snow.json"
    if let broken { try a.write(sidecar, broken) } else { try a.remove(sidecar) }
    try a.edit("heroes/luna.json", "7", "8")
    let target = "\(world.base)/stories"
    let list = try world.server.perform("GET", target, as: TestWorld.account)
    let text = String(decoding: try #require(list.value).compactBytes, as: UTF8.self)
    world.server.addFault(
      FaultRule(
        .replaceBody(Array(text.replacing("\"content\":", with: "\"lost\":").utf8)), method: "GET",
        path: target))
    for _ in 1...2 {
      let report = try await a.attempt()
      #expect(report.failed.map(\.ref.description).contains("stories/first-snow"))
      #expect(report.created.isEmpty)
      #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
      #expect(a.exists(sidecar) == (broken != nil))
    }
    world.server.removeFaults()
    #expect(try await a.sync().created.isEmpty)
    #expect(try a.states().isEmpty)
    #expect(try world.server.records(.stories, of: TestWorld.account).count == 1)
  }

  /// What is left out of an answer is not what somebody cleared.
  @Test(arguments: ServerAPI.allCases, ["content", "title", "heroId"])
  func `a record without what it must have`(_ api: ServerAPI, _ key: String) async throws {
    let world = try TestWorld(api)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("stories/first-snow").id
    try world.patch("stories", id, ["isFavorite": true])
    let before = try a.tracked()
    for value in [JSONValue?.none, JSONValue.null] {
      let target = "\(world.base)/stories"
      let list = try world.server.perform("GET", target, as: TestWorld.account)
      var answer = try #require(list.value?.object)
      func stripped(_ rows: JSONValue?) throws -> JSONValue {
        .array(
          try #require(rows?.array).map { row in
            var row = row.object ?? [:]
            row[key] = value
            return .object(row)
          })
      }
      if api == .v0 {
        answer["data"] = try stripped(answer["data"])
      } else {
        var data = try #require(answer["data"]?.object)
        data["stories"] = try stripped(data["stories"])
        answer["data"] = .object(data)
      }
      world.server.addFault(
        FaultRule(
          .replaceBody(JSONValue.object(answer).compactBytes), method: "GET", path: target))
      let report = try await a.attempt()
      #expect(report.failed.count == 1, "\(report.failed)")
      #expect(report.failed.first?.message.contains("\(key): ") == true, "\(report.failed)")
      #expect(try a.tracked() == before)
      world.server.removeFaults()
    }
    #expect(
      try await a.sync().receivedChanges.map(\.ref.description) == ["stories/first-snow"])
  }
}
