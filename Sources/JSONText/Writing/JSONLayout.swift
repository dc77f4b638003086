/// How a value is laid out when it is written anew.
public struct JSONLayout: Sendable, Equatable {
  /// One level of indentation: spaces or a tab.
  public var indent: String
  /// The end of a line: LF, CRLF or CR.
  public var lineEnd: String
  /// What stands between a member's name and its value, the colon included.
  public var colon: String
  /// The longest line on which an array of scalars stays whole, in Unicode scalars.
  ///
  /// The indentation, the name and a comma behind the array count, also where there is none, so that
  /// an array looks the same wherever in its object it stands. A tab counts as one.
  public var lineWidth: Int
  /// Members whose arrays always take a line for each element (long text as lines), at any depth.
  public var brokenArrays: Set<String>

  /// The canonical layout: two spaces, LF, `": "`, arrays of scalars whole up to 80 characters.
  public init(
    indent: String = "  ", lineEnd: String = "\n", colon: String = ": ", lineWidth: Int = 80,
    brokenArrays: Set<String> = []
  ) {
    self.indent = indent
    self.lineEnd = lineEnd
    self.colon = colon
    self.lineWidth = lineWidth
    self.brokenArrays = brokenArrays
  }
}

/// What stands between the parts of a value that is written on one line.
struct InlineStyle: Sendable {
  /// Between two elements or members, the comma included.
  var comma: [UInt8]
  /// Between a member's name and its value, the colon included.
  var colon: [UInt8]
  /// Inside both brackets of an array that is not empty.
  var arrayPadding: [UInt8] = []
  /// Inside both braces of an object that is not empty.
  var objectPadding: [UInt8] = []

  /// No space anywhere.
  static let compact = InlineStyle(comma: [UInt8(ascii: ",")], colon: [UInt8(ascii: ":")])
  /// One space behind commas and colons.
  static let spaced = InlineStyle(comma: Array(", ".utf8), colon: Array(": ".utf8))
}

/// A layout as the writer uses it.
struct BlockStyle: Sendable {
  var indent: [UInt8]
  var lineEnd: [UInt8]
  var colon: [UInt8]
  var lineWidth: Int
  var brokenArrays: Set<String>
  /// How arrays that stay on one line are written.
  var inline: InlineStyle
  /// The white space that starts the line on which the value begins.
  var lead: [UInt8] = []

  init(_ layout: JSONLayout, inline: InlineStyle = .spaced) {
    indent = Array(layout.indent.utf8)
    lineEnd = Array(layout.lineEnd.utf8)
    colon = Array(layout.colon.utf8)
    lineWidth = layout.lineWidth
    brokenArrays = layout.brokenArrays
    self.inline = inline
  }
}
