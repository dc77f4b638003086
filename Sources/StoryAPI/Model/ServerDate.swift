import StoryLibrary

/// A time as a server writes it: exact to the nanosecond, with its original text.
///
/// Dates are compared by the instant, regardless of how they are written. The text of a revision is
/// sent back to the server, so it is never rewritten.
public struct ServerDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The original text, or the wire form of a computed date.
  public let text: String
  /// Whole seconds since 1970-01-01T00:00:00Z, without leap seconds; negative before it.
  public let seconds: Int64
  /// The fraction of a second in nanoseconds, from 0 to 999,999,999.
  public let nanoseconds: Int32

  /// Parses `yyyy-MM-dd'T'HH:mm:ss`, a fraction of 0 to 9 digits, and `Z` or an offset such as
  /// `+hh:mm` or `+hhmm` (RFC 3339, section 5.6, with the colon optional).
  ///
  /// A second of 60 is the first of the next minute.
  /// - Returns: `nil` if `text` has another form or the day does not exist.
  public init?(_ text: String) {
    guard let (seconds, nanoseconds) = UTCTime.read(text) else { return nil }
    self.text = text
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates the instant `seconds` and `nanoseconds` after 1970-01-01T00:00:00Z, in wire form.
  ///
  /// Nanoseconds outside 0 to 999,999,999 carry over into the seconds.
  public init(seconds: Int64, nanoseconds: Int64 = 0) {
    var carried = nanoseconds / 1_000_000_000
    var rest = nanoseconds % 1_000_000_000
    if rest < 0 {
      rest += 1_000_000_000
      carried -= 1
    }
    self.seconds = seconds + carried
    self.nanoseconds = Int32(rest)
    text = UTCTime.text(seconds: self.seconds, nanoseconds: self.nanoseconds, digits: 3)
  }

  /// The wire form `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`, truncated to milliseconds.
  public var wire: String {
    UTCTime.text(seconds: seconds, nanoseconds: nanoseconds, digits: 3)
  }

  /// The text.
  public var description: String { text }

  /// Returns the instant `duration` later, or earlier if it is negative.
  public func advanced(by duration: Duration) -> ServerDate {
    let parts = duration.components
    return ServerDate(
      seconds: seconds + parts.seconds,
      nanoseconds: Int64(nanoseconds) + parts.attoseconds / 1_000_000_000)
  }

  /// Returns the time since `earlier`, which is negative if that is later.
  public func duration(since earlier: ServerDate) -> Duration {
    .seconds(seconds - earlier.seconds) + .nanoseconds(nanoseconds - earlier.nanoseconds)
  }

  /// Returns whether both are the same instant.
  public static func == (lhs: ServerDate, rhs: ServerDate) -> Bool {
    lhs.seconds == rhs.seconds && lhs.nanoseconds == rhs.nanoseconds
  }

  /// Orders by instant.
  public static func < (lhs: ServerDate, rhs: ServerDate) -> Bool {
    (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
  }

  /// Hashes the instant.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
  }
}
