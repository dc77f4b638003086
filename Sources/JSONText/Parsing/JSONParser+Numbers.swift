extension JSONParser {
  /// The maximum number of digits in an exponent without leading zeros, which fits an `Int`.
  static let maximumExponentDigits = 18

  /// Validates the number at `index` (RFC 8259, section 6) and returns its end.
  ///
  /// Errors are at the number's first byte, except that `leadingZero` is at that zero.
  func numberEnd() throws(JSONSyntaxError) -> Int {
    let start = index
    var end = start
    if end < text.count, text[end] == UInt8(ascii: "-") { end += 1 }
    let whole = end
    end = digitsEnd(from: whole)
    guard end > whole else { throw failure(.malformedNumber, at: start) }
    if text[whole] == UInt8(ascii: "0"), end > whole + 1 { throw failure(.leadingZero, at: whole) }
    if end < text.count, text[end] == UInt8(ascii: ".") {
      let fraction = end + 1
      end = digitsEnd(from: fraction)
      guard end > fraction else { throw failure(.malformedNumber, at: start) }
    }
    if end < text.count, text[end] | 0x20 == UInt8(ascii: "e") {
      var exponent = end + 1
      if exponent < text.count,
        text[exponent] == UInt8(ascii: "+") || text[exponent] == UInt8(ascii: "-")
      {
        exponent += 1
      }
      end = digitsEnd(from: exponent)
      guard end > exponent else { throw failure(.malformedNumber, at: start) }
      while exponent < end, text[exponent] == UInt8(ascii: "0") { exponent += 1 }
      guard end - exponent <= Self.maximumExponentDigits else {
        throw failure(.exponentTooLarge, at: start)
      }
    }
    return end
  }

  @inline(__always)
  private func digitsEnd(from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    return end
  }
}
