import Testing

@testable import StoryServer

@Suite struct TimestampTests {
  struct Case: CustomTestStringConvertible {
    var text: String
    var microseconds: Int64?
    var testDescription: String { text }
  }

  @Test(
    "reads dates as the contract allows them, and nothing else",
    arguments: [
      Case(text: "1970-01-01T00:00:00Z", microseconds: 0),
      Case(text: "2026-11-20T10:00:00.000Z", microseconds: 1_795_168_800_000_000),
      Case(text: "2026-11-20T10:00:00+00:00", microseconds: 1_795_168_800_000_000),
      Case(text: "2026-11-20T10:00:00+0000", microseconds: 1_795_168_800_000_000),
      Case(text: "2026-11-20T11:30:00+01:30", microseconds: 1_795_168_800_000_000),
      Case(text: "2026-11-20T05:00:00-05", microseconds: 1_795_168_800_000_000),
      Case(text: "2026-11-20T10:00:00.1Z", microseconds: 1_795_168_800_100_000),
      Case(text: "2026-11-20T10:00:00.123456Z", microseconds: 1_795_168_800_123_456),
      Case(text: "2026-11-20T10:00:00.123456789Z", microseconds: 1_795_168_800_123_456),
      Case(text: "1969-12-31T23:59:59.999999Z", microseconds: -1),
      Case(text: "2000-02-29T00:00:00Z", microseconds: 951_782_400_000_000),
      Case(text: "2100-02-28T00:00:00Z", microseconds: 4_107_456_000_000_000),
      Case(text: "9999-12-31T23:59:59.999Z", microseconds: 253_402_300_799_999_000),
      Case(text: "0001-01-01T00:00:00Z", microseconds: -62_135_596_800_000_000),
      Case(text: "2016-12-31T23:59:60Z", microseconds: 1_483_228_800_000_000),
      Case(text: "2100-02-29T00:00:00Z", microseconds: nil),
      Case(text: "2026-13-01T00:00:00Z", microseconds: nil),
      Case(text: "2026-00-01T00:00:00Z", microseconds: nil),
      Case(text: "2026-04-31T00:00:00Z", microseconds: nil),
      Case(text: "2026-11-20T24:00:00Z", microseconds: nil),
      Case(text: "2026-11-20T10:60:00Z", microseconds: nil),
      Case(text: "2026-11-20T10:00:00", microseconds: nil),
      Case(text: "2026-11-20T10:00:00.Z", microseconds: nil),
      Case(text: "2026-11-20T10:00:00.1234567890Z", microseconds: nil),
      Case(text: "2026-11-20 10:00:00Z", microseconds: nil),
      Case(text: "2026-11-20", microseconds: nil),
      Case(text: "2026-11-20T10:00:00Z ", microseconds: nil),
      Case(text: "2026-11-20T10:00:00+1", microseconds: nil),
      Case(text: "２026-11-20T10:00:00Z", microseconds: nil),
      Case(text: "", microseconds: nil),
    ])
  func reads(_ example: Case) {
    #expect(Timestamp(example.text)?.microseconds == example.microseconds)
  }

  @Test func writesWhatItReads() throws {
    var milliseconds: Int64 = -62_135_596_800_000
    while milliseconds < Timestamp.latest.milliseconds {
      let time = Timestamp(milliseconds: milliseconds)
      #expect(Timestamp(time.text) == time, "\(time.text)")
      milliseconds += 86_400_000 * 127 + 12_345_678
    }
    #expect(Timestamp.latest.text == "9999-12-31T23:59:59.999Z")
  }

  @Test func writesHTTPDates() {
    // The examples of RFC 9110, section 5.6.7, and of a leap day.
    #expect(Timestamp(milliseconds: 784_111_777_000).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(Timestamp(milliseconds: 951_782_400_000).httpDate == "Tue, 29 Feb 2000 00:00:00 GMT")
    #expect(Timestamp(milliseconds: 0).httpDate == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(Timestamp(milliseconds: 172_800_000).httpDate == "Sat, 03 Jan 1970 00:00:00 GMT")
  }

  @Test func comesOneAfterTheOther() {
    let between = Timestamp(microseconds: 1_000_001)
    #expect(between.next == Timestamp(microseconds: 1_000_002))
    #expect(between.nextMillisecond == Timestamp(microseconds: 1_001_001))
    #expect(between.text == "1970-01-01T00:00:01.000001Z")
    #expect(Timestamp(between.text) == between)
    #expect(Timestamp(microseconds: 1_000_000).text == "1970-01-01T00:00:01.000Z")
    #expect(Timestamp(microseconds: -1).milliseconds == -1)
    #expect(Timestamp(microseconds: -1).text == "1969-12-31T23:59:59.999999Z")
  }
}
