import JSONText

extension Problem {
  /// Returns what to do about a syntax error, if that is clear.
  static func hint(for error: JSONSyntaxError, in bytes: [UInt8]) -> String? {
    switch error.reason {
    case .trailingComma: "remove this comma"
    case .comment: "remove it, or make it a member of your own, such as \"note\""
    case .duplicateKey: "keep one of the two"
    case .leadingZero: "write the number without them"
    case .malformedNumber: numberHint(bytes[error.offset...])
    case .notANumber(let word): wordHint(word)
    case .invalidEscape: #"write \\ for a backslash"#
    case .controlCharacter(let byte): controlHint(byte)
    case .invalidUTF8:
      isUTF16(bytes) ? "this is UTF-16: save the file as UTF-8" : "save the file as UTF-8"
    case .trailingContent: trailingHint(error.offset, bytes)
    case .unexpectedEnd(let expectation): endHint(expectation)
    case .expected(let expectation, _): mistakeHint(expectation, error.offset, bytes)
    case .exponentTooLarge, .loneSurrogate, .tooDeep, .tooLarge, .tooManyValues: nil
    }
  }

  private static func numberHint(_ number: ArraySlice<UInt8>) -> String? {
    switch number.first {
    case UInt8(ascii: "+"): return "write the number without “+”"
    case UInt8(ascii: "."): return "write a zero in front of the point"
    default:
      let rest = number.drop { isDigit($0) || $0 == UInt8(ascii: "-") }
      let isEndless = rest.first == UInt8(ascii: ".") && !isDigit(rest.dropFirst().first ?? 0)
      return isEndless ? "write a digit after the point" : nil
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

  private static func trailingHint(_ offset: Int, _ bytes: [UInt8]) -> String? {
    switch bytes[offset] {
    case UInt8(ascii: ","), UInt8(ascii: "\""):
      bytes[(offset + 1)...].allSatisfy(isSpace)
        ? "remove it" : "a bracket or brace in front of this closes the text too early"
    case UInt8(ascii: ":"): "put all the fields between “{” and “}”"
    case UInt8(ascii: "}"), UInt8(ascii: "]"): "remove it: nothing is open here"
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

  private static func mistakeHint(
    _ expectation: JSONSyntaxError.Expectation, _ offset: Int, _ bytes: [UInt8]
  ) -> String? {
    let found = bytes[offset]
    if found == UInt8(ascii: "'") { return "use double quotes, not single ones" }
    if isTypographicQuote(bytes[offset...]) {
      return "write plain quotes (\") instead of typographic ones"
    }
    if isWideSpace(bytes[offset...]) { return "replace it with an ordinary space" }
    if found == 0 { return "save the file as UTF-8" }
    let before = bytes[..<offset].last { !isSpace($0) }
    let isWord = isLetter(found)
    switch expectation {
    case .commaOrBrace, .commaOrBracket: return commaHint(offset, bytes)
    case .key, .keyOrEnd:
      if isWord { return "put the name in double quotes" }
      if isDigit(found) { return "write a fraction with a point, not a comma" }
      return found == UInt8(ascii: ",") || found == UInt8(ascii: ";") ? "remove it" : nil
    case .value, .valueOrEnd:
      guard let before else { return "a record starts with “{”" }
      if isWord { return "put the text in double quotes" }
      if before == UInt8(ascii: ":") { return "write a value after the colon" }
      return found == UInt8(ascii: ",") || found == UInt8(ascii: ";") ? "remove it" : nil
    case .colon:
      return found == UInt8(ascii: "=")
        ? "write “:” instead of “=”" : "put a colon between the name and its value"
    case .closingQuote: return nil
    }
  }

  private static func commaHint(_ offset: Int, _ bytes: [UInt8]) -> String? {
    let found = bytes[offset]
    switch found {
    case UInt8(ascii: ";"): return "write “,” instead of “;”"
    case UInt8(ascii: "}"): return "close the array with “]” first"
    case UInt8(ascii: "]"): return "remove it, or open an array with “[” first"
    default: break
    }
    let end = valueEnd(before: offset, bytes)
    if "\"{[-0123456789".utf8.contains(found) {
      let line = TextPosition(offset: end, in: bytes).line
      return line == TextPosition(offset: offset, in: bytes).line
        ? "put a comma in front of it" : "put a comma at the end of line \(line)"
    }
    if end == offset, end > 0, bytes[end - 1] == UInt8(ascii: "\"") {
      return #"write \" for a quote inside a text"#
    }
    return isLetter(found) ? "remove it, or put the whole value in double quotes" : nil
  }

  /// Returns the offset after the last byte before `offset` that is not white space.
  private static func valueEnd(before offset: Int, _ bytes: [UInt8]) -> Int {
    (bytes[..<offset].lastIndex { !isSpace($0) } ?? -1) + 1
  }

  static func missingComma(_ error: JSONSyntaxError, in bytes: [UInt8]) -> RecordFix? {
    guard case .expected(let expectation, _) = error.reason,
      expectation == .commaOrBrace || expectation == .commaOrBracket,
      bytes[error.offset] == UInt8(ascii: "\"")
    else { return nil }
    let end = valueEnd(before: error.offset, bytes)
    guard bytes[end..<error.offset].contains(0x0A) else { return nil }
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: bytes[..<end] + [UInt8(ascii: ",")] + bytes[end...])
    } catch {
      // In an object, a string without a colon is the next line of a text, not a member.
      switch error.reason {
      case .expected(.colon, _), .unexpectedEnd(.colon): return nil
      default: break
      }
    }
    return .addComma(offset: end)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns whether the text starts with a space that JSON does not know, as word processors write.
  private static func isWideSpace(_ text: ArraySlice<UInt8>) -> Bool {
    guard let scalar = String(decoding: text.prefix(4), as: UTF8.self).unicodeScalars.first else {
      return false
    }
    return !scalar.isASCII && scalar.properties.isWhitespace || scalar == "\u{FEFF}"
  }

  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
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
