import JSONText
import StoryLibrary

extension JSONSyntaxError {
  /// Returns what to do about the error, if that is clear from the text around it.
  func advice(_ text: Problem.Excerpt) -> String? {
    switch reason {
    case .trailingComma: "remove this comma"
    case .comment: "remove it, or make it a member of your own, such as \"note\""
    case .duplicateKey: "keep one of the two"
    case .leadingZero: "write the number without them"
    case .malformedNumber: Self.numberHint(text.after[...])
    case .notANumber("True"): "write true"
    case .notANumber("False"): "write false"
    case .notANumber("None"), .notANumber("undefined"): "write null, or remove the member"
    case .invalidEscape: #"write \\ for a backslash"#
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      "close the text on its line; a long one may be an array of lines"
    case .controlCharacter(0x09): #"write \t for a tab"#
    case .invalidUTF8:
      offset == 0 && Self.isUTF16(text.after)
        ? "this is UTF-16: save the file as UTF-8" : "save the file as UTF-8"
    case .trailingContent: Self.trailingHint(text.after)
    case .unexpectedEnd(.commaOrBrace), .unexpectedEnd(.keyOrEnd): "close the object with “}”"
    case .unexpectedEnd(.commaOrBracket), .unexpectedEnd(.valueOrEnd): "close the array with “]”"
    case .unexpectedEnd(.closingQuote): "close the text with a quote"
    case .expected(let expectation, _): mistakeHint(expectation, text)
    case .tooDeep: "remove the brackets and braces that are not needed"
    case .tooLarge, .tooManyValues: "shorten it"
    case .notANumber, .controlCharacter, .unexpectedEnd, .exponentTooLarge, .loneSurrogate: nil
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

  private static func trailingHint(_ text: [UInt8]) -> String? {
    switch text[0] {
    case UInt8(ascii: ","), UInt8(ascii: "\""):
      text.dropFirst().allSatisfy(isSpace)
        ? "remove it" : "a bracket or brace in front of this closes the text too early"
    case UInt8(ascii: ":"): "put all the fields between “{” and “}”"
    case UInt8(ascii: "}"), UInt8(ascii: "]"): "remove it: nothing is open here"
    case UInt8(ascii: "{"): "a file holds one record: make a second file for the second one"
    default: nil
    }
  }

  private func mistakeHint(_ expectation: Expectation, _ text: Problem.Excerpt) -> String? {
    let found = text.after[0]
    if found == UInt8(ascii: "'") { return "use double quotes, not single ones" }
    if Self.isTypographicQuote(text.after) {
      return "write plain quotes (\") instead of typographic ones"
    }
    if Self.isWideSpace(text.after) { return "replace it with an ordinary space" }
    if found == 0 { return "save the file as UTF-8" }
    let isWord = Self.isLetter(found)
    if isWord, Self.isInsideText(text) { return #"write \" for a quote inside a text"# }
    switch expectation {
    case .commaOrBrace, .commaOrBracket: return commaHint(text)
    case .key, .keyOrEnd:
      if isWord { return "put the name in double quotes" }
      if Self.isDigit(found) { return "write a fraction with a point, not a comma" }
      return found == UInt8(ascii: ",") || found == UInt8(ascii: ";") ? "remove it" : nil
    case .value, .valueOrEnd:
      guard let before = text.before.first else { return "a record starts with “{”" }
      if isWord { return "put the text in double quotes" }
      if before == UInt8(ascii: ":") { return "write a value after the colon" }
      return found == UInt8(ascii: ",") || found == UInt8(ascii: ";") ? "remove it" : nil
    case .colon:
      return found == UInt8(ascii: "=")
        ? "write “:” instead of “=”" : "put a colon between the name and its value"
    case .closingQuote: return nil
    }
  }

  private func commaHint(_ text: Problem.Excerpt) -> String? {
    let found = text.after[0]
    switch found {
    case UInt8(ascii: ";"): return "write “,” instead of “;”"
    case UInt8(ascii: "}"): return "close the array with “]” first"
    case UInt8(ascii: "]"): return "remove it, or open an array with “[” first"
    default: break
    }
    if "\"{[-0123456789".utf8.contains(found) {
      let lineEnds = TextPosition(offset: text.before.count, in: text.before).line - 1
      return lineEnds == 0
        ? "put a comma in front of it"
        : "put a comma at the end of line \(position.line - lineEnds)"
    }
    if text.before == [UInt8(ascii: "\"")] { return #"write \" for a quote inside a text"# }
    return Self.isLetter(found) ? "remove it, or put the whole value in double quotes" : nil
  }

  /// Returns whether a quote before this closed a text too early: another one on this line, which is
  /// not that of a name, has no partner.
  private static func isInsideText(_ text: Problem.Excerpt) -> Bool {
    let line = text.after.prefix { $0 != 0x0A }
    let quote = UInt8(ascii: "\"")
    guard text.before.first == UInt8(ascii: ","), !text.before.contains(0x0A),
      line.count(where: { $0 == quote }) % 2 == 1, let first = line.firstIndex(of: quote)
    else { return false }
    return line[(first + 1)...].first { !isSpace($0) } != UInt8(ascii: ":")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns whether the text starts with a space that JSON does not know, as word processors write.
  private static func isWideSpace(_ text: [UInt8]) -> Bool {
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
  private static func isTypographicQuote(_ text: [UInt8]) -> Bool {
    let quotes: [Unicode.Scalar] = [
      "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}",
    ]
    return quotes.contains { text.starts(with: String($0).utf8) }
  }
}
