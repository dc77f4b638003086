public import StoryLibrary
import Synchronization

/// A record with the address of its file.
public struct MediaSource: Sendable, Hashable {
  /// The current record on the server.
  public var record: RemoteRecord
  /// The address of the file, or `nil` if the record has no file or it must not be fetched from there (see
  /// ``MediaAddress``). Signed addresses expire, so none is stored.
  public var address: MediaAddress?
}

extension APIClient {
  /// Requests a record and the address of its file in `member` (`avatarUrl`, `audioUrl`).
  ///
  /// - Throws: `APIError`, as for any record.
  public nonisolated func mediaSource(
    of kind: EntityKind, id: String, member: String
  ) async throws(APIError) -> MediaSource {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    let place = answer.place["data"]
    try place.confirm(id: id)
    return try source(kind, at: place, member, dialect)
  }

  /// Requests a story's pictures with the addresses of their files, in the server's order.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrationSources(
    storyID: String
  ) async throws(APIError) -> [MediaSource] {
    let dialect = try await dialect()
    let answer = try await answer(to: .illustrations(storyID: storyID, dialect), dialect)
    return try dialect.illustrationList(answer.place).elements().map { (picture) throws(APIError) in
      try source(.illustrations, at: picture, "imageUrl", dialect)
    }
  }

  private nonisolated func source(
    _ kind: EntityKind, at place: AnswerPlace, _ member: String, _ dialect: Dialect
  ) throws(APIError) -> MediaSource {
    let address = try place[member].optionalString().flatMap { MediaAddress($0, on: server) }
    return MediaSource(record: try dialect.record(kind, at: place), address: address)
  }

  /// Returns the request for a file, with the token only if the file is on the server itself.
  ///
  /// - Throws: `APIError.unauthorized` if that requires a session and none is valid.
  public func mediaRequest(_ address: MediaAddress) async throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: .get, url: address.url.value, timeout: configuration.timeout)
    // A file may be large, so only a server that almost stops is too slow.
    request.timeLimit = .seconds(60)
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    guard address.isOnServer else { return request }
    let dialect = try await dialect()
    if let session = try await sessionToSend(.profile(dialect), dialect) {
      request.headers["Authorization"] = "\(session.scheme.rawValue) \(session.token.value)"
    }
    return request
  }

  /// Downloads a file, or the rest of one, in chunks.
  ///
  /// An interrupted download is not repeated here: callers resume it from the first part. Redirects
  /// lead only to https or the server's own origin.
  /// - Parameters:
  ///   - address: The address of the file.
  ///   - rest: The part already present, or `nil` to request the whole file.
  ///   - sink: The sink for the body of a response with status 200 or 206.
  /// - Throws: `APIError`: `network` if the download was interrupted, `cancelled` also if the sink
  ///   ended it, `rateLimited`, `server` for a status that says nothing about the file.
  public nonisolated func download(
    _ address: MediaAddress, rest: MediaRest? = nil, into sink: any BodySink
  ) async throws(APIError) -> MediaAnswer {
    var request = try await mediaRequest(address)
    // A content coding would change the lengths and ranges.
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
    let response = try outcome.mapError { APIError($0) }.get()
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

  /// Counts a request that bypassed ``answer(to:_:kind:)``.
  private func note(_ bytes: Int) {
    statistics.requests += 1
    statistics.bytesDown += bytes
  }
}

/// The outcome of a request for a file that requires a decision by the caller.
public enum MediaAnswer: Sendable, Hashable {
  /// The sink received the complete response.
  case received
  /// The server refuses access: the address is signed and has expired, or the file belongs to
  /// another account. A new address may work.
  case refused(status: Int)
  /// The file does not exist.
  case missing
  /// There are no bytes after the requested offset (RFC 9110, section 15.5.17).
  case outOfRange
}

private final class CountingSink: BodySink {
  private let sink: any BodySink
  private let count = Mutex(0)

  init(_ sink: any BodySink) { self.sink = sink }

  var bytes: Int { count.withLock { $0 } }

  func begin(_ head: HTTPResponse) -> Bool { sink.begin(head) }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    count.withLock { $0 += bytes.count }
    return sink.take(bytes)
  }
}

/// The part of a file that is already present.
public struct MediaRest: Sendable, Hashable {
  /// The number of bytes present, from the start.
  public var offset: Int
  /// The strong entity tag or the date of their version. For another version, the server sends the
  /// whole file (RFC 9110, section 13.1.5).
  public var validator: String

  /// Creates a description of the part.
  public init(offset: Int, validator: String) {
    self.offset = offset
    self.validator = validator
  }
}
