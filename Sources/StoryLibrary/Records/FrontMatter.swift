import JSONText

/// The fields at the start of a text file, between two lines of `---`: a small subset of YAML.
///
/// ```
/// ---
/// title: "Luna: a story"
/// hero: luna
/// tags: [snow, stars]
/// ---
/// ```
/// Values are plain, single-quoted or double-quoted text. Lists and other YAML values are allowed for
/// fields that nobody reads.
struct FrontMatter {
  enum Value {
    /// Nothing, `null` or `~`.
    case none
    case text(String, isQuoted: Bool)
    /// A list, or YAML that is not in the subset, such as a nested mapping.
    case other
  }

  struct Entry {
    var key: String
    var value: Value
    /// The offsets of the key and the value in the file.
    var keyOffset: Int
    var valueOffset: Int
  }

  let entries: [Entry]
  /// The offset after the closing line.
  let end: Int

  /// Parses the front matter of a file; returns `nil` if its first line is not `---`.
  ///
  /// - Parameter start: The offset of the first line, after a byte order mark.
  /// - Throws: `Problem` with the place.
  init?(_ bytes: [UInt8], from start: Int, file: String) throws(Problem) {
    guard Self.isFence(bytes[start..<Self.lineEnd(bytes, start)], orDots: false) else { return nil }
    let first = Self.nextLine(bytes, start)
    var line = first
    while line < bytes.count, !Self.isFence(bytes[line..<Self.lineEnd(bytes, line)], orDots: true) {
      line = Self.nextLine(bytes, line)
    }
    guard line < bytes.count else {
      throw Problem(
        .storyText(.openFrontMatter), file: file,
        position: TextPosition(offset: start, in: bytes))
    }
    var parser = FrontMatterParser(bytes: bytes, file: file, range: first..<line)
    entries = try parser.entries()
    end = Self.nextLine(bytes, line)
  }

  static func lineEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
  }

  static func nextLine(_ bytes: [UInt8], _ start: Int) -> Int {
    min(lineEnd(bytes, start) + 1, bytes.count)
  }

  /// Returns whether a line is `---`, or also `...`, before white space.
  private static func isFence(_ line: ArraySlice<UInt8>, orDots: Bool) -> Bool {
    guard line.starts(with: "---".utf8) || orDots && line.starts(with: "...".utf8) else {
      return false
    }
    return line.dropFirst(3).allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  // MARK: Writing

  /// Returns a text as a value: plain if every reader of YAML takes it for that text, else in double
  /// quotes.
  static func written(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where VisibleText.isUnsafe(scalar):
        result += "\\u" + Hexadecimal.text(UInt16(scalar.value)).uppercased()
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]

  private static func isPlain(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last,
      !"-?:,[]{}#&*!|>'\"%@`~=+.0123456789".unicodeScalars.contains(first),
      !first.properties.isWhitespace, !last.properties.isWhitespace, last != ":",
      !words.contains(text.lowercased())
    else { return false }
    var before: Unicode.Scalar = " "
    for scalar in scalars {
      if VisibleText.isUnsafe(scalar) || before == ":" && scalar == " "
        || before == " " && scalar == "#"
      {
        return false
      }
      before = scalar
    }
    return true
  }
}
