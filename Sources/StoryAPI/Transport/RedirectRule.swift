/// Decides what becomes of a redirect.
enum RedirectRule {
  /// More hops than this are taken for a loop.
  static let maximumHops = 5

  /// What to do about one redirect.
  enum Decision: Equatable {
    /// Go on with these headers.
    case follow(HTTPHeaders)
    /// Stop, with this as the reason.
    case refuse(NetworkFailure)
  }

  /// Headers that speak for the account or its data and so stay with the origin they were meant for.
  private static let bound = [
    "Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Cookie",
  ]

  /// The decision for a redirect of `request` to `target`, after having been at `visited` (the
  /// request's own URL included).
  ///
  /// A request with a body goes only to its own origin and only where status 307 or 308 keep method
  /// and body (RFC 9110, section 15.4): the body may hold a password. Plain http is never stepped
  /// down to; from plain http on loopback only to loopback.
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
    // Once away from the origin nothing of it is sent, not even on the way back: who sent the
    // request elsewhere could choose what is asked for with the account's rights.
    let stayed = visited.allSatisfy { WebOrigin(url: $0) == from }
    if !(isSame && stayed) { for name in bound { headers[name] = nil } }
    return .follow(headers)
  }
}
