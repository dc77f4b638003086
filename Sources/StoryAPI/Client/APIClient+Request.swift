import JSONText

extension APIClient {
  /// The request that an endpoint stands for on this server.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a version or key that no header can hold,
  ///   `APIError.unauthorized` where a session is needed and there is none to send.
  func request(for endpoint: Endpoint, _ session: Session?) throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: endpoint.method, url: server.origin + endpoint.target,
      timeout: endpoint.patience == .generation
        ? configuration.generationTimeout : configuration.timeout)
    // Silence is bounded by the timeout, and an answer that drips by this.
    request.timeLimit = max(configuration.answerTime, request.timeout * 2)
    if endpoint.hasKeys { request.answerLimit = Endpoint.batchAnswerLimit }
    request.headers["Accept"] = "application/json"
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    // Every POST has a body: one without could be sent twice by the system's library, which sends a
    // request again where a kept connection broke, but not one with a body to send.
    let empty: JSONValue? = endpoint.method == .post ? [:] : nil
    if let body = endpoint.body ?? empty {
      request.headers["Content-Type"] = "application/json"
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
    let token = endpoint.fixedToken ?? (endpoint.authorization == .never ? nil : session?.token)
    if let value = token.flatMap({ try? Self.fieldValue($0.value) }) {
      request.headers["Authorization"] = "Bearer \(value)"
    } else if endpoint.authorization == .required {
      throw .unauthorized(.notSignedIn)
    }
    return request
  }

  /// A text that can stand in a header field and within quotes there.
  private static func fieldValue(_ text: String) throws(APIError) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else {
      throw .invalidIdentifier(ServerText.shown(text, limit: 80))
    }
    return text
  }
}
