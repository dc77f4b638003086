import JSONText

extension Problem {
  /// Returns what to do about a syntax error, if that is clear.
  static func hint(for error: JSONSyntaxError, in bytes: [UInt8]) -> String? {
    switch error.reason {
    case .trailingComma: "remove this comma"
    case .comment: "remove it; a member of your own, such as \"note\", may say the same"
    case .duplicateKey: "keep one of the two"
    case .leadingZero: "write the number without them"
    case .malformedNumber: numberHint(bytes[error.offset])
    case .notANumber(let word): wordHint(word)
    case .invalidEscape: #"write \\ for a backslash"#
    case .controlCharacter(let byte): controlHint(byte)
    case .invalidUTF8: "save the file as UTF-8"
    case .trailingContent: trailingHint(bytes[error.offset])
    case .unexpectedEnd(let expectation): endHint(expectation)
    case .expected(let expectation, _): mistakeHint(expectation, error.offset, bytes)
    case .exponentTooLarge, .loneSurrogate, .tooDeep, .tooLarge, .tooManyValues: nil
    }
  }

  private static func numberHint(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "+"): "write the number without “+”"
    case UInt8(ascii: "."): "write a zero in front of the point"
    default: nil
    }
  }

  private static func wordHint(_ word: String) -> String? {
    switch word {
    case "True": "write true"
    case "False": "write false"
    case "None", "undefined": "write null, or remove the member"
    default: nil
    }
  }

  private static func controlHint(_ byte: UInt8) -> String? {
    switch byte {
    case 0x0A, 0x0D: "close the text on its line; a long one may be an array of lines"
    case 0x09: #"write \t for a tab"#
    default: nil
    }
  }

  private static func trailingHint(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""):
      "a bracket or brace in front of this closes the text too early"
    case UInt8(ascii: "{"): "a file holds one record: make a second file for the second one"
    default: nil
    }
  }

  private static func endHint(_ expectation: JSONSyntaxError.Expectation) -> String? {
    switch expectation {
    case .commaOrBrace, .keyOrEnd: "close the object with “}”"
    case .commaOrBracket, .valueOrEnd: "close the array with “]”"
    case .closingQuote: "close the text with a quote"
    case .value, .key, .colon: nil
    }
  }

  /// Returns the hint for something unexpected.
  private static func mistakeHint(
    _ expectation: JSONSyntaxError.Expectation, _ offset: Int, _ bytes: [UInt8]
  ) -> String? {
    if bytes[offset] == UInt8(ascii: "'") {
      return "texts and names stand in double quotes, not in single ones"
    }
    if isTypographicQuote(bytes[offset...]) {
      return "write plain quotes (\") instead of typographic ones"
    }
    let isWord = isLetter(bytes[offset])
    switch expectation {
    case .commaOrBrace, .commaOrBracket: return commaHint(offset, bytes, isWord: isWord)
    case .key, .keyOrEnd: return isWord ? "put the name in double quotes" : nil
    case .value, .valueOrEnd: return isWord ? "put the text in double quotes" : nil
    case .colon: return bytes[offset] == UInt8(ascii: "=") ? "write “:” instead of “=”" : nil
    case .closingQuote: return nil
    }
  }

  /// Returns the hint for something in the place of a comma.
  private static func commaHint(_ offset: Int, _ bytes: [UInt8], isWord: Bool) -> String? {
    var end = offset
    while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
    if isWord, end == offset, end > 0, bytes[end - 1] == UInt8(ascii: "\"") {
      return #"write \" for a quote inside a text"#
    }
    guard isWord || "\"{[-0123456789".utf8.contains(bytes[offset]) else { return nil }
    let line = TextPosition(offset: end, in: bytes).line
    return line == TextPosition(offset: offset, in: bytes).line
      ? "put a comma in front of it" : "put a comma at the end of line \(line)"
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & ~0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  /// Returns whether the text starts with one of ‘ ’ ‚ “ ” „ « ».
  private static func isTypographicQuote(_ text: ArraySlice<UInt8>) -> Bool {
    let quotes: [Unicode.Scalar] = [
      "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}",
    ]
    return quotes.contains { text.starts(with: String($0).utf8) }
  }
}
