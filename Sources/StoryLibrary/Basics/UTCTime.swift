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
      let days = CivilDay.days(year: year, month: month, day: day),
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
    let seconds = Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
    return (seconds, Int32(fraction))
  }

  /// Writes `yyyy-MM-dd'T'HH:mm:ss.`, then `digits` digits of the fraction, then `Z`; what is below them
  /// is cut off.
  package static func text(seconds: Int64, nanoseconds: Int32, digits: Int) -> String {
    let (year, month, day, clock) = parts(seconds)
    let unit = (digits..<9).reduce(1) { unit, _ in unit * 10 }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + clock + "."
      + padded(Int(nanoseconds) / unit, digits) + "Z"
  }

  /// Writes a date as HTTP headers have it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  package static func httpText(seconds: Int64) -> String {
    let (year, month, day, clock) = parts(seconds)
    let days = floorDivide(seconds, 86_400)
    // 1970-01-01 was a Thursday.
    let weekday = Int(days + 4 - floorDivide(days + 4, 7) * 7)
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    return
      "\(names[weekday]), \(padded(day, 2)) \(months[month - 1]) \(padded(year, 4)) \(clock) GMT"
  }

  private static func parts(
    _ seconds: Int64
  ) -> (year: Int, month: Int, day: Int, clock: String) {
    let days = floorDivide(seconds, 86_400)
    let second = Int(seconds - days * 86_400)
    let (year, month, day) = CivilDay.civil(days: Int(days))
    let clock =
      padded(second / 3_600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
    return (year, month, day, clock)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The quotient, rounded down also below zero.
  package static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Days of the Gregorian calendar, counted from 1970-01-01 by way of eras of 400 years (Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms").
package enum CivilDay {
  /// The days from 1970-01-01 to the given one, or `nil` where there is no such day.
  package static func days(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), (1...length(of: month, year: year)).contains(day) else {
      return nil
    }
    // Years start in March here, so that the leap day is a year's last.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day that lies `days` after 1970-01-01.
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func length(of month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
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
