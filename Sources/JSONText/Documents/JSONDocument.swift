/// A parsed JSON text that keeps every byte it was parsed from.
///
/// Accepted is RFC 8259 in UTF-8, with or without a byte order mark, minus what would make two
/// readers disagree: duplicate names, lone surrogates and invalid UTF-8 are errors. Parsing keeps a
/// flat list with one 16-byte entry a name or value, so the number of allocations does not grow
/// with the number of members; it does not recurse.
///
/// A document never changes: edits give a new one (see ``setting(_:at:order:brokenArrays:)``).
public struct JSONDocument: Sendable {
  /// The largest text that is parsed, in bytes.
  public static let maximumSize = 64 << 20
  /// The deepest nesting of arrays and objects that is parsed.
  public static let maximumDepth = 512

  /// What all nodes of a document share, behind one reference so that a node is cheap to copy.
  final class Storage: Sendable {
    let bytes: [UInt8]
    let entries: [JSONNode.Entry]

    init(bytes: [UInt8], entries: [JSONNode.Entry]) {
      self.bytes = bytes
      self.entries = entries
    }
  }

  let storage: Storage

  /// The text, byte for byte as it was given.
  public var bytes: [UInt8] { storage.bytes }

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - maximumValues: the most values and names that are taken; each needs memory of its own, many
  ///     times that of a short text.
  /// - Throws: `JSONSyntaxError` at the first byte that cannot belong to a JSON text. A name that
  ///   stands twice is found where its object ends.
  public init(
    parsing bytes: [UInt8], maximumValues: Int = .max
  ) throws(JSONSyntaxError) {
    let result = bytes.withUnsafeBufferPointer { buffer in
      var parser = JSONParser(text: buffer, maximumEntries: maximumValues)
      return parser.parse()
    }
    switch result {
    case .success(let entries):
      storage = Storage(bytes: bytes, entries: entries)
    case .failure(let failure):
      throw JSONSyntaxError(
        reason: failure.reason(in: bytes), offset: failure.offset,
        position: TextPosition(offset: failure.offset, in: bytes))
    }
  }

  /// Parses a text that is given as a string.
  ///
  /// - Throws: `JSONSyntaxError` as ``init(parsing:maximumValues:)``.
  public init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// The text's one value.
  public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// Whether the text starts with a byte order mark.
  public var hasByteOrderMark: Bool {
    storage.bytes.withUnsafeBufferPointer { JSONParser.bomLength($0) > 0 }
  }

  /// The place of the byte at `offset`, as an editor shows it; an offset past the end gives the end.
  public func position(at offset: Int) -> TextPosition {
    TextPosition(offset: offset, in: storage.bytes)
  }
}
