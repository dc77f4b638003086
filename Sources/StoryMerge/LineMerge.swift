import JSONText

/// A three-way merge of texts by lines, which keeps changes of both sides that do not touch.
public enum LineMerge {
  /// A range of base lines and their replacement on one side.
  fileprivate struct Hunk {
    var base: Range<Int>
    var lines: [String]
  }

  /// Returns the merged lines, or `nil` if the sides changed the same or adjacent lines
  /// differently.
  ///
  /// Two changes touch if their ranges of base lines overlap or have no unchanged line between
  /// them. Equal changes of the same lines count once. What one side has moved is decided in one
  /// piece, and if both sides add the same words in two places, that is a conflict: the text would
  /// have them twice, or not at all.
  public static func merge(base: [String], local: [String], remote: [String]) -> [String]? {
    var merged: [String] = []
    for region in regions(base: base, local: local, remote: remote) {
      guard let lines = region.merged else { return nil }
      merged += lines
    }
    return merged
  }

  /// A section of a three-way merge: the same base lines in all three versions.
  public struct Region: Sendable, Equatable {
    /// The sides that changed the section.
    public enum Kind: Sendable, Hashable {
      /// Neither side.
      case kept
      /// Only the local side.
      case changedLocally
      /// Only the server.
      case changedRemotely
      /// Both sides, with the same result.
      case changedAlike
      /// Both sides, with different results.
      case conflict
    }

    /// The sides that changed the section.
    public var kind: Kind
    /// The lines in the base.
    public var base: [String]
    /// The local lines.
    public var local: [String]
    /// The server's lines.
    public var remote: [String]

    /// The merged lines, or `nil` for a conflict.
    public var merged: [String]? {
      switch kind {
      case .kept, .changedLocally, .changedAlike: local
      case .changedRemotely: remote
      case .conflict: nil
      }
    }
  }

  /// Returns all sections of the merge. The concatenated lines of a version are that version.
  ///
  /// - Parameters:
  ///   - base: The lines before both changes.
  ///   - local: The local lines.
  ///   - remote: The server's lines.
  ///   - isProse: Whether a line with words is one of its kind, so that it is a move if it is gone in
  ///     one section and new in another; the lines of a JSON file are not.
  public static func regions(
    base: [String], local: [String], remote: [String], isProse: Bool = true
  ) -> [Region] {
    var left = hunks(from: base, to: local)[...]
    var right = hunks(from: base, to: remote)[...]
    var regions: [Region] = []
    var position = 0
    while let (kind, range, mine, theirs) = nextGroup(&left, &right) {
      regions.addKept(base[position..<range.lowerBound])
      var region = Region(
        kind: kind, base: Array(base[range]), local: apply(mine, to: base, in: range),
        remote: apply(theirs, to: base, in: range))
      if kind == .conflict, region.local.map(ExactName.init) == region.remote.map(ExactName.init) {
        region.kind = .changedAlike
      }
      regions.append(region)
      position = range.upperBound
    }
    regions.addKept(base[position...])
    if isProse { regions.decideTogether() }
    return regions
  }

  /// Returns the merged lines, with the local and then the server's lines of each conflict. Of a side
  /// that left the lines as they were, nothing is taken.
  public static func union(base: [String], local: [String], remote: [String]) -> [String] {
    regions(base: base, local: local, remote: remote).flatMap { region in
      if let merged = region.merged { return merged }
      if region.local == region.base { return region.remote }
      return region.remote == region.base ? region.local : region.local + region.remote
    }
  }

  private typealias Group = (kind: Region.Kind, base: Range<Int>, mine: [Hunk], theirs: [Hunk])

  /// Takes the first hunk of either side, with all hunks of both sides that touch it.
  private static func nextGroup(
    _ left: inout ArraySlice<Hunk>, _ right: inout ArraySlice<Hunk>
  ) -> Group? {
    let starts = [left.first, right.first].compactMap { $0?.base.lowerBound }
    guard let start = starts.min() else { return nil }
    var group: Group = (.conflict, start..<start, [], [])
    var count: Int
    repeat {
      count = group.mine.count + group.theirs.count
      group.mine += take(&left, touching: &group.base)
      group.theirs += take(&right, touching: &group.base)
    } while group.mine.count + group.theirs.count > count
    if group.theirs.isEmpty {
      group.kind = .changedLocally
    } else if group.mine.isEmpty {
      group.kind = .changedRemotely
    }
    return group
  }

  private static func take(
    _ hunks: inout ArraySlice<Hunk>, touching range: inout Range<Int>
  ) -> [Hunk] {
    var taken: [Hunk] = []
    while let hunk = hunks.first, hunk.base.lowerBound <= range.upperBound {
      range =
        min(range.lowerBound, hunk.base.lowerBound)..<max(range.upperBound, hunk.base.upperBound)
      taken.append(hunks.removeFirst())
    }
    return taken
  }

  private static func apply(_ hunks: [Hunk], to base: [String], in range: Range<Int>) -> [String] {
    var lines: [String] = []
    var position = range.lowerBound
    for hunk in hunks {
      lines += base[position..<hunk.base.lowerBound]
      lines += hunk.lines
      position = hunk.base.upperBound
    }
    return lines + base[position..<range.upperBound]
  }

  /// Returns the changes between two texts, in order and separated by unchanged lines.
  private static func hunks(from base: [String], to other: [String]) -> [Hunk] {
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

extension LineMerge.Region {
  /// The lines with words of a section that was changed.
  fileprivate struct Words {
    var (base, local, remote): (Set<ExactName>, Set<ExactName>, Set<ExactName>) = ([], [], [])

    init(_ region: LineMerge.Region) {
      if region.kind == .kept { return }
      func words(_ lines: [String]) -> Set<ExactName> {
        Set(lines.lazy.filter { $0.contains { $0.isLetter || $0.isNumber } }.map(ExactName.init))
      }
      (base, local, remote) = (words(region.base), words(region.local), words(region.remote))
    }

    func adds(_ word: ExactName, locally: Bool) -> Bool {
      !base.contains(word) && (locally ? local : remote).contains(word)
    }

    func removes(_ word: ExactName, locally: Bool) -> Bool {
      base.contains(word) && !(locally ? local : remote).contains(word)
    }
  }

  /// Whether only the local side changed the section, or `nil` if it is not that only one did.
  fileprivate var isLocal: Bool? {
    switch kind {
    case .changedLocally: true
    case .changedRemotely: false
    case .kept, .changedAlike, .conflict: nil
    }
  }
}

extension [LineMerge.Region] {
  /// Makes conflicts of sections that only one side changed if they cannot be decided by themselves:
  /// they add words that the other side adds elsewhere, or are one end of a move whose other end is in
  /// a conflict.
  fileprivate mutating func decideTogether() {
    let words = map(LineMerge.Region.Words.init)
    var places: [ExactName: [Int]] = [:]
    for place in indices {
      for word in words[place].base.union(words[place].local).union(words[place].remote) {
        places[word, default: []].append(place)
      }
    }
    func isTied(_ place: Int, _ isLocal: Bool, to other: Int, by word: ExactName) -> Bool {
      let (mine, theirs) = (words[place], words[other])
      let isOpen = self[other].kind == .conflict
      if mine.adds(word, locally: isLocal) {
        return theirs.adds(word, locally: !isLocal) && (isOpen || self[other].isLocal == !isLocal)
          || isOpen && theirs.removes(word, locally: isLocal)
      }
      return isOpen && mine.removes(word, locally: isLocal) && theirs.adds(word, locally: isLocal)
    }
    var open: [Int] = indices.filter { self[$0].kind != .kept }
    while let other = open.popLast() {
      for word in words[other].base.union(words[other].local).union(words[other].remote) {
        for place in places[word] ?? [] where place != other {
          guard let isLocal = self[place].isLocal, isTied(place, isLocal, to: other, by: word)
          else {
            continue
          }
          if self[other].kind != .conflict, self[other].isLocal != nil {
            self[other].kind = .conflict
            open.append(other)
          }
          self[place].kind = .conflict
          open.append(place)
        }
      }
    }
  }

  fileprivate mutating func addKept(_ lines: ArraySlice<String>) {
    guard !lines.isEmpty else { return }
    let lines = [String](lines)
    append(LineMerge.Region(kind: .kept, base: lines, local: lines, remote: lines))
  }
}
