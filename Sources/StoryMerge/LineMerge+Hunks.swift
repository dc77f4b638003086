import JSONText

extension LineMerge {
  /// A range of base lines and their replacement on one side.
  struct Hunk {
    var base: Range<Int>
    var lines: [String]
  }

  /// Returns the changes between two texts, in order and separated by unchanged lines.
  static func hunks(from base: [String], to other: [String]) -> [Hunk] {
    var hunks: [Hunk] = []
    var (old, new) = (0, 0)
    for (nextOld, nextNew) in kept(base, other) + [(base.count, other.count)] {
      if old < nextOld || new < nextNew {
        hunks.append(Hunk(base: old..<nextOld, lines: Array(other[new..<nextNew])))
      }
      (old, new) = (nextOld + 1, nextNew + 1)
    }
    return moved(hunks, down: base)
  }

  /// Returns the lines that stay, each at the first place where it can be: so the same change is cut
  /// in the same way on both sides, whatever else a side has changed. Empty lines are matched last, as
  /// one is like the other.
  private static func kept(_ base: [String], _ other: [String]) -> [(old: Int, new: Int)] {
    let (old, new) = (base.map(ExactName.init), other.map(ExactName.init))
    func filled(_ lines: [ExactName]) -> [Int] {
      lines.indices.filter { lines[$0].string.contains { !$0.isWhitespace } }
    }
    let (olds, news) = (filled(old), filled(new))
    let words = SequenceDifference.kept(olds.map { old[$0] }, news.map { new[$0] })
      .map { (old: olds[$0.old], new: news[$0.new]) }
    var pairs: [(old: Int, new: Int)] = []
    var next = (old: 0, new: 0)
    for pair in words + [(base.count, other.count)] {
      let between = SequenceDifference.kept(
        Array(old[next.old..<pair.old]), Array(new[next.new..<pair.new]))
      for line in between + [(pair.old - next.old, pair.new - next.new)] {
        pairs.append((next.old + line.old, next.new + line.new))
      }
      next = (pair.old + 1, pair.new + 1)
    }
    pairs.removeLast()
    next = (0, 0)
    for place in pairs.indices {
      let pair = pairs[place]
      if let first = new[next.new..<pair.new].firstIndex(of: old[pair.old]) {
        pairs[place].new = first
      } else if let first = old[next.old..<pair.old].firstIndex(of: new[pair.new]) {
        pairs[place].old = first
      }
      next = (pairs[place].old + 1, pairs[place].new + 1)
    }
    return pairs
  }

  /// Moves lines that were only added or only removed as far down as they can go.
  ///
  /// A new paragraph may begin with the empty line above it or end with the one below it. In one
  /// place on both sides, equal paragraphs are one change. Git does the same.
  private static func moved(_ hunks: [Hunk], down base: [String]) -> [Hunk] {
    var moved: [Hunk] = []
    for var hunk in hunks.reversed() {
      while true {
        let end = moved.last?.base.lowerBound ?? base.count
        hunk.move(down: base[..<end])
        guard hunk.base.upperBound == end, let next = moved.popLast() else { break }
        hunk.base = hunk.base.lowerBound..<next.base.upperBound
        hunk.lines += next.lines
      }
      moved.append(hunk)
    }
    return moved.reversed()
  }
}

extension LineMerge.Hunk {
  fileprivate mutating func move(down text: ArraySlice<String>) {
    guard base.isEmpty || lines.isEmpty else { return }
    let moving = (base.isEmpty ? lines[...] : text[base]).map(ExactName.init)
    var count = 0
    while base.upperBound + count < text.endIndex,
      moving[count % moving.count] == ExactName(text[base.upperBound + count])
    {
      count += 1
    }
    base = base.lowerBound + count..<base.upperBound + count
    if !lines.isEmpty {
      let turn = count % lines.count
      lines = Array(lines[turn...] + lines[..<turn])
    }
  }
}
