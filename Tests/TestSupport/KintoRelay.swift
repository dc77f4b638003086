package import StoryAPI
package import StoryServer

/// A proxy in front of a Kinto: an embedded server's sockets, request log and faults, and behind them the
/// nodes, of which each gets every so many requests, or the first that is there gets all.
package final class KintoRelay: Sendable {
  private let nodes: [KintoServer]
  private let transports: [SocketTransport]
  private let count = Box(0)
  private let page = Box<Int?>(nil)
  private let takesTurns: Bool

  package init(_ nodes: [KintoServer], takesTurns: Bool = true) throws {
    self.nodes = nodes
    self.takesTurns = takesTurns
    transports = try nodes.map { SocketTransport(port: try ServerAddress($0.url).port) }
  }

  /// The most rows of a page; `nil` leaves it to the request and the server.
  package var pageLimit: Int? {
    get { page.value }
    set { page.value = newValue }
  }

  /// Sends a request to the next node, past the log and the faults.
  package func answer(
    _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8]
  ) throws(TransportError) -> HTTPResponse {
    guard takesTurns else {
      for place in nodes.indices.dropLast() {
        do throws(TransportError) {
          return try answer(method, target, headers, body, at: place)
        } catch {
          guard error == .network(.refused) else { throw error }
        }
      }
      return try answer(method, target, headers, body, at: nodes.count - 1)
    }
    count.change { $0 += 1 }
    return try answer(method, target, headers, body, at: count.value % nodes.count)
  }

  private func answer(
    _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8], at place: Int
  ) throws(TransportError) -> HTTPResponse {
    var request = HTTPRequest(method: method, url: nodes[place].url + target, headers: headers)
    request.body = body
    return try transports[place].answer(to: request)
  }

  /// Has a request of a client handled. A node that is not there is a 503, as proxies have it; one that
  /// goes away while it works leaves no answer.
  func answer(_ request: ServerRequest) -> ServerResponse? {
    guard let method = HTTPMethod(rawValue: request.method) else {
      return ServerResponse(405)
    }
    var headers: HTTPHeaders = [:]
    for name in ["Authorization", "Content-Type", "If-Match", "If-None-Match"] {
      headers[name] = request.headers[name.lowercased()]
    }
    let response: HTTPResponse
    do throws(TransportError) {
      response = try answer(method, limited(request.target.text), headers, request.body)
    } catch {
      return error == .network(.refused) ? ServerResponse(503) : nil
    }
    // What belongs to the connection is said anew (RFC 9110, section 7.6.1).
    let own = ["date", "content-length", "content-type", "connection", "server", "via"]
    let fields = response.headers.fields.filter { !own.contains($0.name.lowercased()) }
    return ServerResponse(
      response.status, headers: fields.map { HTTPHeader($0.name, $0.value) }, body: response.body)
  }

  private func limited(_ target: String) -> String {
    guard let limit = page.value else { return target }
    return target.replacing(/_limit=\d+/, with: "_limit=\(limit)")
  }
}

extension ServerOptions {
  /// Makes the server the front of a Kinto: it handles nothing itself.
  package mutating func stand(before relay: KintoRelay) {
    hook = FaultBoard(logSize: requestLogSize) { relay.answer($0) }
    limits.anonymousBodyBytes = limits.bodyBytes
  }
}
