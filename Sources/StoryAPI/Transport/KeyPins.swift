import Foundation

/// The known keys of servers. A connection to such a server is used only if its key is one of them.
public struct KeyPins: Sendable, Hashable {
  /// The reason that a text is not a valid pin.
  public enum Problem: Error, Sendable, Equatable {
    /// The text is not `sha256/` and 32 bytes in base64.
    case malformed(String)
    /// The server is used without encryption and has no key.
    case plainHTTP(origin: String)
  }

  /// Whether this system can check keys. If not, nothing is sent to a server with pins.
  public static var isCheckable: Bool {
    #if canImport(Security)
      true
    #else
      false
    #endif
  }

  private var digests: [WebOrigin: Set<String>] = [:]

  /// Creates empty pins.
  public init() {}

  /// Whether there are no pins.
  public var isEmpty: Bool { digests.isEmpty }

  /// Adds a key of a server: `sha256/` and the base64 of the SHA-256 of its SubjectPublicKeyInfo
  /// (RFC 7469, section 2.4). A server may have several, such as one for the future.
  ///
  /// - Throws: `Problem` for an invalid pin or a server without encryption.
  public mutating func add(_ pin: String, for server: ServerAddress) throws(Problem) {
    let prefix = "sha256/"
    // 32 bytes are 43 characters of base64 and one of padding (RFC 4648, section 4).
    let digest = pin.dropFirst(prefix.count)
    guard pin.hasPrefix(prefix), digest.utf8.count == 44,
      Data(base64Encoded: String(digest))?.count == 32
    else { throw .malformed(pin) }
    guard server.isSecure else { throw .plainHTTP(origin: server.origin) }
    digests[server.webOrigin, default: []].insert(String(digest))
  }

  func digests(for url: String) -> Set<String>? {
    digests.isEmpty ? nil : WebOrigin(url: url).flatMap { digests[$0] }
  }
}
