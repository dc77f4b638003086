/// Parses a text into a flat list of entries, byte by byte and without recursion.
struct JSONParser {
  let text: UnsafeBufferPointer<UInt8>
  private(set) var index = 0
  private(set) var entries: [JSONNode.Entry] = []
  /// The entry index of the innermost open container, or ``none``. While a container is open, the
  /// `end` of its entry is the index of the container around it.
  private var innermost = Self.none
  private var depth = 0
  private var isInArray = false

  private static let none = UInt32.max

  private let maximumEntries: Int

  init(text: UnsafeBufferPointer<UInt8>, maximumEntries: Int = .max) {
    self.text = text
    self.maximumEntries = maximumEntries
  }

  /// Returns the length of the byte order mark in bytes: 3, or 0 without one.
  static func bomLength(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
  }

  mutating func parse() throws(JSONSyntaxError) -> [JSONNode.Entry] {
    guard text.count <= JSONDocument.maximumSize else {
      throw failure(.tooLarge(limit: JSONDocument.maximumSize), at: JSONDocument.maximumSize)
    }
    index = Self.bomLength(text)
    // A member of a record has about 30 bytes and two entries; the list grows if necessary.
    entries.reserveCapacity(min(text.count / 16 + 4, maximumEntries))
    var expectation = JSONSyntaxError.Expectation.value
    values: while true {
      guard entries.count < maximumEntries else {
        throw failure(.tooManyValues(limit: maximumEntries), at: index)
      }
      skipWhitespace()
      let isOpened = try parseValue(expecting: expectation)
      expectation = .value
      if isOpened {
        skipWhitespace()
        if isInArray {
          expectation = .valueOrEnd
          if peek != UInt8(ascii: "]") { continue values }
        } else if peek != UInt8(ascii: "}") {
          try parseName(expecting: .keyOrEnd)
          continue values
        }
        try close()
        expectation = .value
      }
      // A value is complete: another one follows, or its container ends, and possibly outer ones.
      while depth > 0 {
        skipWhitespace()
        let next = peek
        if next == UInt8(ascii: ",") {
          try parseComma()
          continue values
        }
        guard next == (isInArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) else {
          throw unexpected(isInArray ? .commaOrBracket : .commaOrBrace)
        }
        try close()
      }
      try finish()
      return entries
    }
  }

  var peek: UInt8? {
    @inline(__always) get { index < text.count ? text[index] : nil }
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func finish() throws(JSONSyntaxError) {
    skipWhitespace()
    switch peek {
    case nil: return
    case UInt8(ascii: "/"), UInt8(ascii: "#"): throw failure(.comment, at: index)
    default: throw failure(.trailingContent, at: index)
    }
  }

  /// Parses a comma and, in an object, the name after it.
  private mutating func parseComma() throws(JSONSyntaxError) {
    let comma = index
    index += 1
    skipWhitespace()
    if peek == UInt8(ascii: "]") || peek == UInt8(ascii: "}") {
      throw failure(.trailingComma, at: comma)
    }
    if !isInArray { try parseName(expecting: .key) }
  }

  /// Parses a scalar or an opening bracket.
  ///
  /// - Returns: Whether a container was opened.
  @inline(__always)
  private mutating func parseValue(
    expecting expectation: JSONSyntaxError.Expectation
  ) throws(JSONSyntaxError) -> Bool {
    switch peek {
    case UInt8(ascii: "\""): try parseString()
    case UInt8(ascii: "{"):
      try openContainer(.object)
      return true
    case UInt8(ascii: "["):
      try openContainer(.array)
      return true
    case let byte? where byte &- UInt8(ascii: "0") < 10:
      append(.number, upTo: try numberEnd())
    case UInt8(ascii: "-"):
      if let word = nonNumber(from: index) { throw failure(.notANumber(word), at: index) }
      append(.number, upTo: try numberEnd())
    case UInt8(ascii: "t") where isWord("true"): append(.true, upTo: index + 4)
    case UInt8(ascii: "f") where isWord("false"): append(.false, upTo: index + 5)
    case UInt8(ascii: "n") where isWord("null"): append(.null, upTo: index + 4)
    case UInt8(ascii: "+"), UInt8(ascii: "."): throw failure(.malformedNumber, at: index)
    default: throw unexpected(expectation)
    }
    return false
  }

  private mutating func parseName(
    expecting expectation: JSONSyntaxError.Expectation
  ) throws(JSONSyntaxError) {
    guard peek == UInt8(ascii: "\"") else { throw unexpected(expectation) }
    try parseString()
    skipWhitespace()
    guard peek == UInt8(ascii: ":") else { throw unexpected(.colon) }
    index += 1
  }

  private mutating func parseString() throws(JSONSyntaxError) {
    let (end, hasEscapes) = try stringEnd(from: index)
    append(.string, upTo: end, hasEscapes: hasEscapes)
  }

  private mutating func openContainer(_ kind: JSONNode.Kind) throws(JSONSyntaxError) {
    guard depth < JSONDocument.maximumDepth else {
      throw failure(.tooDeep(limit: JSONDocument.maximumDepth), at: index)
    }
    let outer = innermost
    innermost = UInt32(truncatingIfNeeded: entries.count)
    depth += 1
    isInArray = kind == .array
    append(kind, upTo: index + 1)
    entries[Int(innermost)].end = outer
  }

  private mutating func close() throws(JSONSyntaxError) {
    index += 1
    let container = Int(innermost)
    innermost = entries[container].end
    depth -= 1
    entries[container].end = UInt32(truncatingIfNeeded: index)
    entries[container].next = UInt32(truncatingIfNeeded: entries.count)
    if !isInArray { try checkNames(of: container) }
    if depth > 0 { isInArray = entries[Int(innermost)].kind == .array }
  }

  @inline(__always)
  private mutating func append(_ kind: JSONNode.Kind, upTo end: Int, hasEscapes: Bool = false) {
    entries.append(
      JSONNode.Entry(
        start: UInt32(truncatingIfNeeded: index), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: entries.count + 1), kind: kind, hasEscapes: hasEscapes))
    index = end
  }
}
