extension PageFrame {
  /// Returns a page with a few sentences, such as an error.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - sentences: The paragraphs; commands are between backquotes.
  ///   - notices: The messages below.
  public func message(_ title: String, _ sentences: [String], _ notices: [Notice] = []) -> Markup {
    page(title, nil, look: "message") {
      tag("h1") { title }
      for sentence in sentences { tag("p", ["dir": "auto"]) { Notice.sentence(sentence) } }
      for notice in notices { notice.markup }
    }
  }
}
