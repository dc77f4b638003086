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

  /// Parses a date in an HTTP header in any of the three forms that RFC 9110, section 5.6.7,
  /// requires recipients to accept. The text becomes the wire form.
  ///
  /// Two-digit years are from 1970 to 2069.
  /// - Returns: `nil` if `text` has another form.
  public init?(http text: String) {
    // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT | Sun Nov  6 08:49:37 1994
    let words = text.split { $0 == " " || $0 == "-" || $0 == "," }.map { $0.lowercased() }
    let isAsctime = words.count == 5 && words[3].contains(":")
    guard words.count == 6 && words[5] == "gmt" || isAsctime else { return nil }
    let (day, month, year, time) =
      isAsctime
      ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard let month = UTCTime.months.firstIndex(where: { $0.lowercased() == month }),
      let day = Self.plain(day),
      var year = Self.plain(year), clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
      let hour = Self.plain(clock[0]), let minute = Self.plain(clock[1]),
      let second = Self.plain(clock[2]), hour < 24, minute < 60, second <= 60
    else { return nil }
    if year < 100 { year += year < 70 ? 2_000 : 1_900 }
    guard let midnight = UTCTime.midnight(year: year, month: month + 1, day: day) else {
      return nil
    }
    self.init(seconds: midnight + Int64(hour * 3_600 + minute * 60 + second))
  }

  /// Returns the number that so many digits stand for, without a sign.
  static func plain(_ digits: some StringProtocol, _ count: ClosedRange<Int> = 1...4) -> Int? {
    guard count.contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
