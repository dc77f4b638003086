/// A table with aligned columns.
struct Table: Sendable {
  var indent = 2
  var gap = 2
  /// The maximum width of a column other than the last; longer cells shift their row.
  var widest = 52
  /// The least room for a last cell beside the others on a terminal; with less it is below them.
  var narrowest = 20
  /// Whether to truncate a last cell that does not fit instead of wrapping it.
  var isCut = false
  private var rows: [[Text]] = []

  init(indent: Int = 2, isCut: Bool = false) {
    self.indent = indent
    self.isCut = isCut
  }

  /// Adds a row; trailing empty cells take no space.
  mutating func add(_ cells: Text...) {
    rows.append(Array(cells.prefix((cells.lastIndex { !$0.isEmpty } ?? -1) + 1)))
  }

  /// Writes the rows. On a terminal the last column stays within its width; elsewhere each row is
  /// one line, so that programs can read it.
  func write(to output: Output) {
    let rows = output.isASCII ? rows.map { $0.map(\.inASCII) } : rows
    for (row, lead) in zip(rows, leads(of: rows)) {
      guard let last = row.last else { continue }
      if !output.isTerminal {
        output.line(lead + last)
      } else if isCut {
        // Three full stops in ASCII take more columns than an ellipsis.
        let width = max(output.width, 40) - (output.isASCII ? 2 : 0)
        output.line((lead + last).truncated(to: width))
      } else if lead.width + narrowest > output.readingWidth,
        lead.width + last.width > output.readingWidth
      {
        let cells = Array(row.dropLast()).joined(Text("").padded(to: gap))
        output.line(Text("").padded(to: indent) + cells)
        output.wrapped(last, lead: Text("").padded(to: indent + 4))
      } else {
        output.wrapped(last, lead: lead)
      }
    }
  }

  /// Each row's padded cells except the last one.
  private func leads(of rows: [[Text]]) -> [Text] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<max(columns - 1, 0)).map { column in
      rows.filter { $0.count > column + 1 }.map { min($0[column].width, widest) }.max() ?? 0
    }
    return rows.map { row in
      var lead = Text("").padded(to: indent)
      for (cell, width) in zip(row.dropLast(), widths) {
        lead += cell.padded(to: width)
        lead.append(String(repeating: " ", count: gap))
      }
      return lead
    }
  }
}
