import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import StoryPages

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Titles and texts that try to be more than text.
@Suite struct HostileTextTests {
  struct Text: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String

    init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
  }

  static let texts = [
    Text("a script", "<script>alert(1)</script>"),
    Text("an end of the page", "</title></body></html><img src=x onerror=alert(1)>"),
    Text("an attribute", "\" onmouseover=\"alert(1)\" x=\""),
    Text("right to left", "\u{202E}\u{2067}gnp.exe \u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
    Text("NUL and controls", "a\u{0}b\u{1}\u{1B}]0;x\u{7}\u{85}"),
    Text("a fifth of a megabyte", String(repeating: "long ", count: 40_000)),
    Text("a word of that length", String(repeating: "x", count: 200_000)),
    Text("marks", "a" + String(repeating: "\u{301}", count: 10_000)),
    Text("XML", "<![CDATA[ ]]> <!-- --> <?xml?> &amp; &nosuch;"),
    Text("a link", "javascript:alert(1)"),
    Text("only spaces", " \u{200B}\u{202E} "),
  ]

  @Test(arguments: texts)
  func `it is text on all pages and in a book`(_ hostile: Text) throws {
    let sample = try SampleShelf()
    try sample.writeHero("luna", called: hostile.text)
    try sample.writeStory(
      "night", title: hostile.text, language: hostile.text,
      content: hostile.text + "\n\n" + hostile.text)
    try sample.writeStory("next", title: hostile.text)
    var media = try sample.media(of: "night", hero: "luna", sound: SampleSound.mp3(frames: 9))
    let ref = RecordRef(kind: .stories, name: "night")
    for place in 0..<2 { media.scenes[ref]?[place].text = hostile.text }
    let shelf = try sample.shelf(title: hostile.text, media: media)
    try sample.export(shelf)
    for (path, bytes) in try sample.files() where path.hasSuffix(".html") {
      try check(bytes, path)
    }
    let content = try shelf.content(of: shelf.stories[1])
    let chapter = BookChapter(content: content)
    var package = BookPackage(shelf: shelf, cover: nil)
    package.add(chapter)
    let cover = BookCover(shelf: shelf, picture: nil)
    for part in [chapter.page, package.markup, package.navigation, cover.page] {
      try check(MarkupWriter.document(.xml, part), "a part of the book")
    }
    try check(cover.drawing, "the cover")
  }

  /// Pages are XML as well, so a parser of that tells what became an element.
  private func check(_ bytes: [UInt8], _ path: String) throws {
    #expect(String(validating: bytes, as: UTF8.self) != nil, "\(path) is not UTF-8")
    let parser = XMLParser(data: Data(bytes))
    let reader = ElementReader()
    parser.delegate = reader
    #expect(parser.parse(), "\(path): \(parser.parserError.map { "\($0)" } ?? "")")
    let known: Set<String> = [
      "src", "alt", "role", "class", "id", "lang", "dir", "href", "rel", "name", "content",
    ]
    for (element, attributes) in reader.elements {
      #expect(
        !["script", "iframe", "object", "style", "base", "form"].contains(element), "\(path)")
      #expect(!attributes.keys.contains { $0.hasPrefix("on") }, "\(path): \(attributes.keys)")
      if ["img", "a"].contains(element) {
        let names = attributes.keys.filter { !known.contains($0) && !$0.hasPrefix("aria-") }
        #expect(names.allSatisfy { $0 == "loading" }, "\(path): \(names)")
      }
      for key in ["href", "src"] {
        let value = attributes[key] ?? ""
        #expect(!value.contains("javascript") && !value.contains(":"), "\(path): \(value)")
      }
    }
  }

  private final class ElementReader: NSObject, XMLParserDelegate {
    var elements: [(String, [String: String])] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      elements.append((name, attributes))
    }
  }

  @Test func `text of a record cannot turn what is around it`() throws {
    let sample = try SampleShelf()
    try sample.writeHero("luna", called: "\u{202E}anuL")
    try sample.writeStory("night", title: "\u{202E}thgiN", content: "\u{202E}txet")
    try sample.export()
    let page = String(decoding: try sample.folder.bytes("site/stories/night.html"), as: UTF8.self)
    // Every one is within an element of its own with a direction, and none in the title bar.
    for match in page.matches(of: /<([a-z0-9]+)([^>]*)>[^<]*\u{202E}/) {
      #expect(match.output.2.contains("dir=\"auto\""), "\(match.output.0)")
    }
    #expect(page.contains("<title>thgiN · Stories about anuL</title>"))
  }

  @Test func `a record of the wrong types is shown as far as it goes`() throws {
    let sample = try SampleShelf()
    try sample.write(
      #"{"name": 7, "age": "old", "traits": "brave", "specialAbility": [1, "flies"]}"#,
      to: "heroes/luna.json")
    try sample.write(
      #"{"title": {"a": 1}, "hero": "nobody", "language": 5, "playCount": -3, "content": ["x"]}"#,
      to: "stories/night.json")
    let shelf = try sample.shelf()
    #expect(shelf.stories.map(\.title) == ["night"] && shelf.stories[0].readings == 0)
    #expect(shelf.heroes.map(\.name) == ["luna"] && shelf.heroes[0].abilities == ["flies"])
    try sample.export(shelf)
  }
}
