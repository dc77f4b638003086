import Synchronization

/// A parsed JSON text that keeps every byte it was parsed from.
///
/// The parser accepts RFC 8259 in UTF-8, with or without a byte order mark, but rejects what
/// readers could interpret differently: duplicate names, lone surrogates and invalid UTF-8. The
/// result is a flat list with one 16-byte entry per name or value, so the number of allocations
/// does not grow with the number of members. Parsing does not recurse.
///
/// A document is immutable: an edit returns a new one (see ``setting(_:order:brokenArrays:)``).
public struct JSONDocument: Sendable {
  /// The maximum size of a text in bytes.
  public static let maximumSize = 64 << 20
  /// The maximum nesting depth of arrays and objects.
  public static let maximumDepth = 512

  /// The storage shared by all nodes of a document, so that nodes are cheap to copy.
  final class Storage: Sendable {
    let bytes: [UInt8]
    let entries: [JSONNode.Entry]
    /// The positions of every 1,024th byte, as far as they were needed.
    private let marks = Mutex<[TextPosition]>([])

    init(bytes: [UInt8], entries: [JSONNode.Entry]) {
      self.bytes = bytes
      self.entries = entries
    }

    func position(at offset: Int) -> TextPosition {
      bytes.withUnsafeBufferPointer { text in
        let end = max(0, min(offset, text.count))
        let (mark, step) = (end >> 10, 1 << 10)
        var position = marks.withLock { marks in
          if marks.isEmpty { marks.append(TextPosition(line: 1, column: 1)) }
          while marks.count <= mark {
            var next = marks[marks.count - 1]
            next.advance(from: (marks.count - 1) * step, to: marks.count * step, in: text)
            marks.append(next)
          }
          return marks[mark]
        }
        position.advance(from: mark * step, to: end, in: text)
        return position
      }
    }
  }

  let storage: Storage

  /// The original text, byte for byte.
  public var bytes: [UInt8] { storage.bytes }

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - maximumValues: The maximum number of values and names. If short, each takes many times the
  ///     memory of its text.
  /// - Throws: `JSONSyntaxError` at the first byte that cannot belong to a JSON text. A duplicate
  ///   name is detected at the end of its object.
  public init(
    parsing bytes: [UInt8], maximumValues: Int = .max
  ) throws(JSONSyntaxError) {
    let entries = try bytes.withUnsafeBufferPointer { buffer throws(JSONSyntaxError) in
      var parser = JSONParser(text: buffer, maximumEntries: maximumValues)
      return try parser.parse()
    }
    storage = Storage(bytes: bytes, entries: entries)
  }

  /// Parses a string.
  ///
  /// - Throws: `JSONSyntaxError`, as in ``init(parsing:maximumValues:)``.
  public init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// The value of the text.
  public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// Whether the text starts with a byte order mark.
  public var hasByteOrderMark: Bool {
    storage.bytes.withUnsafeBufferPointer { JSONParser.bomLength($0) > 0 }
  }

  /// Returns the line and column of the byte at `offset`, or the end for an offset past it.
  ///
  /// The first call takes time proportional to the offset. Later ones continue from what was counted.
  public func position(at offset: Int) -> TextPosition { storage.position(at: offset) }
}
