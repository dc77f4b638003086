/// Finds texts that share most of their lines.
///
/// Two texts are similar if they share at least ``leastPercent`` of the longer text's lines.
enum SimilarTexts {
  /// The minimum percentage of the longer text's lines that must be common.
  static let leastPercent = 70

  /// A line and its number of earlier occurrences in the text, so that texts are sets of lines.
  private struct Line: Hashable {
    var digest: ContentDigest
    var repetition: Int
  }

  /// Returns the pairs of left and right indices of texts that are similar only to each other.
  ///
  /// Lines are given as digests. A text without lines is not similar to any other.
  static func pairs(
    _ left: [[ContentDigest]], _ right: [[ContentDigest]]
  ) -> [(left: Int, right: Int)] {
    var places: [Line: [Int]] = [:]
    for (place, text) in right.enumerated() {
      for line in numbered(text) { places[line, default: []].append(place) }
    }
    var found: [(left: Int, right: Int)] = []
    // For each right text, the number of left ones that are similar to it.
    var counts = Array(repeating: 0, count: right.count)
    for (place, text) in left.enumerated() {
      var common = Array(repeating: 0, count: right.count)
      for line in numbered(text) {
        for other in places[line] ?? [] { common[other] += 1 }
      }
      let similar = right.indices.filter {
        common[$0] > 0 && common[$0] >= leastCommon(text.count, right[$0].count)
      }
      for other in similar { counts[other] += 1 }
      if similar.count == 1 { found.append((place, similar[0])) }
    }
    return found.filter { counts[$0.right] == 1 }
  }

  /// Returns the number of lines that similar texts of these lengths must share.
  static func leastCommon(_ left: Int, _ right: Int) -> Int {
    (leastPercent * max(left, right) + 99) / 100
  }

  private static func numbered(_ lines: [ContentDigest]) -> [Line] {
    var repetitions: [ContentDigest: Int] = [:]
    return lines.map { digest in
      defer { repetitions[digest, default: 0] += 1 }
      return Line(digest: digest, repetition: repetitions[digest, default: 0])
    }
  }
}
