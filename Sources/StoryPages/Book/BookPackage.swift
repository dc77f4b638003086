import StoryLibrary

/// The list of everything in a book, and its table of contents.
struct BookPackage: Sendable {
  let shelf: Bookshelf
  /// The picture on the cover, or `nil` if it is drawn.
  let cover: Asset?
  private var chapters: [(ref: RecordRef, title: String, language: String?, length: Int?)] = []

  init(shelf: Bookshelf, cover: Asset?) {
    self.shelf = shelf
    self.cover = cover
  }

  mutating func add(_ chapter: BookChapter) {
    let story = chapter.content.story
    chapters.append(
      (story.ref, story.title, story.language, chapter.overlay == nil ? nil : chapter.milliseconds))
  }

  /// The pictures and narrations that e-readers can show and play, each once.
  var assets: [Asset] {
    var known: Set<Asset> = []
    return ([cover].compactMap(\.self) + shelf.stories.flatMap(shelf.assets)).filter {
      $0.format.isOfBooks && known.insert($0).inserted
    }
  }

  static var container: Markup {
    let names: Attributes = [
      "version": "1.0", "xmlns": "urn:oasis:names:tc:opendocument:xmlns:container",
    ]
    let path = "\(Book.folder)/package.opf"
    return tag("container", names) {
      tag("rootfiles") {
        tag("rootfile", ["full-path": path, "media-type": "application/oebps-package+xml"])
      }
    }
  }

  var navigation: Markup {
    let links = BookChapter.links("nav.xhtml")
    return BookChapter.document(shelf.title, links: links) {
      tag("nav", ["epub:type": "toc", "role": "doc-toc", "id": "toc"]) {
        tag("h1") { "Contents" }
        tag("ol") {
          for chapter in chapters {
            tag("li") {
              record(
                "a", ["href": links(.story(chapter.ref))], PageFrame.plain(chapter.title),
                language: chapter.language)
            }
          }
        }
      }
    }
  }

  var markup: Markup {
    let names: Attributes = [
      "xmlns": "http://www.idpf.org/2007/opf", "version": "3.0", "unique-identifier": "id",
      "xml:lang": "en",
    ]
    return tag("package", names) {
      metadata
      manifest
      spine
    }
  }

  // MARK: Metadata

  private var metadata: Markup {
    func meta(_ property: String, _ text: String, refines: String? = nil) -> Markup {
      tag("meta", ["property": property, "refines": refines]) { text }
    }
    let lengths = chapters.compactMap(\.length)
    return tag("metadata", ["xmlns:dc": "http://purl.org/dc/elements/1.1/"]) {
      tag("dc:identifier", ["id": "id"]) { "urn:uuid:" + identifier }
      tag("dc:title") { PageFrame.plain(shelf.title) }
      for language in languages { tag("dc:language") { language } }
      meta("dcterms:modified", modified)
      if !lengths.isEmpty {
        meta("media:duration", BookChapter.seconds(lengths.reduce(0, +)))
        for (number, chapter) in chapters.enumerated() {
          if let length = chapter.length {
            meta("media:duration", BookChapter.seconds(length), refines: "#overlay\(number)")
          }
        }
        meta("media:active-class", "spoken")
      }
      meta("schema:accessMode", "textual")
      if assets.contains(where: \.format.isPicture) { meta("schema:accessMode", "visual") }
      if !lengths.isEmpty { meta("schema:accessMode", "auditory") }
      meta("schema:accessModeSufficient", "textual")
      meta("schema:accessibilityFeature", "tableOfContents")
      meta("schema:accessibilityFeature", "alternativeText")
      meta("schema:accessibilityHazard", "none")
    }
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
      tag(
        "item",
        [
          "id": id, "href": path, "media-type": type, "properties": properties,
          "media-overlay": overlay,
        ])
    }
    let page = "application/xhtml+xml"
    return tag("manifest") {
      item("nav", "nav.xhtml", page, properties: "nav")
      item("style", "style.css", "text/css")
      item("cover", BookCover.path, page)
      if cover == nil {
        item("drawing", BookCover.drawingPath, "image/svg+xml", properties: "cover-image")
      }
      for (number, chapter) in chapters.enumerated() {
        let overlay = chapter.length == nil ? nil : "overlay\(number)"
        let path = BookChapter.path(chapter.ref)
        item("chapter\(number)", path, page, overlay: overlay)
        if let overlay {
          item(overlay, path.dropLast(6) + ".smil", "application/smil+xml")
        }
      }
      for (number, asset) in assets.enumerated() {
        let properties = asset == cover ? "cover-image" : nil
        item("file\(number)", asset.path, asset.format.type, properties: properties)
      }
    }
  }

  private var spine: Markup {
    tag("spine") {
      for id in ["cover", "nav"] + chapters.indices.map({ "chapter\($0)" }) {
        tag("itemref", ["idref": id])
      }
    }
  }
}
