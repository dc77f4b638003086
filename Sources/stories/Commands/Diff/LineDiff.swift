import JSONText
import StoryLibrary

struct LineDiff: Sendable {
  enum Line: Sendable, Equatable {
    case context(String)
    case removed(String)
    case added(String)
    /// An edited line with its words.
    case changed(WordDiff)
  }

  struct Hunk: Sendable, Equatable {
    /// The hunk's line in the new text, from 1.
    var line: Int
    var lines: [Line]
  }

  private(set) var hunks: [Hunk] = []
  /// The number of new lines, including edited ones.
  private(set) var addedCount = 0
  /// The number of removed lines, including edited ones.
  private(set) var removedCount = 0

  /// The minimum similarity of an edited line; below it, a line counts as replaced.
  static let leastSimilarity = 0.4

  init(from old: String, to new: String) {
    let (old, new) = (RecordFile.lines(of: old), RecordFile.lines(of: new))
    // An empty line between two changed paragraphs does not separate them.
    let changes = SequenceDifference.changes(
      from: old.map(ExactName.init), to: new.map(ExactName.init)
    ) { line, _ in line.string.isEmpty }
    func filled(_ lines: ArraySlice<String>) -> [String] { lines.filter { !$0.isEmpty } }
    let ends = changes.map(\.old.lowerBound) + [old.count]
    let kept = zip([0] + changes.map(\.old.upperBound), ends).map { filled(old[$0..<$1]) }
    for (place, change) in changes.enumerated() {
      let (removed, added) = (filled(old[change.old]), filled(new[change.new]))
      var lines = Self.pairs(removed, added)
      let before = kept[...place].last { !$0.isEmpty }?.last
      let after = kept[(place + 1)...].first { !$0.isEmpty }?.first
      if let before { lines.insert(.context(before), at: 0) }
      if let after { lines.append(.context(after)) }
      hunks.append(Hunk(line: change.new.lowerBound + 1, lines: lines))
      removedCount += removed.count
      addedCount += added.count
    }
  }

  /// The maximum number of line pairs to compare. In longer texts each removed line is compared
  /// only with the next few added ones.
  private static let budget = 250_000

  static func pairs(_ removed: [String], _ added: [String]) -> [Line] {
    var numbers: [ExactName: Int] = [:]
    let old = removed.filter { !$0.isEmpty }.map { Prose($0, &numbers) }
    let new = added.filter { !$0.isEmpty }.map { Prose($0, &numbers) }
    let window = old.isEmpty ? 0 : max(10, budget / old.count)
    var lines: [Line] = []
    var next = 0
    for old in old {
      var match: (place: Int, diff: WordDiff)?
      for place in next..<max(next, min(new.count, next + window))
      where old.mayEqual(new[place], share: leastSimilarity) {
        let diff = WordDiff(from: old.tokens, to: new[place].tokens)
        if diff.similarity >= leastSimilarity {
          match = (place, diff)
          break
        }
      }
      guard let match else {
        lines.append(.removed(old.text))
        continue
      }
      lines += new[next..<match.place].map { .added($0.text) }
      lines.append(.changed(match.diff))
      next = match.place + 1
    }
    lines += new[next...].map { .added($0.text) }
    return lines
  }

  /// A line with its words, for a fast estimate of its similarity to another.
  private struct Prose {
    let text: String
    let tokens: [ExactName]
    /// The bytes of each word of the line, by the word's number.
    private var sizes: [Int: Int] = [:]
    private var size = 0

    init(_ text: String, _ numbers: inout [ExactName: Int]) {
      self.text = text
      tokens = WordDiff.tokens(text)
      for token in tokens where !token.string.hasPrefix(" ") {
        let number = numbers[token] ?? numbers.count
        numbers[token] = number
        sizes[number, default: 0] += token.string.utf8.count
        size += token.string.utf8.count
      }
    }

    /// Returns whether the lines may be similar: never `false` if a ``WordDiff`` keeps this share.
    func mayEqual(_ other: Prose, share: Double) -> Bool {
      let needed = share * Double(size + other.size)
      guard Double(2 * min(size, other.size)) >= needed else { return false }
      var common = 0
      for (number, size) in sizes { common += min(size, other.sizes[number] ?? 0) }
      return Double(2 * common) >= needed
    }
  }
}
