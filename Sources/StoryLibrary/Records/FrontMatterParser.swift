import JSONText

struct FrontMatterParser {
  private let bytes: [UInt8]
  private let file: String
  private let end: Int
  private var index: Int

  init(bytes: [UInt8], file: String, range: Range<Int>) {
    self.bytes = bytes
    self.file = file
    index = range.lowerBound
    end = range.upperBound
  }

  /// Parses all fields.
  ///
  /// - Throws: `Problem` at the first mistake.
  mutating func entries() throws(Problem) -> [FrontMatter.Entry] {
    var result: [FrontMatter.Entry] = []
    while index < end {
      let start = index
      skipSpaces()
      if isAtLineEnd {
        skipLine()
        continue
      }
      guard index == start, byte != UInt8(ascii: "-") else {
        throw problem(.strayLine, index)
      }
      let key = try key()
      guard !result.contains(where: { $0.key == key }) else {
        throw problem(.twice(key), start)
      }
      skipSpaces()
      let valueOffset = index
      let value = try value()
      result.append(.init(key: key, value: value, keyOffset: start, valueOffset: valueOffset))
    }
    return result
  }

  // MARK: Fields

  private mutating func key() throws(Problem) -> String {
    let start = index
    if let quote = byte, isQuote(quote) {
      let key = try quoted(quote)
      skipSpaces()
      guard byte == UInt8(ascii: ":") else { throw problem(.notAField, start) }
      index += 1
      return key
    }
    let line = lineEnd
    while index < line {
      if byte == UInt8(ascii: ":"), isWordEnd(index + 1) {
        let key = text(start..<index)
        index += 1
        return key
      }
      index += 1
    }
    throw problem(.notAField, start)
  }

  private mutating func value() throws(Problem) -> FrontMatter.Value {
    guard let first = byte, !isAtLineEnd else {
      skipLine()
      return skipsLinesBelow(orDashes: true) ? .other : .none
    }
    var value: FrontMatter.Value
    switch first {
    case _ where isQuote(first):
      value = .text(try quoted(first), isQuoted: true)
      try endLine()
    case UInt8(ascii: "["):
      value = .other
      try skipFlow()
      try endLine()
    case _ where "{|>&*!".utf8.contains(first):
      value = .other
      skipLine()
    default:
      let text = plain(until: [])
      value = text == "null" || text == "~" ? .none : .text(text, isQuoted: false)
      skipLine()
    }
    if skipsLinesBelow() { value = .other }
    return value
  }

  /// Skips the indented lines below a key or a value, and those with a dash if they may be below it.
  ///
  /// - Returns: Whether there were any, besides empty ones and comments.
  private mutating func skipsLinesBelow(orDashes: Bool = false) -> Bool {
    var isAny = false
    while index < end {
      let start = index
      skipSpaces()
      if !isAtLineEnd {
        guard index > start || orDashes && isAtDash else { break }
        isAny = true
      }
      skipLine()
    }
    return isAny
  }

  // MARK: Values

  private mutating func plain(until stops: [UInt8]) -> String {
    let start = index
    let line = lineEnd
    while index < line, !stops.contains(bytes[index]) {
      if byte == UInt8(ascii: "#"), index > start, isSpace(bytes[index - 1]) { break }
      index += 1
    }
    return text(start..<index)
  }

  /// Skips a list in brackets, which may extend over several lines.
  private mutating func skipFlow() throws(Problem) {
    let start = index
    index += 1
    while true {
      skipSpacesAndLines()
      guard let first = byte else {
        throw problem(.openList, start)
      }
      if first == UInt8(ascii: "]") { break }
      _ = isQuote(first) ? try quoted(first) : plain(until: [UInt8(ascii: ","), UInt8(ascii: "]")])
      skipSpacesAndLines()
      if byte == UInt8(ascii: ",") {
        index += 1
      } else if byte != nil, byte != UInt8(ascii: "]") {
        throw problem(.noComma, index)
      }
    }
    index += 1
  }

  private mutating func quoted(_ quote: UInt8) throws(Problem) -> String {
    let start = index
    var result: [UInt8] = []
    index += 1
    while let next = byte, next != 0x0A {
      index += 1
      if next == quote {
        guard quote == UInt8(ascii: "'"), byte == quote else {
          return String(decoding: result, as: UTF8.self)
        }
        index += 1
        result.append(quote)
      } else if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        result += try escaped()
      } else {
        result.append(next)
      }
    }
    throw problem(.openQuote, start)
  }

  /// Parses what follows a backslash (YAML 1.2.2, section 5.7).
  private mutating func escaped() throws(Problem) -> [UInt8] {
    let start = index - 1
    let letter = byte ?? 0
    index += 1
    if let scalar = Self.escapes[letter] { return Array(String(scalar).utf8) }
    let lengths: [UInt8: Int] = [
      UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8,
    ]
    if let length = lengths[letter], let value = number(index, length) {
      index += length
      return try scalar(value, at: start)
    }
    throw problem(.escape, start)
  }

  /// Returns a scalar given by its number, or by the first half of a surrogate pair as in JSON.
  private mutating func scalar(_ value: UInt32, at start: Int) throws(Problem) -> [UInt8] {
    var value = value
    if case 0xD800..<0xDC00 = value, byte == UInt8(ascii: "\\"),
      let low = number(index + 2, 4), case 0xDC00..<0xE000 = low
    {
      index += 6
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw problem(.notACharacter, start)
    }
    return Array(String(scalar).utf8)
  }

  /// Returns the number written in hexadecimal digits, or `nil` if they are missing.
  private func number(_ start: Int, _ length: Int) -> UInt32? {
    guard start + length <= end else { return nil }
    return Hexadecimal.word(bytes[start..<start + length]).map { UInt32($0) }
  }

  private static let escapes: [UInt8: Unicode.Scalar] = {
    let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
      ("0", "\0"), ("a", "\u{7}"), ("b", "\u{8}"), ("t", "\t"), ("n", "\n"), ("v", "\u{B}"),
      ("f", "\u{C}"), ("r", "\r"), ("e", "\u{1B}"), (" ", " "), ("\"", "\""), ("/", "/"),
      ("\\", "\\"), ("N", "\u{85}"), ("_", "\u{A0}"), ("L", "\u{2028}"), ("P", "\u{2029}"),
    ]
    return Dictionary(uniqueKeysWithValues: pairs.map { (UInt8(ascii: $0), $1) })
  }()

  // MARK: Bytes

  private var byte: UInt8? { index < end ? bytes[index] : nil }

  private var lineEnd: Int { min(FrontMatter.lineEnd(bytes, index), end) }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  /// Whether nothing but a comment or a carriage return is left in the line.
  private var isAtLineEnd: Bool {
    guard let byte else { return true }
    if byte == 0x0D { return index + 1 >= end || bytes[index + 1] == 0x0A }
    return byte == 0x0A || byte == UInt8(ascii: "#")
  }

  /// Returns whether white space, or the end of the fields, is at an offset.
  private func isWordEnd(_ offset: Int) -> Bool {
    offset >= end || isSpace(bytes[offset]) || bytes[offset] == 0x0A || bytes[offset] == 0x0D
  }

  private var isAtDash: Bool { byte == UInt8(ascii: "-") && isWordEnd(index + 1) }

  private mutating func skipSpaces() {
    while let byte, isSpace(byte) { index += 1 }
  }

  private mutating func skipSpacesAndLines() {
    skipSpaces()
    while byte != nil, isAtLineEnd {
      skipLine()
      skipSpaces()
    }
  }

  private mutating func skipLine() { index = min(lineEnd + 1, end) }

  private mutating func endLine() throws(Problem) {
    skipSpaces()
    guard isAtLineEnd else {
      throw problem(.textAfterValue, index)
    }
    skipLine()
  }

  /// Returns the text in a range without white space at its ends.
  private func text(_ range: Range<Int>) -> String {
    var part = bytes[range]
    while let last = part.last, isSpace(last) || last == 0x0D { part.removeLast() }
    while let first = part.first, isSpace(first) { part.removeFirst() }
    return String(decoding: part, as: UTF8.self)
  }

  private func problem(_ fault: StoryText.Fault, _ offset: Int) -> Problem {
    Problem(.storyText(fault), file: file, position: TextPosition(offset: offset, in: bytes))
  }
}
