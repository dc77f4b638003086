/// Three-way merge of texts by lines: changes of both sides stand where they do not touch.
public enum LineMerge {
  /// A run of base lines and what one side made of it.
  struct Hunk: Equatable {
    var base: Range<Int>
    var lines: [String]
  }

  /// The merged lines; `nil` where both sides changed the same or neighbouring lines differently.
  ///
  /// Two changes touch where their ranges of base lines overlap or meet without an unchanged line in
  /// between; equal changes of the same lines count once.
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

  /// Takes the first hunk of either side, or both where they are the same change.
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

  /// What was changed between two texts, in order, with unchanged lines in between.
  static func hunks(from base: [String], to other: [String]) -> [Hunk] {
    let same: (String, String) -> Bool = { $0.utf8.elementsEqual($1.utf8) }
    // Equal ends are cut off first: the difference costs time by the size of what is left.
    var start = 0
    while start < base.count, start < other.count, same(base[start], other[start]) { start += 1 }
    var (baseEnd, otherEnd) = (base.count, other.count)
    while baseEnd > start, otherEnd > start, same(base[baseEnd - 1], other[otherEnd - 1]) {
      baseEnd -= 1
      otherEnd -= 1
    }
    let (middle, otherMiddle) = (base[start..<baseEnd], other[start..<otherEnd])
    guard middle.count * otherMiddle.count <= 4_000_000 else {
      return [Hunk(base: start..<baseEnd, lines: Array(otherMiddle))]
    }
    var isRemoved = [Bool](repeating: false, count: middle.count)
    var isInserted = [Bool](repeating: false, count: otherMiddle.count)
    for change in otherMiddle.difference(from: middle, by: same) {
      switch change {
      case .remove(let offset, _, _): isRemoved[offset] = true
      case .insert(let offset, _, _): isInserted[offset] = true
      }
    }
    var hunks: [Hunk] = []
    var (old, new) = (0, 0)
    while old < middle.count || new < otherMiddle.count {
      let (firstOld, firstNew) = (old, new)
      while old < middle.count, isRemoved[old] { old += 1 }
      while new < otherMiddle.count, isInserted[new] { new += 1 }
      if old > firstOld || new > firstNew {
        hunks.append(
          Hunk(
            base: start + firstOld..<start + old,
            lines: Array(otherMiddle[start + firstNew..<start + new])))
      } else {
        old += 1
        new += 1
      }
    }
    return hunks
  }
}
