import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// The second dialect, against scripted answers in the shapes of the deployed service.
@Suite(.inTurn) struct DialectV1Tests {
  private static let stamp =
    #""createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-20T10:00:00.000Z""#

  private static func hero(_ id: String, _ extra: String = #""specialAbilities":[]"#) -> String {
    #"{"id":"\#(id)","name":"Luna","age":7,"traits":["brave"],\#(extra),\#(stamp)}"#
  }

  private static func story(_ id: String, plays: Int = 0) -> String {
    #"{"id":"\#(id)","title":"T","content":"C","heroId":"h","language":"en","playCount":\#(plays),"#
      + #""audioUrl":"https://m.example/a.mp3?X-Amz-Signature=\#(Int.random(in: 1...999))",\#(stamp)}"#
  }

  private static func one(_ record: String) -> String { #"{"data":\#(record),"message":"ok"}"# }

  private func write(
    _ operation: RemoteWrite.Operation, _ kind: EntityKind, _ id: String? = nil, key: String = "k",
    body: JSONObject = [:]
  ) -> RemoteWrite {
    RemoteWrite(
      operation: operation, kind: kind, id: id, revision: id.map { _ in "r" }, idempotencyKey: key,
      body: body)
  }

  private func client(
    _ script: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Reply
  ) throws -> (APIClient, ScriptedServer) {
    let server = try ScriptedServer(script)
    return (try APIClient(server, .quick(dialect: .v1)), server)
  }

  @Test(
    arguments: [
      (#""specialAbilities":[]"#, .null), (#""specialAbilities":null"#, .null), (#""x":1"#, .null),
      (#""specialAbilities":["flies"]"#, "flies"), (#""specialAbilities":["a","b"]"#, ["a", "b"]),
    ] as [(String, JSONValue)])
  func `special abilities are one ability here`(_ wire: String, _ value: JSONValue) async throws {
    let (client, _) = try client { _, _ in .answer(200, Self.one(Self.hero("h", wire))) }
    let hero = try await client.record(.heroes, id: "h")
    #expect(hero.fields.wire["specialAbility"] ?? .null == value)
    #expect(hero.server["specialAbilities"] == nil)
  }

  @Test func `one ability is a list there, and none an empty one`() async throws {
    let (client, server) = try client { _, _ in .answer(201, Self.one(Self.hero("h"))) }
    for value in ["flies", ["a", "b"], nil, ""] as [JSONValue] {
      _ = try await client.perform(write(.update, .heroes, "h", body: ["specialAbility": value]))
    }
    _ = try await client.perform(
      write(.create, .heroes, body: ["name": "L", "specialAbility": nil, "height": nil, "age": 5]))
    #expect(
      server.requests.map(\.text) == [
        #"{"specialAbilities":["flies"]}"#, #"{"specialAbilities":["a","b"]}"#,
        #"{"specialAbilities":[]}"#, #"{"specialAbilities":[]}"#, #"{"name":"L","age":5}"#,
      ])
  }

  @Test func `lists are keyed by their kind`() async throws {
    let (client, server) = try client { request, _ in
      let key = request.target.contains("heroes") ? "heroes" : "customEvents"
      return .answer(
        200,
        #"{"data":{"\#(key)":[\#(key == "heroes" ? Self.hero("h") : "")],"pagination":{"total":\#(key == "heroes" ? 1 : 0),"limit":50,"offset":0,"hasMore":false}}}"#
      )
    }
    let heroes = try await client.page(
      of: .heroes, PageRequest(updatedAfter: "2026-11-20T10:00:00.000Z", includeDeleted: true))
    #expect(heroes.records.map(\.id) == ["h"] && heroes.total == 1 && heroes.next == nil)
    #expect(try await client.page(of: .events, PageRequest(updatedAfter: "x")).records.isEmpty)
    #expect(
      server.requests.map(\.target) == [
        "/api/v1/heroes?limit=100&updatedAfter=2026-11-20T10%3A00%3A00.000Z",
        "/api/v1/custom-events?limit=100",
      ])
  }

  @Test func `signed URLs differ at each read, records do not`() async throws {
    let (client, _) = try client { _, _ in .answer(200, Self.one(Self.story("s"))) }
    let first = try await client.record(.stories, id: "s")
    for _ in 0..<5 { #expect(try await client.record(.stories, id: "s") == first) }
    #expect(first.server["audioUrl"] == "https://m.example/a.mp3")
  }

  @Test func `a story with its own text goes by batch and is read back`() async throws {
    let (client, server) = try client { request, _ in
      request.method == "POST"
        ? .answer(
          200,
          #"{"success":true,"created":1,"failed":0,"total":1,"results":{"created":[{"localId":"k","serverId":"s9","title":"T"}],"failed":[]}}"#
        ) : .answer(200, Self.one(Self.story("s9")))
    }
    let made = try await client.perform(
      write(
        .create, .stories, body: ["title": "T", "content": "C", "heroId": "h", "eventType": nil]))
    #expect(made?.id == "s9")
    #expect(
      server.requests.map { "\($0.method) \($0.target)" }
        == ["POST /api/batch/stories", "GET /api/v1/stories/s9"])
    #expect(
      server.requests[0].text
        == #"{"stories":[{"id":"k","title":"T","content":"C","heroId":"h"}]}"#)
  }

  @Test func `a record that was made and cannot be read says which one it is`() async throws {
    let (client, _) = try client { request, _ in
      request.method == "POST"
        ? .answer(200, #"{"results":{"created":[{"localId":"k","serverId":"s9"}],"failed":[]}}"#)
        : .answer(500, "{}")
    }
    await #expect(throws: APIError.unconfirmed(id: "s9")) {
      try await client.perform(write(.create, .stories, body: ["title": "T"]))
    }
  }

  @Test func `many writes take few requests and keep their order`() async throws {
    let (client, server) = try client { request, _ in
      switch (request.method, request.target) {
      case ("GET", "/api/v1/health"): return .answer(200, #"{"data":{"status":"healthy"}}"#)
      case ("POST", "/api/batch"):
        return .answer(
          207,
          #"{"success":false,"results":{"created":[{"localId":"k3","serverId":"h3"},{"localId":"k0","serverId":"h0"}],"failed":[{"localId":"k1","title":"L","error":"age: too old; name: empty"}]}}"#
        )
      case ("POST", "/api/batch/stories"):
        return .answer(500, #"{"error":"Internal"}"#)
      case ("GET", "/api/v1/heroes?limit=100"):
        return .answer(
          200,
          #"{"data":{"heroes":[\#(Self.hero("h0"))],"pagination":{"total":1,"hasMore":false}}}"#)
      case ("GET", "/api/v1/heroes/h3"): return .answer(200, Self.one(Self.hero("h3")))
      case ("DELETE", _): return .answer(200, #"{"data":{"id":"e"},"message":"gone"}"#)
      default: return .answer(404, #"{"error":"NotFoundError","message":"no"}"#)
      }
    }
    let results = try await client.performBatch([
      write(.create, .heroes, key: "k0"), write(.create, .heroes, key: "k1"),
      write(.delete, .events, "e", key: "k2"), write(.create, .heroes, key: "k3"),
      write(.create, .stories, key: "k4"),
      write(.update, .stories, "s", key: "k5", body: ["title": "x"]),
      write(.create, .stories, key: "k6"),
    ])
    #expect(try results[0].get()?.id == "h0")
    #expect(
      results[1]
        == .failure(
          .validation(
            message: "age: too old; name: empty",
            fields: [
              .init(field: "age", message: "too old"), .init(field: "name", message: "empty"),
            ])))
    #expect(results[2] == .success(nil))
    #expect(try results[3].get()?.id == "h3")
    #expect(results[4] == .failure(.server(status: 500, message: "Internal")))
    #expect(results[5] == .failure(.notFound))
    #expect(results[6] == results[4])
    #expect(server.requests.filter { $0.method == "POST" }.count == 2)
  }

  @Test func `a batch of more than a hundred goes in parts`() async throws {
    let (client, server) = try client { request, _ in
      guard request.method == "POST" else {
        return request.target.hasSuffix("health")
          ? .answer(200, #"{"data":{"status":"healthy"}}"#)
          : .answer(200, Self.one(Self.hero(String(request.target.split(separator: "/").last!))))
      }
      let items = (try? JSONValue(parsing: request.body))?["heroes"]?.array ?? []
      let made = items.compactMap { $0["id"]?.string }.map {
        #"{"localId":"\#($0)","serverId":"\#($0)"}"#
      }
      return .answer(200, #"{"results":{"created":[\#(made.joined(separator: ","))]}}"#)
    }
    let results = try await client.performBatch(
      (0..<150).map { write(.create, .heroes, key: "k\($0)") })
    #expect(try results.map { try $0.get()?.id } == (0..<150).map { "k\($0)" })
    #expect(server.requests.filter { $0.method == "POST" }.count == 2)
  }

  @Test func `readings are counted one by one`() async throws {
    let plays = Box(3)
    let (client, server) = try client { request, _ in
      if request.target.hasSuffix("/play") {
        plays.change { $0 += 1 }
        return .answer(
          200, #"{"data":{"id":"s","playCount":\#(plays.value),"lastPlayedAt":null}}"#)
      }
      return .answer(200, Self.one(Self.story("s", plays: plays.value)))
    }
    let both = try await client.perform(
      write(.update, .stories, "s", body: ["title": "x", "playCount": 5]))
    #expect(both?.fields.wire["playCount"] == 5)
    #expect(
      server.requests.map { "\($0.method) \($0.target) \($0.text)" } == [
        #"PATCH /api/v1/stories/s {"title":"x"}"#, "POST /api/v1/stories/s/play {}",
        "POST /api/v1/stories/s/play {}", "GET /api/v1/stories/s ",
      ])
    let only = try await client.perform(write(.update, .stories, "s", body: ["playCount": 6]))
    #expect(only?.fields.wire["playCount"] == 6)
    let fewer = try await client.perform(write(.update, .stories, "s", body: ["playCount": 2]))
    #expect(fewer?.fields.wire["playCount"] == 6)
    #expect(plays.value == 6)
    await #expect(throws: APIError.self) {
      try await client.perform(write(.update, .stories, "s", body: ["playCount": 20_000]))
    }
    #expect(plays.value == 6)
  }

  @Test func `a counted reading whose answer is lost is not counted again`() async throws {
    let server = try ScriptedServer { request, _ in
      request.target.hasSuffix("/play") ? .drop : .answer(200, Self.one(Self.story("s")))
    }
    let client = try APIClient(server, .quick(dialect: .v1, retries: RetryPolicy()))
    await #expect(throws: APIError.network(.connectionLost)) {
      try await client.perform(write(.update, .stories, "s", body: ["playCount": 1]))
    }
    #expect(server.requests.filter { $0.target.hasSuffix("/play") }.count == 1)
  }

  @Test func `accounts`() async throws {
    let session = #"{"token":"t1","user":{"id":"u","email":"e","name":"Ada"}}"#
    let (client, server) = try client { request, _ in
      switch request.target {
      case "/api/auth/get-session":
        .answer(
          200,
          #"{"session":{"token":"t1","expiresAt":"2026-11-27T10:00:00.000Z","createdAt":"2026-11-20T09:00:00.000Z"},"user":{"id":"u","email":"e"}}"#
        )
      case "/api/v1/user/profile": .answer(200, #"{"data":{"id":"u","email":"e"}}"#)
      default: .answer(200, session)
      }
    }
    let made = try await client.signUp(email: "ada@b.c", password: Secret("p"))
    #expect(made.token.value == "t1")
    #expect(made.expiresAt == ServerDate("2026-11-27T10:00:00.000Z"))
    #expect(made.validFrom == ServerDate("2026-11-20T09:00:00.000Z"))
    #expect(try await client.currentUser().id == "u")
    try await client.signOut()
    let requests = server.requests
    #expect(
      requests.map(\.target) == [
        "/api/auth/sign-up/email", "/api/auth/get-session", "/api/v1/user/profile",
        "/api/auth/sign-out",
      ])
    #expect(requests.map { $0.headers["origin"] } == [server.url, nil, nil, server.url])
    #expect(
      requests.map { $0.headers["authorization"] == "Bearer t1" } == [false, true, true, true])
    #expect(requests[0].text == #"{"email":"ada@b.c","password":"p","name":"ada"}"#)
  }

  @Test func `the token may stand in a header alone`() async throws {
    let (client, _) = try client { request, _ in
      request.method == "POST"
        ? .answer(200, #"{"user":{"id":"u","email":"e"}}"#, headers: ["set-auth-token": "h1"])
        : .answer(503, "{}")
    }
    let made = try await client.signIn(email: "e", password: Secret("p"))
    // When it ends could not be asked, and that does not matter yet.
    #expect(made.token.value == "h1" && made.expiresAt == nil)
  }

  @Test func `a session that is no more is null`() async throws {
    let (client, server) = try client { request, _ in
      request.target == "/api/auth/get-session"
        ? .answer(200, "null") : .answer(401, #"{"error":"Unauthorized"}"#)
    }
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await client.record(.heroes, id: "h")
    }
    #expect(await client.session == nil)
    #expect(server.requests.count == 2)
  }

  @Test(
    arguments: [
      (
        400, #"{"error":"ValidationError","message":"age: too old; traits: too few"}"#,
        .validation(
          message: "age: too old; traits: too few",
          fields: [
            .init(field: "age", message: "too old"), .init(field: "traits", message: "too few"),
          ])
      ),
      (
        400, #"{"error":"ValidationError","message":"Bad: input given; sorry"}"#,
        .validation(message: "Bad: input given; sorry", fields: [])
      ),
      (
        400, #"{"error":"x","message":"m","details":[{"path":["traits",0],"message":"too long"}]}"#,
        .validation(message: "m", fields: [.init(field: "traits.0", message: "too long")])
      ),
      (
        400, #"{"error":"x","message":"m","details":{"age":["a","b"]}}"#,
        .validation(message: "m", fields: [.init(field: "age", message: "a, b")])
      ),
      (
        422, #"{"message":"User already exists"}"#,
        .validation(message: "User already exists", fields: [])
      ),
      (403, #"{"error":"ForbiddenError","message":"not yours"}"#, .forbidden(message: "not yours")),
      (404, #"{"error":"NotFoundError"}"#, .notFound),
      (409, #"{"error":"ConflictError"}"#, .conflict(message: "ConflictError")),
      (429, #"{"message":"Too many"}"#, .rateLimited(until: nil)),
      (
        500, #"{"error":"Internal Server Error"}"#,
        .server(status: 500, message: "Internal Server Error")
      ),
    ] as [(Int, String, APIError)])
  func `errors in their several shapes`(_ status: Int, _ body: String, _ error: APIError)
    async throws
  {
    let (client, _) = try client { _, _ in .answer(status, body) }
    await #expect(throws: error) { try await client.record(.heroes, id: "h") }
  }

  @Test func `pictures come within their story`() async throws {
    let picture =
      #"{"id":"i","storyId":"s","displayOrder":1,"sceneDescription":"Snow","imageUrl":"https://m/x?sig=1",\#(Self.stamp)}"#
    let (client, server) = try client { _, number in
      .answer(
        200, number == 0 ? #"{"data":{"id":"s","illustrations":[\#(picture)]}}"# : #"{"data":{}}"#)
    }
    let pictures = try await client.illustrations(storyID: "s")
    #expect(pictures.map(\.id) == ["i"])
    #expect(pictures[0].server["imageUrl"] == "https://m/x")
    #expect(server.requests[0].target == "/api/v1/stories/s?includeIllustrations=true")
    await #expect(
      throws: APIError.decoding(
        .mismatch(WireMismatch(.array, found: .nothing)),
        where: "GET /api/v1/stories/s, data.illustrations")
    ) { try await client.illustrations(storyID: "s") }
  }
}
