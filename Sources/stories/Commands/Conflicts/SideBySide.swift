import JSONText
import StoryLibrary
import StoryMerge

/// One field in conflict laid out for a decision: both versions side by side on a wide terminal,
/// else one below the other. Both have differences from the base marked.
struct SideBySide: Sendable {
  let change: RecordDiff.FieldChange
  var sides = (local: "local", server: "server")
  var hasBase = true

  static let leastColumn = 26
  /// The maximum width; longer lines are hard to read.
  static let widestColumn = 78
  /// The number of unchanged lines shown around changed ones.
  static let contextLines = 1

  /// A value, or a line with its sign: `~` edited, `+` new, `-` removed.
  struct Cell {
    var sign = Text("")
    var text: Text
  }

  enum Row {
    /// The cells of each version; `clashes` if both sides changed their content.
    case cells(left: [Cell], right: [Cell], clashes: Bool)
    /// An unchanged line in both columns, truncated to fit.
    case context(String)
    case wide(Text)
  }

  func write(to output: Output) {
    let rows = rows(inColour: output.usesColour)
    if change.field.shape != .lines, hasBase {
      let base = RecordDiff.short(change.base, change.field)
      for line in Text("base: \(base)", .faint).broken(to: max(output.width, 20)) {
        output.line(line)
      }
    }
    let column = min((output.width - 3) / 2, Self.widestColumn)
    if column >= Self.leastColumn {
      write(rows, inColumns: column, to: output)
    } else {
      write(rows, belowEachOther: output)
    }
  }

  /// Returns what is shown, from top to bottom.
  ///
  /// - Parameter inColour: Whether styles tell removed words from added ones.
  func rows(inColour: Bool) -> [Row] {
    if change.field.shape == .lines { return lineRows(inColour) }
    let (local, server) = (change.local, change.server ?? .null)
    return [
      .cells(
        left: [Cell(text: value(local, inColour))], right: [Cell(text: value(server, inColour))],
        clashes: true)
    ]
  }

  // MARK: Layout

  private func write(_ rows: [Row], inColumns width: Int, to output: Output) {
    let local = Text(sides.local, .strong).truncated(to: width)
    output.line(local.padded(to: width) + "   " + Text(sides.server, .strong).truncated(to: width))
    let rule = String(repeating: "─", count: width)
    output.line(Text("\(rule)─┬─\(rule)", .faint))
    for row in rows {
      switch row {
      case .wide(let text): output.line(text)
      case .context(let line):
        let text = Text("  \(line)", .faint).truncated(to: width)
        output.line(text.padded(to: width) + Text(" │ ", .faint) + text)
      case .cells(let left, let right, let clashes):
        let leftLines = left.flatMap { Self.lines(of: $0, width) }
        let rightLines = right.flatMap { Self.lines(of: $0, width) }
        for index in 0..<max(leftLines.count, rightLines.count) {
          let first = index < leftLines.count ? leftLines[index] : Text("")
          let second = index < rightLines.count ? rightLines[index] : Text("")
          let middle = clashes ? Text(" ≠ ", .error) : Text(" │ ", .faint)
          output.line(first.padded(to: width) + middle + second)
        }
      }
    }
  }

  private func write(_ rows: [Row], belowEachOther output: Output) {
    let width = max(output.width, 20)
    for isLeft in [true, false] {
      output.line(Text(isLeft ? sides.local : sides.server, .strong))
      for row in rows {
        switch row {
        case .wide(let text): output.line(text)
        case .context(let line): output.line(Text("    \(line)", .faint).truncated(to: width))
        case .cells(let left, let right, let clashes):
          for cell in isLeft ? left : right {
            for line in Self.lines(of: cell, width - 2) {
              output.line((clashes ? Text("≠ ", .error) : Text("  ")) + line)
            }
          }
        }
      }
    }
  }

  /// Returns a cell's lines, all indented like the text of the first one.
  private static func lines(of cell: Cell, _ width: Int) -> [Text] {
    let signWidth = cell.sign.width
    let lines = cell.text.broken(to: max(width - signWidth, 8))
    let indent = Text("").padded(to: signWidth)
    return lines.enumerated().map { ($0 == 0 ? cell.sign : indent) + $1 }
  }

  // MARK: Values

  private func value(_ value: JSONValue, _ inColour: Bool) -> Text {
    switch (change.base, value) {
    case (_, .null): return Text("nothing", .faint)
    case (.string(let old), .string(let new)):
      let diff = WordDiff(from: old, to: new)
      // In texts with little in common, marks would only distract.
      guard diff.similarity >= LineDiff.leastSimilarity else { return Text(new, .added) }
      return diff.text(inColour: inColour)
    case (.array(let old), .array(let new)): return RecordDiff.elements(old, new)
    case (_, .array(let new)): return RecordDiff.elements([], new)
    case (_, .string(let text)): return Text(text, .added)
    default: return Text(value.compactText, .added)
    }
  }

  // MARK: Lines

  private func lineRows(_ inColour: Bool) -> [Row] {
    func lines(_ value: JSONValue) -> [String] { value.string.map(RecordFile.lines) ?? [] }
    let regions = LineMerge.regions(
      base: lines(change.base), local: lines(change.local), remote: lines(change.server ?? .null))
    var rows: [Row] = []
    for (place, region) in regions.enumerated() {
      switch region.kind {
      case .kept: rows += kept(region.base, isFirst: place == 0, isLast: place == regions.count - 1)
      case .changedLocally, .changedRemotely, .changedAlike, .conflict:
        rows.append(
          .cells(
            left: Self.lines(from: region.base, to: region.local, inColour),
            right: Self.lines(from: region.base, to: region.remote, inColour),
            clashes: region.kind == .conflict))
      }
    }
    return rows
  }

  /// Returns the unchanged lines next to a change, and the number of those between.
  private func kept(_ lines: [String], isFirst: Bool, isLast: Bool) -> [Row] {
    let shown = lines.indices.filter { !lines[$0].isEmpty }
    let before = isFirst ? 0 : Self.contextLines
    let after = isLast ? 0 : Self.contextLines
    func context(_ indices: ArraySlice<Int>) -> [Row] {
      indices.map { .context(lines[$0]) }
    }
    let folded = shown.count - before - after
    guard folded > 1 else { return context(shown[...]) }
    let fold = Row.wide(Text("  ⋯ \(Phrases.count(folded, "unchanged line"))", .faint))
    return context(shown.prefix(before)) + [fold] + context(shown.suffix(after))
  }

  /// Returns the lines of one version with their signs.
  private static func lines(from base: [String], to version: [String], _ inColour: Bool) -> [Cell] {
    if base.map(ExactName.init) == version.map(ExactName.init) {
      return base.filter { !$0.isEmpty }.map { Cell(sign: "  ", text: Text($0)) }
    }
    let pairs = LineDiff.pairs(base, version)
    guard !pairs.isEmpty else {
      return [Cell(sign: "  ", text: Text("(only empty lines)", .faint))]
    }
    return pairs.map { line in
      switch line {
      case .context(let text): Cell(sign: "  ", text: Text(text))
      case .removed(let text): Cell(sign: Text("- ", .removed), text: Text(text, .removed))
      case .added(let text): Cell(sign: Text("+ ", .added), text: Text(text, .added))
      case .changed(let diff) where diff.segments.allSatisfy(\.isKept):
        Cell(sign: "  ", text: diff.text(inColour: true))
      case .changed(let diff): Cell(sign: Text("~ ", .changed), text: diff.text(inColour: inColour))
      }
    }
  }
}
