import StoryAPI
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct BodySinkTests {
  /// Keeps what it is given, up to a number of bytes.
  private final class Pieces: BodySink {
    let bytes = Mutex<[UInt8]>([])
    let heads = Mutex<[Int]>([])
    let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    func begin(_ head: HTTPResponse) -> Bool {
      heads.withLock { $0.append(head.status) }
      return head.status == 200
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
      bytes.withLock {
        $0 += piece
        return $0.count < limit
      }
    }
  }

  private static let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  @Test func `a body comes whole and in order, and is not in the answer`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, bytes: Self.body) }
    let sink = Pieces()
    let response = try await URLSessionTransport().send(
      HTTPRequest(method: .get, url: server.url + "/a", timeout: patience), into: sink)
    #expect(response.status == 200 && response.body.isEmpty)
    #expect(sink.bytes.withLock { $0 == Self.body })
  }

  @Test func `an answer that the sink does not want is collected`() async throws {
    let server = try ScriptedServer { _, _ in .answer(403, "no") }
    let sink = Pieces()
    let response = try await URLSessionTransport().send(
      HTTPRequest(method: .get, url: server.url + "/a", timeout: patience), into: sink)
    #expect(response.status == 403 && response.body == Array("no".utf8))
    #expect(sink.heads.withLock { $0 } == [403])
  }

  @Test func `a sink that wants no more ends the request`() async throws {
    let server = try ScriptedServer { _, _ in .answer(200, bytes: Self.body) }
    let sink = Pieces(limit: 100_000)
    await #expect(throws: TransportError.cancelled) {
      try await URLSessionTransport().send(
        HTTPRequest(method: .get, url: server.url + "/a", timeout: patience), into: sink)
    }
    #expect(sink.bytes.withLock { $0.count } < Self.body.count)
  }

  @Test func `a body that ends too early is an error, and what came is kept`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc"
    let server = try ScriptedServer { _, _ in .bytes(Array(head.utf8), closes: true) }
    let sink = Pieces()
    await #expect(throws: TransportError.network(.truncated)) {
      try await URLSessionTransport().send(
        HTTPRequest(method: .get, url: server.url + "/a", timeout: patience), into: sink)
    }
    #expect(sink.bytes.withLock { $0 } == Array("abc".utf8))
  }

  @Test func `a redirect leads to https or stays, where that is asked for`() async throws {
    let other = try ScriptedServer { _, _ in .answer(200, "elsewhere") }
    let target = other.url
    let server = try ScriptedServer { request, _ in
      switch request.target {
      case "/away": .answer(302, headers: ["Location": target + "/a"])
      case "/here": .answer(302, headers: ["Location": "/a"])
      default: .answer(200, "here")
      }
    }
    var request = HTTPRequest(method: .get, url: server.url + "/here", timeout: patience)
    request.staysOnOriginOrSecure = true
    let sink = Pieces()
    _ = try await URLSessionTransport().send(request, into: sink)
    #expect(sink.bytes.withLock { $0 } == Array("here".utf8))
    request.url = server.url + "/away"
    let refused = request
    await #expect(throws: TransportError.network(.redirectRefused(target: target))) {
      try await URLSessionTransport().send(refused, into: Pieces())
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `a transport of whole answers hands its body over`() async throws {
    struct Whole: Transport {
      func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(status: 200, body: [1, 2, 3])
      }
    }
    let sink = Pieces()
    let response = try await Whole().send(
      HTTPRequest(method: .get, url: "https://a.example/"), into: sink)
    #expect(response.body.isEmpty && sink.bytes.withLock { $0 } == [1, 2, 3])
  }
}
