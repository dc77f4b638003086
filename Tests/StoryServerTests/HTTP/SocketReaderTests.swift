import Testing

@testable import StoryServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time for a request counts from its first byte.
@Suite struct SocketReaderTests {
  /// What comes of a text whose time was over before it came.
  private func head(_ text: String) throws -> Result<String, SocketReader.Stop> {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    #else
      try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
    #endif
    defer { for end in ends { close(end) } }
    let bytes = Array(text.utf8)
    try #require(write(ends[0], bytes, bytes.count) == bytes.count)
    var limits = ServerLimits()
    limits.headMilliseconds = -1
    var reader = SocketReader(socket: Socket(descriptor: ends[1], timeout: 10_000), limits: limits)
    do throws(SocketReader.Stop) {
      return .success(try reader.head {}.method)
    } catch {
      return .failure(error)
    }
  }

  @Test func aRequestThatIsThereIsTakenHoweverLongNobodyAsked() throws {
    #expect(try head("GET /api/heroes HTTP/1.1\r\nHost: x\r\n\r\n") == .success("GET"))
  }

  @Test func aHeadThatDoesNotEndIsRefused() throws {
    for text in ["GET /api/heroes HTTP/1.1\r\n", "\r\n", "\r\n\r\n\r\n"] {
      guard case .failure(.refused(let failure)) = try head(text) else {
        Issue.record("it was taken")
        return
      }
      #expect(failure.status == 408)
    }
  }
}
