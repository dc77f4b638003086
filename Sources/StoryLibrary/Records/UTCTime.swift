#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Dates and times in UTC as text: the one codec of all that write or read them.
package enum UTCTime {
  /// The names of the months in HTTP dates.
  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads `yyyy-MM-dd'T'HH:mm:ss`, then 0 to 9 digits of a fraction, then `Z` or an offset as
  /// `+hh:mm` or `+hhmm` (RFC 3339, section 5.6, with the colon optional).
  ///
  /// A second of 60 is taken as the first of the next minute.
  /// - Parameter offsetMayLackMinutes: whether an offset may also be `+hh`.
  /// - Returns: seconds since 1970 and what is left below one; `nil` if `text` is nothing of the kind or
  ///   names a day that does not exist.
  package static func read(
    _ text: String, offsetMayLackMinutes: Bool = false
  ) -> (seconds: Int64, nanoseconds: Int32)? {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2),
      let midnight = midnight(year: year, month: month, day: day),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0
    if reader.take(".") {
      guard let digits = reader.digits(upTo: 9) else { return nil }
      fraction = digits
    }
    guard let offset = reader.offset(mayLackMinutes: offsetMayLackMinutes), reader.isAtEnd else {
      return nil
    }
    return (midnight + Int64(hour * 3_600 + minute * 60 + second - offset), Int32(fraction))
  }

  /// Returns the seconds from 1970 to the start of a day, or `nil` if there is no such day.
  package static func midnight(year: Int, month: Int, day: Int) -> Int64? {
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1_900), Int32(month - 1), Int32(day))
    let seconds = timegm(&date)
    // The system takes a day that does not exist for another one.
    return date.tm_mon == month - 1 && date.tm_mday == day ? Int64(seconds) : nil
  }

  /// Writes `yyyy-MM-dd'T'HH:mm:ss.`, then `digits` digits of the fraction, then `Z`; what is below them
  /// is cut off.
  package static func text(seconds: Int64, nanoseconds: Int32, digits: Int) -> String {
    let date = parts(seconds)
    let unit = (digits..<9).reduce(1) { unit, _ in unit * 10 }
    return padded(date.tm_year + 1_900, 4) + "-" + padded(date.tm_mon + 1, 2) + "-"
      + padded(date.tm_mday, 2) + "T" + clock(date) + "." + padded(Int(nanoseconds) / unit, digits)
      + "Z"
  }

  /// Writes a date as HTTP headers have it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  package static func httpText(seconds: Int64) -> String {
    let date = parts(seconds)
    let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(date.tm_wday)]
    let day = "\(padded(date.tm_mday, 2)) \(months[Int(date.tm_mon)])"
    return "\(weekday), \(day) \(padded(date.tm_year + 1_900, 4)) \(clock(date)) GMT"
  }

  private static func parts(_ seconds: Int64) -> tm {
    var (time, date) = (time_t(seconds), tm())
    gmtime_r(&time, &date)
    return date
  }

  private static func clock(_ date: tm) -> String {
    [date.tm_hour, date.tm_min, date.tm_sec].map { padded($0, 2) }.joined(separator: ":")
  }

  private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The quotient, rounded down also below zero.
  package static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Reads fixed-width numbers from an ASCII text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes one character where it is the next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes exactly `width` digits.
  mutating func number(_ width: Int) -> Int? {
    var value = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Takes 1 to `width` digits as the start of a fraction, scaled as if all `width` were there.
  mutating func digits(upTo width: Int) -> Int? {
    var value = 0
    var taken = 0
    while taken < width, let digit = digit() {
      value = value * 10 + digit
      taken += 1
    }
    guard taken > 0 else { return nil }
    for _ in taken..<width { value *= 10 }
    return value
  }

  /// Takes `Z`, `+hh:mm`, `+hhmm` or, if that is allowed, `+hh`, as seconds east of UTC.
  mutating func offset(mayLackMinutes: Bool) -> Int? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2), hours < 24 else { return nil }
    var minutes = 0
    if !(mayLackMinutes && isAtEnd) {
      _ = take(":")
      guard let number = number(2), number < 60 else { return nil }
      minutes = number
    }
    return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private mutating func digit() -> Int? {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    rest.removeFirst()
    return Int(first) - 0x30
  }
}
