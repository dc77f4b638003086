import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// Requests that must not be done twice, to a server that knows no keys: each is sent again where it
/// surely never arrived, and never where it may have.
@Suite(.inTurn) struct UnsureWriteTests {
  enum Call: String, CaseIterable, Sendable {
    case signIn, hero, story, batch, avatar, writing, narration, pictures
  }

  private static func send(_ call: Call, _ client: APIClient) async throws {
    func create(_ kind: EntityKind) -> RemoteWrite {
      RemoteWrite(operation: .create, kind: kind, idempotencyKey: "k", body: ["content": "a"])
    }
    switch call {
    case .signIn: _ = try await client.signIn(email: "a", password: Secret("b"))
    case .hero: _ = try await client.perform(create(.heroes))
    case .story: _ = try await client.perform(create(.stories))
    case .batch:
      // The first failure of a batch is its items' own.
      for result in try await client.performBatch([create(.heroes)]) { _ = try result.get() }
    case .avatar: _ = try await client.generateAvatar(heroID: "h", idempotencyKey: "k")
    case .writing:
      _ = try await client.generateStory(
        StoryOrder(heroID: "h", event: .builtIn("bedtime")), idempotencyKey: "k")
    case .narration:
      _ = try await client.generateAudio(storyID: "s", language: "en", idempotencyKey: "k")
    case .pictures:
      try await client.generateIllustrations(
        storyID: "s", regenerates: false, idempotencyKey: "k")
    }
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"da"

  /// What may happen after a request was sent.
  private static let endings: [String: ScriptedServer.Reply] = [
    "closed": .drop, "reset": .reset(), "cut off": .bytes(Array(head.utf8), closes: true),
    "reset within the answer": .reset(after: Array(head.utf8)), "silent": .hang,
    "502": .answer(502, "{}"), "503": .answer(503, "{}"), "504": .answer(504, "{}"),
    "408": .answer(408, "{}"), "500": .answer(500, "{}"),
  ]

  /// The forms in which a create has neither a key that is remembered nor an id.
  private static let dialects = [Dialect.v0, .v1]

  @Test(arguments: dialects, endings.keys.sorted())
  func `what may have arrived is sent once`(_ dialect: Dialect, _ ending: String) async throws {
    let reply = try #require(Self.endings[ending])
    for call in Call.allCases {
      var count = 0
      _ = try await withTime(
        of: ending == "silent" ? [.milliseconds(200), .seconds(2), .seconds(30)] : [patience]
      ) {
        count = try await Self.writes(of: call, dialect, reply, $0)
        return count > 0
      }
      #expect(count == 1, "\(call)")
    }
  }

  /// How many writes a server sees of a call that all end in the same way.
  private static func writes(
    of call: Call, _ dialect: Dialect, _ reply: ScriptedServer.Reply, _ timeout: Duration
  ) async throws -> Int {
    let server = try ScriptedServer { request, _ in
      request.method == "POST" ? reply : .answer(200, #"{"data":{"status":"healthy"}}"#)
    }
    var configuration = ClientConfiguration.quick(dialect: dialect, retries: RetryPolicy())
    configuration.timeout = timeout
    configuration.generationTimeout = timeout
    let client = try APIClient(server, configuration)
    await #expect(throws: APIError.self, "\(call)") { try await send(call, client) }
    return server.requests.count { $0.method == "POST" }
  }

  @Test(arguments: dialects, Call.allCases)
  func `what surely never arrived is sent again`(_ dialect: Dialect, _ call: Call) async throws {
    let gone = try RefusingPort()
    let told = Box<[RetryNotice]>([])
    var configuration = ClientConfiguration.quick(dialect: dialect, retries: RetryPolicy())
    configuration.observe = { event in
      if case .waiting(let notice) = event { told.change { $0.append(notice) } }
    }
    let client = APIClient(
      server: try ServerAddress(gone.url), configuration: configuration,
      session: Session(token: Secret("t")))
    await #expect(throws: APIError.network(.refused)) { try await Self.send(call, client) }
    #expect(told.value.map(\.attempt) == [1, 2, 3])
    if call != .batch { #expect(told.value.allSatisfy { $0.request.hasPrefix("POST ") }) }
    withExtendedLifetime(gone) {}
  }

  @Test(arguments: dialects, Call.allCases)
  func `what was turned away is sent again`(_ dialect: Dialect, _ call: Call) async throws {
    let server = try ScriptedServer { request, _ in
      request.method == "POST"
        ? .answer(429, "{}") : .answer(200, #"{"data":{"status":"healthy"}}"#)
    }
    let client = try APIClient(
      server, .quick(dialect: dialect, retries: RetryPolicy(retries: 2)))
    await #expect(throws: APIError.rateLimited(until: nil)) { try await Self.send(call, client) }
    #expect(server.requests.count { $0.method == "POST" } == 3)
  }
}
