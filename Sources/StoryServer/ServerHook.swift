/// Lets tests observe a server's requests and make some of them fail. Only tests set one.
package protocol ServerHook: Sendable {
  /// Handles a request with `handle`, or in its own way.
  ///
  /// - Returns: The answer, or `nil` to close the connection without one.
  func answer(
    _ request: HookedRequest, handling handle: () -> HookedAnswer
  ) -> HookedAnswer?

  /// Returns the reason why an illustration of a story should fail without being drawn, or `nil`.
  func failure(ofPicture order: Int, story: String) -> String?

  /// Called when the server begins to stop. A hook must not block any longer.
  func serverStops()
}

/// A request as seen by a ``ServerHook``.
package struct HookedRequest {
  let request: HTTPRequest

  package var method: String { request.method }
  /// The path and query, as sent.
  package var target: String { request.target.text }
  package var body: [UInt8] { request.body }

  /// The value of a header field. `name` must be lowercase.
  package subscript(name: String) -> String? { request.headers[name] }
}

/// An answer that a ``ServerHook`` can change.
package struct HookedAnswer {
  var response: HTTPResponse

  init(_ response: HTTPResponse) { self.response = response }

  package init(_ status: Int, _ headers: [(name: String, value: String)], _ body: [UInt8]) {
    response = HTTPResponse(status, headers: headers.map { HTTPHeader($0, $1) }, body: body)
  }

  /// The number of body bytes after which the connection is closed, or `nil` to send the whole
  /// body.
  package var bodyLimit: Int? {
    get { response.bodyLimit }
    set { response.bodyLimit = newValue }
  }

  package var status: Int { response.status }
  /// The length of the body in bytes, including that of a file.
  package var length: Int { response.length }

  package var body: [UInt8] {
    get { response.body }
    set {
      response.body = newValue
      response.file = nil
    }
  }
}
