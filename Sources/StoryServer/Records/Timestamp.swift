import StoryLibrary

/// A time in UTC with microsecond resolution, and its text forms.
struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since the start of 1970. Negative for earlier times.
  let microseconds: Int64

  /// Valid values: from the year 0 to well past ``latest``, so that small amounts can be added
  /// safely.
  private static let range: ClosedRange<Int64> =
    -62_167_219_200_000_000...300_000_000_000_000_000

  init(microseconds: Int64) {
    self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  init(milliseconds: Int64) {
    let (product, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1000)
    self.init(microseconds: isTooLarge ? (milliseconds < 0 ? .min : .max) : product)
  }

  static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }

  /// Milliseconds since the start of 1970, rounded down.
  var milliseconds: Int64 { UTCTime.floorDivide(microseconds, 1000) }

  var next: Timestamp { Timestamp(microseconds: microseconds + 1) }

  var nextMillisecond: Timestamp { Timestamp(microseconds: microseconds + 1000) }

  /// The latest time that ``text`` can represent, because a year has four digits.
  static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// The time as sent over the wire: `2026-11-20T10:00:00.000Z`, with six fraction digits if three
  /// are not exact.
  var text: String { text(isLong: microseconds % 1000 != 0) }

  /// The time as a record's version: always with six fraction digits, so that texts sort like
  /// times.
  var version: String { text(isLong: true) }

  private func text(isLong: Bool) -> String {
    let (seconds, rest) = min(self, Self.latest).parts
    return UTCTime.text(
      seconds: seconds, nanoseconds: Int32(rest * 1000), digits: isLong ? 6 : 3)
  }

  /// The time as in a `Date` header: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  var httpDate: String { UTCTime.httpText(seconds: min(self, Self.latest).parts.seconds) }

  private var parts: (seconds: Int64, microseconds: Int64) {
    let seconds = UTCTime.floorDivide(microseconds, 1_000_000)
    return (seconds, microseconds - seconds * 1_000_000)
  }

  /// Parses a date and time like ``UTCTime``, also with an offset without minutes. Digits below a
  /// microsecond are dropped.
  ///
  /// - Returns: `nil` for anything else, including a date without a time.
  init?(_ text: String) {
    guard let (seconds, nanoseconds) = UTCTime.read(text, offsetMayLackMinutes: true) else {
      return nil
    }
    self.init(microseconds: seconds * 1_000_000 + Int64(nanoseconds / 1000))
  }
}
