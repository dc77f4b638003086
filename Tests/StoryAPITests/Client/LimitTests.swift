import StoryAPI
import StoryLibrary
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct LimitTests {
  /// Answers when told, and counts how many wait.
  private final class Held: Transport {
    struct State {
      var waiting: [CheckedContinuation<Void, Never>] = []
      var most = 0
      var done = 0
    }
    let state = Mutex(State())

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      await withCheckedContinuation { continuation in
        state.withLock {
          $0.waiting.append(continuation)
          $0.most = max($0.most, $0.waiting.count)
        }
      }
      return HTTPResponse(status: 200, body: Array(#"{"data":\#(Samples.hero)}"#.utf8))
    }

    func release() -> Int {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        state.done += state.waiting.count
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
      return state.withLock { $0.done }
    }
  }

  private func client(
    _ transport: any Transport, _ configuration: ClientConfiguration
  ) throws -> APIClient {
    APIClient(
      server: try ServerAddress("http://127.0.0.1:1"), transport: transport,
      configuration: configuration, session: Session(token: Secret("t")))
  }

  @Test func `at most six requests are under way`() async throws {
    let transport = Held()
    let client = try client(transport, .quick())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { _ = try await client.record(.heroes, id: "h1") } }
      try await eventually { transport.release() == 40 }
      try await group.waitForAll()
    }
    #expect(transport.state.withLock { $0.most } <= 6)
    #expect(await client.statistics.requests == 40)
  }

  @Test func `who waits for a place leaves at once when cancelled, and the place is not lost`()
    async throws
  {
    let transport = Held()
    var configuration = ClientConfiguration.quick()
    configuration.maximumRequests = 1
    let client = try client(transport, configuration)
    let first = Task { try await client.record(.heroes, id: "h1") }
    try await eventually { transport.state.withLock { !$0.waiting.isEmpty } }
    let second = Task { try await client.record(.heroes, id: "h1") }
    let third = Task { try await client.record(.heroes, id: "h1") }
    second.cancel()
    await #expect(throws: APIError.cancelled) { try await second.value }
    try await eventually { transport.release() == 2 }
    _ = try await first.value
    _ = try await third.value
  }

  @Test func `a rate limit spaces requests out`() async throws {
    let clock = SteppingClock()
    var configuration = ClientConfiguration.quick(clock)
    configuration.rateLimit = RateLimit(requests: 3, per: .seconds(10))
    let server = try ScriptedServer { _, _ in .answer(200, #"{"data":\#(Samples.hero)}"#) }
    let client = try APIClient(server, configuration)
    for _ in 0..<7 { _ = try await client.record(.heroes, id: "h1") }
    #expect(clock.slept == [.seconds(10), .seconds(10)])
  }

  @Test func `the time for the whole run ends a request that is under way`() async throws {
    let isSentOnce = try await withTime { time in
      let server = try ScriptedServer { _, _ in .hang }
      var configuration = ClientConfiguration()
      configuration.timeout = patience
      configuration.runTime = time
      let client = try APIClient(server, configuration)
      for _ in 0..<2 {
        await #expect(throws: APIError.deadlineExceeded) {
          try await client.record(.heroes, id: "h1")
        }
      }
      return server.requests.count == 1
    }
    #expect(isSentOnce)
  }

  @Test func `no retry is begun that would end after the run`() async throws {
    let server = try ScriptedServer { _, _ in .answer(503, "{}", headers: ["Retry-After": "90"]) }
    var configuration = ClientConfiguration()
    configuration.runTime = .seconds(60)
    let waits = Box(0)
    configuration.observe = { if case .waiting = $0 { waits.change { $0 += 1 } } }
    let client = try APIClient(server, configuration)
    await #expect(throws: APIError.server(status: 503, message: nil)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(waits.value == 0)
  }

  @Test func `reports tell each try, and bodies without secrets where asked`() async throws {
    let server = try ScriptedServer { request, number in
      number == 0
        ? .answer(503, "{}")
        : .answer(200, #"{"data":{"user":{"id":"u","email":"e"},"session":{"token":"marked"}}}"#)
    }
    let lines = Box<[String]>([])
    var configuration = ClientConfiguration.quick(retries: RetryPolicy(retries: 1))
    configuration.logsBodies = true
    configuration.observe = { event in
      if case .finished(let report) = event { lines.change { $0.append("\(report)") } }
    }
    let client = try APIClient(server, configuration, session: Session(token: Secret("marked")))
    await #expect(throws: APIError.self) {
      try await client.signIn(email: "e", password: Secret("marked"))
    }
    _ = try await client.signIn(email: "e", password: Secret("marked"))
    #expect(
      lines.value == [
        "POST /api/auth/sign-in 503 0 ms\n  > {\"email\":\"e\",\"password\":\"[redacted]\"}\n  < {}",
        "POST /api/auth/sign-in 200 0 ms\n  > {\"email\":\"e\",\"password\":\"[redacted]\"}\n"
          + "  < {\"data\":{\"user\":{\"id\":\"u\",\"email\":\"e\"},\"session\":{\"token\":\"[redacted]\"}}}",
      ])
  }
}
