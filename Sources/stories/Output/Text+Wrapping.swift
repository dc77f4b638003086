import StoryLibrary

extension Text {
  /// Wraps the text at spaces to lines of at most `width` columns. A longer word gets its own line
  /// and is not cut, so that it can be copied.
  func wrapped(to width: Int) -> [Text] {
    var lines: [Text] = []
    var line = Text("")
    var lineWidth = 0
    for (gap, word) in words {
      let wordWidth = word.width
      if !line.isEmpty, lineWidth + gap + wordWidth > width {
        lines.append(line)
        (line, lineWidth) = (word, wordWidth)
      } else {
        line.append(String(repeating: " ", count: gap))
        line += word
        lineWidth += gap + wordWidth
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// Breaks the text into lines of at most `width` columns, at spaces if possible, else within
  /// words, so that adjacent columns stay aligned.
  func broken(to width: Int) -> [Text] {
    wrapped(to: width).flatMap { $0.width > width ? $0.cut(to: width) : [$0] }
  }

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

  /// Wraps the lines of a text; empty ones stay, and a tab is as wide as four spaces.
  static func lines(ofProse prose: String, width: Int) -> [Text] {
    RecordFile.lines(of: prose).flatMap { line in
      let end = line.utf8.last == 0x0D ? line.unicodeScalars.dropLast() : line.unicodeScalars[...]
      return Text(String(end).replacing("\t", with: "    ")).wrapped(to: width)
    }
  }

  /// Joins parts with spaces on lines of at most `width` columns, without breaking any.
  static func filling(_ parts: [Text], to width: Int) -> [Text] {
    var lines: [Text] = []
    for part in parts {
      if let last = lines.last, last.width + 1 + part.width <= width {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines.append(part)
      }
    }
    return lines
  }

  /// Truncates the text to `width` columns, at least two, ending in `…`.
  func truncated(to width: Int) -> Text {
    guard self.width > width else { return self }
    let lines = cut(to: width - 1)
    return lines[0] + Text("…", lines[1].spans[0].style)
  }

  /// The characters between spaces, in any styles, each with the number of spaces before it.
  private var words: [(gap: Int, word: Text)] {
    var result: [(gap: Int, word: Text)] = []
    var gap = 0
    var isOpen = false
    for span in spans {
      for part in Self.runs(of: span.content) {
        if part.first == " " {
          gap += part.count
          isOpen = false
        } else if isOpen {
          result[result.count - 1].word.append(String(part), span.style)
        } else {
          result.append((gap, Text(String(part), span.style)))
          gap = 0
          isOpen = true
        }
      }
    }
    return result
  }

  /// Splits a text into runs with and without spaces. A command in backquotes is one run, so that it
  /// can be copied.
  private static func runs(of text: String) -> [Substring] {
    var result: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      var run = rest.prefix { ($0 == " ") == (first == " ") }
      if run.hasSuffix("`stories") || run.hasSuffix("`git"),
        let end = rest[run.endIndex...].firstIndex(of: "`")
      {
        run = rest[..<(rest[end...].firstIndex(of: " ") ?? rest.endIndex)]
      }
      result.append(run)
      rest = rest[run.endIndex...]
    }
    return result
  }
}
