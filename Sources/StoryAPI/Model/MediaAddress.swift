/// Where a file is that a server made: an avatar, a narration, a picture.
///
/// It may be signed, so that whoever has it can read the file: printing it shows no query, and it
/// belongs into no record and no log.
public struct MediaAddress: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The whole URL.
  public let url: Secret
  /// Whether the file is on the server itself, which then wants to know who asks.
  public let isOnServer: Bool

  /// Takes an address as a server's record has it, absolute or as a path on the server.
  ///
  /// - Returns: `nil` for what is not fetched: anything that is neither on that server nor reached by
  ///   https, and URLs with a user name or control characters in them.
  public init?(_ text: String, on server: ServerAddress) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }) else { return nil }
    let whole: String
    if text.hasPrefix("/") {
      // Two slashes would name another host (RFC 3986, section 4.2).
      guard !text.hasPrefix("//") else { return nil }
      whole = server.origin + text
    } else {
      whole = text
    }
    guard let origin = WebOrigin(url: whole) else { return nil }
    isOnServer = origin == server.webOrigin
    guard isOnServer || origin.isSecure else { return nil }
    url = Secret(whole)
  }

  /// The URL without its query.
  public var description: String { Redaction.url(url.value) }
  /// The URL without its query.
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
