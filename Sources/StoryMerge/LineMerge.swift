import JSONText

/// A three-way merge of texts by lines, which keeps changes of both sides that do not touch.
public enum LineMerge {
  /// A range of base lines and their replacement on one side.
  struct Hunk: Equatable {
    var base: Range<Int>
    var lines: [String]
  }

  /// Returns the merged lines, or `nil` if the sides changed the same or adjacent lines
  /// differently.
  ///
  /// Two changes touch if their ranges of base lines overlap or have no unchanged line between
  /// them. Equal changes of the same lines count once.
  public static func merge(base: [String], local: [String], remote: [String]) -> [String]? {
    let localHunks = hunks(from: base, to: local)
    let remoteHunks = hunks(from: base, to: remote)
    var merged: [String] = []
    var position = 0
    var (left, right) = (localHunks[...], remoteHunks[...])
    while let next = nextHunk(&left, &right) {
      guard case .hunk(let hunk) = next else { return nil }
      merged += base[position..<hunk.base.lowerBound]
      merged += hunk.lines
      position = hunk.base.upperBound
    }
    return merged + base[position...]
  }

  private enum Next {
    case hunk(Hunk)
    case clash
  }

  /// Takes the first hunk of either side, or both if they are equal.
  private static func nextHunk(
    _ left: inout ArraySlice<Hunk>, _ right: inout ArraySlice<Hunk>
  ) -> Next? {
    switch (left.first, right.first) {
    case (nil, nil): return nil
    case (let hunk?, nil):
      left.removeFirst()
      return .hunk(hunk)
    case (nil, let hunk?):
      right.removeFirst()
      return .hunk(hunk)
    case (let mine?, let theirs?):
      if isSame(mine, theirs) {
        left.removeFirst()
        right.removeFirst()
        return .hunk(mine)
      }
      if mine.base.upperBound < theirs.base.lowerBound {
        left.removeFirst()
        return .hunk(mine)
      }
      if theirs.base.upperBound < mine.base.lowerBound {
        right.removeFirst()
        return .hunk(theirs)
      }
      return .clash
    }
  }

  static func isSame(_ left: Hunk, _ right: Hunk) -> Bool {
    left.base == right.base && left.lines.count == right.lines.count
      && zip(left.lines, right.lines).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Returns the changes between two texts, in order and separated by unchanged lines.
  static func hunks(from base: [String], to other: [String]) -> [Hunk] {
    var hunks: [Hunk] = []
    var (old, new) = (0, 0)
    let kept = SequenceDifference.kept(base.map(ExactName.init), other.map(ExactName.init))
    for (nextOld, nextNew) in kept + [(base.count, other.count)] {
      if old < nextOld || new < nextNew {
        hunks.append(Hunk(base: old..<nextOld, lines: Array(other[new..<nextNew])))
      }
      (old, new) = (nextOld + 1, nextNew + 1)
    }
    return hunks
  }
}
