/// A line and column in a text.
///
/// Both count from 1. A line ends at LF, CRLF or a lone CR. A column is one Unicode scalar, so a
/// tab is one column; a leading byte order mark does not count.
public struct TextPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int

  /// Creates a position from a line and a column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Creates the position of the byte at `offset`, or of the end for an offset past it.
  public init(offset: Int, in bytes: [UInt8]) {
    self = bytes.withUnsafeBufferPointer { TextPosition(offset: offset, in: $0) }
  }

  init(offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    self.init(line: 1, column: 1)
    advance(from: 0, to: min(offset, text.count), in: text)
  }

  /// Counts on from the position of the byte at `start` to that of the byte at `end`.
  mutating func advance(from start: Int, to end: Int, in text: UnsafeBufferPointer<UInt8>) {
    var index = start == 0 ? JSONParser.bomLength(text) : start
    while index < end {
      let byte = text[index]
      index += 1
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte == 0x0D {
        // In a CRLF, the LF ends the line.
        if index == text.count || text[index] != 0x0A {
          line += 1
          column = 1
        }
      } else if byte & 0xC0 != 0x80 {
        // Continuation bytes of UTF-8 belong to the scalar before them.
        column += 1
      }
    }
  }

  /// The text `line:column`, as printed by compilers.
  public var description: String { "\(line):\(column)" }

  /// Orders positions by their place in the text.
  public static func < (lhs: TextPosition, rhs: TextPosition) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}
