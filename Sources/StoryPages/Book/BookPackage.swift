import StoryLibrary

/// The list of everything in a book, and its table of contents.
struct BookPackage: Sendable {
  let shelf: Bookshelf
  /// The picture on the cover, or `nil` if it is drawn.
  var cover: Asset?
  private var chapters: [(ref: RecordRef, title: String, language: String?, length: Int?)] = []
  private var shown: [Asset] = []

  init(shelf: Bookshelf) { self.shelf = shelf }

  mutating func add(_ chapter: BookChapter) {
    let story = chapter.content.story
    chapters.append(
      (story.ref, story.title, story.language, chapter.overlay == nil ? nil : chapter.milliseconds))
    shown += chapter.pictures + [chapter.narration].compactMap { $0 }
  }

  /// The pictures and narrations, each once.
  var assets: [Asset] {
    var known: Set<Asset> = []
    return ([cover].compactMap { $0 } + shown).filter { known.insert($0).inserted }
  }

  static let container = Markup.tag(
    "container",
    ["version": "1.0", "xmlns": "urn:oasis:names:tc:opendocument:xmlns:container"],
    [
      .tag(
        "rootfiles", [:],
        [
          .tag(
            "rootfile",
            [
              "full-path": "\(Book.folder)/package.opf",
              "media-type": "application/oebps-package+xml",
            ])
        ])
    ])

  var navigation: Markup {
    let links = BookChapter.links("nav.xhtml")
    return BookChapter.document(
      shelf.title, links: links, language: nil,
      [
        .tag(
          "nav", ["epub:type": "toc", "role": "doc-toc", "id": "toc"],
          [
            .tag("h1", [:], ["Contents"]),
            .tag(
              "ol", [:],
              chapters.map { chapter in
                .tag(
                  "li", [:],
                  [
                    .record(
                      "a", ["href": links(.story(chapter.ref))],
                      PageFrame.plain(chapter.title), language: chapter.language)
                  ])
              }),
          ])
      ])
  }

  var markup: Markup {
    .tag(
      "package",
      [
        "xmlns": "http://www.idpf.org/2007/opf", "version": "3.0", "unique-identifier": "id",
        "xml:lang": "en",
      ],
      [metadata, manifest, spine])
  }

  // MARK: Metadata

  private var metadata: Markup {
    func meta(_ property: String, _ text: String, refines: String? = nil) -> Markup {
      .tag("meta", ["property": property, "refines": refines], [.text(text)])
    }
    var parts: [Markup] = [
      .tag("dc:identifier", ["id": "id"], [.text("urn:uuid:" + identifier)]),
      .tag("dc:title", [:], [.text(PageFrame.plain(shelf.title))]),
      .group(languages.map { .tag("dc:language", [:], [.text($0)]) }),
      meta("dcterms:modified", modified),
    ]
    let lengths = chapters.compactMap(\.length)
    if !lengths.isEmpty {
      parts.append(meta("media:duration", BookChapter.seconds(lengths.reduce(0, +))))
      for (number, chapter) in chapters.enumerated() {
        guard let length = chapter.length else { continue }
        parts.append(
          meta("media:duration", BookChapter.seconds(length), refines: "#overlay\(number)"))
      }
      parts.append(meta("media:active-class", "spoken"))
    }
    let hasPictures = assets.contains(where: \.format.isPicture)
    parts.append(meta("schema:accessMode", "textual"))
    if hasPictures { parts.append(meta("schema:accessMode", "visual")) }
    if !lengths.isEmpty { parts.append(meta("schema:accessMode", "auditory")) }
    parts.append(meta("schema:accessModeSufficient", "textual"))
    parts.append(meta("schema:accessibilityFeature", "tableOfContents"))
    parts.append(meta("schema:accessibilityFeature", "alternativeText"))
    parts.append(meta("schema:accessibilityHazard", "none"))
    return .tag("metadata", ["xmlns:dc": "http://purl.org/dc/elements/1.1/"], parts)
  }

  /// The languages of the stories, the most frequent first.
  private var languages: [String] {
    let counts = Dictionary(grouping: chapters.compactMap(\.language)) { $0 }.mapValues(\.count)
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    return sorted.isEmpty ? ["en"] : sorted
  }

  /// The time of the newest version from the server: a book of the same records has the same time.
  private var modified: String {
    let text = UTCTime.text(seconds: shelf.newest ?? 946_684_800, nanoseconds: 0, digits: 3)
    return text.prefix(19) + "Z"
  }

  /// An identifier made from the title and the names of the records, so that a book of the same
  /// stories replaces its earlier edition.
  private var identifier: String {
    let names = [shelf.title] + chapters.map(\.ref.description)
    let digits = SHA256.digest(names.joined(separator: "\n")).text
    // A UUID of version 8 (RFC 9562, section 5.8).
    let parts = [
      digits.prefix(8), digits.dropFirst(8).prefix(4), "8" + digits.dropFirst(12).prefix(3),
      "8" + digits.dropFirst(15).prefix(3), digits.dropFirst(18).prefix(12),
    ]
    return parts.joined(separator: "-")
  }

  // MARK: Files

  private var manifest: Markup {
    func item(
      _ id: String, _ path: String, _ type: String, properties: String? = nil,
      overlay: String? = nil
    ) -> Markup {
      .tag(
        "item",
        [
          "id": id, "href": path, "media-type": type, "properties": properties,
          "media-overlay": overlay,
        ])
    }
    let page = "application/xhtml+xml"
    var items = [
      item("nav", "nav.xhtml", page, properties: "nav"), item("style", "style.css", "text/css"),
      item("cover", BookCover.path, page),
    ]
    if cover == nil {
      items.append(
        item("drawing", BookCover.drawingPath, "image/svg+xml", properties: "cover-image"))
    }
    for (number, chapter) in chapters.enumerated() {
      let overlay = chapter.length == nil ? nil : "overlay\(number)"
      let path = BookChapter.path(chapter.ref)
      items.append(item("chapter\(number)", path, page, overlay: overlay))
      if let overlay {
        let smil = String(path.dropLast(6)) + ".smil"
        items.append(item(overlay, smil, "application/smil+xml"))
      }
    }
    for (number, asset) in assets.enumerated() {
      items.append(
        item(
          "file\(number)", asset.path, asset.format.type,
          properties: asset == cover ? "cover-image" : nil))
    }
    return .tag("manifest", [:], items)
  }

  private var spine: Markup {
    .tag(
      "spine", [:],
      [.tag("itemref", ["idref": "cover"]), .tag("itemref", ["idref": "nav"])]
        + chapters.indices.map { .tag("itemref", ["idref": "chapter\($0)"]) })
  }
}
