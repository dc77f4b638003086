/// Serves the requests of one connection on its own thread.
struct Connection {
  let number: Int
  let socket: Socket
  let peer: String
  /// The port that the peer connected to.
  let port: Int
  let server: HTTPServer

  func run() {
    let local = socket.address(of: .local)
    // Whether the connection has used a session.
    var isKnown = false
    var reader = SocketReader(socket: socket, limits: server.limits)
    while reader.hasUnread || server.connections.setIdle(number) {
      let isLast: Bool
      do throws(SocketReader.Stop) {
        isLast = try serveOne(&reader, local, &isKnown)
      } catch .refused(let failure) {
        return refuse(failure, reader)
      } catch {
        return
      }
      if isLast || server.connections.isStopping { return }
    }
  }

  /// Answers the first request with 503, once it arrives.
  func refuse() {
    var reader = SocketReader(socket: socket, limits: server.limits)
    guard reader.waitForRequest(milliseconds: 2000) else { return }
    refuse(
      APIFailure(
        503, "tooManyConnections", "This server has all the connections it takes.",
        headers: [HTTPHeader("Retry-After", "1")]), reader)
  }

  private func refuse(_ failure: APIFailure, _ reader: SocketReader) {
    var response = server.handler.refusal(failure)
    response.closes = true
    guard send(response, body: response.body[...]) else { return }
    socket.shutDown(.writing)
    reader.drain()
  }

  /// Reads and answers one request, and returns whether it was the connection's last.
  private func serveOne(
    _ reader: inout SocketReader, _ local: String, _ isKnown: inout Bool
  ) throws(SocketReader.Stop) -> Bool {
    var request = try reader.head { server.connections.setBusy(number) }
    request.localAddress = local
    request.peerAddress = peer
    request.port = port
    let limits = server.limits
    var longest = limits.anonymousBodyBytes
    // Once a connection has used a session, check again only if the request has a body.
    if !isKnown || request.framing != .none, server.handler.isKnown(request) {
      if !isKnown { server.connections.setKnown(number) }
      isKnown = true
      longest = limits.bodyBytes
      reader.allow(milliseconds: limits.bodyMilliseconds)
    }
    request.body = try reader.body(of: request, limit: longest) {
      server.handler.refusalOfBody(request, over: longest)
    }
    guard server.connections.setAnswering(number) else { throw .closed }
    guard var response = server.handler.answer(request) else { return true }
    let bodyLimit = response.bodyLimit
    response.closes = !request.keepsAlive || server.connections.isStopping || bodyLimit != nil
    let isHead = request.method == "HEAD"
    let limit = isHead ? 0 : bodyLimit ?? .max
    if let part = response.file, !isHead, response.mayHaveBody {
      return !send(response, part, limit: limit) || response.closes
    }
    return !send(response, body: response.body.prefix(limit)) || response.closes
  }

  private func send(_ response: ServerResponse, body: ArraySlice<UInt8>) -> Bool {
    let now = Timestamp(milliseconds: server.clock())
    return socket.send(
      response.head(date: now.httpDate), response.mayHaveBody ? body : [])
  }

  private func send(
    _ response: ServerResponse, _ part: ServerResponse.FilePart, limit: Int
  ) -> Bool {
    guard send(response, body: []) else { return false }
    var offset = part.range.lowerBound
    let end = offset + min(limit, part.range.count)
    while offset < end {
      let wanted = min(Socket.piece, end - offset)
      let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        count = part.file.read(
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<wanted]), at: offset)
      }
      // The file has become shorter: close the connection so that the client does not wait for the
      // rest.
      guard !chunk.isEmpty, socket.send([], chunk[...]) else { return false }
      offset += chunk.count
    }
    return true
  }
}
