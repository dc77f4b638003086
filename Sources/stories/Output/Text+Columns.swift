extension Text {
  /// Breaks the text into lines of at most `width` columns, at spaces if possible, else within
  /// words, so that adjacent columns stay aligned.
  func broken(to width: Int) -> [Text] {
    wrapped(to: width).flatMap { $0.width > width ? $0.cut(to: width) : [$0] }
  }

  /// Cuts the text into lines of at most `width` columns.
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
