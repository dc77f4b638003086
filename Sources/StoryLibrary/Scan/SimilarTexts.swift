/// Finds texts that have most of their lines in common, without comparing each with each.
///
/// Two texts are similar where they share at least ``leastPercent`` of the longer one's lines. Such
/// texts must share one of their rarest lines: of `n` lines of which `k` have to be common, one of
/// any `n - k + 1` is. So only texts with a rare line in common are compared (the prefix filter of
/// Chaudhuri, Ganti and Kaushik, “A Primitive Operator for Similarity Joins”, 2006).
struct SimilarTexts {
  /// The least share of the longer text's lines, in percent, that is common.
  static let leastPercent = 70

  /// A line and how often it stood in the text before: texts are sets of these.
  private struct Line: Hashable {
    var digest: ContentDigest
    var repetition: Int
  }

  /// One side's texts.
  private struct Side {
    /// The numbers of each text's lines, the rarest first.
    var texts: [[Int]] = []
    /// The texts by each of their rarest lines.
    var byLine: [Int: [Int]] = [:]
  }

  private var numbers: [Line: Int] = [:]
  private var left = Side()
  private var right = Side()

  /// The pairs of a left and a right text that are similar to each other and to no other text of the
  /// other side, by their places.
  ///
  /// Lines are given by their digests. A text without lines is similar to none.
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

  /// How many lines of texts of these lengths have to be common.
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

  /// Numbers the lines anew by how rare they are, and notes where the rarest stand.
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

  /// The lines of which a similar text has at least one.
  private static func rarest(of text: [Int]) -> ArraySlice<Int> {
    text.prefix(text.count - leastCommon(text.count, text.count) + 1)
  }

  /// The one text of a side that is similar to `text`; `nil` where there is none or are several.
  private static func onlyMatch(of text: [Int], in side: Side) -> Int? {
    var match: Int?
    var seen: Set<Int> = []
    for line in rarest(of: text) {
      for place in side.byLine[line] ?? [] where seen.insert(place).inserted {
        guard isSimilar(text, side.texts[place]) else { continue }
        // A second one is enough to know that nobody can tell.
        if match != nil { return nil }
        match = place
      }
    }
    return match
  }

  private static func isSimilar(_ left: [Int], _ right: [Int]) -> Bool {
    let needed = leastCommon(left.count, right.count)
    guard needed > 0, min(left.count, right.count) >= needed else { return false }
    var common = 0
    var (index, other) = (0, 0)
    while index < left.count, other < right.count {
      if common + min(left.count - index, right.count - other) < needed { return false }
      if left[index] == right[other] {
        common += 1
        index += 1
        other += 1
      } else if left[index] < right[other] {
        index += 1
      } else {
        other += 1
      }
    }
    return common >= needed
  }
}
