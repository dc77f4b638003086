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
  var milliseconds: Int64 { Self.floorDivide(microseconds, 1000) }

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
    let moment = min(self, Self.latest)
    let milliseconds = moment.milliseconds
    let days = Self.floorDivide(milliseconds, 86_400_000)
    let ofDay = Int(milliseconds - days * 86_400_000)
    let rest = Int(moment.microseconds - milliseconds * 1000)
    let (year, month, day) = Self.date(ofDay: days)
    return String(unsafeUninitializedCapacity: 27) { bytes in
      var end = 0
      // Each number in its digits, and the character behind it.
      func put(_ number: Int, _ width: Int, _ separator: Character) {
        var rest = number
        for place in (0..<width).reversed() {
          bytes[end + place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        bytes[end + width] = separator.asciiValue ?? 0
        end += width + 1
      }
      put(year, 4, "-")
      put(month, 2, "-")
      put(day, 2, "T")
      put(ofDay / 3_600_000, 2, ":")
      put(ofDay / 60_000 % 60, 2, ":")
      put(ofDay / 1000 % 60, 2, ".")
      if isLong {
        put(ofDay % 1000 * 1000 + rest, 6, "Z")
      } else {
        put(ofDay % 1000, 3, "Z")
      }
      return end
    }
  }

  /// Reads a date and time of RFC 3339 section 5.6, also with an offset without a colon or minutes.
  ///
  /// Fractions have 0 to 9 digits; those behind the sixth are dropped.
  ///
  /// - Returns: `nil` for anything else, a date without a time included.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func digits(_ count: Int) -> Int? {
      guard rest.count >= count else { return nil }
      var value = 0
      for byte in rest.prefix(count) {
        guard case 0x30...0x39 = byte else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      rest = rest.dropFirst(count)
      return value
    }
    func take(_ byte: Character) -> Bool {
      guard rest.first == byte.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day),
      take("T") || take("t"),
      let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60, take(":"),
      let second = digits(2), second <= 60
    else { return nil }
    var fraction = 0
    if take(".") {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      guard (1...9).contains(count), let value = digits(count) else { return nil }
      fraction = value
      for _ in count..<9 { fraction *= 10 }
    }
    var offset = 0
    if !(take("Z") || take("z")) {
      let sign = take("+") ? 1 : (take("-") ? -1 : 0)
      guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
      var minutes = 0
      if !rest.isEmpty {
        _ = take(":")
        guard let value = digits(2), value < 60 else { return nil }
        minutes = value
      }
      offset = sign * (hours * 60 + minutes)
    }
    guard rest.isEmpty else { return nil }
    let dayNumber = Self.day(year: year, month: month, day: day)
    let seconds = dayNumber * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset * 60)
    self.init(microseconds: seconds * 1_000_000 + Int64(fraction / 1000))
  }

  // MARK: Calendar

  // Days are counted from 1970-01-01 in the proleptic Gregorian calendar, by way of eras of 400
  // years that start in March (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func day(year: Int, month: Int, day: Int) -> Int64 {
    let year = Int64(month <= 2 ? year - 1 : year)
    let era = floorDivide(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(ofDay day: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    return (year, month, Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// The moment as a `Date` header has it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  var httpDate: String {
    let days = Self.floorDivide(min(self, Self.latest).milliseconds, 86_400_000)
    let (year, month, day) = Self.date(ofDay: days)
    // 1970-01-01 was a Thursday.
    let weekday = Int(days - Self.floorDivide(days + 4, 7) * 7 + 4)
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let time = text.utf8.dropFirst(11).prefix(8)
    let dayText = day < 10 ? "0\(day)" : "\(day)"
    return "\(names[weekday]), \(dayText) \(months[month - 1]) \(year) "
      + "\(String(decoding: time, as: UTF8.self)) GMT"
  }
}
