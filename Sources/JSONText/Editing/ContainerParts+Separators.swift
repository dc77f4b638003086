extension ContainerParts {
  /// Returns the separators before each slot of the new container. Gaps between children that
  /// remain adjacent keep their bytes, and new children are separated like those around them.
  ///
  /// Both the old and the new container have at least one child.
  func separators(for slots: [Slot], style: BlockStyle) -> [[UInt8]] {
    var result: [[UInt8]] = []
    // The index of the last old child passed.
    var previous = -1
    var index = 0
    while index < slots.count {
      let run = slots[index...].prefix { $0.place == nil }
      let next = index + run.count < slots.count ? slots[index + run.count].place : nil
      result += separators(for: run, after: previous, before: next, style: style)
      if let next { previous = next }
      index += run.count + (next == nil ? 0 : 1)
    }
    return result
  }

  /// Returns the separators before each new child of a run and before the old child `next`.
  private func separators(
    for run: ArraySlice<Slot>, after previous: Int, before next: Int?, style: BlockStyle
  ) -> [[UInt8]] {
    // Gaps left by removed children are reused first.
    let free = Array((previous + 1..<(next ?? count)).map { Array(gap($0)) })
    let template = run.isEmpty ? [] : separator(near: max(previous, 0), style: style)
    let additional = Array(repeating: template, count: max(0, run.count - free.count))
    guard let next else { return Array(free.prefix(run.count)) + additional }
    let last = Array(gap(next))
    if run.isEmpty {
      if free.isEmpty { return [last] }
      return [previous < 0 ? free[0] : Self.joined(free[0], last)]
    }
    if !free.isEmpty { return Array(free.prefix(run.count)) + additional + [last] }
    // Before the first child, the gap after the bracket comes first and the new comma second.
    if previous < 0 { return [last] + additional }
    if case .added(_, _, isLeading: true) = run[run.startIndex] { return [last] + additional }
    return additional + [last]
  }

  /// Returns the gap that remains when the children between two gaps are removed with their lines.
  private static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    let firstEnds = lineStarts(in: first)
    let secondEnds = lineStarts(in: second)
    guard let firstLast = firstEnds.last else { return second }
    guard let secondLast = secondEnds.last else { return first }
    // Keeps blank lines on one side, not on both.
    let joined =
      secondEnds.count > firstEnds.count
      ? first[..<firstEnds[0]] + second[secondEnds[0]...]
      : first[..<firstLast] + second[secondLast...]
    let commas = joined.count { $0 == UInt8(ascii: ",") }
    return commas == 1 ? Array(joined) : second
  }

  /// Returns a separator like the one before the child at `place`, or the one after it.
  private func separator(near place: Int, style: BlockStyle) -> [UInt8] {
    let place = max(place, 1)
    if place < count { return Self.withoutBlankLines(gap(place)) }
    let lead = gap(0)
    let comma = UInt8(ascii: ",")
    if let start = WhiteSpace.lastLineStart(in: lead) {
      return [comma] + style.lineEnd + lead[start...]
    }
    // The bracket shares the first line but not the last, so lines start with a comma.
    if let start = WhiteSpace.lastLineStart(in: tail) {
      return style.lineEnd + tail[start...] + [comma] + (lead.isEmpty ? [0x20] : Array(lead))
    }
    return style.inline.comma
  }

  /// Removes blank lines on both sides of the comma and spaces before it.
  private static func withoutBlankLines(_ gap: ArraySlice<UInt8>) -> [UInt8] {
    guard let comma = gap.firstIndex(of: UInt8(ascii: ",")) else { return Array(gap) }
    let (before, after) = (gap[..<comma], gap[(comma + 1)...])
    return lastLine(of: before) + [UInt8(ascii: ",")] + lastLine(of: after)
  }

  /// Returns the last line end and what follows it, or everything if the text has no line end.
  private static func lastLine(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard let start = WhiteSpace.lastLineStart(in: bytes) else { return Array(bytes) }
    let isCRLF =
      start - 2 >= bytes.startIndex && bytes[start - 2] == 0x0D && bytes[start - 1] == 0x0A
    return Array(bytes[(start - (isCRLF ? 2 : 1))...])
  }

  /// Returns the indices at which lines start.
  private static func lineStarts(in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { index in
      bytes[index] == 0x0A
        || bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
    }.map { $0 + 1 }
  }
}
