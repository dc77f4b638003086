import StoryLibrary

extension ServerDate {
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

  private static func plain(_ digits: some StringProtocol) -> Int? {
    guard (1...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
