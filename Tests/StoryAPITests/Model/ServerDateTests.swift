import StoryAPI
import Testing

@Suite struct ServerDateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var seconds: Int64?
    var nanoseconds: Int32 = 0
    var testDescription: String { text }
  }

  static let cases = [
    Case(text: "1970-01-01T00:00:00Z", seconds: 0),
    Case(text: "2026-11-20T10:00:00.000Z", seconds: 1_795_168_800),
    Case(text: "2026-11-20T10:00:00.5Z", seconds: 1_795_168_800, nanoseconds: 500_000_000),
    Case(text: "2026-11-20T10:00:00.123456Z", seconds: 1_795_168_800, nanoseconds: 123_456_000),
    Case(text: "2026-11-20T10:00:00.123456789Z", seconds: 1_795_168_800, nanoseconds: 123_456_789),
    Case(text: "2026-11-20T10:00:00+00:00", seconds: 1_795_168_800),
    Case(text: "2026-11-20T10:00:00+0000", seconds: 1_795_168_800),
    Case(text: "2026-11-20T11:30:00.25+01:30", seconds: 1_795_168_800, nanoseconds: 250_000_000),
    Case(text: "2026-11-20T00:00:00-1000", seconds: 1_795_168_800),
    Case(text: "2026-11-20t10:00:00z", seconds: 1_795_168_800),
    Case(text: "2000-02-29T23:59:59Z", seconds: 951_868_799),
    Case(text: "1969-12-31T23:59:59.5Z", seconds: -1, nanoseconds: 500_000_000),
    Case(text: "0001-01-01T00:00:00Z", seconds: -62_135_596_800),
    Case(text: "9999-12-31T23:59:59Z", seconds: 253_402_300_799),
    Case(text: "2016-12-31T23:59:60Z", seconds: 1_483_228_800),
    Case(text: "", seconds: nil),
    Case(text: "2026-11-20", seconds: nil),
    Case(text: "2026-11-20T10:00:00", seconds: nil),
    Case(text: "2026-11-20 10:00:00Z", seconds: nil),
    Case(text: "2026-11-20T10:00Z", seconds: nil),
    Case(text: "2026-11-20T10:00:00.Z", seconds: nil),
    Case(text: "2026-11-20T10:00:00.1234567890Z", seconds: nil),
    Case(text: "2026-11-20T10:00:00,5Z", seconds: nil),
    Case(text: "2026-11-20T24:00:00Z", seconds: nil),
    Case(text: "2026-11-20T10:60:00Z", seconds: nil),
    Case(text: "2026-11-20T10:00:61Z", seconds: nil),
    Case(text: "2026-02-29T10:00:00Z", seconds: nil),
    Case(text: "1900-02-29T10:00:00Z", seconds: nil),
    Case(text: "2026-13-01T10:00:00Z", seconds: nil),
    Case(text: "2026-00-01T10:00:00Z", seconds: nil),
    Case(text: "2026-04-31T10:00:00Z", seconds: nil),
    Case(text: "2026-11-00T10:00:00Z", seconds: nil),
    Case(text: "2026-11-20T10:00:00+01", seconds: nil),
    Case(text: "2026-11-20T10:00:00+24:00", seconds: nil),
    Case(text: "2026-11-20T10:00:00Z ", seconds: nil),
    Case(text: " 2026-11-20T10:00:00Z", seconds: nil),
    Case(text: "+026-11-20T10:00:00Z", seconds: nil),
    Case(text: "٢٠٢٦-11-20T10:00:00Z", seconds: nil),
    Case(text: "1795168800", seconds: nil),
  ]

  @Test(arguments: cases) func `reads what servers write`(_ test: Case) {
    let date = ServerDate(test.text)
    #expect(date?.seconds == test.seconds)
    guard test.seconds != nil else { return }
    #expect(date?.nanoseconds == test.nanoseconds)
    #expect(date?.text == test.text)
  }

  @Test func `orders by instant to the nanosecond, whatever the spelling`() throws {
    let spelled = try [
      "2026-11-20T10:00:00Z", "2026-11-20T12:00:00.000000001+02:00", "2026-11-20T10:00:00.001Z",
      "2026-11-20T09:00:00.0011-0100",
    ].map { try #require(ServerDate($0)) }
    #expect(spelled.sorted() == spelled)
    #expect(Set(spelled).count == 4)
    #expect(ServerDate("2026-11-20T10:00:00Z") == ServerDate("2026-11-20T11:00:00.000+01:00"))
  }

  @Test(arguments: [
    ("2026-11-20T11:00:00.987654+01:00", "2026-11-20T10:00:00.987Z"),
    ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
    ("0999-03-01T00:00:00Z", "0999-03-01T00:00:00.000Z"),
  ]) func `writes the wire form`(_ text: String, _ wire: String) throws {
    let date = try #require(ServerDate(text))
    #expect(date.wire == wire)
    #expect(ServerDate(seconds: date.seconds, nanoseconds: Int64(date.nanoseconds)).text == wire)
  }

  @Test func `every day of 800 years survives writing and reading`() throws {
    var seconds: Int64 = -12_622_780_800  // 1570-01-01
    var last: ServerDate?
    while seconds < 12_622_780_800 {
      let date = ServerDate(seconds: seconds)
      let read = try #require(ServerDate(date.text))
      #expect(read.seconds == seconds)
      if let last { #expect(last < read) }
      last = read
      seconds += 86_400 * 3 + 3_601
    }
  }

  @Test func `moves by durations and measures them`() throws {
    let date = try #require(ServerDate("2026-11-20T10:00:00.900Z"))
    #expect(date.advanced(by: .milliseconds(200)).text == "2026-11-20T10:00:01.100Z")
    #expect(date.advanced(by: .milliseconds(-1_000)).text == "2026-11-20T09:59:59.900Z")
    #expect(date.advanced(by: .seconds(90)).duration(since: date) == .seconds(90))
    #expect(date.duration(since: date.advanced(by: .nanoseconds(1))) == .nanoseconds(-1))
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Sat, 29 Feb 2020 12:00:00 GMT", 1_582_977_600), ("Sun, 30 Feb 2020 12:00:00 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil), ("", nil),
      ("120", nil), ("1994-11-06T08:49:37Z", nil),
    ] as [(String, Int64?)]) func `reads the dates of headers`(_ text: String, _ seconds: Int64?)
  {
    #expect(ServerDate(http: text)?.seconds == seconds)
  }
}
