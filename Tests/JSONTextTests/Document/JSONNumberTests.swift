import JSONText
import Testing

@Suite("Numbers")
struct JSONNumberTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    var left: String
    var right: String

    init(_ left: String, _ right: String) { (self.left, self.right) = (left, right) }

    var testDescription: String { "\(left) and \(right)" }
  }

  @Test(
    "are equal by value",
    arguments: [
      Pair("1.0", "1"), Pair("1e3", "1000"), Pair("-0", "0"), Pair("-0.0e9", "0"),
      Pair("0e999999999999999999", "-0"), Pair("10e-1", "1"), Pair("1E+2", "1e2"),
      Pair("1.50", "15e-1"), Pair("0.00120", "12E-4"), Pair("100", "1e2"), Pair("1200", "12e2"),
      Pair("1.2e-1", "0.12"), Pair("-12.5", "-125e-1"), Pair("1e-0", "1e+0"),
      Pair("120.0e0001", "1.2e3"), Pair("0.1e1", "1"), Pair("1000000000000000000000", "1e21"),
      Pair("9007199254740993.0", "9007199254740993"), Pair("10.01", "1001e-2"),
      Pair("1e999999999999999999", "10e999999999999999998"),
      Pair("0.5", "0.5000000000000000000000"),
    ])
  func equal(pair: Pair) throws {
    let left = try #require(JSONNumber(literal: pair.left))
    let right = try #require(JSONNumber(literal: pair.right))
    #expect(left == right)
    #expect(right == left)
    #expect(left.hashValue == right.hashValue)
    #expect(left.literal == pair.left)
    #expect(Set([left, right]).count == 1)
  }

  @Test(
    "differ by value",
    arguments: [
      Pair("9007199254740993", "9007199254740992"), Pair("0.1", "0.10000000000000001"),
      Pair("1", "-1"), Pair("1", "10"), Pair("1e3", "1e-3"), Pair("0", "1e-999999999999999999"),
      Pair("1e400", "1e401"), Pair("12", "21"), Pair("1.2", "12"), Pair("100001", "11"),
      Pair("18446744073709551616", "18446744073709551617"), Pair("1", "0.99999999999999999999"),
      Pair("123456789012345678901234567890", "123456789012345678901234567891"), Pair("1.01", "1.1"),
      Pair("-0.1", "0.1"), Pair("101", "1.1e2"),
    ])
  func different(pair: Pair) throws {
    let left = try #require(JSONNumber(literal: pair.left))
    let right = try #require(JSONNumber(literal: pair.right))
    #expect(left != right)
    #expect(right != left)
  }

  @Test(
    "tell a whole number that fits",
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0e5", 0), ("7", 7), ("7.0", 7), ("-7.000", -7), ("1e3", 1000),
      ("1.5e1", 15), ("1200e-2", 12), ("0.00001e5", 1), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9.223372036854775807e18", .max),
      ("-9223372036854775808.0", .min), ("-9.223372036854775808E18", .min),
      ("9223372036854775807000e-3", .max), ("1e18", 1_000_000_000_000_000_000),
      ("7.5", nil), ("1e-1", nil), ("9223372036854775808", nil), ("9223372036854775808.0", nil),
      ("-9223372036854775809", nil), ("1e19", nil), ("92233720368547758070", nil),
      ("9.3e18", nil), ("1e400", nil), ("1e999999999999999999", nil),
      ("1e-999999999999999999", nil),
    ] as [(String, Int?)])
  func integers(literal: String, integer: Int?) throws {
    #expect(try #require(JSONNumber(literal: literal)).integer == integer)
  }

  @Test(
    "tell the nearest double",
    arguments: [
      ("0", 0), ("-0", -0.0), ("0.1", 0.1), ("1e3", 1000), ("1e400", .infinity),
      ("-1e400", -.infinity), ("1e-400", 0), ("9007199254740993", 9_007_199_254_740_992),
      ("5e-324", .leastNonzeroMagnitude),
    ] as [(String, Double)])
  func doubles(literal: String, double: Double) throws {
    #expect(try #require(JSONNumber(literal: literal)).double == double)
  }

  @Test(
    "are not made of other texts",
    arguments: [
      "", " ", "1 ", " 1", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity",
      "1,0", "1_000", "--1", "1\n", "1\0", "1é", "null", "1e1000000000000000000",
    ])
  func notNumbers(literal: String) { #expect(JSONNumber(literal: literal) == nil) }

  @Test("of integers have their shortest literal")
  func ofIntegers() {
    #expect(JSONNumber(-12).literal == "-12")
    #expect(JSONNumber(Int.min).description == "-9223372036854775808")
  }
}
