/// Finds what somebody may have meant by a mistyped word.
public enum Nearest {
  /// The candidate nearest to `word`; `nil` where none is near.
  ///
  /// Near means at most one edit in words of up to four letters, two in words of up to eight, three
  /// in longer ones; case does not count, and two swapped letters are one edit.
  public static func match(_ word: String, among candidates: some Sequence<String>) -> String? {
    var search = Search(Spelling(word))
    for candidate in candidates { search.look(at: Spelling(candidate)) }
    return search.best?.text
  }

  /// A word with its letters in lower case.
  struct Spelling: Sendable {
    let text: String
    let letters: [UInt32]
    /// A bit for each letter that the word has; several letters share one.
    private let set: UInt64

    init(_ text: String) {
      self.text = text
      letters = text.lowercased().map { character in
        let scalars = character.unicodeScalars
        if scalars.count == 1, let first = scalars.first { return first.value }
        // A letter of several scalars: a number beyond those of single ones.
        return scalars.reduce(0x811C_9DC5) { ($0 ^ $1.value) &* 0x0100_0193 } | 1 << 31
      }
      set = letters.reduce(0) { $0 | 1 << UInt64($1 % 64) }
    }

    /// Returns whether the words surely differ by more than `limit` edits, of which each adds and
    /// removes one letter at most.
    func isFar(from other: Spelling, limit: Int) -> Bool {
      abs(letters.count - other.letters.count) > limit
        || (set ^ other.set).nonzeroBitCount > 2 * limit
    }
  }

  /// The best of the candidates that were looked at so far.
  struct Search {
    let word: Spelling
    private(set) var best: Spelling?
    private var limit: Int

    init(_ word: Spelling) {
      self.word = word
      let count = word.letters.count
      limit = count <= 4 ? 1 : count <= 8 ? 2 : 3
    }

    mutating func look(at candidate: Spelling) {
      guard !word.isFar(from: candidate, limit: limit) else { return }
      let distance = distance(word.letters, candidate.letters, limit: limit)
      guard distance <= limit else { return }
      if distance == limit, let best, best.text <= candidate.text { return }
      (best, limit) = (candidate, distance)
    }
  }

  /// The number of letters to insert, remove, replace or swap with their neighbour (the restricted
  /// Damerau–Levenshtein distance); more than `limit` where it is surely more.
  static func distance<Letter: Equatable>(
    _ left: [Letter], _ right: [Letter], limit: Int
  ) -> Int {
    let far = limit + 1
    guard abs(left.count - right.count) <= limit else { return far }
    // Three rows of the table, of which only a band around the diagonal is of interest.
    var before = [Int](repeating: far, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = before
    var leastBefore = 0
    for row in 1..<max(left.count + 1, 1) {
      let first = max(1, row - limit)
      let last = min(right.count, row + limit)
      current[first - 1] = first == 1 ? row : far
      var least = current[first - 1]
      var column = first
      while column <= last {
        let cost = left[row - 1] == right[column - 1] ? 0 : 1
        var best = min(
          previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          best = min(best, before[column - 2] + 1)
        }
        current[column] = best
        least = min(least, best)
        column += 1
      }
      if last < right.count { current[last + 1] = far }
      // No later row can have a smaller number than the smallest of two rows before it.
      if min(least, leastBefore) > limit { return far }
      leastBefore = least
      swap(&before, &previous)
      swap(&previous, &current)
    }
    return previous[right.count]
  }
}

/// Names prepared for finding the nearest of many words.
///
/// Of a few names all are looked at. Of many it is those that begin or end most like the word, so
/// that a thousand wrong names in a large library take no time.
struct NearestNames: Sendable {
  /// How many names are looked at on each side of the place that a word would have.
  private static let window = 16

  /// The names by their letters from the first to the last.
  private let names: [Nearest.Spelling]
  /// Places in ``names``, by the letters from the last to the first.
  private let reversed: [Int]

  init(_ names: some Sequence<String>) {
    let names = names.sorted().map { Nearest.Spelling($0) }.sorted {
      $0.letters.lexicographicallyPrecedes($1.letters)
    }
    self.names = names
    reversed = names.indices.sorted {
      names[$0].letters.reversed().lexicographicallyPrecedes(names[$1].letters.reversed())
    }
  }

  /// The name nearest to `word`, as ``Nearest/match(_:among:)`` has it; `nil` if none is near.
  func match(_ word: String) -> String? {
    let word = Nearest.Spelling(word)
    var search = Nearest.Search(word)
    if names.count <= 4 * Self.window {
      for name in names { search.look(at: name) }
      return search.best?.text
    }
    for place in around({ names[$0].letters.lexicographicallyPrecedes(word.letters) }) {
      search.look(at: names[place])
    }
    let end = Array(word.letters.reversed())
    for place in around({
      names[reversed[$0]].letters.reversed().lexicographicallyPrecedes(end)
    }) {
      search.look(at: names[reversed[place]])
    }
    return search.best?.text
  }

  /// The places around the first one that is not `before`.
  private func around(_ before: (Int) -> Bool) -> Range<Int> {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if before(middle) { low = middle + 1 } else { high = middle }
    }
    return max(0, low - Self.window)..<min(names.count, low + Self.window)
  }
}
