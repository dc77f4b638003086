/// The layout of values that are written from scratch.
public struct JSONLayout: Sendable, Equatable {
  /// A level of indentation: spaces or a tab.
  public var indent: String
  /// The line end: LF, CRLF or CR.
  public var lineEnd: String
  /// The text between a member's name and its value, including the colon.
  public var colon: String
  /// The maximum line width, in Unicode scalars, for an array of scalars on one line.
  ///
  /// The indentation, the name and a comma after the array count, even if it has no comma, so that an
  /// array looks the same anywhere in its object. A tab counts as one.
  public var lineWidth: Int
  /// The members, at any depth, whose arrays (long text) always have a line for each element.
  public var brokenArrays: Set<String>

  /// Creates a layout. The default is canonical: two spaces, LF, `": "`, and arrays of scalars on
  /// one line of up to 80 characters.
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

/// The separators in a value on one line.
struct InlineStyle: Sendable {
  /// Between elements or members, including the comma.
  var comma: [UInt8]
  /// Between a member's name and its value, including the colon.
  var colon: [UInt8]
  /// Inside the brackets of an array that is not empty.
  var arrayPadding: [UInt8] = []
  /// Inside the braces of an object that is not empty.
  var objectPadding: [UInt8] = []

  /// No spaces.
  static let compact = InlineStyle(comma: [UInt8(ascii: ",")], colon: [UInt8(ascii: ":")])
  /// One space after commas and colons.
  static let spaced = InlineStyle(comma: Array(", ".utf8), colon: Array(": ".utf8))
}

/// A layout in the form that the writer uses.
struct BlockStyle: Sendable {
  var indent: [UInt8]
  var lineEnd: [UInt8]
  var colon: [UInt8]
  var lineWidth: Int
  var brokenArrays: Set<String>
  /// The style of arrays on one line.
  var inline: InlineStyle
  /// The white space at the start of the line in which the value begins.
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
