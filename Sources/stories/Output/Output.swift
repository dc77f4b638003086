import JSONText
import StoryLibrary

/// One of a command's two output streams.
struct Output: Sendable {
  var sink: OutputSink
  /// Whether it is a terminal.
  var isTerminal: Bool
  /// The columns of a line.
  var width: Int
  var usesColour = false

  /// The columns for prose and tables, limited for readability.
  var readingWidth: Int { min(max(width, 40), 100) }

  func line(_ text: Text = "") {
    sink.write(Array((text.rendered(inColour: usesColour) + "\n").utf8))
  }

  /// Writes wrapped text after `lead`, with its further lines aligned below the first.
  func wrapped(_ text: Text, lead: Text = "", indent: Int? = nil) {
    let indent = indent ?? lead.width
    lines(text.wrapped(to: max(readingWidth - indent, 20)), lead: lead.padded(to: indent))
  }

  /// Writes unbreakable parts after `lead`, as many per line as fit.
  func filled(_ parts: [Text], lead: Text) {
    lines(Text.filling(parts, to: max(readingWidth - lead.width, 20)), lead: lead)
  }

  private func lines(_ lines: [Text], lead: Text) {
    let indent = Text("").padded(to: lead.width)
    for (place, part) in lines.enumerated() { line((place == 0 ? lead : indent) + part) }
  }

  /// Writes a report as a JSON document.
  ///
  /// Characters that could control a terminal are escaped, which does not change its meaning.
  func json(_ report: some Encodable) {
    escaped(String(decoding: JSONValue(encoding: report).fileBytes(), as: UTF8.self))
  }

  /// Writes a report as a JSON document on one line.
  func jsonLine(_ report: some Encodable) {
    escaped(JSONValue(encoding: report).compactText + "\n")
  }

  private func escaped(_ text: String) {
    sink.write(Array(VisibleText.escapingJSON(text).utf8))
  }

  func bytes(_ bytes: [UInt8]) { sink.write(bytes) }
}
