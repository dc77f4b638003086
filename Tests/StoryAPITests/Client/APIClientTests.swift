import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@Suite(.inTurn) struct APIClientTests {
  static let date = "Fri, 20 Nov 2026 10:00:01 GMT"

  @Test func `reads health without a token, features it knows, and asks once`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, Samples.health) }
    let client = try APIClient(server, session: nil)
    let info = try await client.serverInfo()
    #expect(info == (try await client.serverInfo()))
    #expect(info.features == Set(Feature.allCases))
    #expect(info.version == "1.2" && info.pageLimit == 100 && info.batchLimit == 100)
    #expect(server.requests.map(\.target) == ["/api/health"])
    #expect(server.requests[0].headers["authorization"] == nil)
    #expect(server.requests[0].headers["accept"] == "application/json")
    #expect(server.requests[0].headers["user-agent"] == "stories/1.0.0")
  }

  @Test func `without a session nothing that needs one is sent`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, "{}") }
    let client = try APIClient(server, session: nil)
    await #expect(throws: APIError.unauthorized(.notSignedIn)) {
      try await client.page(of: .heroes)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a token that cannot stand in a header is not sent`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, "{}") }
    let client = try APIClient(server, session: Session(token: Secret("a\r\nX-Evil: 1")))
    await #expect(throws: APIError.unauthorized(.notSignedIn)) {
      try await client.page(of: .heroes)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `reads a page with tombstones and keeps what is malformed apart`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(
        200,
        Samples.page(
          [
            Samples.hero, #"{"id":"h2","deleted":true,"updatedAt":"2026-11-20T10:00:00.001Z"}"#,
            #"{"id":"h3","name":"X","age":"seven","traits":[],"updatedAt":"2026-11-20T10:00:00Z"}"#,
            "17", #"{"id":"h4","name":"Y","age":5,"traits":[],"updatedAt":"yesterday"}"#,
            #"{"id":"","updatedAt":"2026-11-20T10:00:00Z"}"#,
          ].joined(separator: ","), total: 5, more: #""hasMore":true,"next":"c2""#),
        headers: ["Date": Self.date])
    }
    let page = try await APIClient(server).page(of: .heroes, PageRequest(includeDeleted: true))
    #expect(page.records.map(\.id) == ["h1"])
    #expect(page.tombstones == [Tombstone(id: "h2", updatedAt: "2026-11-20T10:00:00.001Z")])
    #expect(page.malformed.map(\.id) == ["h3", nil, "h4", nil])
    let problems: [(String, WireMismatch)] = [
      ("data[2].age", WireMismatch(.wholeNumber, found: .string)),
      ("data[3]", WireMismatch(.object, found: .number)),
      ("data[4].updatedAt", WireMismatch(.date, found: .text("yesterday"))),
    ]
    for (record, (place, mismatch)) in zip(page.malformed, problems) {
      #expect(record.error == .decoding(.mismatch(mismatch), where: "GET /api/heroes, \(place)"))
    }
    #expect(page.total == 5 && page.next == "c2" && page.hasMore)
    #expect(page.date == "2026-11-20T10:00:01.000Z")
    #expect(server.requests[0].headers["authorization"] == "Bearer secret-token")
  }

  @Test func `a signed URL loses its query, at any depth, and the rest is kept`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(
        200,
        #"{"data":{"id":"s1","title":"T","content":"C","heroId":"h","updatedAt":"2026-11-20T10:00:00Z","#
          + #""audioUrl":"https://m.example/a.mp3?X-Amz-Signature=1","#
          + #""hero":{"avatarUrl":"https://m.example/b.png?sig=2&x=1","page":"https://m.example/?id=3"},"#
          + #""future":[1.50]}}"#)
    }
    let story = try await APIClient(server).record(.stories, id: "s1")
    #expect(story.server["audioUrl"] == "https://m.example/a.mp3")
    #expect(
      story.server["hero"]
        == ["avatarUrl": "https://m.example/b.png", "page": "https://m.example/?id=3"])
    #expect(story.server["future"]?.compactText == "[1.50]")
  }

  @Test func `writes carry their version and key`() async throws {
    let server = try ScriptedServer { request, _ in
      request.method == "DELETE"
        ? .answer(200, #"{"data":{"id":"h1"}}"#) : .answer(201, #"{"data":\#(Samples.hero)}"#)
    }
    let client = try APIClient(server)
    let created = try await client.perform(
      RemoteWrite(
        operation: .create, kind: .heroes, idempotencyKey: "k1",
        body: ["name": "Luna", "age": 7, "traits": ["brave"]]))
    #expect(created?.id == "h1")
    _ = try await client.perform(
      RemoteWrite(
        operation: .update, kind: .heroes, id: "h1", revision: "2026-11-20T10:00:00.000123Z",
        idempotencyKey: "k2", body: ["specialAbility": nil]))
    let deleted = try await client.perform(
      RemoteWrite(
        operation: .delete, kind: .heroes, id: "h1", revision: "v", idempotencyKey: "k3"))
    #expect(deleted == nil)
    let sent = server.requests
    #expect(
      sent.map { "\($0.method) \($0.target)" }
        == ["POST /api/heroes", "PATCH /api/heroes/h1", "DELETE /api/heroes/h1"])
    #expect(sent.map { $0.headers["idempotency-key"] } == ["k1", "k2", "k3"])
    #expect(
      sent.map { $0.headers["if-match"] }
        == [nil, #""2026-11-20T10:00:00.000123Z""#, #""v""#])
    #expect(
      sent.map(\.text)
        == [#"{"name":"Luna","age":7,"traits":["brave"]}"#, #"{"specialAbility":null}"#, ""])
    #expect(sent[0].headers["content-type"] == "application/json")
    #expect(sent[2].headers["content-type"] == nil)
    let statistics = await client.statistics
    #expect(statistics.requests == 3)
    #expect(statistics.bytesUp == sent.reduce(0) { $0 + $1.body.count })
    #expect(statistics.bytesDown > 300)
  }

  @Test func `a delete may be answered without a body`() async throws {
    let server = try ScriptedServer { _, _ in .bytes(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    }
    let write = RemoteWrite(operation: .delete, kind: .events, id: "e", idempotencyKey: "k")
    #expect(try await APIClient(server).perform(write) == nil)
  }

  @Test func `a record that comes with a refusal counts only if it is the one that was meant`()
    async throws
  {
    let server = try ScriptedServer { _, _ in .answer(412, #"{"data":\#(Samples.hero)}"#) }
    for id in ["h1", "h2"] {
      let write = RemoteWrite(operation: .delete, kind: .heroes, id: id, idempotencyKey: "k")
      do {
        _ = try await APIClient(server).perform(write)
      } catch let error as APIError {
        guard case .preconditionFailed(let current) = error else { throw error }
        #expect(current?.id == (id == "h1" ? "h1" : nil))
      }
    }
  }

  @Test func `a version that would break out of its header is refused`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, "{}") }
    for revision in ["a\"b", "a\r\nb", "", "é"] {
      let write = RemoteWrite(
        operation: .delete, kind: .events, id: "e", revision: revision, idempotencyKey: "k")
      await #expect(throws: APIError.self) { try await APIClient(server).perform(write) }
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a batch goes in parts and answers in order, each for itself`() async throws {
    let server = try ScriptedServer { request, _ in
      if request.target == "/api/health" {
        return .answer(
          200,
          #"{"data":{"status":"healthy","features":["batch"],"limits":{"page":100,"batch":2}}}"#)
      }
      let ids = (0..<5).map { "h\($0)" }.filter { request.text.contains("\"\($0)\"") }
      let heroes = ids.map { Samples.hero.replacing("h1", with: $0) }
      let count = ids.count
      let good = #"{"status":200,"data":\#(heroes[0])}"#
      let stale = #"{"status":412,"error":{"code":"stale"},"data":\#(heroes[count - 1])}"#
      return .answer(
        200, #"{"data":{"results":[\#([good, stale].prefix(count).joined(separator: ","))]}}"#)
    }
    let writes = (0..<5).map { number in
      RemoteWrite(
        operation: .update, kind: .heroes, id: "h\(number)", revision: "r", idempotencyKey: "k",
        body: ["age": 8])
    }
    let results = try await APIClient(server).performBatch(writes)
    let heroes = try (0..<5).map {
      try RemoteRecord(
        kind: .heroes,
        wire: JSONValue(parsing: Array(Samples.hero.replacing("h1", with: "h\($0)").utf8)).object
          ?? [:])
    }
    #expect(heroes[0].fields.title == "Luna")
    #expect(
      results == [
        .success(heroes[0]), .failure(.preconditionFailed(current: heroes[1])),
        .success(heroes[2]), .failure(.preconditionFailed(current: heroes[3])),
        .success(heroes[4]),
      ])
    #expect(server.requests.count == 4)
    #expect(
      server.requests[3].text
        == #"{"operations":[{"method":"update","kind":"heroes","id":"h4","ifMatch":"r","idempotencyKey":"k","data":{"age":8}}]}"#
    )
  }

  @Test func `without the feature a batch is done one by one`() async throws {
    let server = try ScriptedServer { request, _ in
      request.target == "/api/health"
        ? .answer(200, #"{"data":{"status":"healthy"}}"#)
        : request.target == "/api/heroes/h1"
          ? .answer(404, "{}")
          : .answer(
            200, #"{"data":{"id":"\#(request.target.suffix(2))"}}"#)
    }
    let results = try await APIClient(server).performBatch(
      (0..<3).map {
        RemoteWrite(operation: .delete, kind: .heroes, id: "h\($0)", idempotencyKey: "k")
      })
    #expect(results == [.success(nil), .failure(.notFound), .success(nil)])
  }

  @Test func `where a later part fails, the earlier results stay`() async throws {
    let server = try ScriptedServer { request, number in
      number == 0
        ? .answer(
          200, #"{"data":{"status":"healthy","features":["batch"],"limits":{"batch":1}}}"#)
        : number == 1
          ? .answer(200, #"{"data":{"results":[{"status":200,"data":{"id":"h0"}}]}}"#)
          : .answer(503, "{}")
    }
    let writes = (0..<2).map {
      RemoteWrite(operation: .delete, kind: .heroes, id: "h\($0)", idempotencyKey: "k")
    }
    let results = try await APIClient(server).performBatch(writes)
    #expect(results == [.success(nil), .failure(.server(status: 503, message: nil))])
  }

  @Test func `signs up, in and out`() async throws {
    let session =
      #"{"data":{"user":{"id":"u","email":"a@b.c","name":null,"createdAt":"2026-11-20T10:00:00Z"},"#
      + #""session":{"token":"t1","refreshToken":"r1","expiresAt":"2026-11-21T10:00:00Z"}}}"#
    let server = try ScriptedServer { request, _ in
      request.target == "/api/auth/sign-out" ? .answer(401, "{}") : .answer(200, session)
    }
    let client = try APIClient(server, session: nil)
    let made = try await client.signUp(email: "a@b.c", password: Secret("p w"), name: "Ada")
    #expect(made.token.value == "t1" && made.refreshToken?.value == "r1")
    #expect(made.expiresAt == ServerDate("2026-11-21T10:00:00Z"))
    #expect(made.user == User(id: "u", email: "a@b.c", createdAt: "2026-11-20T10:00:00Z"))
    try await client.signOut()
    #expect(await client.session == nil)
    _ = try await client.signIn(email: "a@b.c", password: Secret("p w"))
    #expect(
      server.requests.map(\.target)
        == ["/api/auth/sign-up", "/api/auth/sign-out", "/api/auth/sign-in"])
    #expect(server.requests.map { $0.headers["authorization"] } == [nil, "Bearer t1", nil])
    #expect(server.requests[2].text == #"{"email":"a@b.c","password":"p w"}"#)
    #expect(!String(reflecting: made).contains("t1"))
  }

  @Test func `a wrong password is told as one`() async throws {
    let server = try ScriptedServer { _, _ in .answer(401, #"{"error":{"message":"no"}}"#) }
    let client = try APIClient(server, session: nil)
    await #expect(throws: APIError.unauthorized(.wrongPassword)) {
      try await client.signIn(email: "a", password: Secret("b"))
    }
  }

  @Test func `another origin's refusal says nothing about the session`() async throws {
    let other = try ScriptedServer { _, _ in .answer(401, "{}") }
    let server = try ScriptedServer { _, _ in
      .answer(302, headers: ["Location": "\(other.url)/x"])
    }
    await #expect(throws: APIError.network(.redirectRefused(target: other.url))) {
      try await APIClient(server).page(of: .heroes)
    }
  }

  @Test func `finds out the dialect and remembers it`() async throws {
    let server = try ScriptedServer { request, _ in
      request.target == "/api/v1/health"
        ? .answer(200, #"{"data":{"status":"healthy","version":"1.0.0"}}"#)
        : .answer(404, "<html>Not here</html>")
    }
    let client = try APIClient(server, .quick(dialect: nil), session: nil)
    let info = try await client.serverInfo()
    #expect(info.dialect == .v1 && info.features == [.batch] && info.version == "1.0.0")
    _ = try await client.serverInfo()
    #expect(server.requests.map(\.target) == ["/api/health", "/api/v1/health"])
  }

  @Test func `cancelling ends a call at once`() async throws {
    let arrived = Box(false)
    let server = try ScriptedServer { _, _ in
      arrived.value = true
      return .hang
    }
    let client = try APIClient(server)
    let task = Task { try await client.page(of: .heroes) }
    try await eventually { arrived.value }
    task.cancel()
    await #expect(throws: APIError.cancelled) { try await task.value }
  }
}
