import Testing

@testable import StoryPages

@Suite struct MarkupTests {
  private func written(_ markup: Markup) -> String {
    var writer = MarkupWriter(.html, isPage: false)
    writer.write(markup)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var result: String

    init(_ name: String, _ text: String, _ result: String) {
      (testDescription, self.text, self.result) = (name, text, result)
    }
  }

  /// A character that no literal can have.
  private static func scalar(_ value: UInt32) -> String { String(Unicode.Scalar(value)!) }

  static let texts = [
    Case("plain text", "Luna woke up.", "Luna woke up."),
    Case("markup", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    Case("an end of a comment", "--> ]]>", "--&gt; ]]&gt;"),
    Case("an entity", "&lt; & &#60;", "&amp;lt; &amp; &amp;#60;"),
    Case("Markdown", "*very* _quiet_ `x` # 1", "*very* _quiet_ `x` # 1"),
    Case("quotation marks", "“Oh,” said «Ana»: \"no\" – 'yes'", "“Oh,” said «Ana»: \"no\" – 'yes'"),
    Case("NUL and other controls", "a\u{0}b\u{1B}[31mc\u{7F}\u{85}\u{9F}d", "ab[31mcd"),
    Case("noncharacters", "a" + scalar(0xFFFE) + "b" + scalar(0xFDD0) + scalar(0x1FFFF), "ab"),
    Case("line ends", "a\r\nb\rc\nd\te", "a\nb\nc\nd\te"),
    Case("accents and emoji", "Ä é ж 雪 🌙 \u{FEFF}x", "Ä é ж 雪 🌙 \u{FEFF}x"),
    Case("right to left", "שלום \u{202E}olleh", "שלום \u{202E}olleh"),
  ]

  @Test(arguments: texts)
  func `text stays text`(_ text: Case) {
    #expect(written(tag("span") { text.text }) == "<span>\(text.result)</span>")
  }

  static let values = [
    Case("quotation marks", "say \"no\" & 'yes'", "say &quot;no&quot; &amp; 'yes'"),
    Case("the end of a tag", "x\"><img src=y>", "x&quot;&gt;&lt;img src=y&gt;"),
    Case("line ends and tabs", "a\nb\tc\r\nd", "a&#10;b&#9;c&#10;d"),
    Case("NUL", "a\u{0}b", "ab"),
  ]

  @Test(arguments: values)
  func `attributes stay attributes`(_ value: Case) {
    #expect(written(tag("a", ["title": value.text])) == "<a title=\"\(value.result)\"></a>")
  }

  @Test func `empty elements are closed in their start, all others by an end`() {
    #expect(written(tag("br")) == "<br/>\n")
    #expect(written(tag("span")) == "<span></span>")
    let lines = tag("p") {
      "a"
      tag("br")
      "b"
    }
    #expect(written(lines) == "<p>a<br/>\nb</p>\n")
  }

  @Test func `attributes without a value are left out`() {
    #expect(written(tag("a", ["id": "x", "lang": nil])) == "<a id=\"x\"></a>")
  }

  @Test func `the text of a record has a direction and a language`() {
    #expect(
      written(record("bdi", ["class": "x"], "Nuit", language: "fr"))
        == "<bdi class=\"x\" lang=\"fr\" dir=\"auto\">Nuit</bdi>")
  }

  @Test func `a document in parts is the same as a whole`() {
    let body = tag("body") { for text in ["a", "b"] { tag("p") { text } } }
    let whole = MarkupWriter.document(.xml, tag("html", ["lang": "en"]) { body })
    var writer = MarkupWriter(.xml)
    var parts = writer.takeBytes()
    writer.start("html", ["lang": "en"])
    writer.start("body")
    for text in ["a", "b"] {
      writer.write(tag("p") { text })
      parts += writer.takeBytes()
    }
    writer.end("body")
    writer.end("html")
    #expect(parts + writer.bytes == whole)
    #expect(
      String(decoding: whole, as: UTF8.self).hasPrefix(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE html>\n<html lang=\"en\">\n<body>"))
  }
}
