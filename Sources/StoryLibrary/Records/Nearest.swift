/// Finds the likely meaning of a mistyped word.
public enum Nearest {
  /// Returns the candidate nearest to `word`, or `nil` if none is near.
  ///
  /// Near means at most one edit for words of up to four letters, two for up to eight, and three
  /// for longer ones, and never more than `most`. Case is ignored, and swapping two adjacent letters
  /// is one edit.
  public static func match(
    _ word: String, among candidates: some Sequence<String>, within most: Int = 3
  ) -> String? {
    var search = Search(Spelling(word), within: most)
    for candidate in candidates { search.look(at: Spelling(candidate)) }
    return search.best?.text
  }

  /// Returns whether a word is certainly a spelling of another one.
  ///
  /// It is if the words differ only in case, `_` and `-`, or besides in the order of two adjacent
  /// letters, or in one letter too many or too few that is not the first.
  static func isCertain(_ word: String, spells meant: String) -> Bool {
    let word = Spelling(word.filter { $0 != "_" && $0 != "-" }).letters
    let meant = Spelling(meant.filter { $0 != "_" && $0 != "-" }).letters
    guard word != meant else { return true }
    guard distance(word, meant, limit: 1) == 1 else { return false }
    return word.count == meant.count ? word.sorted() == meant.sorted() : word.first == meant.first
  }

  struct Spelling: Sendable {
    let text: String
    let letters: [UInt32]
    /// A bit set of the letters, in which several letters share one bit.
    private let set: UInt64

    init(_ text: String) {
      self.text = text
      letters = text.lowercased().map { character in
        let scalars = character.unicodeScalars
        if scalars.count == 1, let first = scalars.first { return first.value }
        // A letter of several scalars gets a number beyond those of single scalars.
        return scalars.reduce(0x811C_9DC5) { ($0 ^ $1.value) &* 0x0100_0193 } | 1 << 31
      }
      set = letters.reduce(0) { $0 | 1 << UInt64($1 % 64) }
    }

    /// Returns whether the words certainly differ by more than `limit` edits, each of which adds
    /// and removes at most one letter.
    func isFar(from other: Spelling, limit: Int) -> Bool {
      abs(letters.count - other.letters.count) > limit
        || (set ^ other.set).nonzeroBitCount > 2 * limit
    }
  }

  struct Search {
    let word: Spelling
    private(set) var best: Spelling?
    private var limit: Int

    init(_ word: Spelling, within most: Int = 3) {
      self.word = word
      let count = word.letters.count
      limit = min(most, count <= 4 ? 1 : count <= 8 ? 2 : 3)
    }

    mutating func look(at candidate: Spelling) {
      guard !word.isFar(from: candidate, limit: limit) else { return }
      let distance = distance(word.letters, candidate.letters, limit: limit)
      guard distance <= limit else { return }
      if distance == limit, let best, !isBetter(candidate, than: best) { return }
      (best, limit) = (candidate, distance)
    }

    /// Returns whether a candidate is likelier than another one at the same distance: letters are swapped
    /// more often than forgotten or doubled.
    private func isBetter(_ candidate: Spelling, than best: Spelling) -> Bool {
      let (isSwap, wasSwap) = (isSwap(candidate), isSwap(best))
      return isSwap == wasSwap ? candidate.text < best.text : isSwap
    }

    private func isSwap(_ candidate: Spelling) -> Bool {
      candidate.letters.count == word.letters.count
        && candidate.letters.sorted() == word.letters.sorted()
    }
  }

  /// Returns the number of letters to insert, remove, replace or swap with their neighbor (the
  /// restricted Damerau–Levenshtein distance), or any number above `limit` if it is above that.
  static func distance<Letter: Equatable>(
    _ left: [Letter], _ right: [Letter], limit: Int
  ) -> Int {
    guard abs(left.count - right.count) <= limit else { return limit + 1 }
    // The last three rows of the table.
    var (before, previous, current) = ([Int](), [Int](), Array(0...right.count))
    for row in left.indices {
      (before, previous, current) = (previous, current, [row + 1])
      for column in right.indices {
        let cost = left[row] == right[column] ? 0 : 1
        var best = min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      // No later row can be below the minimum of the last two rows.
      if let least = (previous + current).min(), least > limit { return least }
    }
    return current[right.count]
  }
}

/// Names prepared for finding the nearest one to each of many words.
///
/// Few names are all compared. Of many, only those that begin or end most like the word are, so
/// that a thousand wrong names in a large library take no time.
struct NearestNames: Sendable {
  /// The number of names to compare on each side of a word's position.
  private static let window = 16

  /// The names, sorted by their letters.
  private let names: [Nearest.Spelling]
  /// Indices of ``names``, sorted by their reversed letters.
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

  /// Returns the name nearest to `word` as in ``Nearest/match(_:among:)``, or `nil`.
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

  /// Returns the indices around the first that is not `before`.
  private func around(_ before: (Int) -> Bool) -> Range<Int> {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if before(middle) { low = middle + 1 } else { high = middle }
    }
    return max(0, low - Self.window)..<min(names.count, low + Self.window)
  }
}
