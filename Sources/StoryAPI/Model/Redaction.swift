public import JSONText
public import StoryLibrary

/// The one place that decides what may be shown of a request or an answer.
public enum Redaction {
  /// What stands where something was taken out.
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

  /// The value of a header as it may be shown.
  public static func header(_ name: String, _ value: String) -> String {
    secretHeaders.contains(name.lowercased()) ? mark : ServerText.shown(value)
  }

  /// The value with secret members and what signs a URL taken out, at every depth.
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

  /// A body as it may be shown: JSON without its secrets and without `secrets`, wherever they stand,
  /// at most `limit` characters; anything else only by its length, for nothing is known of what it
  /// holds.
  public static func body(
    _ bytes: [UInt8], limit: Int = 2_000, without secrets: [String] = []
  ) -> String {
    guard !bytes.isEmpty else { return "" }
    guard let value = try? JSONValue(parsing: bytes) else { return "(\(bytes.count) bytes)" }
    return ServerText.shown(text(json(value).compactText, without: secrets), limit: limit)
  }

  /// The text without the secrets that a request carried, for a server may repeat them anywhere. A
  /// secret that was cut off is found by its beginning.
  ///
  /// Those of less than six bytes stay: as likely as not they are parts of common words.
  public static func text(_ text: String, without secrets: [String]) -> String {
    var bytes = Array(text.utf8)
    for secret in secrets.map({ Array($0.utf8) }) where secret.count >= 6 {
      let start = secret.prefix(16)
      var from = 0
      // By the first byte, as `firstRange(of:)` was half the work of a pull that logs bodies.
      while let place = bytes[from...].firstIndex(of: start[0]) {
        guard bytes[place...].starts(with: start) else {
          from = place + 1
          continue
        }
        var end = place + start.count
        var next = start.count
        while end < bytes.count, next < secret.count, bytes[end] == secret[next] {
          end += 1
          next += 1
        }
        bytes.replaceSubrange(place..<end, with: mark.utf8)
        from = place + mark.utf8.count
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A URL or a server's address without user, password and query; without a scheme it begins with
  /// the host.
  ///
  /// What follows the `?` of a URL can be what entitles its holder to read a file.
  public static func url(_ text: String) -> String {
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    var shown = String(text[..<end])
    let authority = shown.firstRange(of: "://").map(\.upperBound) ?? shown.startIndex
    let path = shown[authority...].firstIndex(of: "/") ?? shown.endIndex
    if let at = shown[authority..<path].lastIndex(of: "@") {
      shown.removeSubrange(authority...at)
    }
    return shown
  }

  /// A text with every URL in it as ``url(_:)`` shows it.
  static func urls(in text: String) -> String {
    guard text.contains("://") else { return text }
    return text.replacing(/[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s"'<>]+/) { url(String($0.output)) }
  }

  /// Path and query of a request as they may be shown: without the query where it signs the path.
  static func target(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return text }
    let query = text[mark...].lowercased()
    return signatures.contains { query.contains($0) } ? text[...mark] + Self.mark : text
  }

  /// A value that only the server sets, with the signatures of its URLs cut off at every depth: a
  /// signed URL has another query at each read and must not be kept.
  ///
  /// URLs whose query is no signature, and all other values, stay as they are.
  static func unsigned(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text) where isSigned(text): .string(url(text))
    case .array(let elements): .array(elements.map(unsigned))
    case .object(let object):
      .object(JSONObject(object.members.map { (key: $0.key, value: unsigned($0.value)) }))
    default: value
    }
  }

  private static func isWebURL(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  private static func isSigned(_ text: String) -> Bool {
    guard isWebURL(text), let mark = text.firstIndex(of: "?") else { return false }
    let query = text[mark...].lowercased()
    return signatures.contains { query.contains($0) }
  }
}

extension LibraryConfiguration.Server {
  /// The server as it is shown: `embedded`, or its address as ``Redaction/url(_:)`` gives it, for a
  /// `library.json` can hold anything.
  public var shown: String {
    switch self {
    case .embedded: text
    case .url(let url): Redaction.url(url)
    }
  }
}

extension LibraryConfiguration.Identity {
  /// The server as ``LibraryConfiguration/Server/shown`` gives it.
  public var shownServer: String { LibraryConfiguration.Server(server).shown }
}
