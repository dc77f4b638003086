import StoryLibrary

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
  /// The start of the tokens in forms. Each page has a token of its own; see ``formToken(_:)``.
  let form = RandomKey.make(words: 4)

  static func address(port: Int, token: String) -> String {
    "http://127.0.0.1:\(port)/?token=\(token)"
  }

  /// Returns the token in the forms of a page.
  ///
  /// - Parameter page: The number of the page, which tells a form that is sent twice.
  func formToken(_ page: Int) -> String { "\(form)-\(page)" }

  /// Returns the number of the page that a form is from, or `nil` if the token is not ours.
  func page(_ formToken: String?) -> Int? {
    let parts = (formToken ?? "").split(separator: "-", maxSplits: 1)
    guard parts.count == 2, Self.matches(String(parts[0]), form) else { return nil }
    return Int(parts[1])
  }

  /// Returns whether two secrets are the same, in a time that does not depend on where they differ.
  static func matches(_ given: String?, _ secret: String) -> Bool {
    guard let given, given.utf8.count == secret.utf8.count else { return false }
    return zip(given.utf8, secret.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
