extension LineMerge {
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
  /// There is a conflict among them if and only if ``merge(base:local:remote:)`` returns `nil`.
  public static func regions(base: [String], local: [String], remote: [String]) -> [Region] {
    var left = hunks(from: base, to: local)[...]
    var right = hunks(from: base, to: remote)[...]
    var regions: [Region] = []
    var position = 0
    while let (kind, range, mine, theirs) = nextGroup(&left, &right) {
      regions.addKept(base[position..<range.lowerBound])
      regions.append(
        Region(
          kind: kind, base: Array(base[range]), local: apply(mine, to: base, in: range),
          remote: apply(theirs, to: base, in: range)))
      position = range.upperBound
    }
    regions.addKept(base[position...])
    return regions
  }

  /// Returns the merged lines, with the local and then the server's lines of each conflict.
  public static func union(base: [String], local: [String], remote: [String]) -> [String] {
    regions(base: base, local: local, remote: remote).flatMap { $0.merged ?? $0.local + $0.remote }
  }

  private typealias Group = (kind: Region.Kind, base: Range<Int>, mine: [Hunk], theirs: [Hunk])

  /// Takes the first hunk of either side, or all hunks of both sides that touch.
  private static func nextGroup(
    _ left: inout ArraySlice<Hunk>, _ right: inout ArraySlice<Hunk>
  ) -> Group? {
    guard let mine = left.first else {
      return right.popFirst().map { (.changedRemotely, $0.base, [], [$0]) }
    }
    guard let theirs = right.first, theirs.base.lowerBound <= mine.base.upperBound else {
      left.removeFirst()
      return (.changedLocally, mine.base, [mine], [])
    }
    guard mine.base.lowerBound <= theirs.base.upperBound else {
      right.removeFirst()
      return (.changedRemotely, theirs.base, [], [theirs])
    }
    if isSame(mine, theirs) {
      left.removeFirst()
      right.removeFirst()
      return (.changedAlike, mine.base, [mine], [theirs])
    }
    var group: Group = (.conflict, mine.base, [], [])
    var isGrowing = true
    while isGrowing {
      let mine = take(&left, touching: &group.base)
      let theirs = take(&right, touching: &group.base)
      group.mine += mine
      group.theirs += theirs
      isGrowing = !mine.isEmpty || !theirs.isEmpty
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
}

extension [LineMerge.Region] {
  fileprivate mutating func addKept(_ lines: ArraySlice<String>) {
    guard !lines.isEmpty else { return }
    let lines = [String](lines)
    append(LineMerge.Region(kind: .kept, base: lines, local: lines, remote: lines))
  }
}
