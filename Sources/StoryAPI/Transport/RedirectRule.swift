/// Decides whether to follow redirects.
enum RedirectRule {
  static let maximumHops = 5

  /// Headers related to the account or its data, which are sent only to their own origin.
  private static let bound = [
    "Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Cookie",
  ]

  /// Returns the headers with which `request` follows a redirect to `target` after `visited`, the
  /// request's URL included.
  ///
  /// A request with a body, which may contain a password, is redirected only within its origin and
  /// only with status 307 or 308, which keep method and body (RFC 9110, section 15.4). Redirects
  /// never downgrade to plain http, and plain http on loopback may redirect only to loopback.
  /// - Throws: `NetworkFailure.redirectRefused`, or `redirectLoop`.
  static func headers(
    _ request: HTTPRequest, status: Int, target: String, visited: [String]
  ) throws(NetworkFailure) -> HTTPHeaders {
    guard let from = WebOrigin(url: request.url), let to = WebOrigin(url: target) else {
      throw .redirectRefused(target: ServerText.shown(Redaction.url(target)))
    }
    let isSame = from == to
    let isOwnMachine = !from.isSecure && to.isLoopback && !request.staysOnOriginOrSecure
    let keepsBody = isSame && (status == 307 || status == 308)
    guard isSame || to.isSecure || isOwnMachine, request.method == .get || keepsBody else {
      throw .redirectRefused(target: to.text)
    }
    guard visited.count <= maximumHops, !visited.contains(target) else { throw .redirectLoop }
    var headers = request.headers
    // After leaving the origin, these headers are never sent again, not even back at the origin:
    // another server could choose what to request with the account's rights.
    let stayed = visited.allSatisfy { WebOrigin(url: $0) == from }
    if !(isSame && stayed) { for name in bound { headers[name] = nil } }
    return headers
  }
}
