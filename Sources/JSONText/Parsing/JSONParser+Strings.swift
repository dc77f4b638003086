extension JSONParser {
  /// Validates the string whose opening quote is at `start`.
  ///
  /// - Returns: The offset after the closing quote, and whether the string contains a backslash.
  @inline(__always)
  func stringEnd(from start: Int) throws(JSONSyntaxError) -> (end: Int, hasEscapes: Bool) {
    var end = start + 1
    var hasEscapes = false
    while true {
      end = StringText.firstSpecial(in: text, from: end, stopsAtNonASCII: true)
      guard end < text.count else { throw failure(.unexpectedEnd(.closingQuote), at: text.count) }
      switch text[end] {
      case UInt8(ascii: "\""): return (end + 1, hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        end = try escapeEnd(from: end)
      case let byte where byte < 0x20: throw failure(.controlCharacter(byte), at: end)
      default:
        repeat { end = try scalarEnd(from: end) } while end < text.count && text[end] >= 0x80
      }
    }
  }

  /// Returns the end of the escape whose backslash is at `start`. A surrogate pair is one escape.
  private func escapeEnd(from start: Int) throws(JSONSyntaxError) -> Int {
    guard start + 1 < text.count else {
      throw failure(.unexpectedEnd(.closingQuote), at: text.count)
    }
    switch text[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      switch try codeUnit(at: start) {
      case 0xD800...0xDBFF:
        let next = start + 6
        guard next + 1 < text.count, text[next] == UInt8(ascii: "\\"),
          text[next + 1] == UInt8(ascii: "u"), case 0xDC00...0xDFFF = try codeUnit(at: next)
        else { throw failure(.loneSurrogate, at: start) }
        return next + 6
      case 0xDC00...0xDFFF: throw failure(.loneSurrogate, at: start)
      default: return start + 6
      }
    default: throw failure(.invalidEscape, at: start)
    }
  }

  private func codeUnit(at backslash: Int) throws(JSONSyntaxError) -> UInt16 {
    guard let unit = StringText.codeUnit(in: text, at: backslash + 2) else {
      throw failure(.invalidEscape, at: backslash)
    }
    return unit
  }

  /// Returns the end of the scalar whose UTF-8 starts at `start` (Unicode Standard, table 3-7).
  func scalarEnd(from start: Int) throws(JSONSyntaxError) -> Int {
    let first = text[start]
    // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw failure(.invalidUTF8, at: start)
    }
    guard start + length <= text.count, second.contains(text[start + 1]),
      length < 3 || text[start + 2] & 0xC0 == 0x80, length < 4 || text[start + 3] & 0xC0 == 0x80
    else { throw failure(.invalidUTF8, at: start) }
    return start + length
  }
}
