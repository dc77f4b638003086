/// Why a text is not the JSON that this module accepts, and where.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// Something else should stand here; `found` is what does, in words: quoted, or by its number
    /// (“the character U+00A0”) where it cannot be seen.
    case expected(Expectation, found: String)
    /// The text ends before the value does.
    case unexpectedEnd(Expectation)
    /// A member's name stands twice in one object; `first` is where it stood first.
    case duplicateKey(String, first: TextPosition)
    /// A comma before a closing bracket or brace.
    case trailingComma
    /// `//`, `/*` or `#`: JSON has no comments.
    case comment
    /// A number such as `01`.
    case leadingZero
    /// A number that stops too early (`1.`, `-`, `1e`) or starts wrongly (`+1`, `.5`).
    case malformedNumber
    /// `NaN`, `Infinity`, `undefined`, `None` and their like, which JSON has no literals for.
    case notANumber(String)
    /// An exponent of more than 18 digits, leading zeros aside (RFC 8259, section 9 lets a parser
    /// set limits to the range of numbers).
    case exponentTooLarge
    /// A backslash with a character after it that is no escape.
    case invalidEscape
    /// A `\uD800`–`\uDFFF` that is not one half of a pair.
    case loneSurrogate
    /// A control character (below U+0020) that stands in a string unescaped, a line end included.
    case controlCharacter(UInt8)
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Something follows the value.
    case trailingContent
    /// Arrays and objects nest deeper than `limit`.
    case tooDeep(limit: Int)
    /// The text has more bytes than `limit`.
    case tooLarge(limit: Int)
    /// The text has more values and names than `limit`.
    case tooManyValues(limit: Int)
  }

  /// What a parser was looking for.
  public enum Expectation: String, Sendable, Equatable {
    /// Any value.
    case value = "a value"
    /// A value, or the end of an array.
    case valueOrEnd = "a value or “]”"
    /// A member's name, or the end of an object.
    case keyOrEnd = "a name in double quotes or “}”"
    /// A member's name.
    case key = "a name in double quotes"
    /// The colon after a member's name.
    case colon = "“:”"
    /// What may follow an array's element.
    case commaOrBracket = "“,” or “]”"
    /// What may follow an object's member.
    case commaOrBrace = "“,” or “}”"
    /// The quote that closes a string.
    case closingQuote = "a closing quote"
  }

  /// What is wrong.
  public var reason: Reason
  /// The offset of the first wrong byte, from 0; of a number, a name that stands twice and an escape
  /// it is where they start.
  public var offset: Int
  /// The place of that byte as an editor shows it.
  public var position: TextPosition

  /// What is wrong, in one sentence without the position.
  public var message: String {
    switch reason {
    case .expected(let what, let found): "expected \(what.rawValue) but found \(found)"
    case .unexpectedEnd(let what): "the text ends here, but \(what.rawValue) should follow"
    case .duplicateKey(let key, let first):
      "the name \(JSONValue.string(key).compactText) stands twice in this object (first at \(first))"
    case .trailingComma: "a comma must not stand before a closing bracket or brace"
    case .comment: "JSON has no comments"
    case .leadingZero: "a number must not have zeros in front of it"
    case .malformedNumber: "this is not a complete number"
    case .notANumber(let word): "“\(word)” is not a JSON value"
    case .exponentTooLarge: "the exponent of this number is too large"
    case .invalidEscape:
      "a backslash must be followed by one of \" \\ / b f n r t or u and four hex digits"
    case .loneSurrogate: "this \\u escape is one half of a surrogate pair without the other"
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      "the line ends inside a string: its closing quote is missing, or \\n should stand here"
    case .controlCharacter(let byte):
      "the control character U+00\(hexadecimal(byte)) must be written as an escape"
    case .invalidUTF8: "this is not UTF-8 text"
    case .trailingContent: "nothing may follow the value"
    case .tooDeep(let limit): "arrays and objects nest deeper than \(limit)"
    case .tooManyValues(let limit): "there are more than \(limit) values"
    case .tooLarge(let limit): "the text is larger than \(limit >> 20) MiB"
    }
  }

  /// `line:column: message`.
  public var description: String { "\(position): \(message)" }
}

private func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count == 1 ? "0" + digits : digits
}
