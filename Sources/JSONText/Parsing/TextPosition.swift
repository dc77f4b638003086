/// A place in a text as an editor shows it.
///
/// Lines and columns count from 1. A line ends at LF, CRLF or a lone CR; a column is one Unicode
/// scalar, so a tab is one column; a byte order mark at the start takes none.
public struct TextPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int

  /// A position from its line and column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at `offset` in `bytes`; an offset past the end gives the end.
  public init(offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    bytes.withUnsafeBufferPointer { text in
      var index = JSONParser.bomLength(text)
      let end = min(offset, text.count)
      while index < end {
        let byte = text[index]
        index += 1
        if byte == 0x0A {
          line += 1
          column = 1
        } else if byte == 0x0D {
          // The LF of a CRLF ends the line, not its CR.
          if index == text.count || text[index] != 0x0A {
            line += 1
            column = 1
          }
        } else if byte & 0xC0 != 0x80 {
          // A continuation byte of UTF-8 belongs to the scalar before it.
          column += 1
        }
      }
    }
    self.line = line
    self.column = column
  }

  /// `line:column`, as compilers print it.
  public var description: String { "\(line):\(column)" }

  /// Orders positions as they come in the text.
  public static func < (lhs: TextPosition, rhs: TextPosition) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}
