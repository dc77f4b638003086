import StoryPages
import StoryServer

/// Lets through the requests that come from the user's own browser and its pages.
///
/// Other web pages, and programs of other users of this machine, can reach the port too. `Host` stops
/// names that lead here (DNS rebinding), the cookie stops everybody without the printed address, and
/// `Origin` with the token in the form stops writes from other pages (CSRF).
struct BrowseGate: PageServer.Handler {
  private let site: BrowseSite

  init(_ site: BrowseSite) { self.site = site }

  func answer(_ request: PageServer.Request) -> PageServer.Answer {
    var answer = unguarded(request)
    for (name, value) in Self.headers { answer.add(name, value) }
    return answer
  }

  func refusal(status: Int, message: String) -> PageServer.Answer {
    var answer = site.bare(status, "The request was not understood", message)
    for (name, value) in Self.headers { answer.add(name, value) }
    return answer
  }

  func isKnown(_ request: PageServer.Request) -> Bool {
    guard let host = host(of: request) else { return false }
    return hasCookie(request, host)
  }

  /// The policy that pages get besides their links.
  ///
  /// With `Referrer-Policy: no-referrer`, browsers would send `Origin: null` with forms.
  private static let headers = [
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private func unguarded(_ request: PageServer.Request) -> PageServer.Answer {
    guard let host = host(of: request) else {
      return site.bare(
        421, "Wrong address", "These pages are at the address that `stories browse` printed.")
    }
    if request.method == "GET", let token = request.query["token"],
      BrowseKeys.matches(token, site.keys.token)
    {
      var answer = PageServer.Answer(seeOther: "/")
      answer.add(
        "Set-Cookie",
        "\(cookie(host))=\(site.keys.session); Path=/; HttpOnly; SameSite=Strict")
      return answer
    }
    if request.segments == ["style.css"], ["GET", "HEAD"].contains(request.method) {
      return site.styleSheet
    }
    // Browsers ask for it on their own, and would note on the console that it is missing.
    if request.segments == ["favicon.ico"] { return PageServer.Answer(204) }
    guard hasCookie(request, host) else {
      return site.bare(
        403, "These pages are locked",
        "Open the address that `stories browse` printed: it has a token that unlocks them.")
    }
    switch request.method {
    case "GET", "HEAD": return site.answer(request)
    case "POST":
      guard isOwnPage(request, host) else {
        return site.bare(
          403, "Nothing was changed", "The request came from a page of another server.")
      }
      guard let form = request.form else {
        return site.bare(415, "Nothing was changed", "The request is not that of a form.")
      }
      guard let page = site.keys.page(form[Links.formTokenField]) else {
        return site.bare(
          403, "Nothing was changed",
          "The page is not from this run of `stories browse`: go back, load it again, and repeat.")
      }
      return site.answer(request, form: (form, page))
    default:
      var answer = site.bare(405, "Nothing was changed", "Pages are only read, and forms sent.")
      answer.add("Allow", "GET, HEAD, POST")
      return answer
    }
  }

  /// The request's host if it is one of ours.
  private func host(of request: PageServer.Request) -> String? {
    let hosts = request.headers("host")
    guard hosts.count == 1, let host = hosts.first?.lowercased(),
      ["127.0.0.1", "localhost"].contains(where: { host == "\($0):\(request.port)" })
    else { return nil }
    return host
  }

  /// The cookie's name. Cookies do not keep ports apart.
  private func cookie(_ host: String) -> String {
    "stories-\(host.split(separator: ":").last ?? "")"
  }

  private func hasCookie(_ request: PageServer.Request, _ host: String) -> Bool {
    let lead = cookie(host) + "="
    return request.headers("cookie").flatMap { $0.split(separator: ";") }.contains { part in
      let pair = part.drop { $0 == " " }
      return pair.hasPrefix(lead)
        && BrowseKeys.matches(String(pair.dropFirst(lead.count)), site.keys.session)
    }
  }

  /// Returns whether a form was sent from one of our own pages.
  private func isOwnPage(_ request: PageServer.Request, _ host: String) -> Bool {
    let origins = request.headers("origin")
    if origins.isEmpty { return request.headers("sec-fetch-site") == ["same-origin"] }
    return origins.map { $0.lowercased() } == ["http://\(host)"]
  }
}
