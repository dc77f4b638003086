/// A place in a text as an editor shows it.
///
/// Lines and columns count from 1. A line ends at LF, CRLF or a lone CR; a column is one Unicode
/// scalar; a byte order mark at the start takes no column.
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
    var index = JSONParser.bomLength(bytes)
    let end = min(offset, bytes.count)
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "\n"):
        line += 1
        column = 1
      case UInt8(ascii: "\r"):
        if index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "\n") {
          line += 1
          column = 1
        }
      case 0x80...0xBF:
        break  // a continuation byte belongs to the scalar before it
      default:
        column += 1
      }
      index += 1
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
