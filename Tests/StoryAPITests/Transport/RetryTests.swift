import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// What is sent again and what is not, over real sockets and with clocks that do not wait.
@Suite(.inTurn) struct RetryTests {
  private static let usual = RetryPolicy()

  private func create(_ key: String = "k") -> RemoteWrite {
    RemoteWrite(operation: .create, kind: .heroes, idempotencyKey: key, body: ["name": "Luna"])
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504])
  func `a read is repeated for a status that passes`(_ status: Int) async throws {
    let server = try ScriptedServer { _, number in
      number < 2 ? .answer(status, "{}") : .answer(200, #"{"data":\#(Samples.hero)}"#)
    }
    let clock = SteppingClock()
    let client = try APIClient(server, .quick(clock, retries: Self.usual))
    #expect(try await client.record(.heroes, id: "h1").id == "h1")
    #expect(server.requests.count == 3)
    #expect(clock.slept == [.milliseconds(500), .seconds(1)])
  }

  @Test(arguments: [400, 403, 404, 405, 409, 410, 412, 413, 422, 501])
  func `other statuses are final`(_ status: Int) async throws {
    let server = try ScriptedServer { _, _ in .answer(status, "{}") }
    let client = try APIClient(server, .quick(retries: Self.usual))
    await #expect(throws: APIError.self) { try await client.record(.heroes, id: "h1") }
    #expect(server.requests.count == 1)
  }

  /// Whether a read comes to its end by the third request where two end in a certain way.
  private static func isRepeated(
    after reply: ScriptedServer.Reply, timeout: Duration = patience
  ) async throws -> Bool {
    let server = try ScriptedServer { _, number in
      number < 2 ? reply : .answer(200, #"{"data":\#(Samples.hero)}"#)
    }
    var configuration = ClientConfiguration.quick(retries: usual)
    configuration.timeout = timeout
    let record = try? await APIClient(server, configuration).record(.heroes, id: "h1")
    return record?.id == "h1" && server.requests.count == 3
  }

  @Test func `a read is repeated where the connection fails`() async throws {
    #expect(try await Self.isRepeated(after: .drop))
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".utf8)
    #expect(try await Self.isRepeated(after: .bytes(head, closes: true)))
    #expect(try await withTime { try await Self.isRepeated(after: .hang, timeout: $0) })
  }

  @Test func `an answer that makes no sense is not asked for again`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, "<html>") }
    let client = try APIClient(server, .quick(retries: Self.usual))
    await #expect(throws: APIError.self) { try await client.record(.heroes, id: "h1") }
    #expect(server.requests.count == 1)
  }

  @Test func `after the last retry the last error stands`() async throws {
    let server = try ScriptedServer { _, number in .answer(500 + number, "{}") }
    let policy = RetryPolicy(retries: 2, backoff: .fixed([.seconds(3)]))
    let clock = SteppingClock()
    let client = try APIClient(server, .quick(clock, retries: policy))
    // 500 and then 501, which is final.
    await #expect(throws: APIError.server(status: 501, message: nil)) {
      try await client.record(.heroes, id: "h1")
    }
    let dead = try ScriptedServer { _, _ in .answer(503, "{}") }
    await #expect(throws: APIError.server(status: 503, message: nil)) {
      try await APIClient(dead, .quick(clock, retries: policy)).record(.heroes, id: "h1")
    }
    #expect(dead.requests.count == 3)
  }

  @Test(arguments: [true, false])
  func `a POST whose fate is unknown is repeated only where the server knows its key`(
    _ knows: Bool
  ) async throws {
    let server = try ScriptedServer { request, number in
      if request.method == "GET" {
        return .answer(
          200,
          #"{"data":{"status":"healthy","features":[\#(knows ? #""idempotency""# : "")]}}"#)
      }
      return number == 0 ? .drop : .answer(201, #"{"data":\#(Samples.hero)}"#)
    }
    let client = try APIClient(server, .quick(retries: Self.usual))
    if knows {
      #expect(try await client.perform(create())?.id == "h1")
      let posts = server.requests.filter { $0.method == "POST" }
      #expect(posts.map { $0.headers["idempotency-key"] } == ["k", "k"])
      #expect(posts[0].body == posts[1].body)
    } else {
      await #expect(throws: APIError.network(.connectionLost)) {
        try await client.perform(create())
      }
      #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }
  }

  @Test(arguments: [500, 502, 503, 504])
  func `a POST without a key is not repeated for a status either`(_ status: Int) async throws {
    let server = try ScriptedServer { _, _ in .answer(status, "{}") }
    let client = try APIClient(server, .quick(retries: Self.usual), session: nil)
    await #expect(throws: APIError.server(status: status, message: nil)) {
      try await client.signIn(email: "a", password: Secret("b"))
    }
    #expect(server.requests.count == 1)
  }

  @Test func `a POST that was turned away is repeated`() async throws {
    let server = try ScriptedServer { request, number in
      number == 0 ? .answer(429, "{}") : .answer(404, "{}")
    }
    let client = try APIClient(server, .quick(retries: Self.usual), session: nil)
    await #expect(throws: APIError.notFound) {
      try await client.signIn(email: "a", password: Secret("b"))
    }
    #expect(server.requests.filter { $0.method == "POST" }.count == 2)
  }

  @Test func `a POST that surely never arrived is repeated`() async throws {
    let gone = try RefusingPort()
    let clock = SteppingClock()
    let client = APIClient(
      server: try ServerAddress(gone.url),
      configuration: .quick(clock, retries: Self.usual))
    await #expect(throws: APIError.network(.refused)) {
      try await client.signIn(email: "a", password: Secret("b"))
    }
    #expect(clock.slept.count == 3)
    withExtendedLifetime(gone) {}
  }

  @Test func `a batch is repeated by the keys within it`() async throws {
    let server = try ScriptedServer { request, number in
      request.method == "GET"
        ? .answer(200, Samples.health)
        : number == 1
          ? .drop : .answer(200, #"{"data":{"results":[{"status":200,"data":{"id":"h"}}]}}"#)
    }
    let client = try APIClient(server, .quick(retries: Self.usual))
    let results = try await client.performBatch([
      RemoteWrite(operation: .delete, kind: .heroes, id: "h", idempotencyKey: "k")
    ])
    #expect(results == [.success(nil)])
    #expect(server.requests.count == 3)
  }

  @Test func `a delete whose answer was lost is looked up and not sent again`() async throws {
    let server = try ScriptedServer { request, number in
      if number == 0 { return .drop }
      if request.target.hasSuffix("/health") {
        return .answer(200, #"{"data":{"status":"healthy"}}"#)
      }
      return .answer(404, "{}")
    }
    let write = RemoteWrite(operation: .delete, kind: .heroes, id: "h", idempotencyKey: "k")
    let client = try APIClient(server, .quick(retries: Self.usual))
    #expect(try await client.perform(write) == nil)
    #expect(server.requests.count { $0.method == "DELETE" } == 1)
    await #expect(throws: APIError.notFound) { try await client.perform(write) }
  }

  @Test(arguments: [429, 503], [[], ["etag"], ["idempotency"], ["etag", "idempotency"]])
  func `a change is sent again unchanged only where it is done once to one version`(
    _ status: Int, _ features: [String]
  ) async throws {
    let isFirst = Box(true)
    let server = try ScriptedServer { request, _ in
      if request.target.hasSuffix("/health") {
        let names = features.map { "\"\($0)\"" }.joined(separator: ",")
        return .answer(200, #"{"data":{"status":"healthy","features":[\#(names)]}}"#)
      }
      guard request.method == "PATCH", isFirst.value else {
        return .answer(200, #"{"data":\#(Samples.hero)}"#)
      }
      isFirst.value = false
      return .answer(status, "{}")
    }
    let client = try APIClient(server, .quick(retries: Self.usual))
    let record = try await client.record(.heroes, id: "h1")
    let write = RemoteWrite(
      operation: .update, kind: .heroes, id: "h1", revision: record.updatedAt,
      idempotencyKey: "k", body: ["age": 99])
    _ = try await client.perform(write, base: record.fields)
    // One that was turned away was surely not done, so that its version is enough.
    let isSure = features.contains("etag") && (features.count == 2 || status == 429)
    #expect(server.requests.count { $0.method == "PATCH" } == 2)
    #expect(
      server.requests.count { $0.target.hasSuffix("/heroes/h1") && $0.method == "GET" }
        == (isSure ? 1 : 2))
  }

  @Test func `what the server asks for is obeyed and told`() async throws {
    let server = try ScriptedServer { _, number in
      switch number {
      case 0: .answer(429, "{}", headers: ["Retry-After": "120"])
      case 1:
        .answer(
          503, "{}",
          headers: [
            "Retry-After": "Fri, 20 Nov 2026 10:01:00 GMT", "Date": "Fri, 20 Nov 2026 10:00:00 GMT",
          ])
      default: .answer(200, #"{"data":\#(Samples.hero)}"#)
      }
    }
    let (clock, told) = (SteppingClock(), Box<[RetryNotice]>([]))
    var configuration = ClientConfiguration.quick(clock, retries: Self.usual)
    configuration.observe = { event in
      if case .waiting(let notice) = event { told.change { $0.append(notice) } }
    }
    _ = try await APIClient(server, configuration).record(.heroes, id: "h1")
    #expect(clock.slept == [.seconds(120), .seconds(60)])
    #expect(told.value.map(\.wait) == [.seconds(120), .seconds(60)])
    #expect(told.value.map(\.attempt) == [1, 2])
    #expect(told.value.map(\.request) == ["GET /api/heroes/h1", "GET /api/heroes/h1"])
  }

  @Test func `a wait of more than five minutes is told at once instead`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(429, "{}", headers: ["Retry-After": "301"])
    }
    let clock = SteppingClock()
    let client = try APIClient(server, .quick(clock, retries: Self.usual))
    await #expect(throws: APIError.rateLimited(until: clock.now.advanced(by: .seconds(301)))) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(clock.slept.isEmpty)
  }

  @Test func `cancelling ends a wait`() async throws {
    let server = try ScriptedServer { _, _ in .answer(503, "{}", headers: ["Retry-After": "200"]) }
    let waiting = Box(false)
    var configuration = ClientConfiguration()
    configuration.observe = { if case .waiting = $0 { waiting.value = true } }
    let client = try APIClient(server, configuration)
    let task = Task { try await client.record(.heroes, id: "h1") }
    try await eventually { waiting.value }
    task.cancel()
    await #expect(throws: APIError.cancelled) { try await task.value }
  }
}
