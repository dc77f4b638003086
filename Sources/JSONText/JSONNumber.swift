/// A number as it is written: the literal is kept, comparison is by value.
///
/// Nothing is rounded: `9007199254740993` stays that number, and `1.0`, `1` and `10e-1` are equal.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The literal, as RFC 8259 section 6 spells it.
  public let literal: String

  /// A whole number.
  public init(_ value: Int) { literal = String(value) }

  /// A number from its literal.
  ///
  /// - Returns: `nil` where `literal` is not a JSON number.
  public init?(literal: String) {
    var bytes = Array(literal.utf8)
    let end = bytes.withUnsafeMutableBufferPointer { buffer in
      try? JSONParser.numberEnd(UnsafeBufferPointer(buffer), from: 0).get()
    }
    guard let end, end == bytes.count else { return nil }
    self.literal = literal
  }

  /// A literal that the parser has already checked.
  init(unchecked literal: String) { self.literal = literal }

  /// The literal.
  public var description: String { literal }

  /// The value where it is a whole number that fits; `1e3` and `7.0` are.
  public var integer: Int? {
    if let plain = Int(literal) { return plain }
    let decimal = Decimal(literal.utf8)
    guard !decimal.digits.isEmpty else { return 0 }
    guard decimal.exponent >= 0, decimal.digits.count + decimal.exponent <= 20 else { return nil }
    var text = decimal.isNegative ? "-" : ""
    text += String(decoding: decimal.digits, as: UTF8.self)
    text += String(repeating: "0", count: decimal.exponent)
    return Int(text)
  }

  /// The nearest double.
  public var double: Double { Double(literal) ?? .nan }

  /// Whether both stand for the same value.
  public static func == (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
    if lhs.literal.utf8.elementsEqual(rhs.literal.utf8) { return true }
    return Decimal(lhs.literal.utf8) == Decimal(rhs.literal.utf8)
  }

  /// Hashes the value, so that equal numbers hash alike.
  public func hash(into hasher: inout Hasher) { hasher.combine(Decimal(literal.utf8)) }
}

/// A number in lowest terms: digits without zeros at either end, times ten to the exponent.
struct Decimal: Hashable {
  var isNegative: Bool
  var digits: [UInt8]
  var exponent: Int

  /// Takes a literal apart; its syntax has been checked before.
  init(_ literal: some Collection<UInt8>) {
    isNegative = false
    digits = []
    var fraction = 0
    var inFraction = false
    var exponentDigits = 0
    var exponentNegative = false
    var inExponent = false
    for byte in literal {
      switch byte {
      case UInt8(ascii: "-"):
        if inExponent { exponentNegative = true } else { isNegative = true }
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): inFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): inExponent = true
      default:
        if inExponent {
          exponentDigits = exponentDigits * 10 + Int(byte - UInt8(ascii: "0"))
        } else {
          if inFraction { fraction += 1 }
          if !(digits.isEmpty && byte == UInt8(ascii: "0")) { digits.append(byte) }
        }
      }
    }
    exponent = (exponentNegative ? -exponentDigits : exponentDigits) - fraction
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      exponent = 0
      isNegative = false
    }
  }
}
