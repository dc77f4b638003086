import StoryAPI
import TestSupport
import Testing

@Suite(.inTurn) struct URLSessionTransportTests {
  private func get(_ url: String, timeout: Duration = patience) -> HTTPRequest {
    HTTPRequest(method: .get, url: url, timeout: timeout)
  }

  private func failure(of url: String, timeout: Duration = patience) async -> TransportError? {
    var request = get(url, timeout: timeout)
    request.answerLimit = 1_000
    do throws(TransportError) {
      _ = try await URLSessionTransport().send(request)
      return nil
    } catch { return error }
  }

  @Test func `carries method, headers and body, and brings back the same`() async throws {
    let server = try ScriptedServer { request, _ in
      .answer(418, bytes: request.body.reversed(), headers: ["X-Thing": "a, b"])
    }
    let answer = try await URLSessionTransport().send(
      HTTPRequest(
        method: .patch, url: "\(server.url)/a%2Fb?c=%20", headers: ["X-Mine": "yes"],
        body: [1, 2, 3], timeout: patience))
    #expect(answer.status == 418)
    #expect(answer.headers["x-thing"] == "a, b")
    #expect(answer.body == [3, 2, 1])
    let request = server.requests[0]
    #expect(request.method == "PATCH")
    #expect(request.target == "/a%2Fb?c=%20")
    #expect(request.headers["x-mine"] == "yes")
    #expect(request.body == [1, 2, 3])
  }

  @Test func `ends when it is cancelled, whatever has come of the answer`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(200, bytes: Array(repeating: 32, count: 400_000))
    }
    let transport = URLSessionTransport()
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 1...300 {
      let pause = Duration.microseconds(Int.random(in: 0...6_000, using: &generator))
      let request = get(server.url)
      await withTaskGroup { group in
        group.addTask { _ = try? await transport.send(request) }
        group.addTask { try? await Task.sleep(for: pause) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  @Test func `keeps no cookies and no cache`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(200, "1", headers: ["Set-Cookie": "a=b", "Cache-Control": "max-age=600"])
    }
    let transport = URLSessionTransport()
    _ = try await transport.send(get(server.url))
    _ = try await transport.send(get(server.url))
    #expect(server.requests.count == 2)
    #expect(server.requests[1].headers["cookie"] == nil)
  }

  @Test func `tells failures apart`() async throws {
    let gone = try RefusingPort()
    let dropping = try ScriptedServer { _, _ in .drop }
    let truncating = try ScriptedServer { _, _ in
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{".utf8), closes: true)
    }
    let silent = try ScriptedServer { _, _ in .hang }
    let chatting = try ScriptedServer { _, _ in .bytes(Array("220 mail\r\n".utf8), closes: true) }
    let large = try ScriptedServer { _, _ in
      .answer(200, bytes: Array(repeating: 32, count: 1_001))
    }
    let table: [(String, NetworkFailure)] = [
      (gone.url, .refused), (dropping.url, .connectionLost), (truncating.url, .truncated),
      (chatting.url, .notHTTP),
      (large.url, .answerTooLarge(limit: 1_000)), ("http://name.invalid/", .unknownHost),
    ]
    for (url, expected) in table {
      let failure = await failure(of: url, timeout: patience)
      #expect(failure == .network(expected), "\(url)")
    }
    // If Foundation's timer is late, the head's own comes first.
    #expect(await withTime { await failure(of: silent.url, timeout: $0) == .network(.timedOut) })
    withExtendedLifetime((gone, dropping, truncating, silent, chatting, large)) {}
  }

  @Test(arguments: [HTTPMethod.post, .patch])
  func `a write on a kept connection that breaks is sent once and fails at once`(
    _ method: HTTPMethod
  ) async throws {
    let server = try ScriptedServer { _, number in number == 1 ? .drop : .answer(200, "{}") }
    let transport = URLSessionTransport()
    let request = HTTPRequest(
      method: method, url: server.url, body: Array("hello".utf8), timeout: patience)
    _ = try await transport.send(request)
    await #expect(throws: TransportError.network(.connectionLost)) {
      try await transport.send(request)
    }
    #expect(server.requests.count == 2)
    _ = try await transport.send(request)
    #expect(server.requests.map(\.text) == ["hello", "hello", "hello"])
  }

  /// A server with a certificate that nobody vouches for, by `openssl`; skipped where that is not
  /// installed.
  @Test(.enabled(if: OpenSSLServer.isInstalled, "needs openssl"))
  func `a certificate that nobody vouches for ends the connection before anything is sent`()
    async throws
  {
    let server = try OpenSSLServer()
    guard case .network(let failure) = await failure(of: "https://localhost:\(server.port)/") else {
      Issue.record("the certificate was taken")
      return
    }
    guard case .insecure(let why) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.neverArrived)
    #expect(why.contains("certificate"))
    withExtendedLifetime(server) {}
  }

  @Test func `cancelling ends a request at once`() async throws {
    let arrived = Box(false)
    let server = try ScriptedServer { _, _ in
      arrived.value = true
      return .hang
    }
    let request = get(server.url, timeout: patience)
    let task = Task { () throws(TransportError) -> HTTPResponse in
      try await URLSessionTransport().send(request)
    }
    try await eventually { arrived.value }
    // The server never answers and the time limit is another error, so only the cancelling ends it.
    task.cancel()
    await #expect(throws: TransportError.cancelled) { try await task.value }
    #expect(server.requests.count == 1)
  }

  @Test func `a cancelled task sends nothing`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200) }
    let request = get(server.url)
    let task = Task { () throws(TransportError) -> HTTPResponse in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await URLSessionTransport().send(request)
    }
    await #expect(throws: TransportError.cancelled) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test func `many requests share one transport`() async throws {
    let server = try ScriptedServer { request, _ in .answer(200, request.target) }
    let transport = URLSessionTransport()
    let url = server.url
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let answer = try await transport.send(
            HTTPRequest(method: .get, url: "\(url)/\(number)", timeout: patience))
          return answer.body == Array("/\(number)".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(server.requests.count == 200)
  }
}
