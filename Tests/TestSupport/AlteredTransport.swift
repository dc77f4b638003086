package import StoryAPI

/// A transport that somebody stands in the way of: what comes back is what a test makes of it.
package struct AlteredTransport: Transport {
  /// Gets a request, its number from 1, and what sends it; gives the answer.
  package typealias Alteration =
    @Sendable (_ request: HTTPRequest, _ number: Int, _ send: Sending) async throws(TransportError)
    ->
    HTTPResponse
  /// Sends a request and gives its answer.
  package typealias Sending = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

  private let inner: any Transport
  private let alteration: Alteration
  private let count = Box(0)
  private let log = Box<[HTTPRequest]>([])

  package init(_ inner: any Transport = URLSessionTransport(), _ alteration: @escaping Alteration) {
    self.inner = inner
    self.alteration = alteration
  }

  /// A transport that only notes what is sent.
  package init(noting inner: any Transport = URLSessionTransport()) {
    self.init(inner) { (request, _, send) throws(TransportError) in try await send(request) }
  }

  /// The requests so far, in the order in which they were sent.
  package var requests: [HTTPRequest] { log.value }
  /// Methods and paths of the requests so far, without queries.
  package var lines: [String] {
    requests.map { request in
      let path = request.url.split(separator: "/", maxSplits: 2).dropFirst(2).first ?? ""
      return "\(request.method.rawValue) /" + path.prefix { $0 != "?" }
    }
  }

  package func forget() { log.value = [] }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    log.change { $0.append(request) }
    count.change { $0 += 1 }
    let inner = inner
    return try await alteration(request, count.value) { (request) throws(TransportError) in
      try await inner.send(request)
    }
  }
}
