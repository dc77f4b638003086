import StoryLibrary

/// A story as a chapter, with its narration synchronized if there is one.
struct BookChapter: Sendable {
  let content: StoryContent

  var path: String { Self.path(content.story.ref) }

  static func path(_ ref: RecordRef) -> String { "text/\(SafeName.of(ref)).xhtml" }

  /// The path of the narration's synchronization.
  var overlayPath: String { "text/\(SafeName.of(content.story.ref)).smil" }

  static func links(_ file: String) -> Links {
    .relative(to: file) { place in
      switch place {
      case .story(let ref): path(ref)
      case .asset(let asset): asset.path
      case .styleSheet: "style.css"
      default: "nav.xhtml"
      }
    }
  }

  /// The narration, if e-readers can play it.
  var narration: Asset? { content.narration.flatMap { $0.format.isOfBooks ? $0 : nil } }

  var page: Markup {
    let links = Self.links(path)
    let story = content.story
    let attributes: Attributes = [
      "epub:type": "chapter", "role": "doc-chapter", "aria-labelledby": "title", "id": "story",
    ]
    return Self.document(story.title, links: links, language: story.language) {
      tag("section", attributes) {
        record("h1", ["id": "title"], story.title, language: story.language)
        // Without its length, the narration cannot be synchronized, but can be played.
        if let narration, overlay == nil {
          tag("p") {
            tag(
              "audio",
              ["controls": "controls", "src": links(.asset(narration)), "title": "Narration"])
          }
        }
        StoryText(links: links, isLazy: false, shows: \.format.isOfBooks).markup(content)
      }
    }
  }

  /// The narration of the whole story, as one piece: nobody knows when each sentence is spoken.
  var overlay: Markup? {
    guard let narration, let length = milliseconds else { return nil }
    let links = Self.links(overlayPath)
    let names: Attributes = [
      "xmlns": "http://www.w3.org/ns/SMIL", "xmlns:epub": "http://www.idpf.org/2007/ops",
      "version": "3.0",
    ]
    let source = links(.asset(narration))
    return tag("smil", names) {
      tag("body") {
        tag("par", ["id": "whole"]) {
          tag("text", ["src": links(.story(content.story.ref)) + "#story"])
          tag("audio", ["src": source, "clipBegin": "0s", "clipEnd": Self.seconds(length)])
        }
      }
    }
  }

  var milliseconds: Int? { content.narrationLength.map { Int($0 * 1_000) } }

  /// Returns a clock value of SMIL, such as `12.345s`.
  static func seconds(_ milliseconds: Int) -> String {
    let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
    return "\(milliseconds / 1_000).\(rest)s"
  }

  /// A file of the book around its content.
  static func document(
    _ title: String, links: Links, language: String? = nil, @MarkupBuilder _ body: () -> Markup
  ) -> Markup {
    let names: Attributes = [
      "xmlns": "http://www.w3.org/1999/xhtml", "xmlns:epub": "http://www.idpf.org/2007/ops",
      "lang": language ?? "en", "xml:lang": language ?? "en",
    ]
    return tag("html", names) {
      tag("head") {
        tag("title") { PageFrame.plain(title) }
        tag("link", ["rel": "stylesheet", "type": "text/css", "href": links(.styleSheet)])
      }
      tag("body", [:], body)
    }
  }
}
