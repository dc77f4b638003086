/// A number that keeps its literal and compares by value.
///
/// Nothing is rounded: `9007199254740993` stays that number, and `1.0`, `1` and `10e-1` are equal.
public struct JSONNumber: Sendable, CustomStringConvertible {
  /// The literal in the syntax of RFC 8259, section 6.
  public let literal: String

  /// Creates an integer.
  public init(_ value: some BinaryInteger) { literal = String(value) }

  /// Creates a number from its literal.
  ///
  /// - Returns: `nil` if `literal` is not a JSON number that ``JSONDocument`` accepts.
  public init?(literal: String) {
    var copy = literal
    let isNumber = copy.withUTF8 { text in
      let parser = JSONParser(text: text)
      return (try? parser.numberEnd()) == text.count
    }
    guard isNumber else { return nil }
    self.literal = literal
  }

  /// Creates a number from a literal that the parser has validated.
  init(unchecked literal: String) { self.literal = literal }

  /// The literal.
  public var description: String { literal }

  /// The value if it is an integer that fits, including literals such as `1e3` and `7.0`.
  public var integer: Int? {
    if let plain = Int(literal) { return plain }
    let form = DecimalForm(literal)
    guard form.exponent >= 0, form.exponent < 20 else { return nil }
    let sign = form.isNegative ? "-" : ""
    return Int(sign + form.digits + String(repeating: "0", count: form.exponent))
  }

  /// Whether the value is an integer, even one too large for ``integer``.
  public var isWhole: Bool { DecimalForm(literal).exponent >= 0 }

  /// The nearest double, or an infinity if the value is out of range.
  public var double: Double { Double(literal) ?? .nan }
}

extension JSONNumber: Hashable {
  /// Returns whether both have the same value.
  public static func == (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
    if sameScalars(lhs.literal, rhs.literal) { return true }
    return DecimalForm(lhs.literal) == DecimalForm(rhs.literal)
  }

  /// Hashes the value, so that equal numbers have the same hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(DecimalForm(literal)) }
}

/// The normal form of a number: digits without leading or trailing zeros, read as an integer, times
/// a power of ten. Zero is 0 times 1.
private struct DecimalForm: Hashable {
  var isNegative = false
  var digits = "0"
  var exponent = 0

  init(_ literal: String) {
    let parts = literal.utf8.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."))
    let fraction = mantissa.count > 1 ? mantissa[1] : Substring("").utf8
    let all = mantissa[0].filter { $0 != UInt8(ascii: "-") } + fraction
    let isZero = { (digit: UInt8) in digit == UInt8(ascii: "0") }
    guard let first = all.firstIndex(where: { !isZero($0) }),
      let last = all.lastIndex(where: { !isZero($0) })
    else { return }
    isNegative = literal.utf8.first == UInt8(ascii: "-")
    digits = String(decoding: all[first...last], as: UTF8.self)
    exponent = all.count - 1 - last - fraction.count
    if parts.count > 1 { exponent += Int(String(Substring(parts[1]))) ?? 0 }
  }
}
