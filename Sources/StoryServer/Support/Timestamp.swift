import StoryLibrary

/// A moment in UTC with a resolution of microseconds, and the texts that stand for one.
struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since the start of 1970; negative before.
  let microseconds: Int64

  /// What can be told from other moments: from the year 0 to well past ``latest``, so that a little
  /// can be added to any moment.
  private static let range: ClosedRange<Int64> =
    -62_167_219_200_000_000...300_000_000_000_000_000

  /// A moment; one that is out of bounds becomes the nearest that is not.
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

  /// The next moment that can be told from this one.
  var next: Timestamp { Timestamp(microseconds: microseconds + 1) }

  /// The moment a millisecond later.
  var nextMillisecond: Timestamp { Timestamp(microseconds: microseconds + 1000) }

  /// The last moment that ``text`` can write: a year has four digits.
  static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// The moment as the wire has it: `2026-11-20T10:00:00.000Z`, with six digits where three do not
  /// tell all.
  var text: String { text(isLong: microseconds % 1000 != 0) }

  /// The moment as the version of a record: always with six digits, so that texts come in the order
  /// of the moments.
  var version: String { text(isLong: true) }

  private func text(isLong: Bool) -> String {
    let (seconds, rest) = min(self, Self.latest).parts
    return UTCTime.text(
      seconds: seconds, nanoseconds: Int32(rest * 1000), digits: isLong ? 6 : 3)
  }

  /// The moment as a `Date` header has it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  var httpDate: String { UTCTime.httpText(seconds: min(self, Self.latest).parts.seconds) }

  private var parts: (seconds: Int64, microseconds: Int64) {
    let seconds = UTCTime.floorDivide(microseconds, 1_000_000)
    return (seconds, microseconds - seconds * 1_000_000)
  }

  /// Reads a date and time as ``UTCTime`` does, also with an offset without minutes; what is below a
  /// microsecond is dropped.
  ///
  /// - Returns: `nil` for anything else, a date without a time included.
  init?(_ text: String) {
    guard let (seconds, nanoseconds) = UTCTime.read(text, offsetMayLackMinutes: true) else {
      return nil
    }
    self.init(microseconds: seconds * 1_000_000 + Int64(nanoseconds / 1000))
  }
}
