import StoryLibrary

/// How a long text became another, line by line.
struct LineDiff: Sendable {
  /// A line of a place of change.
  enum Line: Sendable, Equatable {
    /// An unchanged line, for orientation.
    case context(String)
    case removed(String)
    case added(String)
    /// A line that was edited, with its words.
    case changed(WordDiff)
  }

  /// One place of change.
  struct Hunk: Sendable, Equatable {
    /// The line of the new text that the place is at, from 1.
    var line: Int
    var lines: [Line]
  }

  /// The places of change in order.
  private(set) var hunks: [Hunk] = []
  /// How many lines are new, edited ones included.
  private(set) var addedCount = 0
  /// How many lines are gone, edited ones included.
  private(set) var removedCount = 0

  /// From which similarity on a line counts as edited, not as replaced.
  static let leastSimilarity = 0.4

  init(from old: String, to new: String) {
    let steps = SequenceDifference.steps(
      from: RecordFile.lines(of: old).map { ExactText($0) },
      to: RecordFile.lines(of: new).map { ExactText($0) })
    var number = 1
    var before: String?
    var place = 0
    while place < steps.count {
      if case .kept(let line) = steps[place] {
        if !line.text.isEmpty { before = line.text }
        number += 1
        place += 1
        continue
      }
      var (removed, added): ([String], [String]) = ([], [])
      collect: while place < steps.count {
        switch steps[place] {
        case .removed(let line): removed.append(line.text)
        case .added(let line): added.append(line.text)
        case .kept(let line):
          // An empty line between two changed paragraphs does not part them.
          guard line.text.isEmpty, place + 1 < steps.count, !steps[place + 1].isKept else {
            break collect
          }
          removed.append("")
          added.append("")
        }
        place += 1
      }
      let after = steps[place...].lazy.compactMap(\.keptText).first { !$0.isEmpty }
      var lines = Self.pairs(removed, added)
      if let before { lines.insert(.context(before), at: 0) }
      if let after { lines.append(.context(after)) }
      hunks.append(Hunk(line: number, lines: lines))
      number += added.count
    }
    for case .removed(let line) in steps where !line.text.isEmpty { removedCount += 1 }
    for case .added(let line) in steps where !line.text.isEmpty { addedCount += 1 }
  }

  /// Matches removed lines with the added ones that they became.
  static func pairs(_ removed: [String], _ added: [String]) -> [Line] {
    var lines: [Line] = []
    var next = 0
    for old in removed where !old.isEmpty {
      var match: (place: Int, diff: WordDiff)?
      for place in next..<max(next, added.count) where !added[place].isEmpty {
        let diff = WordDiff(from: old, to: added[place])
        if diff.similarity >= leastSimilarity {
          match = (place, diff)
          break
        }
      }
      guard let match else {
        lines.append(.removed(old))
        continue
      }
      lines += added[next..<match.place].filter { !$0.isEmpty }.map { .added($0) }
      lines.append(.changed(match.diff))
      next = match.place + 1
    }
    lines += added[next...].filter { !$0.isEmpty }.map { .added($0) }
    return lines
  }
}

extension SequenceStep where Element == ExactText {
  fileprivate var isKept: Bool { keptText != nil }

  fileprivate var keptText: String? {
    if case .kept(let line) = self { line.text } else { nil }
  }
}
