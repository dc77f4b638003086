extension ContainerParts {
  /// What to write in front of each slot of the new container, so that gaps between children that
  /// stay neighbours keep their bytes, and new children are set apart like those around them.
  ///
  /// The container has at least one child, old and new.
  func separators(for slots: [Slot], style: BlockStyle) -> [[UInt8]] {
    var result: [[UInt8]] = []
    // The place of the last old child that was passed.
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

  /// What to write in front of each new child of a run, and of the old child `next` behind it.
  private func separators(
    for run: ArraySlice<Slot>, after previous: Int, before next: Int?, style: BlockStyle
  ) -> [[UInt8]] {
    // The gaps that children which are gone leave behind are used first.
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
    // In front of the first child, the bracket's gap comes first and the new comma behind.
    if previous < 0 { return [last] + additional }
    if case .added(_, _, isLeading: true) = run[run.startIndex] { return [last] + additional }
    return additional + [last]
  }

  /// The gap that is left where the children between two gaps go with their lines.
  private static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    let firstEnds = lineStarts(in: first)
    let secondEnds = lineStarts(in: second)
    guard let firstLast = firstEnds.last else { return second }
    guard let secondLast = secondEnds.last else { return first }
    // Blank lines on either side stay, not those on both.
    let joined =
      secondEnds.count > firstEnds.count
      ? first[..<firstEnds[0]] + second[secondEnds[0]...]
      : first[..<firstLast] + second[secondLast...]
    let commas = joined.count { $0 == UInt8(ascii: ",") }
    return commas == 1 ? Array(joined) : second
  }

  /// A separator like the one in front of the child at `place`, or the one behind it.
  private func separator(near place: Int, style: BlockStyle) -> [UInt8] {
    let place = max(place, 1)
    if place < count { return Self.withoutBlankLines(gap(place)) }
    let lead = gap(0)
    let comma = UInt8(ascii: ",")
    if let start = WhiteSpace.lastLineStart(in: lead) {
      return [comma] + style.lineEnd + lead[start...]
    }
    // The bracket shares the first line but not the last: lines start with a comma here.
    if let start = WhiteSpace.lastLineStart(in: tail) {
      return style.lineEnd + tail[start...] + [comma] + (lead.isEmpty ? [0x20] : Array(lead))
    }
    return style.inline.comma
  }

  /// A gap with one line end at most on either side of the comma, and no spaces in front of it.
  private static func withoutBlankLines(_ gap: ArraySlice<UInt8>) -> [UInt8] {
    guard let comma = gap.firstIndex(of: UInt8(ascii: ",")) else { return Array(gap) }
    let (before, after) = (gap[..<comma], gap[(comma + 1)...])
    return lastLine(of: before) + [UInt8(ascii: ",")] + lastLine(of: after)
  }

  /// The last line end and what follows it; all where there is none.
  private static func lastLine(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard let start = WhiteSpace.lastLineStart(in: bytes) else { return Array(bytes) }
    let isCRLF =
      start - 2 >= bytes.startIndex && bytes[start - 2] == 0x0D && bytes[start - 1] == 0x0A
    return Array(bytes[(start - (isCRLF ? 2 : 1))...])
  }

  /// Where lines begin in `bytes`.
  private static func lineStarts(in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { index in
      bytes[index] == 0x0A
        || bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
    }.map { $0 + 1 }
  }
}
