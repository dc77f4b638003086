import JSONText
import StoryLibrary

/// One of the two streams that a command writes to, with what is known of who reads it.
struct Output: Sendable {
  /// Where the bytes go.
  var sink: OutputSink
  /// Whether a person reads it on a terminal.
  var isTerminal: Bool
  /// The columns of a line.
  var width: Int
  /// Whether styles are written.
  var usesColour = false

  /// The columns to which prose and tables are laid out, for lines that are pleasant to read.
  var readingWidth: Int { min(max(width, 40), 100) }

  /// Writes a line.
  func line(_ text: Text = "") {
    sink.write(Array((text.rendered(inColour: usesColour) + "\n").utf8))
  }

  /// Writes a text under a first line's `lead` with all its lines below each other.
  func wrapped(_ text: Text, lead: Text = "", indent: Int? = nil) {
    let indent = indent ?? lead.width
    lines(text.wrapped(to: max(readingWidth - indent, 20)), lead: lead.padded(to: indent))
  }

  /// Writes parts that must not break inside under a first line's `lead`, as many on a line as fit.
  func filled(_ parts: [Text], lead: Text) {
    lines(Text.filling(parts, to: max(readingWidth - lead.width, 20)), lead: lead)
  }

  private func lines(_ lines: [Text], lead: Text) {
    let indent = Text("").padded(to: lead.width)
    for (place, part) in lines.enumerated() { line((place == 0 ? lead : indent) + part) }
  }

  /// Writes a JSON document.
  ///
  /// Characters that could steer a terminal are escaped, which changes nothing of what it says.
  func json(_ value: JSONValue) { escaped(String(decoding: value.fileBytes(), as: UTF8.self)) }

  /// Writes a JSON document on one line.
  func jsonLine(_ value: JSONValue) { escaped(value.compactText + "\n") }

  private func escaped(_ text: String) {
    sink.write(Array(VisibleText.escapingJSON(text).utf8))
  }

  /// Writes bytes as they are.
  func bytes(_ bytes: [UInt8]) { sink.write(bytes) }
}
