import JSONText

extension APIClient {
  /// Returns the request for an endpoint on this server.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a revision or key that is invalid in a header,
  ///   `APIError.unauthorized` if a required session is missing.
  func request(for endpoint: Endpoint, _ session: Session?) throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: endpoint.method, url: server.origin + server.target(of: endpoint),
      timeout: endpoint.patience == .generation
        ? configuration.generationTimeout : configuration.timeout)
    // The timeout bounds silence, and this bounds a response that trickles in.
    request.timeLimit = max(request.timeLimit, request.timeout * 2)
    if endpoint.isBatch { request.answerLimit = Endpoint.batchAnswerLimit }
    request.headers["Accept"] = "application/json"
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    // Every POST and PUT has a body. URLSession retries a request on its own if a reused connection
    // breaks, but not one with a body to send.
    let empty: JSONValue? = [.post, .put].contains(endpoint.method) ? [:] : nil
    if let body = endpoint.body ?? empty {
      request.headers["Content-Type"] = endpoint.contentType
      request.body = body.compactBytes
    }
    if endpoint.needsOrigin { request.headers["Origin"] = server.origin }
    if let key = endpoint.idempotencyKey {
      request.headers["Idempotency-Key"] = try Self.fieldValue(key)
    }
    if let revision = endpoint.revision {
      request.headers["If-Match"] = try "\"\(Self.fieldValue(revision))\""
    }
    if let tag = endpoint.knownTag { request.headers["If-None-Match"] = tag }
    let session = endpoint.fixedSession ?? (endpoint.authorization == .never ? nil : session)
    if let session, let value = try? Self.fieldValue(session.token.value) {
      request.headers["Authorization"] = "\(session.scheme.rawValue) \(value)"
    } else if endpoint.authorization == .required {
      throw .unauthorized(.notSignedIn)
    }
    return request
  }

  /// Returns a text that is valid in a header field, also within quotes.
  private static func fieldValue(_ text: String) throws(APIError) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else {
      throw .invalidIdentifier(ServerText.shown(text, limit: 80))
    }
    return text
  }
}
