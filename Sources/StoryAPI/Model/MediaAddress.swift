/// The address of a file that a server made: an avatar, a narration or a picture.
///
/// A signed address gives anyone access to the file. Therefore, its description omits the query,
/// and it must not be stored in records or logs.
public struct MediaAddress: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The complete URL.
  public let url: Secret
  /// Whether the file is on the server itself, which requires authorization.
  public let isOnServer: Bool

  /// Parses an address in a server's record, which is absolute or a path on the server.
  ///
  /// - Returns: `nil` for addresses that must not be fetched: those neither on that server nor with
  ///   https, and URLs with a user name or control characters.
  public init?(_ text: String, on server: ServerAddress) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }) else { return nil }
    // Two slashes would denote another host (RFC 3986, section 4.2).
    guard !text.hasPrefix("//") else { return nil }
    let whole = text.hasPrefix("/") ? server.origin + text : text
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
