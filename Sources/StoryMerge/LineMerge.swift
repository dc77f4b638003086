import JSONText

/// A three-way merge of texts by lines, which keeps changes of both sides that do not touch.
public enum LineMerge {
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
    while let (range, mine, theirs) = nextGroup(&left, &right) {
      regions.addKept(base[position..<range.lowerBound])
      let (local, remote) = (apply(mine, to: base, in: range), apply(theirs, to: base, in: range))
      let kind: Region.Kind =
        if theirs.isEmpty {
          .changedLocally
        } else if mine.isEmpty {
          .changedRemotely
        } else {
          local.map(ExactName.init) == remote.map(ExactName.init) ? .changedAlike : .conflict
        }
      regions.append(Region(kind: kind, base: Array(base[range]), local: local, remote: remote))
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

  private typealias Group = (base: Range<Int>, mine: [Hunk], theirs: [Hunk])

  /// Takes the first hunk of either side, with all hunks of both sides that touch it.
  private static func nextGroup(
    _ left: inout ArraySlice<Hunk>, _ right: inout ArraySlice<Hunk>
  ) -> Group? {
    let starts = [left.first, right.first].compactMap { $0?.base.lowerBound }
    guard let start = starts.min() else { return nil }
    var group: Group = (start..<start, [], [])
    var count: Int
    repeat {
      count = group.mine.count + group.theirs.count
      group.mine += take(&left, touching: &group.base)
      group.theirs += take(&right, touching: &group.base)
    } while group.mine.count + group.theirs.count > count
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
