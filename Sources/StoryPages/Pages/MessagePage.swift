/// A page with a few sentences, such as an error.
public struct MessagePage: Sendable {
  private let title: String
  private let sentences: [String]
  private let notices: [Notice]

  /// Creates a page with its heading, paragraphs and messages; commands are between backquotes.
  public init(title: String, sentences: [String], notices: [Notice] = []) {
    self.title = title
    self.sentences = sentences
    self.notices = notices
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - shelf: The shelf for the frame, or `nil` if the library cannot be read.
  ///   - links: The links of the page.
  public func markup(shelf: Bookshelf?, links: Links) -> Markup {
    PageFrame(shelf: shelf, links: links).page(title, nil, look: "message") {
      tag("h1") { title }
      for sentence in sentences { tag("p", ["dir": "auto"]) { Notice.sentence(sentence) } }
      for notice in notices { notice.markup }
    }
  }
}
