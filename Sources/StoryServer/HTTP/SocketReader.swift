import StoryLibrary

/// Reads requests from a socket, keeping the bytes of the next request.
struct SocketReader {
  /// The reason why no further request can be read.
  enum Stop: Error, Equatable {
    /// The peer closed the connection, or an idle connection timed out.
    case closed
    case refused(APIFailure)
  }

  let socket: Socket
  let limits: ServerLimits
  private var buffer: [UInt8] = []
  private var start = 0
  /// The deadline for the request, on the monotonic clock, or `nil` if none has begun.
  private var deadline: Int64?

  init(socket: Socket, limits: ServerLimits) {
    self.socket = socket
    self.limits = limits
  }

  /// Whether bytes of the next request have arrived.
  var hasUnread: Bool { start < buffer.count }

  /// Waits for a request's line and header fields.
  ///
  /// - Parameter whenStarted: Called when the first byte arrives.
  mutating func head(whenStarted: () -> Void) throws(Stop) -> ServerRequest {
    skipEmptyLines()
    compact()
    deadline = nil
    // The time counts from the first byte, because the connection may have been idle before.
    if !hasUnread { guard case .bytes = fill() else { throw .closed } }
    allow(milliseconds: limits.headMilliseconds)
    whenStarted()
    let limit = limits.headBytes
    let begin = start
    var lines: [[UInt8]] = []
    func tooLarge() -> APIFailure {
      lines.isEmpty
        ? APIFailure(414, "targetTooLong", "The request line is over \(limit) bytes.")
        : APIFailure(431, "headTooLarge", "The header fields are over \(limit) bytes.")
    }
    while lines.last?.isEmpty != true {
      let line = try nextLine(
        limit: limit + begin - start, malformed: ServerRequest.badLineEnd, tooLong: tooLarge())
      // The last line end and the empty line do not count; empty lines before a request do.
      guard start - begin - 4 <= limit else { throw .refused(tooLarge()) }
      if !lines.isEmpty || !line.isEmpty { lines.append(line) }
    }
    do throws(APIFailure) {
      return try ServerRequest(head: lines.dropLast())
    } catch {
      throw .refused(error)
    }
  }

  /// Returns whether the first bytes of a request arrive in time.
  mutating func waitForRequest(milliseconds: Int) -> Bool {
    allow(milliseconds: milliseconds)
    if case .bytes = fill() { return true } else { return false }
  }

  /// Skips empty lines before a request (RFC 9112, section 2.2).
  private mutating func skipEmptyLines() {
    while start + 1 < buffer.count, buffer[start] == 0x0D, buffer[start + 1] == 0x0A { start += 2 }
  }

  mutating func allow(milliseconds: Int) {
    deadline = Platform.monotonicMilliseconds() + Int64(milliseconds)
  }

  /// Reads a request's body, or refuses one of more than `limit` bytes with the answer of `refusal`.
  mutating func body(
    of request: ServerRequest, limit: Int, refusal: () -> APIFailure
  ) throws(Stop) -> [UInt8] {
    let most = limits.bodyBytes
    func check(_ length: Int) throws(Stop) {
      if length > most { throw .refused(.bodyTooLarge(limit: most)) }
      if length > limit { throw .refused(refusal()) }
    }
    switch request.framing {
    case .none: return []
    case .length(let length):
      try check(length)
      try sendContinue(request)
      return try bytes(length)
    case .chunked:
      try sendContinue(request)
      return try chunks(check)
    }
  }

  private func sendContinue(_ request: ServerRequest) throws(Stop) {
    guard request.awaitsContinue, !hasUnread else { return }
    guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw .closed }
  }

  /// Reads a chunked body (RFC 9112, section 7.1), ignoring extensions and trailer fields.
  private mutating func chunks(_ check: (Int) throws(Stop) -> Void) throws(Stop) -> [UInt8] {
    let malformed = APIFailure.badRequest("malformedChunk", "The chunked body is malformed.")
    let most = limits.bodyBytes
    var result: [UInt8] = []
    while true {
      let line = try chunkLine(limit: 4096, malformed)
      let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
      let rest = line[digits.endIndex...].trimmed
      guard !digits.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";") else {
        throw .refused(malformed)
      }
      var size = 0
      for byte in digits {
        guard let digit = Hexadecimal.digit(byte) else { throw .refused(malformed) }
        // Stop at the limit, so that the number cannot overflow.
        if size <= most { size = size * 16 + Int(digit) }
      }
      try check(size)
      guard size > 0 else { break }
      try check(result.count + size)
      result += try bytes(size)
      guard try chunkLine(limit: 2, malformed).isEmpty else { throw .refused(malformed) }
    }
    var trailer = 0
    while true {
      let line = try chunkLine(limit: limits.headBytes, malformed)
      if line.isEmpty { return result }
      trailer += line.count
      guard trailer <= limits.headBytes else { throw .refused(malformed) }
    }
  }

  /// Returns the next line of a chunked body.
  private mutating func chunkLine(limit: Int, _ malformed: APIFailure) throws(Stop) -> [UInt8] {
    let line = try nextLine(limit: limit, malformed: malformed, tooLong: malformed)
    // Other readers might take a control character for the end of the line.
    guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
      throw .refused(malformed)
    }
    return line
  }

  /// Returns the next line without its end.
  private mutating func nextLine(
    limit: Int, malformed: APIFailure, tooLong: @autoclosure () -> APIFailure
  ) throws(Stop) -> [UInt8] {
    var index = start
    while true {
      if let end = buffer[index...].firstIndex(of: 0x0A) {
        guard end > start, buffer[end - 1] == 0x0D else { throw .refused(malformed) }
        defer { start = end + 1 }
        return Array(buffer[start..<end - 1])
      }
      index = buffer.count
      guard index - start <= limit + 2 else { throw .refused(tooLong()) }
      try fillOrStop()
    }
  }

  /// Returns the next bytes. A declared length alone allocates no memory.
  private mutating func bytes(_ count: Int) throws(Stop) -> [UInt8] {
    var result: [UInt8] = []
    while true {
      let end = min(buffer.count, start + count - result.count)
      result += buffer[start..<end]
      start = end
      compact()
      if result.count == count { return result }
      try fillOrStop()
    }
  }

  private mutating func fillOrStop() throws(Stop) {
    switch fill() {
    case .bytes: return
    case .closed: throw .closed
    case .timedOut:
      throw .refused(APIFailure(408, "requestTimeout", "The request took too long."))
    }
  }

  /// Waits for bytes until the deadline of the request.
  private mutating func fill() -> Socket.Received {
    let idle = Int64(limits.idleMilliseconds)
    let left = deadline.map { min($0 - Platform.monotonicMilliseconds(), idle) } ?? idle
    guard left > 0 else { return .timedOut }
    socket.setReceiveTimeout(Int(left))
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
      let received = socket.receive(into: chunk)
      if case .bytes(let count) = received { buffer.append(contentsOf: chunk[..<count]) }
      return received
    }
  }

  /// Frees the memory of bytes that have been read. A small amount stays, because moving the rest
  /// after each of many small chunks would be slow.
  private mutating func compact() {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 18)
    } else if start > 1 << 16 {
      buffer.removeSubrange(..<start)
    } else {
      return
    }
    start = 0
  }

  /// Discards what the peer still sends. Otherwise, closing the connection could make the system
  /// drop the answer on its way (RFC 9112, section 9.6).
  func drain() {
    socket.setReceiveTimeout(500)
    let deadline = Platform.monotonicMilliseconds() + 2000
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
      while case .bytes = socket.receive(into: chunk),
        Platform.monotonicMilliseconds() < deadline
      {}
    }
  }
}
