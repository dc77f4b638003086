/// A number that keeps its literal and compares by value.
///
/// Nothing is rounded: `9007199254740993` stays that number, and `1.0`, `1` and `10e-1` are equal.
public struct JSONNumber: Sendable, CustomStringConvertible {
  /// The literal in the syntax of RFC 8259, section 6.
  public let literal: String

  /// Creates an integer.
  public init(_ value: Int) { literal = String(value) }

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
    return withDecimalForm { form in
      guard form.exponent >= 0, form.exponent < 20 else { return nil }
      var result = 0
      // Counts down, because the smallest integer has no positive counterpart.
      func append(_ digit: UInt8) -> Bool {
        let (product, overflow) = result.multipliedReportingOverflow(by: 10)
        let (difference, borrow) = product.subtractingReportingOverflow(Int(digit))
        result = difference
        return !overflow && !borrow
      }
      for byte in form.digits where byte != UInt8(ascii: ".") {
        guard append(byte - UInt8(ascii: "0")) else { return nil }
      }
      for _ in 0..<form.exponent {
        guard append(0) else { return nil }
      }
      if form.isNegative { return result }
      return result == .min ? nil : -result
    }
  }

  /// Whether the value is an integer, even one too large for ``integer``.
  public var isWhole: Bool { withDecimalForm { $0.exponent >= 0 } }

  /// The nearest double, or an infinity if the value is out of range.
  public var double: Double { Double(literal) ?? .nan }
}

extension JSONNumber: Hashable {
  /// Returns whether both have the same value.
  public static func == (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
    if sameScalars(lhs.literal, rhs.literal) { return true }
    return lhs.withDecimalForm { left in rhs.withDecimalForm { right in left == right } }
  }

  /// Hashes the value, so that equal numbers have the same hash.
  public func hash(into hasher: inout Hasher) {
    withDecimalForm { $0.hash(into: &hasher) }
  }

  private func withDecimalForm<Result>(_ body: (DecimalForm) -> Result) -> Result {
    var copy = literal
    return copy.withUTF8 { body(DecimalForm($0)) }
  }
}

/// The normal form of a number, as a view of its literal: digits without leading or trailing zeros,
/// read as an integer, times a power of ten. Zero has no digits.
private struct DecimalForm {
  let isNegative: Bool
  /// The digits from the first to the last nonzero one, possibly with a decimal point among them.
  let digits: Slice<UnsafeBufferPointer<UInt8>>
  let exponent: Int

  /// Decomposes a valid literal.
  init(_ literal: UnsafeBufferPointer<UInt8>) {
    var first: Int?
    var last = 0
    var point: Int?
    var exponentStart = literal.count
    for (offset, byte) in literal.enumerated() {
      switch byte {
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        if first == nil { first = offset }
        last = offset
      case UInt8(ascii: "."): point = offset
      case UInt8(ascii: "e"), UInt8(ascii: "E"): exponentStart = offset
      default: break
      }
      if exponentStart < literal.count { break }
    }
    guard let first else {
      isNegative = false
      digits = literal[..<0]
      exponent = 0
      return
    }
    isNegative = literal[0] == UInt8(ascii: "-")
    digits = literal[first...last]
    // The digit before the decimal point has exponent 0, the one after it -1.
    let place = point ?? exponentStart
    exponent =
      Self.exponent(literal[exponentStart...]) + (last < place ? place - last - 1 : place - last)
  }

  private static func exponent(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var magnitude = 0
    for byte in part {
      if case 0x30...0x39 = byte { magnitude = magnitude * 10 + Int(byte - 0x30) }
    }
    return part.contains(UInt8(ascii: "-")) ? -magnitude : magnitude
  }

  static func == (lhs: DecimalForm, rhs: DecimalForm) -> Bool {
    guard lhs.isNegative == rhs.isNegative, lhs.exponent == rhs.exponent else { return false }
    return lhs.digits.lazy.filter { $0 != UInt8(ascii: ".") }
      .elementsEqual(rhs.digits.lazy.filter { $0 != UInt8(ascii: ".") })
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative)
    hasher.combine(exponent)
    for byte in digits where byte != UInt8(ascii: ".") { hasher.combine(byte) }
    hasher.combine(UInt8(ascii: "."))
  }
}
