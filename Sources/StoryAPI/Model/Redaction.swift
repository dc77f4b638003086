public import JSONText
public import StoryLibrary

/// Redacts requests and responses. No other code decides what may be shown of them.
public enum Redaction {
  /// The replacement for removed text.
  public static let mark = "[redacted]"

  private static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "set-auth-token", "location",
  ]
  private static let secretMembers: Set<String> = [
    "password", "newpassword", "currentpassword", "token", "refreshtoken", "accesstoken",
    "sessiontoken", "secret", "apikey", "invitecode",
  ]
  private static let signatures = [
    "signature", "x-amz-", "x-goog-", "sig=", "token=", "expires=", "policy=", "key-pair-id=",
  ]

  /// Returns the value of a header with secrets redacted.
  public static func header(_ name: String, _ value: String) -> String {
    secretHeaders.contains(name.lowercased()) ? mark : ServerText.shown(value)
  }

  /// Returns a value without secret members and URL signatures at any depth.
  public static func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(urls(in: text))
    case .array(let elements): .array(elements.map(json))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            let isSecret = secretMembers.contains(member.key.lowercased())
            return (
              key: member.key,
              value: isSecret && !member.value.isNull ? .string(mark) : json(member.value)
            )
          }))
    default: value
    }
  }

  /// Returns a body for display: JSON without its secrets and any of `secrets`, truncated to
  /// `limit` characters. Of other bodies, whose contents are unknown, only the length is shown.
  public static func body(
    _ bytes: [UInt8], limit: Int = 2_000, without secrets: [String] = []
  ) -> String {
    guard !bytes.isEmpty else { return "" }
    guard let value = try? JSONValue(parsing: bytes) else { return "(\(bytes.count) bytes)" }
    return ServerText.shown(text(json(value).compactText, without: secrets), limit: limit)
  }

  /// Returns the text without the secrets of a request, which a server may repeat anywhere.
  /// Truncated secrets are recognized by their beginning.
  ///
  /// Secrets of less than six bytes are kept, because they are likely to be parts of common words.
  public static func text(_ text: String, without secrets: [String]) -> String {
    var bytes = Array(text.utf8)
    for secret in secrets.map({ Array($0.utf8) }) where secret.count >= 6 {
      let start = secret.prefix(16)
      var from = 0
      // Searching by the first byte is much faster: with `firstRange(of:)`, this took half the time
      // of a pull that logs bodies.
      while let place = bytes[from...].firstIndex(of: start[0]) {
        guard bytes[place...].starts(with: start) else {
          from = place + 1
          continue
        }
        let same = zip(bytes[place...], secret).prefix { $0 == $1 }.count
        bytes.replaceSubrange(place..<place + same, with: mark.utf8)
        from = place + mark.utf8.count
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a URL or a server's address without user, password and query. Without a scheme, the
  /// text must begin with the host.
  ///
  /// The query of a URL may authorize its holder to read a file.
  public static func url(_ text: String) -> String {
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    var shown = String(text[..<end])
    let scheme =
      shown.firstRange(of: "://")
      // With a slash too few.
      ?? shown.firstRange(of: ":/").flatMap {
        shown[..<$0.lowerBound].allSatisfy(\.isLetter) ? $0 : nil
      }
    let authority = scheme?.upperBound ?? shown.startIndex
    let path = shown[authority...].firstIndex(of: "/") ?? shown.endIndex
    if let at = shown[authority..<path].lastIndex(of: "@") {
      shown.removeSubrange(authority...at)
    }
    return shown
  }

  /// Returns a word of a command line or a setting; if it may be a URL, in the form of ``url(_:)``.
  public static func word(_ text: String) -> String { text.contains(":/") ? url(text) : text }

  static func urls(in text: String) -> String {
    guard text.contains("://") else { return text }
    return text.replacing(/[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s"'<>]+/) { url(String($0.output)) }
  }

  /// Returns the path and query of a request, without a query that signs the path.
  static func target(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?"), signs(text[mark...]) else { return text }
    return text[...mark] + Self.mark
  }

  private static func signs(_ query: Substring) -> Bool {
    let query = query.lowercased()
    return signatures.contains { query.contains($0) }
  }

  /// Returns a value that only the server sets without the signatures of its URLs at any depth: a
  /// signed URL has another query at each read and must not be stored.
  ///
  /// URLs whose query is not a signature, and all other values, are unchanged.
  static func unsigned(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text) where isSigned(text): .string(url(text))
    case .array(let elements): .array(elements.map(unsigned))
    case .object(let object):
      .object(JSONObject(object.members.map { (key: $0.key, value: unsigned($0.value)) }))
    default: value
    }
  }

  private static func isSigned(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    guard start.hasPrefix("https://") || start.hasPrefix("http://") else { return false }
    return text.firstIndex(of: "?").map { signs(text[$0...]) } ?? false
  }
}

extension LibraryConfiguration.Server {
  /// The server for display: `embedded`, or its address in the form of ``Redaction/url(_:)``, since
  /// `library.json` can contain anything.
  public var shown: String {
    switch self {
    case .embedded: text
    case .url(let url): Redaction.url(url)
    }
  }
}

extension LibraryConfiguration.Identity {
  /// The server in the form of ``LibraryConfiguration/Server/shown``.
  public var shownServer: String { LibraryConfiguration.Server(server).shown }
}

/// Makes external text safe for messages on a terminal.
public enum ServerText {
  /// Returns the text with everything escaped that could control a terminal or change how its line
  /// is read: control characters, line and paragraph separators, and bidirectional control
  /// characters (Unicode UAX 9, section 2), for example as `\u{1b}`.
  ///
  /// A text longer than `limit` characters is truncated and ends in `…`.
  public static func shown(_ text: String, limit: Int = 300) -> String {
    VisibleText.escaping(text, limit: limit)
  }
}
