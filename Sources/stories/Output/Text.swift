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
    var result = Text("")
    for (place, text) in enumerated() {
      if place > 0 { result += separator }
      result += text
    }
    return result
  }
}
