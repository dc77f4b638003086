import StoryLibrary

/// The secrets of one run of `browse`.
struct BrowseKeys: Sendable {
  /// The token in the printed address.
  let token = RandomKey.make(words: 4)
  /// The value of the cookie that the token is exchanged for.
  let session = RandomKey.make(words: 4)
  /// The start of the tokens in forms. Each page has a token of its own; see ``formToken(_:)``.
  let form = RandomKey.make(words: 4)

  /// The address to open.
  func address(port: Int) -> String { "http://127.0.0.1:\(port)/?token=\(token)" }

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
