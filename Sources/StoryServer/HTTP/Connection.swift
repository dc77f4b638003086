/// Serves one connection, request after request, on a thread of its own.
struct Connection {
  let number: Int
  let socket: Socket
  /// The address that it comes from.
  let peer: String
  let core: ServerCore

  /// Runs until either side closes the connection.
  func run() {
    let local = socket.address(of: .local)
    /// Whether a session was used on it.
    var isKnown = false
    var reader = SocketReader(socket: socket, limits: core.options.limits)
    while reader.hasUnread || core.connections.setIdle(number) {
      let isLast: Bool
      do throws(SocketReader.Stop) {
        isLast = try serveOne(&reader, local, &isKnown)
      } catch .refused(let failure) {
        var response = core.service.failure(failure)
        response.closes = true
        if send(response, body: response.body[...]) {
          socket.shutDown(.writing)
          reader.drain()
        }
        return
      } catch {
        return
      }
      if isLast || core.connections.isStopping { return }
    }
  }

  /// Reads one request and answers it.
  ///
  /// - Returns: whether it was the connection's last.
  private func serveOne(
    _ reader: inout SocketReader, _ local: String, _ isKnown: inout Bool
  ) throws(SocketReader.Stop) -> Bool {
    let head = try reader.head { core.connections.setBusy(number) }
    var request = HTTPRequest(method: head.method, target: head.target, headers: head.headers)
    request.hasFraming = head.framing != .none
    request.localAddress = local
    request.peerAddress = peer
    let limits = core.options.limits
    var bodyLimit = limits.anonymousBodyBytes
    // What costs nothing is not asked for each time: a session on a connection that had one before.
    if !isKnown || request.hasFraming, core.service.hasSession(request) {
      if !isKnown { core.connections.setKnown(number) }
      isKnown = true
      bodyLimit = limits.bodyBytes
      reader.allow(milliseconds: limits.bodyMilliseconds)
    }
    request.body = try reader.body(of: head, limit: bodyLimit) {
      core.service.refusalOfBody(request, over: bodyLimit)
    }
    guard core.connections.setAnswering(number) else { throw .closed }
    let logged = core.log.begin(request)
    var outcome = Outcome()
    for action in core.faults.actions(for: logged) { apply(action, logged, &outcome) }
    if outcome.isDropped { return true }
    var response = outcome.answer ?? core.service.answer(request)
    for hook in outcome.hooks { hook(logged) }
    if outcome.isLost { return true }
    if let other = outcome.otherAnswer { response = other }
    if let rewrite = outcome.rewrite {
      response.body = rewrite(response.body)
      response.file = nil
    }
    response.closes = !head.keepsAlive || core.connections.isStopping || outcome.truncation != nil
    core.log.end(logged, status: response.status, answerSize: response.length)
    let isHead = request.method == "HEAD"
    let limit = isHead ? 0 : outcome.truncation ?? .max
    if let part = response.file, !isHead, response.mayHaveBody {
      return !send(response, part, limit: limit) || response.closes
    }
    return !send(response, body: response.body.prefix(limit)) || response.closes
  }

  private func send(_ response: HTTPResponse, body: ArraySlice<UInt8>) -> Bool {
    let now = Timestamp(milliseconds: core.options.clock())
    return socket.send(
      response.head(date: now.httpDate), response.mayHaveBody ? body : [])
  }

  /// How many bytes of a file are in memory at a time.
  private static let chunk = 64 << 10

  /// Sends a part of a file, piece by piece.
  private func send(
    _ response: HTTPResponse, _ part: HTTPResponse.FilePart, limit: Int
  ) -> Bool {
    guard send(response, body: []) else { return false }
    var offset = part.range.lowerBound
    let end = offset + min(limit, part.range.count)
    while offset < end {
      let wanted = min(Self.chunk, end - offset)
      let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        count = part.file.read(
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<wanted]), at: offset)
      }
      // A file that has become shorter: the client must not wait for the rest.
      guard !chunk.isEmpty, socket.send([], chunk[...]) else { return false }
      offset += chunk.count
    }
    return true
  }

  // MARK: Faults

  private struct Outcome {
    var isDropped = false
    var isLost = false
    /// Answered instead of handling the request.
    var answer: HTTPResponse?
    /// Answered after handling it.
    var otherAnswer: HTTPResponse?
    var truncation: Int?
    var rewrite: (@Sendable ([UInt8]) -> [UInt8])?
    var hooks: [@Sendable (LoggedRequest) -> Void] = []
  }

  private func apply(_ action: FaultAction, _ request: LoggedRequest, _ outcome: inout Outcome) {
    guard !outcome.isDropped else { return }
    func response(_ status: Int, _ headers: [String: String], _ body: [UInt8]) -> HTTPResponse {
      let headers = headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }
      return HTTPResponse(status, headers: headers, body: body)
    }
    switch action {
    case .dropBeforeHandling: outcome.isDropped = true
    case .dropAfterHandling: outcome.isLost = true
    case .answer(let status, let headers, let body):
      outcome.answer = response(status, headers, body)
    case .answerAfterHandling(let status, let headers, let body):
      outcome.otherAnswer = response(status, headers, body)
    case .delay(let milliseconds): core.connections.sleep(milliseconds: milliseconds)
    case .truncateBody(let length): outcome.truncation = length
    case .replaceBody(let body): outcome.rewrite = { _ in body }
    case .rewriteBody(let rewrite): outcome.rewrite = rewrite
    case .before(let hook): hook(request)
    case .after(let hook): outcome.hooks.append(hook)
    }
  }
}
