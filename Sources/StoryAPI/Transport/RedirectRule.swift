/// Decides whether to follow redirects.
enum RedirectRule {
  /// The maximum number of redirects before a loop is assumed.
  static let maximumHops = 5

  /// A decision about a redirect.
  enum Decision: Equatable {
    /// Continue with these headers.
    case follow(HTTPHeaders)
    /// Stop for this reason.
    case refuse(NetworkFailure)
  }

  /// Headers related to the account or its data, which are sent only to their own origin.
  private static let bound = [
    "Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Cookie",
  ]

  /// Decides about a redirect of `request` to `target` after `visited`, the request's URL included.
  ///
  /// A request with a body, which may contain a password, is redirected only within its origin and
  /// only with status 307 or 308, which keep method and body (RFC 9110, section 15.4). Redirects
  /// never downgrade to plain http, and plain http on loopback may redirect only to loopback.
  static func decide(
    _ request: HTTPRequest, status: Int, target: String, visited: [String]
  ) -> Decision {
    guard let from = WebOrigin(url: request.url), let to = WebOrigin(url: target) else {
      return .refuse(.redirectRefused(target: ServerText.shown(Redaction.url(target))))
    }
    let isSame = from == to
    let isOwnMachine = !from.isSecure && to.isLoopback && !request.staysOnOriginOrSecure
    guard isSame || to.isSecure || isOwnMachine else {
      return .refuse(.redirectRefused(target: to.text))
    }
    if request.method != .get {
      guard isSame, status == 307 || status == 308 else {
        return .refuse(.redirectRefused(target: to.text))
      }
    }
    guard visited.count <= maximumHops, !visited.contains(target) else {
      return .refuse(.redirectLoop)
    }
    var headers = request.headers
    // After leaving the origin, these headers are never sent again, not even back at the origin:
    // another server could choose what to request with the account's rights.
    let stayed = visited.allSatisfy { WebOrigin(url: $0) == from }
    if !(isSame && stayed) { for name in bound { headers[name] = nil } }
    return .follow(headers)
  }
}
