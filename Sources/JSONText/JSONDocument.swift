/// A parsed JSON text that keeps every byte it was parsed from.
///
/// Accepted is RFC 8259 in UTF-8, with or without a byte order mark, minus what would make two
/// readers disagree: duplicate names, lone surrogates and invalid UTF-8 are errors. Parsing keeps a
/// flat list with one 16-byte entry a value and allocates nothing else; it does not recurse.
public struct JSONDocument: Sendable {
  /// The largest text that is parsed, in bytes.
  public static let maximumSize = 64 << 20
  /// The deepest nesting of arrays and objects that is parsed.
  public static let maximumDepth = 512

  /// The text, byte for byte as it was given.
  public let bytes: [UInt8]
  let entries: [JSONNode.Entry]

  /// Parses a text.
  ///
  /// - Throws: `JSONSyntaxError` at the first byte that cannot belong to a JSON text.
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    let result = bytes.withUnsafeBufferPointer { buffer in
      var parser = JSONParser(text: buffer)
      return parser.parse()
    }
    switch result {
    case .success(let entries):
      self.bytes = bytes
      self.entries = entries
    case .failure(let failure):
      throw JSONSyntaxError(
        reason: failure.reason(in: bytes), offset: failure.offset,
        position: TextPosition(offset: failure.offset, in: bytes))
    }
  }

  /// Parses a text that is given as a string.
  ///
  /// - Throws: `JSONSyntaxError` as ``init(parsing:)-([UInt8])``.
  public init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// The text's one value.
  public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// Whether the text starts with a byte order mark.
  public var hasByteOrderMark: Bool { JSONParser.bomLength(bytes) > 0 }

  /// The place of the byte at `offset`, as an editor shows it.
  public func position(at offset: Int) -> TextPosition { TextPosition(offset: offset, in: bytes) }

  func string(_ entry: JSONNode.Entry) -> String {
    let content = bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    guard entry.hasEscapes else { return String(decoding: content, as: UTF8.self) }
    return String(decoding: JSONParser.unescape(content), as: UTF8.self)
  }

  func string(_ entry: JSONNode.Entry, equals name: String) -> Bool {
    let content = bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    if entry.hasEscapes { return JSONParser.unescape(content).elementsEqual(name.utf8) }
    return content.count == name.utf8.count && content.elementsEqual(name.utf8)
  }
}
