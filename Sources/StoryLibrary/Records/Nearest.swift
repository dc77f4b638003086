/// Finds what somebody may have meant by a mistyped word.
public enum Nearest {
  /// The candidate nearest to `word`; `nil` where none is near.
  ///
  /// Near means at most one edit in words of up to four letters, two in words of up to eight, three
  /// in longer ones; case does not count, and two swapped letters are one edit.
  public static func match(_ word: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased())
    let limit = typed.count <= 4 ? 1 : typed.count <= 8 ? 2 : 3
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let distance = distance(typed, Array(candidate.lowercased()), limit: limit)
      guard distance <= limit else { continue }
      if let known = best, (known.distance, known.candidate) <= (distance, candidate) { continue }
      best = (distance, candidate)
    }
    return best?.candidate
  }

  /// The number of letters to insert, remove, replace or swap with their neighbour (the restricted
  /// Damerau–Levenshtein distance); more than `limit` where it is surely more.
  static func distance(_ left: [Character], _ right: [Character], limit: Int) -> Int {
    guard abs(left.count - right.count) <= limit else { return limit + 1 }
    var before: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let cost = left[row] == right[column] ? 0 : 1
        var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      // No later row can have a smaller number than the smallest of two rows before it.
      if min(current.min() ?? 0, previous.min() ?? 0) > limit { return limit + 1 }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
