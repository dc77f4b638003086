import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// What a Kinto says about itself while it answers, and what comes of that.
@Suite(.inTurn) struct KintoLoadTests {
  private static let root =
    #"{"http_api_version":"1","settings":{"readonly":false},"capabilities":{"default_bucket":{}}}"#
  private static let hero =
    #"{"data":{"id":"h","last_modified":1500,"name":"Luna","age":7,"traits":["brave"]}}"#

  private static let create = RemoteWrite(
    operation: .create, kind: .heroes, idempotencyKey: RemoteWrite.makeKey(),
    body: ["name": "Luna", "age": 7, "traits": ["brave"]])

  @Test func `it is left alone for as long as it asks, and its end is told once`() async throws {
    let clock = SteppingClock()
    let alert = #"{"code":"soft-eol","message":"This ends in May.","url":"https://x.example"}"#
    let server = try ScriptedServer { _, number in
      .answer(
        200, Self.hero,
        headers: ["Alert": alert].merging(number == 1 ? ["Backoff": "7"] : [:]) { $1 })
    }
    let alerts = Box<[String]>([])
    var configuration = ClientConfiguration.quick(clock, dialect: .kinto)
    configuration.observe = { event in
      if case .alert(let text) = event { alerts.change { $0.append(text) } }
    }
    let client = try APIClient(server, configuration)
    for _ in 1...4 { _ = try await client.record(.heroes, id: "h") }
    #expect(clock.slept == [.seconds(7)])
    #expect(alerts.value == ["This ends in May."])
  }

  @Test(arguments: [1, 2]) func `it is asked again when it says, whatever it was asked`(
    _ writes: Int
  ) async throws {
    let clock = SteppingClock()
    // The first one is the collection's.
    let results = (0...writes).map { _ in #"{"status":201,"headers":{},"body":\#(Self.hero)}"# }
    let isRefused = Box(["read", "write"])
    let server = try ScriptedServer { request, _ in
      if request.target == "/v1/" { return .answer(200, Self.root) }
      let what = request.method == "GET" ? "read" : "write"
      if isRefused.value.contains(what) {
        isRefused.change { $0.removeAll { $0 == what } }
        return .answer(503, #"{"errno":201}"#, headers: ["Retry-After": "7"])
      }
      return request.method == "POST"
        ? .answer(200, #"{"responses":[\#(results.joined(separator: ","))]}"#)
        : .answer(200, Self.hero)
    }
    let client = try APIClient(
      server, .quick(clock, dialect: .kinto, retries: RetryPolicy(retries: 1)))
    #expect(try await client.record(.heroes, id: "h").id == "h")
    #expect(clock.slept == [.seconds(7)])
    if writes == 1 {
      #expect(try await client.perform(Self.create)?.id == "h")
    } else {
      let second = RemoteWrite(
        operation: .update, kind: .heroes, id: "h", revision: "1970-01-01T00:00:01.500Z",
        idempotencyKey: RemoteWrite.makeKey(), body: ["age": 8])
      _ = try await client.performBatch([Self.create, second])
    }
    #expect(clock.slept == [.seconds(7), .seconds(7)])
  }

  @Test func `a token that somebody else gave goes along as it is`() async throws {
    let server = try ScriptedServer { request, _ in
      guard request.headers["authorization"] == "Bearer from-openid" else {
        return .answer(200, Self.root)
      }
      return request.target == "/v1/"
        ? .answer(200, Self.root.dropLast() + #","user":{"id":"openid:ann"}}"#)
        : .answer(200, Self.hero)
    }
    let client = try APIClient(server, .quick(dialect: .kinto), session: nil)
    let session = try await client.signIn(token: Secret("from-openid"))
    #expect(session.user == User(id: "openid:ann", email: "openid:ann"))
    #expect(try await client.record(.heroes, id: "h").id == "h")
    await #expect(throws: APIError.unauthorized(.tokenRefused)) {
      try await client.signIn(token: Secret("another"))
    }
  }

  @Test(arguments: ["", "-1", "soon", "0"])
  func `any other wish is none`(_ text: String) async throws {
    let clock = SteppingClock()
    let server = try ScriptedServer { _, _ in .answer(200, Self.hero, headers: ["Backoff": text]) }
    let client = try APIClient(server, .quick(clock, dialect: .kinto))
    for _ in 1...2 { _ = try await client.record(.heroes, id: "h") }
    #expect(clock.slept.isEmpty)
  }

  @Test func `two writes of one millisecond are no conflict`() async throws {
    let clock = SteppingClock()
    let server = try ScriptedServer { request, number in
      request.method == "GET"
        ? .answer(200, Self.root)
        : number < 3
          ? .answer(409, #"{"errno":122,"message":"Integrity constraint violated, please retry"}"#)
          : .answer(201, Self.hero)
    }
    let client = try APIClient(
      server, .quick(clock, dialect: .kinto, retries: RetryPolicy(retries: 5)))
    #expect(try await client.perform(Self.create)?.id == "h")
    #expect(clock.slept.allSatisfy { $0 <= .seconds(4) } && clock.slept.count > 1)
    #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == "*" || $0.method == "GET" })
  }

  @Test func `a server that only reads is sent no write`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(
        200,
        #"{"http_api_version":"1","settings":{"readonly":true},"capabilities":{"default_bucket":{}}}"#
      )
    }
    let client = try APIClient(server, .quick(dialect: .kinto))
    #expect(try await client.serverInfo().isReadOnly)
    let refusal = APIError.unsupported(.writing(server: server.url))
    await #expect(throws: refusal) { try await client.perform(Self.create) }
    await #expect(throws: refusal) { try await client.performBatch([Self.create]) }
    #expect(server.requests.count == 1)
  }

  @Test func `whatever else answers there is none`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, #"{"hello":"world"}"#) }
    let client = try APIClient(server, .quick(dialect: nil))
    await #expect(throws: APIError.unsupported(.otherServer(server.url))) {
      try await client.serverInfo()
    }
  }
}
