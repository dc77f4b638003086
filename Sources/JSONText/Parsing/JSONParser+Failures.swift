extension JSONParser {
  func failure(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      reason: reason, offset: offset, position: TextPosition(offset: offset, in: text))
  }

  func unexpected(_ expectation: JSONSyntaxError.Expectation) -> JSONSyntaxError {
    guard let byte = peek else { return failure(.unexpectedEnd(expectation), at: index) }
    if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") {
      return failure(.comment, at: index)
    }
    if byte >= 0x80 {
      guard let end = try? scalarEnd(from: index) else { return failure(.invalidUTF8, at: index) }
      let found = String(decoding: text[index..<end], as: UTF8.self)
      return failure(.expected(expectation, found: Self.inWords(found)), at: index)
    }
    if let word = nonNumber(from: index) { return failure(.notANumber(word), at: index) }
    let word = word(from: index)
    let found = word.isEmpty ? String(Unicode.Scalar(byte)) : word
    return failure(.expected(expectation, found: Self.inWords(found)), at: index)
  }

  /// Returns whether `literal` is at `index`, with no letter, digit or `_` after it.
  @inline(__always)
  func isWord(_ literal: StaticString) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard index + count <= text.count else { return false }
    for offset in 0..<count where text[index + offset] != literal.utf8Start[offset] { return false }
    return index + count == text.count || !Self.isWordByte(text[index + count])
  }

  /// Returns the word at `start` if other languages use it as a number or constant.
  func nonNumber(from start: Int) -> String? {
    let isNegative = text[start] == UInt8(ascii: "-")
    let word = word(from: isNegative ? start + 1 : start)
    switch word {
    case "NaN", "nan", "Infinity", "inf": return isNegative ? "-" + word : word
    case "undefined", "None", "True", "False": return isNegative ? nil : word
    default: return nil
    }
  }

  /// Returns the word at `start`, truncated to a length that a message can quote.
  private func word(from start: Int) -> String {
    var end = start
    while end < text.count, end < start + 16, Self.isWordByte(text[end]) { end += 1 }
    return String(decoding: text[start..<end], as: UTF8.self)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Returns a word or character in quotes, or an invisible character by its number.
  private static func inWords(_ found: String) -> String {
    guard let scalar = found.unicodeScalars.first else { return "nothing" }
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse,
      .unassigned, .nonspacingMark, .enclosingMark, .spacingMark:
      return "the character U+" + hexadecimal(scalar.value, digits: 4).uppercased()
    case .initialPunctuation, .finalPunctuation: return "a typographic quote"
    case .openPunctuation where scalar == "\u{201A}" || scalar == "\u{201E}":
      return "a typographic quote"
    default: return "“\(found)”"
    }
  }
}
