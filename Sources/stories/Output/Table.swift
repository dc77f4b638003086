/// Rows of cells in columns that line up.
struct Table: Sendable {
  /// The spaces in front of each row.
  var indent = 2
  /// The spaces between columns.
  var gap = 2
  /// The widest that a column but the last grows; longer cells push their row out of line.
  var widest = 52
  /// Whether a last cell that does not fit is cut; it is wrapped otherwise.
  var isCut = false
  private var rows: [[Text]] = []

  init(indent: Int = 2, isCut: Bool = false) {
    self.indent = indent
    self.isCut = isCut
  }

  /// Adds a row; empty cells at its end take no space.
  mutating func add(_ cells: Text...) { rows.append(cells) }

  /// Writes the rows; on a terminal the last column stays within its width. Elsewhere each row takes
  /// one line, so that programs can read it.
  func write(to output: Output) {
    for (row, lead) in zip(rows, leads) {
      guard let last = row.last else { continue }
      if !output.isTerminal {
        output.line(lead + last)
      } else if isCut {
        output.line((lead + last).truncated(to: max(output.width, 40)))
      } else {
        output.wrapped(last, lead: lead)
      }
    }
  }

  /// Each row's cells but the last one, padded.
  private var leads: [Text] {
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
