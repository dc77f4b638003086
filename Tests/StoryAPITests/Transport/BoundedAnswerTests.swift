import StoryAPI
import Synchronization
import TestSupport
import Testing

/// What a server sends is bounded in bytes after decoding, and in time.
@Suite(.inTurn) struct BoundedAnswerTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  private static let error = "HTTP/1.1 500 Sorry\r\nContent-Type: application/json\r\n"
  private static let gzip = "Content-Encoding: gzip\r\n\r\n"
  private static let text = [UInt8](repeating: 32, count: 1 << 16)

  private func failure(
    _ reply: ScriptedServer.Reply, timeLimit: Duration = .seconds(300),
    into sink: (any BodySink)? = nil
  ) async throws -> TransportError? {
    let server = try ScriptedServer { _, _ in reply }
    defer { withExtendedLifetime(server) {} }
    var request = HTTPRequest(method: .get, url: server.url + "/a", timeout: patience)
    request.timeLimit = timeLimit
    let transport = URLSessionTransport()
    do throws(TransportError) {
      if let sink {
        _ = try await transport.send(request, into: sink)
      } else {
        _ = try await transport.send(request)
      }
      return nil
    } catch {
      return error
    }
  }

  @Test func `a body without end ends at the limit`() async throws {
    let failure = try await failure(.stream(head: Self.head + "\r\n", piece: Self.text))
    #expect(failure == .network(.answerTooLarge(limit: HTTPRequest.answerLimit)))
  }

  @Test func `bytes are counted after decoding`() async throws {
    let failure = try await failure(
      .answer(
        200, bytes: EndlessGzip.bytes(pieces: 20),
        headers: ["Content-Encoding": "gzip"]))
    #expect(failure == .network(.answerTooLarge(limit: HTTPRequest.answerLimit)))
  }

  @Test func `an error has a limit of its own`() async throws {
    let large = try await failure(
      .answer(500, bytes: [UInt8](repeating: 32, count: HTTPRequest.errorLimit + 1)))
    #expect(large == .network(.answerTooLarge(limit: HTTPRequest.errorLimit)))
    let whole = try await failure(
      .answer(500, bytes: [UInt8](repeating: 32, count: HTTPRequest.errorLimit)))
    #expect(whole == nil)
    let endless = try await failure(.stream(head: Self.error + "\r\n", piece: Self.text))
    #expect(endless == .network(.answerTooLarge(limit: HTTPRequest.errorLimit)))
  }

  /// A space every 20 ms.
  private static let drip = ScriptedServer.Reply.stream(
    head: head + "\r\n", piece: [32], pause: .milliseconds(20))

  @Test func `an answer that drips ends at the time limit`() async throws {
    let limit = Duration.milliseconds(300)
    let ended = try await failure(Self.drip, timeLimit: limit)
    #expect(ended == .network(.tooSlow(limit: limit)))
  }

  /// Keeps nothing.
  private struct Nowhere: BodySink {
    func begin(_ head: HTTPResponse) -> Bool { true }
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
  }

  @Test func `a file that drips ends as well, one that flows may take longer`() async throws {
    let limit = Duration.milliseconds(300)
    let ended = try await failure(Self.drip, timeLimit: limit, into: Nowhere())
    #expect(ended == .network(.tooSlow(limit: limit)))
    let isWhole = try await withTime { limit in
      let flow = ScriptedServer.Reply.stream(
        head: Self.head + "Connection: close\r\n\r\n", piece: Self.text, times: 50,
        pause: limit / 15)
      return try await failure(flow, timeLimit: limit, into: Nowhere()) == nil
    }
    #expect(isWhole)
  }
}
