extension Text {
  /// The text on lines of at most `width` columns, broken at spaces where that is possible and
  /// within words where not, so that a column beside it stays in its place.
  func broken(to width: Int) -> [Text] {
    wrapped(to: width).flatMap { $0.width > width ? $0.cut(to: width) : [$0] }
  }

  /// The text cut into lines of at most `width` columns.
  private func cut(to width: Int) -> [Text] {
    var lines: [Text] = []
    var line = Text("")
    var used = 0
    for span in spans {
      var part = ""
      for character in span.content {
        let columns = DisplayWidth.of(character)
        if used + columns > width, used > 0 {
          line.append(part, span.style)
          lines.append(line)
          (line, part, used) = (Text(""), "", 0)
        }
        part.append(character)
        used += columns
      }
      line.append(part, span.style)
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
