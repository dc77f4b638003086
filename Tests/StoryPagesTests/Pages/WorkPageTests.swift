import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import StoryPages

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The pages of changes, conflicts and sync as values.
@Suite struct WorkPageTests {
  static let story = RecordRef(kind: .stories, name: "first-snow")

  private static let links: Links = {
    var links = Links { place in
      switch place {
      case .conflicts: "/conflicts"
      case .conflict: "/conflicts/one"
      case .changes: "/changes"
      case .sync: "/sync"
      case .styleSheet: "/style.css"
      default: "/"
      }
    }
    links.formToken = "secret"
    return links
  }()

  private static func html(_ markup: Markup) -> String {
    String(decoding: MarkupWriter.document(.html, markup), as: UTF8.self)
  }

  /// All pages, with one text wherever they show one.
  private static func pages(_ text: String, _ links: Links = links) -> [(String, Markup)] {
    let frame = PageFrame(shelf: nil, links: links)
    let words = MarkedWords([
      .init(text, .same), .init(text, .removed), .init(text, .added), .init(text, .aside),
    ])
    let notice = Notice(.error, text, about: text, hints: [text], unsaved: text)
    let change = FieldChange(
      text, [.position(text), .context(text), .changed(words)])
    let ref = RecordRef(kind: .stories, name: text)
    let record = ListedRecord(
      ref, place: .story(ref), title: text, detail: text, changes: [change], notices: [notice])
    let group = ChangesPage.Group(text, records: [record], more: 3)
    let field = ConflictPage.Field(
      text, language: text,
      rows: [
        .context(text), .aside(text), .sides(local: [words], server: [words], clashes: true),
      ], base: text, hasBoth: true, offered: text, form: text, choice: .edit, problem: notice)
    func conflict(_ question: ConflictPage.Question) -> Markup {
      ConflictPage(
        ref, id: text, title: text, summary: text, question: question, state: text, canMerge: true,
        notices: [notice]
      ).markup(frame)
    }
    func sync(_ state: SyncPage.State) -> Markup {
      SyncPage(server: text, state: state, notices: [notice]).markup(frame)
    }
    return [
      (
        "changes",
        ChangesPage(summary: text, notices: [notice], groups: [group]).markup(frame)
      ),
      (
        "conflicts",
        ConflictsPage(
          [.init(ref, place: .conflict(ref), title: text, detail: text)], more: 2,
          notices: [notice]
        ).markup(frame)
      ),
      ("fields", conflict(.fields([field]))),
      ("whole", conflict(.whole(local: text, server: text, changes: [change]))),
      ("unreadable", conflict(.unreadable)),
      ("message", frame.message(text, [text], [notice])),
      ("a sync at work", sync(.running(phase: text, count: (1, 3)))),
      (
        "the end of a sync",
        sync(.ended(time: text, report: [text], errors: [text], isGood: false, conflicts: 1))
      ),
    ]
  }

  @Test(arguments: HostileTextTests.texts)
  func `hostile text is text`(_ hostile: HostileTextTests.Text) throws {
    // The parser refuses pages of many megabytes.
    let text = String(hostile.text.unicodeScalars.prefix(100_000))
    for (name, page) in Self.pages(text) {
      let bytes = MarkupWriter.document(.html, page)
      let parser = XMLParser(data: Data(bytes))
      let reader = ElementNames()
      parser.delegate = reader
      #expect(parser.parse(), "\(name): \(parser.parserError.map { "\($0)" } ?? "")")
      #expect(
        reader.names.isDisjoint(with: ["script", "iframe", "object", "style", "img"]), "\(name)")
      #expect(reader.attributes.allSatisfy { !$0.hasPrefix("on") }, "\(name)")
    }
  }

  private final class ElementNames: NSObject, XMLParserDelegate {
    var names: Set<String> = []
    var attributes: Set<String> = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      names.insert(name)
      self.attributes.formUnion(attributes.keys)
    }
  }

  @Test func `differences are marked for eyes and for ears`() {
    let words = MarkedWords([.init("a ", .same), .init("cat", .removed), .init("dog", .added)])
    #expect(
      Self.html(tag("p") { words.markup }).hasSuffix(
        """
        <p>a <del><span class="unseen">[removed: </span>cat<span class="unseen">]</span></del>\
        <ins><span class="unseen">[added: </span>dog<span class="unseen">]</span></ins></p>

        """))
  }

  /// The browser drops the first line end of a text, and only that.
  @Test(arguments: ["", "\n", "\n\nEnd\n", "<b>", "  x"])
  func `a text to edit is what it was`(_ text: String) {
    let page = Self.html(
      tag("textarea", ["name": "a"]) { text })
    let escaped = text.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    #expect(page == "<!DOCTYPE html>\n<textarea name=\"a\">\n\(escaped)</textarea>\n")
  }

  @Test func `forms carry the token and the state, and the first button applies the choices`()
    throws
  {
    let page = Self.html(Self.pages("x")[2].1)
    let form = try #require(page.firstRange(of: "<form"))
    #expect(page.contains("<input type=\"hidden\" name=\"token\" value=\"secret\"/>"))
    #expect(page.contains("<input type=\"hidden\" name=\"state\" value=\"x\"/>"))
    #expect(page.contains("type=\"radio\" name=\"choice.x\" value=\"edit\" checked=\"checked\"/>"))
    // Enter in a form presses its first button: that must not decide all fields.
    let button = try #require(page[form.lowerBound...].firstRange(of: "<button"))
    #expect(page[button.lowerBound...].hasPrefix("<button>Resolve</button>"))
  }

  @Test func `without a token there is nothing to press`() {
    var links = Self.links
    links.formToken = nil
    for (name, page) in Self.pages("x", links) {
      let html = Self.html(page)
      #expect(!html.contains("<form") && !html.contains("<button"), "\(name)")
    }
  }

  @Test func `only the page of a running sync loads itself again`() {
    for (name, page) in Self.pages("x") {
      let isAgain = Self.html(page).contains("<meta http-equiv=\"refresh\" content=\"2\"/>")
      #expect(isAgain == (name == "a sync at work"), "\(name)")
    }
  }

  @Test func `progress of unknown length has no value`() {
    func page(_ count: (Int, Int)?) -> String {
      Self.html(
        SyncPage(server: "embedded", state: .running(phase: "Sending", count: count))
          .markup(PageFrame(shelf: nil, links: Self.links)))
    }
    #expect(page(nil).contains("<progress aria-labelledby=\"phase\"></progress>"))
    #expect(page((0, 0)).contains("<progress aria-labelledby=\"phase\"></progress>"))
    #expect(page((2, 5)).contains("<progress aria-labelledby=\"phase\" value=\"2\" max=\"5\">"))
    #expect(page((2, 5)).contains("Sending 2 of 5"))
  }

  /// Browsers send what they have read from the page, with CR LF at the ends of lines.
  @Test(arguments: ["a\r\nb\rc\nd", "\u{0}\u{1}\u{85}x\u{FFFE}", "", "\r\n\r\n"])
  func `a text has the same digest when it comes back`(_ text: String) {
    let read = MarkupWriter.readable(text)
    let sent = read.replacing("\n", with: "\r\n")
    for other in [read, sent] {
      #expect(ConflictPage.digest(ofText: other) == ConflictPage.digest(ofText: text))
    }
    #expect(ConflictPage.digest(ofText: text + "y") != ConflictPage.digest(ofText: text))
  }

  @Test func `commands in sentences are code`() {
    #expect(
      Self.html(Notice.sentence("run `stories sync`, then look")).hasSuffix(
        "run <code>stories sync</code>, then look"))
    #expect(Self.html(Notice.sentence("one ` alone")).hasSuffix("one ` alone"))
  }
}
