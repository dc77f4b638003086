/// Finds texts that share most of their lines, without comparing all pairs.
///
/// Two texts are similar if they share at least ``leastPercent`` of the longer text's lines. Such
/// texts must share one of their rarest lines: if `k` of `n` lines must be common, then so must one
/// of any `n - k + 1`. So only texts with a common rare line are compared (the prefix filter of
/// Chaudhuri, Ganti and Kaushik, “A Primitive Operator for Similarity Joins”, 2006).
struct SimilarTexts {
  /// The minimum percentage of the longer text's lines that must be common.
  static let leastPercent = 70

  /// A line and its number of earlier occurrences in the text, so that texts are sets of lines.
  private struct Line: Hashable {
    var digest: ContentDigest
    var repetition: Int
  }

  private struct Side {
    /// The line numbers of each text, rarest first.
    var texts: [[Int]] = []
    /// The texts by each of their rarest lines.
    var byLine: [Int: [Int]] = [:]
  }

  private var numbers: [Line: Int] = [:]
  private var left = Side()
  private var right = Side()

  /// Returns the pairs of left and right indices of texts that are similar only to each other.
  ///
  /// Lines are given as digests. A text without lines is not similar to any other.
  static func pairs(
    _ left: [[ContentDigest]], _ right: [[ContentDigest]]
  ) -> [(left: Int, right: Int)] {
    var texts = SimilarTexts()
    texts.left.texts = left.map { texts.numbered($0) }
    texts.right.texts = right.map { texts.numbered($0) }
    texts.index()
    return left.indices.compactMap { place in
      guard let match = onlyMatch(of: texts.left.texts[place], in: texts.right),
        onlyMatch(of: texts.right.texts[match], in: texts.left) == place
      else { return nil }
      return (place, match)
    }
  }

  /// Returns the number of lines that similar texts of these lengths must share.
  static func leastCommon(_ left: Int, _ right: Int) -> Int {
    (leastPercent * max(left, right) + 99) / 100
  }

  private mutating func numbered(_ lines: [ContentDigest]) -> [Int] {
    var repetitions: [ContentDigest: Int] = [:]
    return lines.map { digest in
      let line = Line(digest: digest, repetition: repetitions[digest, default: 0])
      repetitions[digest, default: 0] += 1
      if let number = numbers[line] { return number }
      numbers[line] = numbers.count
      return numbers.count - 1
    }
  }

  /// Renumbers the lines by rarity and indexes the texts by their rarest lines.
  private mutating func index() {
    var counts = Array(repeating: 0, count: numbers.count)
    for text in left.texts + right.texts { for line in text { counts[line] += 1 } }
    let order = counts.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }
    var ranks = counts
    for (rank, line) in order.enumerated() { ranks[line] = rank }
    Self.index(&left, ranks)
    Self.index(&right, ranks)
  }

  private static func index(_ side: inout Side, _ ranks: [Int]) {
    for place in side.texts.indices {
      side.texts[place] = side.texts[place].map { ranks[$0] }.sorted()
      for line in rarest(of: side.texts[place]) { side.byLine[line, default: []].append(place) }
    }
  }

  /// Returns the lines of which any similar text has at least one.
  private static func rarest(of text: [Int]) -> ArraySlice<Int> {
    text.prefix(text.count - leastCommon(text.count, text.count) + 1)
  }

  /// Returns the text of `side` that is similar to `text`, or `nil` unless there is exactly one.
  private static func onlyMatch(of text: [Int], in side: Side) -> Int? {
    var match: Int?
    var seen: Set<Int> = []
    for line in rarest(of: text) {
      for place in side.byLine[line] ?? [] where seen.insert(place).inserted {
        guard isSimilar(text, side.texts[place]) else { continue }
        // With a second match, the result is ambiguous.
        if match != nil { return nil }
        match = place
      }
    }
    return match
  }

  private static func isSimilar(_ left: [Int], _ right: [Int]) -> Bool {
    let needed = leastCommon(left.count, right.count)
    guard needed > 0, min(left.count, right.count) >= needed else { return false }
    return Set(left).intersection(right).count >= needed
  }
}
