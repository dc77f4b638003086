/// The reason and position of a syntax error.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason of a syntax error.
  public enum Reason: Sendable, Hashable {
    /// Something else was expected; `found` describes what was found: quoted, or by its number
    /// (“the character U+00A0”) if it is invisible.
    case expected(Expectation, found: String)
    /// The text ends prematurely.
    case unexpectedEnd(Expectation)
    /// Two members of an object have the same name; `first` is the position of the first one.
    case duplicateKey(String, first: TextPosition)
    /// A comma before a closing bracket or brace.
    case trailingComma
    /// `//`, `/*` or `#`: JSON has no comments.
    case comment
    /// A number such as `01`.
    case leadingZero
    /// An incomplete number (`1.`, `-`, `1e`) or one with an invalid start (`+1`, `.5`).
    case malformedNumber
    /// `NaN`, `Infinity`, `undefined`, `None` and similar words, for which JSON has no literals.
    case notANumber(String)
    /// An exponent of more than 18 digits without leading zeros (RFC 8259, section 9, allows a
    /// parser to limit the range of numbers).
    case exponentTooLarge
    /// A backslash that does not start a valid escape.
    case invalidEscape
    /// A `\uD800`–`\uDFFF` that is not part of a pair.
    case loneSurrogate
    /// An unescaped control character (below U+0020) in a string, including line ends.
    case controlCharacter(UInt8)
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// There is more text after the value.
    case trailingContent
    /// Arrays and objects are nested deeper than `limit`.
    case tooDeep(limit: Int)
    /// The text is longer than `limit` bytes.
    case tooLarge(limit: Int)
    /// The text has more values and names than `limit`.
    case tooManyValues(limit: Int)
  }

  /// The syntax that a parser expected.
  public enum Expectation: String, Sendable, Hashable {
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
    /// The end of an array's element.
    case commaOrBracket = "“,” or “]”"
    /// The end of an object's member.
    case commaOrBrace = "“,” or “}”"
    /// The quote that closes a string.
    case closingQuote = "a closing quote"
  }

  /// The reason.
  public var reason: Reason
  /// The byte offset of the error, from 0. Numbers, duplicate names and escapes give their start.
  public var offset: Int
  /// The line and column of that byte.
  public var position: TextPosition

  /// A description of the error in one sentence, without the position.
  public var message: String {
    switch reason {
    case .expected(let what, let found): "expected \(what.rawValue), but found \(found)"
    case .unexpectedEnd(let what): "the text ends here, but \(what.rawValue) should follow"
    case .duplicateKey(let key, let first):
      "the name \(JSONValue.string(key).compactText) occurs twice in this object (first at \(first))"
    case .trailingComma: "a comma must not come before a closing bracket or brace"
    case .comment: "JSON has no comments"
    case .leadingZero: "a number must not have zeros in front of it"
    case .malformedNumber: "this is not a complete number"
    case .notANumber(let word): "“\(word)” is not a JSON value"
    case .exponentTooLarge: "the exponent of this number is too large"
    case .invalidEscape:
      "a backslash must be followed by one of \" \\ / b f n r t or u and four hex digits"
    case .loneSurrogate: "this \\u escape is one half of a surrogate pair without the other"
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      "the line ends inside a string: its closing quote is missing, or \\n is needed here"
    case .controlCharacter(let byte):
      "the control character U+\(hexadecimal(byte, digits: 4).uppercased()) must be written as an escape"
    case .invalidUTF8: "this is not UTF-8 text"
    case .trailingContent: "nothing may follow the value"
    case .tooDeep(let limit): "arrays and objects nest deeper than \(limit)"
    case .tooManyValues(let limit): "there are more than \(limit) values"
    case .tooLarge(let limit): "the text is larger than \(limit >> 20) MiB"
    }
  }

  /// The text `line:column: message`.
  public var description: String { "\(position): \(message)" }
}

/// Returns a number in lowercase hexadecimal digits, with zeros in front up to `digits` of them.
func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
