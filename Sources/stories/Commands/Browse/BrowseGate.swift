import StoryLibrary
import StoryPages
import StoryServer

/// Lets through the requests that come from the user's own browser and its pages.
///
/// Other web pages, and programs of other users of this machine, can reach the port too. `Host` stops
/// names that lead here (DNS rebinding), the path and the cookie stop everybody without the printed
/// address (see ``BrowseKeys``), and `Origin` with the token in the form stops writes from other pages
/// (CSRF).
struct BrowseGate: RequestHandler {
  private let site: BrowseSite

  init(_ site: BrowseSite) { self.site = site }

  func answer(_ request: ServerRequest) -> ServerResponse? {
    var answer = unguarded(request)
    answer.headers += Self.headers
    return answer
  }

  func refusal(_ failure: APIFailure) -> ServerResponse {
    var answer = site.bare(failure.status, "The request was not understood", failure.message)
    answer.headers += Self.headers + failure.headers
    return answer
  }

  func isKnown(_ request: ServerRequest) -> Bool {
    host(of: request) != nil && isUnlocked(request)
  }

  /// The policy that pages get besides their links.
  ///
  /// With `Referrer-Policy: no-referrer`, browsers would send `Origin: null` with forms.
  private static let headers = [
    HTTPHeader(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    HTTPHeader("X-Content-Type-Options", "nosniff"),
    HTTPHeader("Referrer-Policy", "same-origin"),
    HTTPHeader("Cache-Control", "no-store"),
    HTTPHeader("Cross-Origin-Opener-Policy", "same-origin"),
    HTTPHeader("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private func unguarded(_ request: ServerRequest) -> ServerResponse {
    guard let host = host(of: request) else {
      return site.bare(
        421, "Wrong address", "These pages are at the address that `stories browse` printed.")
    }
    if request.method == "GET", request.target.segments == [""], let token = request.query["token"],
      let answer = entry(token)
    {
      return answer
    }
    if request.target.segments == ["style.css"], ["GET", "HEAD"].contains(request.method) {
      return site.styleSheet
    }
    // Browsers ask for it on their own, and would note on the console that it is missing.
    if request.target.segments == ["favicon.ico"] { return ServerResponse(204) }
    // What somebody typed into a page of an earlier run, at the same port, is theirs to copy.
    let typed =
      request.method == "POST" && isOwnPage(request, host)
      ? request.form.map { BrowseConflicts.unsaved(BrowseConflicts.typed($0)) } ?? [] : []
    guard isUnlocked(request) else {
      return site.bare(
        403, "These pages are locked",
        "Open the address that `stories browse` printed: it has a token that unlocks them.", typed)
    }
    let path = Array(request.target.segments.dropFirst())
    switch request.method {
    case "GET", "HEAD": return site.answer(request, at: path)
    case "POST":
      guard isOwnPage(request, host) else {
        return site.bare(
          403, "Nothing was changed", "The request came from a page of another server.",
          isUnlocked: true)
      }
      guard let form = request.form else {
        return site.bare(
          415, "Nothing was changed", "Only the forms of these pages can be sent here.",
          isUnlocked: true)
      }
      guard site.keys.isFormToken(form[Links.formTokenField]) else {
        return site.bare(
          403, "Nothing was changed",
          "The page is not from this run of `stories browse`: load it again, and repeat.", typed,
          isUnlocked: true)
      }
      return site.answer(request, at: path, form: form)
    default:
      var answer = site.bare(
        405, "Nothing was changed", "These pages do not accept \(request.method) requests.",
        isUnlocked: true)
      answer.headers.append(HTTPHeader("Allow", "GET, HEAD, POST"))
      return answer
    }
  }

  /// The request's host if it is one of ours.
  private func host(of request: ServerRequest) -> String? {
    let hosts = request.headers.all("host")
    guard hosts.count == 1, let host = hosts.first?.lowercased(),
      // Clients leave the port out if it is that of the scheme (RFC 9110, section 4.2.3).
      ["127.0.0.1", "localhost"].contains(where: {
        host == "\($0):\(request.port)" || (host == $0 && request.port == 80)
      })
    else { return nil }
    return host
  }

  /// Exchanges a token for the cookie, or returns `nil` if the token is not ours.
  private func entry(_ token: String) -> ServerResponse? {
    let isOpening = BrowseKeys.matches(token, site.keys.opening)
    guard isOpening || BrowseKeys.matches(token, site.keys.token) else { return nil }
    if isOpening, !site.takeOpening() {
      return site.bare(
        403, "This address has been used",
        "The browser was opened with an address that works once. Open the one that `stories browse`"
          + " printed. If these pages were never opened here, somebody else on this machine has used"
          + " it: press Ctrl-C and start again.")
    }
    let root = "/\(site.keys.path)/"
    var answer = ServerResponse(seeOther: root)
    answer.headers.append(
      HTTPHeader(
        "Set-Cookie",
        "\(Self.cookie)=\(site.keys.session); Path=\(root); HttpOnly; SameSite=Strict"))
    return answer
  }

  private static let cookie = "stories"

  /// Returns whether a request has both secrets: that of the path and that of the cookie.
  private func isUnlocked(_ request: ServerRequest) -> Bool {
    guard request.target.segments.count > 1,
      BrowseKeys.matches(request.target.segments[0], site.keys.path)
    else { return false }
    let lead = Self.cookie + "="
    return request.headers.all("cookie").flatMap { $0.split(separator: ";") }.contains { part in
      let pair = part.drop { $0 == " " }
      return pair.hasPrefix(lead)
        && BrowseKeys.matches(String(pair.dropFirst(lead.count)), site.keys.session)
    }
  }

  /// Returns whether a form was sent from one of our own pages.
  private func isOwnPage(_ request: ServerRequest, _ host: String) -> Bool {
    let origins = request.headers.all("origin")
    if origins.isEmpty { return request.headers.all("sec-fetch-site") == ["same-origin"] }
    return origins.map { $0.lowercased() } == ["http://\(host)"]
  }
}

/// The secrets of one run of `browse`.
///
/// Browsers send a cookie to every port of a host, so the cookie alone would be known to any other
/// server on this machine that the user visits, perhaps one of another user. Therefore pages need two
/// secrets: the cookie, and the ``path`` that all of them are below. The cookie is limited to that path
/// (`Path`), so another server would get it only with a request for the same path, which no page of
/// another server can link to: nobody else knows it, and `Referrer-Policy` keeps it from going
/// elsewhere. The path alone, as in the browser's history, opens nothing either.
struct BrowseKeys: Sendable {
  /// The token in the printed address, which works until the command ends.
  let token = RandomKey.make(words: 4)
  /// The token in the address that the browser is started with, which works once: a program's
  /// arguments are visible to all users of the machine as long as it runs.
  let opening = RandomKey.make(words: 4)
  /// The first segment of the paths of all pages.
  let path = RandomKey.make(words: 4)
  /// The value of the cookie that a token is exchanged for.
  let session = RandomKey.make(words: 4)
  /// The start of the tokens in forms. Each page has a token of its own; see ``newFormToken()``.
  let form = RandomKey.make(words: 4)

  static func address(port: Int, token: String) -> String {
    "http://127.0.0.1:\(port)/?token=\(token)"
  }

  /// Makes the token in the forms of a page. Its end, which no other page has, tells a form that is sent
  /// twice.
  func newFormToken() -> String { "\(form)-\(RandomKey.make())" }

  /// Returns whether a token is that of one of our pages.
  func isFormToken(_ token: String?) -> Bool {
    let parts = (token ?? "").split(separator: "-", maxSplits: 1)
    return parts.count == 2 && Self.matches(String(parts[0]), form)
  }

  /// Returns whether two secrets are the same, in a time that does not depend on where they differ.
  static func matches(_ given: String?, _ secret: String) -> Bool {
    guard let given, given.utf8.count == secret.utf8.count else { return false }
    return zip(given.utf8, secret.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
