import StoryLibrary

/// The secrets of a session as issued to its owner. The server stores only their digests.
public struct IssuedSession: Sendable, Equatable {
  /// The bearer token.
  public let token: String
  /// The token for requesting a new session.
  public let refreshToken: String
  /// The time when the token expires, as sent over the wire.
  public let expiresAt: String

  /// The minimum lifetime of a refresh token, in milliseconds.
  static let refreshLifetime: Int64 = 90 * 86_400_000

  /// Creates a session for an account, and the entry to store.
  static func make(
    account: Int, now: Int64, _ options: ServerOptions
  ) -> (session: IssuedSession, entry: LogEntry.SessionEntry) {
    let token = RandomKey.make(words: 4, random: options.random)
    let refresh = RandomKey.make(words: 4, random: options.random)
    let lifetime = options.sessionLifetime
    let session = IssuedSession(
      token: token, refreshToken: refresh,
      expiresAt: Timestamp(milliseconds: now + lifetime).text)
    let entry = LogEntry.SessionEntry(
      account: account, token: SHA256.digest(token), refresh: SHA256.digest(refresh),
      expiresAt: now + lifetime, refreshExpiresAt: now + max(refreshLifetime, lifetime),
      replaces: nil)
    return (session, entry)
  }

  /// Returns a random UUID (version 4, RFC 9562, section 5.4), in lowercase.
  static func uuid(_ random: () -> UInt64) -> String {
    let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = Array((Hexadecimal.text(high) + Hexadecimal.text(low)).utf8)
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }
}
