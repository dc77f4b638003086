import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct ConnectionTests {
  @Test func servesManyRequestsOnOneConnection() throws {
    let server = try TestServer()
    let client = try server.client()
    for number in 0..<50 { _ = try client.createHero("Hero \(number)") }
    #expect(try client.send("GET", "/api/heroes").json?["pagination"]?["total"] == 50)
    #expect(server.server.requestCount == 51)
  }

  @Test func answersPipelinedRequestsInOrder() throws {
    let server = try TestServer()
    let client = try server.client()
    var requests = ""
    for number in 0..<20 {
      requests += client.request("POST", "/api/heroes", TestClient.hero("\(number)"))
    }
    requests += client.request("GET", "/api/heroes?limit=100")
    client.connection.send(requests)
    for number in 0..<20 {
      let response = try client.connection.receive()
      #expect(response.data?["name"] == .string("\(number)"))
    }
    #expect(try client.connection.receive().json?["pagination"]?["total"] == 20)
  }

  @Test("requests arrive in pieces of any size", arguments: [1, 2, 3, 7, 64])
  func takesRequestsInPieces(size: Int) throws {
    let server = try TestServer()
    let client = try server.client()
    let bytes = Array(client.request("POST", "/api/heroes", TestClient.hero("Luna")).utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      client.connection.send(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    #expect(try client.connection.receive().status == 201)
  }

  @Test func leavesOutEmptyLinesBeforeARequest() throws {
    let server = try TestServer()
    let client = try server.stranger()
    client.connection.send("\r\n\r\n" + client.request("GET", "/api/health"))
    #expect(try client.connection.receive().status == 200)
  }

  @Test func takesChunkedBodies() throws {
    let server = try TestServer()
    let client = try server.client()
    let body = TestClient.hero("Luna").compactText
    let head = client.request(
      "POST", "/api/heroes",
      headers: [
        "Content-Type": "application/json", "Transfer-Encoding": "chunked",
      ])
    var chunks = ""
    for byte in body.utf8.prefix(10) {
      chunks += "1;ext=\"a;b\"\r\n\(Character(UnicodeScalar(byte)))\r\n"
    }
    let rest = body.dropFirst(10)
    chunks += "00\(String(rest.utf8.count, radix: 16, uppercase: true)) \r\n\(rest)\r\n"
    chunks += "0\r\nTrailer: x\r\n\r\n"
    client.connection.send(head + chunks + client.request("GET", "/api/heroes"))
    #expect(try client.connection.receive().status == 201)
    #expect(try client.connection.receive().json?["pagination"]?["total"] == 1)
  }

  @Test func asksForABodyThatWaits() throws {
    let server = try TestServer()
    let client = try server.client()
    let body = TestClient.hero("Luna").compactText
    client.connection.send(
      client.request(
        "POST", "/api/heroes",
        headers: [
          "Content-Type": "application/json", "Content-Length": "\(body.utf8.count)",
          "Expect": "100-continue",
        ]))
    #expect(try client.connection.receive().status == 100)
    client.connection.send(body)
    #expect(try client.connection.receive().status == 201)
  }

  @Test func refusesALargeBodyBeforeItIsSent() throws {
    let server = try TestServer()
    let client = try server.client()
    client.connection.send(
      client.request(
        "POST", "/api/heroes",
        headers: [
          "Content-Type": "application/json", "Content-Length": "\(9 << 20)",
          "Expect": "100-continue",
        ]))
    #expect(try client.connection.receive().status == 413)
  }

  @Test func takesABodyUpToTheLimit() throws {
    let limit = 200_000
    let server = try TestServer { $0.limits.bodyBytes = limit }
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let around = TestClient.story("Long", hero: hero.id, content: "").compactBytes.count
    let content = String(repeating: "x", count: limit - around)
    let response = try client.send(
      "POST", "/api/stories", TestClient.story("Long", hero: hero.id, content: content))
    #expect(response.status == 201)
    #expect(response.data?["content"] == .string(content))
    let more = TestClient.story("Long", hero: hero.id, content: content + "x")
    #expect(try server.client().send("POST", "/api/stories", more).status == 413)
    #expect(ServerLimits().bodyBytes == 8 << 20)
  }

  @Test func answersHEADWithoutABody() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    for path in ["/api/heroes", "/api/heroes/\(hero.id)", "/api/health", "/api/heroes/none"] {
      let get = try client.send("GET", path)
      let head = try client.send("HEAD", path)
      #expect(head.status == get.status)
      #expect(head["content-length"] == get["content-length"])
      #expect(head["etag"] == get["etag"])
      #expect(head.body.isEmpty)
    }
  }

  @Test(arguments: ["close", "Close", "foo, close", "keep-alive , CLOSE"])
  func closesWhenAsked(connection: String) throws {
    let server = try TestServer()
    let client = try server.stranger()
    let response = try client.send("GET", "/api/health", headers: ["Connection": connection])
    #expect(response.status == 200)
    #expect(response["connection"] == "close")
    #expect(try client.connection.isClosed())
  }

  @Test func closesAfterHTTP10() throws {
    let server = try TestServer()
    let client = try RawClient(port: server.server.port)
    client.send("GET /api/health HTTP/1.0\r\n\r\n")
    #expect(try client.receive().status == 200)
    #expect(try client.isClosed())
  }

  @Test func everyAnswerHasDateAndLengthAndGoesOutInOnePiece() throws {
    let clock = ManualClock(784_111_777_000)
    let server = try TestServer(clock: clock)
    let response = try server.client().send("GET", "/api/heroes")
    #expect(response["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(response["content-length"] == "\(response.body.count)")
    #expect(response["content-type"] == "application/json")
  }

  // MARK: Limits

  @Test func closesConnectionsThatAreSilent() async throws {
    let areTold = try await withTime { time in
      let server = try TestServer { $0.limits.idleMilliseconds = Int(time / .milliseconds(1)) }
      let silent = try RawClient(port: server.server.port)
      #expect(try silent.isClosed())
      let (slow, waiting) = (try RawClient(port: server.server.port), try server.client())
      slow.send("GET /api/hea")
      waiting.connection.send(
        waiting.request("POST", "/api/heroes", headers: ["Content-Length": "5"]))
      guard let answer = try? slow.receive(), let other = try? waiting.connection.receive() else {
        return false
      }
      #expect(answer.status == 408 && other.status == 408)
      #expect(answer["connection"] == "close")
      return true
    }
    #expect(areTold)
  }

  /// Larger than what the system keeps of an answer for a peer that does not read.
  private static let large = 24 << 20

  /// A server with a large answer to `/api/health`.
  private func generousServer(idleMilliseconds: Int) throws -> TestServer {
    let server = try TestServer { $0.limits.idleMilliseconds = idleMilliseconds }
    let body = [UInt8](repeating: 0, count: Self.large)
    server.server.addFault(FaultRule(.replaceBody(body), path: "/api/health"))
    return server
  }

  @Test func closesConnectionsThatTakeAnAnswerTooSlowly() throws {
    let server = try generousServer(idleMilliseconds: 200)
    let slow = try RawClient(port: server.server.port, buffer: 4096)
    slow.send("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    var taken = try slow.take(1)
    // Never silent, but at most 20 KiB in 200 ms.
    while !server.isIdle, taken < 4 << 20 {
      taken += try slow.take(1 << 10)
      usleep(10_000)
    }
    #expect(taken < 4 << 20)
  }

  @Test func anAnswerMayTakeLongerThanAPieceOfIt() async throws {
    let isWhole = try await withTime { time in
      let server = try generousServer(idleMilliseconds: Int(time / .milliseconds(1)))
      let client = try RawClient(port: server.server.port)
      client.send("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
      var taken = 0
      while case let count = try client.take(1 << 16), count > 0 {
        taken += count
        if taken >= Self.large { return true }
        usleep(1_000)
      }
      return false
    }
    #expect(isWhole)
  }

  @Test func refusesConnectionsWhereAllAreBusyUntilOneIsFree() throws {
    let server = try TestServer { $0.limits.connections = 8 }
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    server.server.addFault(
      FaultRule(
        .before { _ in
          entered.signal()
          leave.wait()
        }, path: "/api/user/profile"))
    let clients = try (0..<8).map { _ in try server.client() }
    for client in clients {
      client.connection.send(client.request("GET", "/api/user/profile"))
      entered.wait()
    }
    for _ in 0..<3 {
      let client = try server.stranger()
      let response = try client.send("GET", "/api/health")
      #expect(response.status == 503)
      #expect(response.errorCode == "tooManyConnections")
      #expect(response["retry-after"] == "1")
      #expect(try client.connection.isClosed())
    }
    for _ in clients { leave.signal() }
    for client in clients { #expect(try client.connection.receive().status == 200) }
    server.settle()
    #expect(
      try server.stranger().send("GET", "/api/health").status == 200, "it takes an idle one's")
  }

  @Test func makesRoomByClosingTheOldestWithoutASession() throws {
    let server = try TestServer { $0.limits.connections = 4 }
    let signedIn = try server.client()
    #expect(try signedIn.send("GET", "/api/heroes").status == 200)
    let strangers = try (0..<3).map { _ in try server.stranger() }
    #expect(try strangers[0].send("GET", "/api/health").status == 200)
    server.settle()
    strangers[1].connection.send("GET /api/hea")
    let fourth = try server.stranger()
    #expect(try fourth.send("GET", "/api/health").status == 200)
    #expect(try strangers[0].connection.isClosed(), "however busy it was before")
    let fifth = try server.stranger()
    #expect(try fifth.send("GET", "/api/health").status == 200)
    #expect(
      try strangers[1].connection.isClosed(), "a request that does not get ready is no reason")
    #expect(try signedIn.send("GET", "/api/heroes").status == 200, "a session counts more")
    #expect(try fourth.send("GET", "/api/health").status == 200)
  }

  @Test func closesTheLongestIdleWhereAllHaveASession() throws {
    let server = try TestServer { $0.limits.connections = 3 }
    let clients = try (0..<3).map { _ in try server.client() }
    for client in clients + [clients[0]] {
      #expect(try client.send("GET", "/api/heroes").status == 200)
      server.settle()
    }
    let next = try server.client()
    #expect(try next.send("GET", "/api/heroes").status == 200)
    #expect(try clients[1].connection.isClosed())
    for client in [clients[0], clients[2], next] {
      #expect(try client.send("GET", "/api/heroes").status == 200)
    }
  }

  #if os(Linux)
    @Test func anAddressTakesNoMoreThanItsShare() throws {
      let server = try TestServer {
        $0.limits.connections = 8
        $0.limits.addressConnections = 3
      }
      let strangers = try (0..<3).map { _ in try server.stranger() }
      for client in strangers { #expect(try client.send("GET", "/api/health").status == 200) }
      server.settle()
      let others = try (0..<6).map { _ in try server.stranger(from: "127.0.0.2") }
      #expect(try others[5].send("GET", "/api/health").status == 200)
      for client in others.prefix(3) { #expect(try client.connection.isClosed()) }
      for client in strangers + others.suffix(3) {
        #expect(try client.send("GET", "/api/health").status == 200)
      }
    }
  #endif

  @Test func takesManySmallChunksWithoutMovingTheRestEachTime() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let body = TestClient.story(
      "Long", hero: hero.id, content: String(repeating: "x", count: 300_000)
    )
    .compactBytes
    let head = client.request(
      "POST", "/api/stories",
      headers: ["Content-Type": "application/json", "Transfer-Encoding": "chunked"])
    var bytes = Array(head.utf8)
    for byte in body { bytes += Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8) }
    client.connection.send(bytes + Array("0\r\n\r\n".utf8))
    let start = ContinuousClock.now
    #expect(try client.connection.receive().status == 201)
    let time = ContinuousClock.now - start
    // It takes half a second.
    #expect(time < .seconds(60))
  }

  @Test func survivesClientsThatHangUp() throws {
    let server = try TestServer()
    for length in [0, 1, 20, 200] {
      let client = try server.client()
      let request = client.request("POST", "/api/heroes", TestClient.hero("Luna"))
      client.connection.send(String(request.prefix(length)))
    }
    let client = try server.client()
    for _ in 0..<20 { client.connection.send(client.request("GET", "/api/heroes")) }
    #expect(try server.client().send("GET", "/api/heroes").json?["pagination"]?["total"] == 0)
  }
}
