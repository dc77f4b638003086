/// Who signs in or up: an e-mail address, or a name on a server that knows no addresses.
enum AccountName {
  /// The one of the two that was given.
  ///
  /// - Throws: `UsageError` for none and for both.
  static func read(email: String?, user: String?) throws(UsageError) -> String {
    switch (email, user) {
    case (let name?, nil), (nil, let name?): return name
    case (nil, nil): throw UsageError(.missingOption("--email", "E (or --user NAME)"))
    case (_?, _?): throw UsageError(.excluded("--email", by: "--user"))
    }
  }
}
