import JSONText
import StoryLibrary

/// One of a command's two output streams.
struct Output: Sendable {
  var sink: OutputSink
  var isTerminal: Bool
  var width: Int
  var usesColour = false
  /// Whether to write ASCII characters only.
  var isASCII = false
  var height = 24

  /// The columns for prose and tables, limited for readability.
  var readingWidth: Int { min(max(width, 40), 100) }

  /// The columns for the text of a story.
  var proseWidth: Int { min(readingWidth, 76) }

  func line(_ text: Text = "") { sink.write(encoded(text)) }

  func encoded(_ text: Text) -> [UInt8] { Array((rendered(text) + "\n").utf8) }

  /// Returns the text in the output's characters and colours.
  func rendered(_ text: Text) -> String { shown(text).rendered(inColour: usesColour) }

  /// Returns the text in the output's characters, before its width is measured.
  func shown(_ text: Text) -> Text { isASCII ? text.inASCII : text }

  /// Writes wrapped text after `lead`, with its further lines aligned below the first.
  func wrapped(_ text: Text, lead: Text = "") {
    let (text, lead) = (shown(text), shown(lead))
    lines(text.wrapped(to: max(readingWidth - lead.width, 20)), lead: lead)
  }

  /// Writes text that is wrapped on a terminal and stays on one line elsewhere, so that programs
  /// can read it.
  func prose(_ text: Text, lead: Text = "") {
    if isTerminal { wrapped(text, lead: lead) } else { line(lead + text) }
  }

  /// Writes unbreakable parts after `lead`, as many per line as fit.
  func filled(_ parts: [Text], lead: Text) {
    let (parts, lead) = (parts.map(shown), shown(lead))
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
    let text = VisibleText.escapingJSON(text)
    sink.write(Array((isASCII ? PlainASCII.json(text) : text).utf8))
  }

  func bytes(_ bytes: [UInt8]) { sink.write(bytes) }
}
