package import JSONText
package import StoryServer

extension StoryServer {
  /// An answer to ``perform(_:_:body:as:)``.
  package struct Answer: Sendable {
    package let status: Int
    package let body: [UInt8]

    /// ``body``, parsed.
    package var value: JSONValue? { try? JSONValue(parsing: body) }
  }

  /// Performs a request for an account without a connection, past the hook.
  package func perform(
    _ method: String, _ target: String, body: JSONValue? = nil, as email: String
  ) throws -> Answer {
    var fields = [
      HTTPHeader("Host", String(url.dropFirst("http://".count))),
      HTTPHeader("Authorization", "Bearer \(try issueToken(email: email).token)"),
    ]
    if body != nil { fields.append(HTTPHeader("Content-Type", "application/json")) }
    guard let target = HTTPTarget(target) else { return Answer(status: 400, body: []) }
    let response = answer(
      ServerRequest(
        method: method, target: target, headers: fields, body: body?.compactBytes ?? []))
    return Answer(status: response.status, body: response.body)
  }
}
