import StoryLibrary

/// The head, navigation and footer around the content of every page.
public struct PageFrame: Sendable {
  private let title: String
  private let lists: Set<StoryList>
  let links: Links

  /// Creates the frame for the pages of a shelf.
  ///
  /// - Parameters:
  ///   - shelf: The shelf, or `nil` if the library cannot be read.
  ///   - links: The links of the page.
  public init(shelf: Bookshelf?, links: Links) {
    title = shelf?.title ?? "stories"
    lists = shelf?.lists ?? []
    self.links = links
  }

  /// Returns a page around its content.
  ///
  /// - Parameters:
  ///   - title: The title of the page, or `nil` for the first page.
  ///   - place: The page, which the navigation marks, or `nil` if it has no address of its own.
  ///   - look: The class of the body.
  ///   - refresh: The seconds after which browsers load the page again, or `nil`.
  ///   - content: The content of the main part.
  func page(
    _ title: String?, _ place: Place?, look: String, refresh: Int? = nil,
    @MarkupBuilder _ content: () -> Markup
  ) -> Markup {
    tag("html", ["lang": "en"]) {
      head(title, refresh: refresh)
      tag("body", ["class": look]) {
        tag("a", ["class": "skip", "href": "#main"]) { "Skip to the content" }
        header(place)
        tag("main", ["id": "main"], content)
        tag("footer", ["class": "foot"]) {
          tag("p") {
            tag("span", ["aria-hidden": "true"]) { "☾" }
            " Good night."
          }
        }
      }
    }
  }

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

  func head(_ title: String?, refresh: Int? = nil) -> Markup {
    let shown = [title, self.title].compactMap { $0 }.map(Self.plain).joined(separator: " · ")
    return tag("head") {
      tag("meta", ["charset": "utf-8"])
      tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      tag("meta", ["name": "color-scheme", "content": "light dark"])
      if links.formToken == nil {
        tag("meta", ["name": "referrer", "content": "no-referrer"])
        tag("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
      }
      if let refresh { tag("meta", ["http-equiv": "refresh", "content": "\(refresh)"]) }
      tag("title") { shown }
      tag("link", ["rel": "stylesheet", "href": links(.styleSheet)])
    }
  }

  /// What a server says in header fields.
  ///
  /// No page needs more than its text, pictures, sound and style; browsers differ in what 'self'
  /// means for files, so the sources of those are not listed.
  private static let policy =
    "script-src 'none'; object-src 'none'; frame-src 'none'; "
    + "connect-src 'none'; base-uri 'none'; form-action 'none'"

  /// Returns text for a title bar, in which control characters for the direction of text would
  /// affect what is around it, of a length that fits.
  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !VisibleText.isUnsafe(scalar) {
      result.append(scalar)
      if result.count == 120 { return String(result) + "…" }
    }
    return String(result)
  }

  private func header(_ place: Place?) -> Markup {
    let shown = StoryList.allCases.filter(lists.contains)
    let pages = shown.map { (place: Place.list($0), name: $0.name) } + links.navigation
    return tag("header", ["class": "top"]) {
      record("a", ["class": "brand", "href": links(.home)], title)
      tag("nav", ["aria-label": "Pages"]) {
        for page in pages {
          let current = page.place == place ? "page" : nil
          tag("a", ["href": links(page.place), "aria-current": current]) { page.name }
        }
      }
    }
  }
}

extension StoryList {
  private var words: (name: String, noun: String) {
    switch self {
    case .all: ("All stories", "stories")
    case .favorites: ("Favorites", "favorites")
    case .languages: ("By language", "stories by language")
    case .dates: ("By date", "stories by date")
    }
  }

  /// The name in the navigation.
  var name: String { words.name }

  /// The stories of the list, after their number.
  var noun: String { words.noun }
}
