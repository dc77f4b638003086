import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

/// The second form of the contract, over a socket.
@Suite struct DialectV1Tests {
  private let server: TestServer
  private let client: TestClient

  init() throws {
    server = try TestServer { $0.api = .v1 }
    client = try server.client()
  }

  // MARK: Helpers

  private func hero(_ name: String = "Luna") throws -> JSONValue {
    let response = try client.send("POST", "/api/v1/heroes", TestClient.hero(name))
    #expect(response.status == 201)
    return try #require(response.data)
  }

  private func event(_ title: String, _ extra: JSONObject = [:]) throws -> JSONValue {
    var body: JSONObject = ["title": .string(title), "promptSeed": "Once."]
    for member in extra.members { body[member.key] = member.value }
    let response = try client.send("POST", "/api/v1/custom-events", .object(body))
    #expect(response.status == 201)
    return try #require(response.data)
  }

  /// Creates stories and returns them as they are read back.
  private func stories(_ titles: [String], hero: String, event: String? = nil) throws -> [JSONValue]
  {
    let items = titles.map { title in
      var item = TestClient.story(title, hero: hero)
      if let event, case .object(var object) = item {
        object["customEventId"] = .string(event)
        item = .object(object)
      }
      return item
    }
    let response = try client.send("POST", "/api/batch/stories", ["stories": .array(items)])
    let made = try #require(response.json?["results"]?["created"]?.array)
    #expect(made.count == titles.count)
    return try made.map { try read("stories", $0["serverId"]?.string ?? "") }
  }

  private func read(_ kind: String, _ id: String) throws -> JSONValue {
    try #require(try client.send("GET", "/api/v1/\(kind)/\(id)").data)
  }

  private func titles(_ target: String, _ key: String) throws -> [String] {
    let data = try #require(try client.send("GET", target).data)
    return (data[key]?.array ?? []).compactMap { ($0["title"] ?? $0["name"])?.string }
  }

  // MARK: Paths and envelopes

  @Test func `health tells no features`() throws {
    let answer = try server.stranger().send("GET", "/api/v1/health")
    let data = try #require(answer.data?.object)
    #expect(data.keys.sorted() == ["database", "status", "timestamp", "version"])
    #expect(answer.data?["status"] == "healthy" && answer.data?["database"] == "connected")
    #expect(try client.send("GET", "/api/health").status == 404)
  }

  @Test(arguments: ["/api/heroes", "/api/v1/batch", "/api/auth/sign-in", "/api/v1/stories/x/y"])
  func `paths of the other form are not there`(_ path: String) throws {
    let answer = try client.send("GET", path)
    #expect(answer.status == 404)
    #expect(answer.json?["error"] == "NotFoundError")
    #expect(answer.json?["message"]?.string?.isEmpty == false)
  }

  @Test func `one record comes with a message`() throws {
    let made = try client.send("POST", "/api/v1/heroes", TestClient.hero("Luna"))
    #expect(made.status == 201 && made["etag"] == nil)
    #expect(made.json?["message"]?.string != nil)
    let id = try #require(made.data).id
    #expect(id.count == 25 && id.first == "c")
    let gone = try client.send("DELETE", "/api/v1/heroes/\(id)")
    #expect(gone.status == 200 && gone.data?["id"] == .string(id))
    #expect(try client.send("DELETE", "/api/v1/heroes/\(id)").status == 404)
  }

  @Test func `a list names its kind`() throws {
    _ = try hero()
    for (path, key) in [
      ("heroes", "heroes"), ("stories", "stories"), ("custom-events", "customEvents"),
    ] {
      let data = try #require(try client.send("GET", "/api/v1/\(path)").data)
      #expect(data[key]?.array?.count == (key == "heroes" ? 1 : 0))
      #expect(
        data["pagination"]?.object?.keys == ["total", "limit", "offset", "hasMore"])
    }
  }

  // MARK: Lists

  @Test func `the newest record comes first`() throws {
    for name in ["A", "B", "C", "D"] {
      _ = try hero(name)
      server.clock.advance(milliseconds: 10)
    }
    let first = try titles("/api/v1/heroes?limit=2", "heroes")
    #expect(first == ["D", "C"])
    // A change moves no row, a new one moves all.
    let oldest = try #require(try client.send("GET", "/api/v1/heroes?offset=3").data)
    let id = try #require(oldest["heroes"]?.array?.first?.id)
    _ = try client.send("PATCH", "/api/v1/heroes/\(id)", ["name": "A2"])
    #expect(try titles("/api/v1/heroes?limit=2&offset=2", "heroes") == ["B", "A2"])
    _ = try hero("E")
    #expect(try titles("/api/v1/heroes?limit=2&offset=2", "heroes") == ["C", "B"])
    let last = try client.send("GET", "/api/v1/heroes?limit=2&offset=4").data
    #expect(last?["pagination"]?["hasMore"] == false && last?["pagination"]?["total"] == 5)
  }

  @Test func `changes are told after a date, and not of events`() throws {
    let first = try hero("A")
    server.clock.advance(milliseconds: 10)
    let second = try hero("B")
    let query = "updatedAfter=\(first.updatedAt)"
    #expect(try titles("/api/v1/heroes?\(query)", "heroes") == ["B"])
    #expect(try titles("/api/v1/heroes?updatedAfter=\(second.updatedAt)", "heroes") == [])
    _ = try event("E")
    #expect(
      try titles("/api/v1/custom-events?updatedAfter=2099-01-01T00:00:00Z", "customEvents") == ["E"]
    )
    // Nothing is told of what is gone, and no cursor is taken.
    _ = try client.send("DELETE", "/api/v1/heroes/\(first.id)")
    let all = try client.send("GET", "/api/v1/heroes?includeDeleted=true&cursor=x").data
    #expect(all?["heroes"]?.array?.map(\.id) == [second.id])
    #expect(all?["pagination"]?["next"] == nil)
  }

  @Test func `events come by favourite and date`() throws {
    for (title, favourite) in [("A", false), ("B", true), ("C", false), ("D", true)] {
      _ = try event(title, ["isFavorite": .bool(favourite)])
      server.clock.advance(milliseconds: 10)
    }
    #expect(try titles("/api/v1/custom-events", "customEvents") == ["D", "B", "C", "A"])
  }

  @Test func `stories of one hero`() throws {
    let (luna, max) = (try hero("Luna"), try hero("Max"))
    _ = try stories(["A"], hero: luna.id) + stories(["B"], hero: max.id)
    #expect(try titles("/api/v1/stories?heroId=\(max.id)", "stories") == ["B"])
    #expect(try titles("/api/v1/stories?heroId=nobody", "stories") == [])
  }

  // MARK: Writes

  @Test func `versions and keys are ignored`() throws {
    let made = try hero()
    let headers = ["If-Match": "\"old\"", "Idempotency-Key": "k"]
    let target = "/api/v1/heroes/\(made.id)"
    #expect(try client.send("PATCH", target, ["age": 8], headers: headers).status == 200)
    #expect(try client.send("PATCH", target, ["age": 9], headers: headers).data?["age"] == 9)
    _ = try client.send("POST", "/api/v1/heroes", TestClient.hero("Max"), headers: headers)
    _ = try client.send("POST", "/api/v1/heroes", TestClient.hero("Max"), headers: headers)
    #expect(try titles("/api/v1/heroes", "heroes").filter { $0 == "Max" }.count == 2)
    #expect(try client.send("GET", target, headers: ["If-None-Match": "*"]).status == 200)
  }

  @Test func `a change passes over null, empty strings and what it does not take`() throws {
    let (luna, max) = (try hero("Luna"), try hero("Max"))
    let party = try event("Party")
    let story = try stories(["A"], hero: luna.id, event: party.id)[0]
    let target = "/api/v1/stories/\(story.id)"
    let nothing: [JSONValue] = [
      ["title": ""], ["title": nil, "customEventId": nil], ["heroId": .string(max.id)],
      ["eventType": "bedtime"], ["playCount": 9], ["content": ""], ["unknown": 1],
    ]
    for body in nothing {
      let answer = try client.send("PATCH", target, body)
      #expect(answer.status == 200)
      #expect(answer.data == story, "\(body)")
    }
    let answer = try client.send(
      "PATCH", target, ["title": "B", "isFavorite": true, "playCount": 3])
    #expect(answer.data?["title"] == "B" && answer.data?["isFavorite"] == true)
    #expect(answer.data?["playCount"] == 0)
    #expect(try #require(answer.data).updatedAt > story.updatedAt)
  }

  @Test func `abilities are a list`() throws {
    let body: JSONValue = [
      "name": "Luna", "age": 7, "traits": ["brave"], "specialAbilities": ["flies", "sings"],
    ]
    let made = try #require(try client.send("POST", "/api/v1/heroes", body).data)
    #expect(made["specialAbilities"] == ["flies", "sings"] && made["specialAbility"] == nil)
    let target = "/api/v1/heroes/\(made.id)"
    for list in [["hums"], [], ["a", "b"]] as [JSONValue] {
      let answer = try client.send("PATCH", target, ["specialAbilities": list])
      #expect(answer.data?["specialAbilities"] == list)
    }
    #expect(try hero("Max")["specialAbilities"] == [])
    _ = try client.send("PATCH", target, ["specialAbility": "x"])
    #expect(try read("heroes", made.id)["specialAbilities"] == ["a", "b"])
  }

  @Test func `readings are counted one by one`() throws {
    let story = try stories(["A"], hero: try hero().id)[0]
    let target = "/api/v1/stories/\(story.id)/play"
    for count in 1...3 {
      let answer = try client.send("POST", target)
      #expect(answer.status == 200)
      #expect(answer.data?.object?.keys.sorted() == ["id", "lastPlayedAt", "playCount"])
      #expect(answer.data?["playCount"] == .number(JSONNumber(count)))
    }
    let after = try read("stories", story.id)
    #expect(after["playCount"] == 3 && after["lastPlayedAt"]?.string != nil)
    #expect(after.updatedAt > story.updatedAt)
    #expect(try client.send("POST", "/api/v1/stories/none/play").status == 404)
  }

  @Test func `an event that goes is taken out of stories, whose version stays`() throws {
    let (luna, party) = (try hero(), try event("Party"))
    let story = try stories(["A", "B"], hero: luna.id, event: party.id)[0]
    _ = try client.send("DELETE", "/api/v1/custom-events/\(party.id)")
    let after = try read("stories", story.id)
    #expect(after["customEventId"] == .null)
    #expect(after.updatedAt == story.updatedAt)
    #expect(try titles("/api/v1/stories", "stories").sorted() == ["A", "B"])
  }

  @Test func `a hero takes its stories along`() throws {
    let luna = try hero()
    let story = try stories(["A"], hero: luna.id)[0]
    _ = try client.send("DELETE", "/api/v1/heroes/\(luna.id)")
    #expect(try client.send("GET", "/api/v1/stories/\(story.id)").status == 404)
  }

  @Test func `what another account has is forbidden`() throws {
    let made = try hero()
    let other = try server.client(email: "bob@example.org")
    let target = "/api/v1/heroes/\(made.id)"
    #expect(try other.send("GET", target).json?["error"] == "ForbiddenError")
    for (method, body) in [("GET", nil), ("PATCH", ["age": 5]), ("DELETE", nil)]
      as [(String, JSONValue?)]
    {
      #expect(try other.send(method, target, body).status == 403)
    }
    #expect(try other.send("GET", "/api/v1/heroes/nothing").status == 404)
    #expect(try read("heroes", made.id) == made)
  }

  // MARK: Batches

  @Test func `a batch makes new records and tells their ids`() throws {
    let answer = try client.send(
      "POST", "/api/batch",
      [
        "heroes": [
          ["id": "local-1", "name": "Luna", "age": 7, "traits": ["brave"]],
          ["id": "local-2", "name": "Max", "age": 99, "traits": []],
        ]
      ])
    let json = try #require(answer.json)
    #expect(answer.status == 200 && json["success"] == false)
    #expect(json["created"] == 1 && json["failed"] == 1 && json["total"] == 2)
    let made = try #require(json["results"]?["created"]?.array?.first)
    #expect(made["localId"] == "local-1" && made["title"] == "Luna")
    #expect(try read("heroes", made["serverId"]?.string ?? "")["name"] == "Luna")
    let failed = try #require(json["results"]?["failed"]?.array?.first)
    #expect(failed["localId"] == "local-2")
    #expect(
      failed["error"] == "age: must be from 3 to 12; traits: must have 1 to 20 elements")
  }

  @Test func `a batch has at most a hundred`() throws {
    let many = (0..<101).map { TestClient.hero("H\($0)") }
    let answer = try client.send("POST", "/api/batch", ["heroes": .array(many)])
    #expect(answer.status == 400)
    #expect(answer.json?.object?.keys == ["error"])
    #expect(try client.send("POST", "/api/batch", ["operations": []]).status == 400)
  }

  @Test func `a story comes with its text by batch alone`() throws {
    let luna = try hero()
    let answer = try client.send(
      "POST", "/api/batch/stories",
      [
        "stories": [
          ["title": "A", "content": "Once.", "heroId": .string(luna.id), "id": "s1"],
          ["title": "B", "heroId": .string(luna.id), "id": "s2"],
          ["title": "C", "content": "Once.", "heroId": "nobody", "id": "s3"],
          ["title": "D", "content": "Once.", "heroId": .string(luna.id), "language": "pt"],
        ]
      ])
    let failed = answer.json?["results"]?["failed"]?.array ?? []
    #expect(
      failed.map { $0["error"] ?? .null } == [
        "content: must be a string", "heroId: names no hero",
        "language: must be one of en, fr, es, de, it",
      ])
    #expect(failed.map { $0["localId"] ?? .null } == ["s2", "s3", nil])
    #expect(try titles("/api/v1/stories", "stories") == ["A"])
  }

  // MARK: Refusals

  @Test(
    arguments: [
      (["name": ""], "name"), (["name": .string(String(repeating: "x", count: 201))], "name"),
      (["age": 2], "age"), (["age": 13], "age"), (["age": number("7.5")], "age"),
      (["traits": []], "traits"),
      (["traits": .array(Array(repeating: "x", count: 21))], "traits"),
      (["traits": [.string(String(repeating: "x", count: 101))]], "traits"),
      (["specialAbilities": .array(Array(repeating: "x", count: 11))], "specialAbilities"),
      (["height": nil], "height"),
    ] as [(JSONObject, String)])
  func `what a hero may not be`(_ change: JSONObject, _ field: String) throws {
    var body: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]
    for member in change.members { body[member.key] = member.value }
    let answer = try client.send("POST", "/api/v1/heroes", .object(body))
    #expect(answer.status == 400 && answer.json?["error"] == "ValidationError")
    #expect(answer.json?["message"]?.string?.hasPrefix("\(field): ") == true)
    #expect(answer.json?["details"]?.array?.first?["path"] == [.string(field)])
  }

  @Test func `several problems stand in one sentence`() throws {
    let answer = try client.send(
      "POST", "/api/v1/custom-events",
      ["title": "", "promptSeed": .string(String(repeating: "x", count: 2001))])
    #expect(
      answer.json?["message"]
        == "title: must not be empty; promptSeed: must have at most 2000 characters")
  }

  // MARK: Media

  @Test func `the URLs of media are signed anew at each read`() throws {
    let email = TestServer.email
    var options = ServerOptions(dataFolder: nil)
    options.api = .v1
    let fresh = try StoryServer(options: options)
    _ = try fresh.issueToken(email: email)
    let record: JSONValue = [
      "title": "A", "content": "C", "heroId": "h", "audioUrl": "/api/media/a.wav",
      "createdAt": "2026-11-20T10:00:00.000Z",
    ]
    _ = try fresh.replaceRecords(
      of: email,
      with: [
        ImportedRecord(
          kind: .stories, id: "s", updatedAt: "2026-11-20T10:00:00.000Z",
          json: record.compactBytes)
      ])
    var urls: Set<String> = []
    for _ in 0..<5 {
      let answer = try fresh.perform("GET", "/api/v1/stories/s", as: email)
      urls.insert(answer.value?["data"]?["audioUrl"]?.string ?? "")
      let list = try fresh.perform("GET", "/api/v1/stories", as: email)
      urls.insert(list.value?["data"]?["stories"]?.array?.first?["audioUrl"]?.string ?? "")
    }
    #expect(urls.count == 10)
    #expect(urls.allSatisfy { $0.hasPrefix("http://") && $0.contains("/api/media/a.wav?expires=") })
  }

  // MARK: Both forms of one folder

  @Test func `a folder is served in either form`() throws {
    let folder = try TemporaryFolder()
    func start(_ api: ServerAPI) throws -> TestServer {
      try TestServer(folder: folder) { $0.api = api }
    }
    var other: TestServer? = try start(.v1)
    let made = try #require(
      try other?.client().send(
        "POST", "/api/v1/heroes",
        ["name": "Luna", "age": 7, "traits": ["brave"], "specialAbilities": ["flies"]]
      ).data)
    other = nil
    let plain = try start(.v0)
    let read = try #require(try plain.client().send("GET", "/api/heroes/\(made.id)").data)
    #expect(read["specialAbility"] == "flies" && read["specialAbilities"] == nil)
    #expect(read.updatedAt == made.updatedAt)
  }
}
