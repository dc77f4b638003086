import Synchronization

/// How a request for a file ended, as far as a caller has to decide something.
public enum MediaAnswer: Sendable, Hashable {
  /// The bytes went to the sink, to the end of the answer.
  case received
  /// The server does not let the address read the file: it is signed and its time is over, or it
  /// belongs to somebody else. A new address may serve.
  case refused(status: Int)
  /// The file is not there.
  case missing
  /// There is nothing behind the byte that was asked for (RFC 9110, section 15.5.17).
  case outOfRange
}

extension APIClient {
  /// Fetches a file, or the rest of one, piece by piece.
  ///
  /// The answer is not repeated where it breaks off: whoever has the first part goes on from there.
  /// Redirects lead to https or the server's own origin, and nowhere else.
  /// - Parameters:
  ///   - address: where the file is.
  ///   - rest: what is there already; `nil` asks for the whole file.
  ///   - sink: takes the bytes of an answer with status 200 or 206.
  /// - Throws: `APIError`: `network` where it broke off, `cancelled` also where the sink ended it,
  ///   `rateLimited`, `server` for a status that says nothing about the file.
  public nonisolated func download(
    _ address: MediaAddress, rest: MediaRest? = nil, into sink: any BodySink
  ) async throws(APIError) -> MediaAnswer {
    var request = try await mediaRequest(address)
    // A coding would make lengths and ranges those of something else.
    request.headers["Accept-Encoding"] = "identity"
    request.staysOnOriginOrSecure = true
    if let rest {
      request.headers["Range"] = "bytes=\(rest.offset)-"
      request.headers["If-Range"] = rest.validator
    }
    let counter = CountingSink(sink)
    let outcome = await Result.catching { () throws(TransportError) in
      try await transport.send(request, into: counter)
    }
    await note(counter.bytes)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try outcome.get()
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .network(let failure): throw .network(failure)
      }
    }
    switch response.status {
    case 200, 206: return .received
    case 401, 403, 410: return .refused(status: response.status)
    case 404: return .missing
    case 416: return .outOfRange
    case 429:
      let now = configuration.time.now()
      let wait = RetryHint.wait(response.headers, now: now)
      throw .rateLimited(until: wait.map { now.advanced(by: $0) })
    default: throw .server(status: response.status, message: nil)
    }
  }

  /// Counts a request that went past ``answer(to:_:kind:)``.
  private func note(_ bytes: Int) {
    statistics.requests += 1
    statistics.bytesDown += bytes
  }
}

/// Counts the bytes that another sink gets.
private final class CountingSink: BodySink {
  private let sink: any BodySink
  private let count = Mutex(0)

  init(_ sink: any BodySink) { self.sink = sink }

  /// The bytes so far.
  var bytes: Int { count.withLock { $0 } }

  func begin(_ head: HTTPResponse) -> Bool { sink.begin(head) }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    count.withLock { $0 += bytes.count }
    return sink.take(bytes)
  }
}

/// What is held of a file that is fetched on.
public struct MediaRest: Sendable, Hashable {
  /// How many bytes are held, from the first one.
  public var offset: Int
  /// The strong entity tag, or the date, of the version that they are of. Of another version the
  /// server sends the whole (RFC 9110, section 13.1.5).
  public var validator: String

  /// What is held, from its parts.
  public init(offset: Int, validator: String) {
    self.offset = offset
    self.validator = validator
  }
}
