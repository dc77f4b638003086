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
    var longest = limits.anonymousBodyBytes
    // What costs nothing is not asked for each time: a session on a connection that had one before.
    if !isKnown || request.hasFraming, core.service.hasSession(request) {
      if !isKnown { core.connections.setKnown(number) }
      isKnown = true
      longest = limits.bodyBytes
      reader.allow(milliseconds: limits.bodyMilliseconds)
    }
    request.body = try reader.body(of: head, limit: longest) {
      core.service.refusalOfBody(request, over: longest)
    }
    guard core.connections.setAnswering(number) else { throw .closed }
    var answer: HookedAnswer?
    if let hook = core.hook.withLock({ $0 }) {
      answer = hook.answer(HookedRequest(request: request)) {
        HookedAnswer(core.service.answer(request))
      }
    } else {
      answer = HookedAnswer(core.service.answer(request))
    }
    guard var response = answer?.response else { return true }
    let bodyLimit = answer?.bodyLimit
    response.closes = !head.keepsAlive || core.connections.isStopping || bodyLimit != nil
    let isHead = request.method == "HEAD"
    let limit = isHead ? 0 : bodyLimit ?? .max
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
}
