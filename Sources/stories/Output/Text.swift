import StoryLibrary

/// Part of a line of output: styled text, safe to show.
///
/// No part can control a terminal or pass for another line: control characters are escaped when
/// text is added. So text from files and servers can be used as it is: `"\(record.title, .strong)
/// has changed"`.
struct Text: Sendable, Equatable {
  struct Span: Sendable, Equatable {
    var content: String
    var style: Style
  }

  /// The spans in order, none empty, with escaped content.
  private(set) var spans: [Span] = []

  init(_ content: String, _ style: Style = .plain) { append(content, style) }

  mutating func append(_ content: String, _ style: Style = .plain) {
    guard !content.isEmpty else { return }
    add(Span(content: VisibleText.escaping(content), style: style))
  }

  private mutating func add(_ span: Span) {
    if let last = spans.last, last.style == span.style {
      spans[spans.count - 1].content += span.content
    } else {
      spans.append(span)
    }
  }

  var isEmpty: Bool { spans.isEmpty }

  var plain: String { spans.map(\.content).joined() }

  /// Returns the text with the content of each span replaced.
  func mapped(_ transform: (String) -> String) -> Text {
    spans.reduce(into: Text("")) { $0.append(transform($1.content), $1.style) }
  }

  var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.content) } }

  func rendered(inColour: Bool) -> String {
    guard inColour else { return plain }
    return spans.map { span in
      span.style.sequence.map { $0 + span.content + Style.reset } ?? span.content
    }.joined()
  }

  func padded(to width: Int) -> Text {
    var result = self
    result.append(String(repeating: " ", count: max(0, width - self.width)))
    return result
  }

  static func + (left: Text, right: Text) -> Text {
    var result = left
    result += right
    return result
  }

  static func += (left: inout Text, right: Text) {
    for span in right.spans { left.add(span) }
  }
}

extension Text: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = Text("")

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text.append(literal) }

    mutating func appendInterpolation(
      _ value: some CustomStringConvertible, _ style: Style = .plain
    ) {
      text.append(value.description, style)
    }

    mutating func appendInterpolation(_ other: Text) { text += other }
  }

  init(stringLiteral value: String) { self.init(value) }

  init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}

extension [Text] {
  func joined(_ separator: Text) -> Text {
    dropFirst().reduce(first ?? "") { $0 + separator + $1 }
  }
}

/// A text style, named by its meaning.
enum Style: Sendable, Hashable {
  case plain
  /// A heading or subject.
  case strong
  /// Secondary information.
  case faint
  case added
  case removed
  /// Removed within a line: struck through, because it is next to its replacement.
  case struck
  case changed
  case good
  /// A match of a search.
  case match
  case warning
  case error

  /// The terminal's control sequence (ECMA-48, section 8.3.117, SGR), or `nil` for plain text.
  var sequence: String? {
    switch self {
    case .plain: nil
    case .strong: "\u{1B}[1m"
    case .faint: "\u{1B}[2m"
    case .added, .good: "\u{1B}[32m"
    case .removed: "\u{1B}[31m"
    case .struck: "\u{1B}[9;31m"
    case .changed: "\u{1B}[36m"
    case .warning: "\u{1B}[33m"
    case .error, .match: "\u{1B}[1;31m"
    }
  }

  static let reset = "\u{1B}[0m"
}

/// The width of text on a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// Returns the columns of a character: 2 for East Asian wide ones (Unicode UAX 11) and emoji.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first, first.value >= 0x0300 else { return 1 }
    if first.properties.isEmojiPresentation { return 2 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    let invisible: [Unicode.GeneralCategory] = [.nonspacingMark, .enclosingMark, .format]
    if invisible.contains(first.properties.generalCategory) { return 0 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
