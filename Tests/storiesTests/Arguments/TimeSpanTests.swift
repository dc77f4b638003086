import Testing

@testable import stories

@Suite struct TimeSpanTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500), "500ms"), ("90s", .seconds(90), "1m30s"),
    ("15m", .seconds(900), "15m"), ("24h", .seconds(86_400), "1d"),
    ("1h30m", .seconds(5_400), "1h30m"), ("7d", .seconds(604_800), "7d"),
    ("1d2h3m4s5ms", .milliseconds(93_784_005), "1d2h3m4s5ms"), ("0h5s", .seconds(5), "5s"),
    ("3650d", .seconds(315_360_000), "3650d"),
  ])
  func reads(word: String, duration: Duration, text: String) throws {
    let span = try Duration.parse(word)
    #expect(span == duration)
    #expect(span.text == text)
    #expect(try Duration.parse(span.text) == span)
  }

  @Test(arguments: [
    "", "15", "m", "15 m", "-15m", "1.5h", "15min", "15M", "0s", "0", "30m1h", "5s5s", "5ms1s",
    "3651d", "99999999999999s", "999999999999d", "١٥m", "1h-", "h1",
  ])
  func refuses(word: String) {
    #expect(throws: ValueProblem.self) { try Duration.parse(word) }
  }

  private static let said: [(Duration, String)] = [
    (.zero, "less than a second"), (.milliseconds(999), "less than a second"),
    (.seconds(1), "1 s"), (.milliseconds(4_200), "5 s"), (.seconds(60), "1 min"),
    (.seconds(150), "2 min 30 s"), (.milliseconds(59_500), "1 min"),
    (.seconds(3_601), "1 h 1 min"), (.milliseconds(3_599_500), "1 h"), (.seconds(10_800), "3 h"),
    (.seconds(86_400), "1 day"), (.seconds(2 * 86_400 + 3 * 3_600 + 1), "2 days 4 h"),
  ]

  @Test(arguments: said)
  func isSaid(duration: Duration, words: String) {
    #expect(Phrases.span(duration) == words)
  }
}
