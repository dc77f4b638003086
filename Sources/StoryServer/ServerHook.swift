/// Stands around what a server does, so that tests see its requests and let some of them go wrong; nothing
/// else sets one.
package protocol ServerHook: Sendable {
  /// Has a request handled, or does something else.
  ///
  /// - Returns: the answer; `nil` closes the connection without one.
  func answer(
    _ request: HookedRequest, handling handle: () -> HookedAnswer
  ) -> HookedAnswer?

  /// Returns the reason why a picture of a story fails without being drawn, or `nil`.
  func failure(ofPicture order: Int, story: String) -> String?

  /// The server begins to stop: nothing may wait any more.
  func serverStops()
}

/// A request that a ``ServerHook`` sees.
package struct HookedRequest {
  let request: HTTPRequest

  package var method: String { request.method }
  /// The path and query, as they were sent.
  package var target: String { request.target.text }
  package var body: [UInt8] { request.body }

  /// The value of a header field, whose name is given in lower case.
  package subscript(name: String) -> String? { request.headers[name] }
}

/// An answer that a ``ServerHook`` may change.
package struct HookedAnswer {
  var response: HTTPResponse
  /// After how many bytes of the body the connection ends; `nil` sends all.
  package var bodyLimit: Int?

  init(_ response: HTTPResponse) { self.response = response }

  package init(_ status: Int, _ headers: [(name: String, value: String)], _ body: [UInt8]) {
    response = HTTPResponse(status, headers: headers.map { HTTPHeader($0, $1) }, body: body)
  }

  package var status: Int { response.status }
  /// How many bytes the body has; those of a file count, too.
  package var length: Int { response.length }

  package var body: [UInt8] {
    get { response.body }
    set {
      response.body = newValue
      response.file = nil
    }
  }
}
