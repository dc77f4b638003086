/// The cover: a picture of the library, or a drawn night sky with the title.
struct BookCover: Sendable {
  let shelf: Bookshelf
  let picture: Asset?

  static let path = "cover.xhtml"
  static let drawingPath = "cover.svg"

  var page: Markup {
    let links = BookChapter.links(Self.path)
    let source = picture.map { links(.asset($0)) } ?? Self.drawingPath
    let title = PageFrame.plain(shelf.title)
    let text = picture == nil ? title : "Cover of \(title)"
    return BookChapter.document(shelf.title, links: links) {
      tag("section", ["class": "cover", "epub:type": "cover"]) {
        tag("img", ["src": source, "role": "doc-cover", "alt": text])
        if picture == nil { record("h1", [:], shelf.title) }
      }
    }
  }

  var drawing: [UInt8] { MarkupWriter.document(.xml, isPage: false, svg) }

  private var svg: Markup {
    let stars = [
      (80, 110, 3), (190, 60, 2), (300, 140, 3), (120, 240, 2), (380, 70, 2), (250, 250, 2),
      (520, 290, 3), (60, 360, 2), (440, 330, 2), (340, 360, 2), (560, 90, 2), (90, 820, 2),
      (510, 800, 3), (290, 840, 2),
    ]
    let title = PageFrame.plain(shelf.title)
    let lines = Self.lines(title)
    let drawing: Attributes = [
      "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 600 900", "width": "600",
      "height": "900",
    ]
    let font: Attributes = [
      "x": "300", "y": "\(560 - 36 * lines.count)", "text-anchor": "middle",
      "font-family": "Georgia, serif", "font-size": "64", "fill": "#fff6df",
    ]
    return tag("svg", drawing) {
      tag("title") { title }
      tag("rect", ["width": "600", "height": "900", "fill": "#24225a"])
      tag("circle", ["cx": "450", "cy": "190", "r": "70", "fill": "#fbe6ae"])
      tag("circle", ["cx": "422", "cy": "172", "r": "64", "fill": "#24225a"])
      for (x, y, size) in stars {
        tag("circle", ["cx": "\(x)", "cy": "\(y)", "r": "\(size)", "fill": "#fff6df"])
      }
      tag("text", font) {
        for (place, line) in lines.enumerated() {
          tag("tspan", ["x": "300", "dy": place == 0 ? "0" : "76"]) { line }
        }
      }
    }
  }

  /// Splits a title into at most five lines that fit.
  private static func lines(_ title: String) -> [String] {
    var lines: [String] = []
    for word in title.split(whereSeparator: \.isWhitespace) {
      let word = word.count > 16 ? String(word.prefix(15)) + "…" : String(word)
      if let last = lines.last, last.count + word.count < 16 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines.count > 5 ? Array(lines.prefix(4)) + ["…"] : lines
  }
}
