import StoryLibrary

/// The secrets of a session, as the one who signed in gets them; the server keeps their digests.
public struct IssuedSession: Sendable, Equatable {
  /// What stands behind `Bearer`.
  public let token: String
  /// What a new session is asked for with.
  public let refreshToken: String
  /// When the token ends, as the wire has it.
  public let expiresAt: String

  /// How long a refresh token lives after its session was made, at least, in milliseconds.
  static let refreshLifetime: Int64 = 90 * 86_400_000

  /// A new session of an account, with what the store keeps of it.
  static func make(
    account: Int, now: Int64, lifetime: Int64, random: () -> UInt64
  ) -> (session: IssuedSession, entry: LogEntry.SessionEntry) {
    let (token, refresh) = (secret(random), secret(random))
    let session = IssuedSession(
      token: token, refreshToken: refresh,
      expiresAt: Timestamp(milliseconds: now + lifetime).text)
    let entry = LogEntry.SessionEntry(
      account: account, token: SHA256.digest(token), refresh: SHA256.digest(refresh),
      expiresAt: now + lifetime, refreshExpiresAt: now + max(refreshLifetime, lifetime),
      replaces: nil)
    return (session, entry)
  }

  /// 256 bits in hexadecimal digits.
  static func secret(_ random: () -> UInt64) -> String { RandomKey.make(words: 4, random: random) }

  /// A random id as RFC 9562 section 5.4 writes one (version 4), in lower case.
  static func uuid(_ random: () -> UInt64) -> String {
    let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = Array((Hexadecimal.text(high) + Hexadecimal.text(low)).utf8)
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }
}
