/// The text of a story as paragraphs of lines.
package struct Prose: Sendable, Equatable {
  /// The paragraphs, which empty lines separate; none is empty.
  package let paragraphs: [[String]]

  /// Splits a text at its empty lines.
  package init(_ text: String) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)) }
    paragraphs = lines.split { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
      .map(Array.init)
  }

  var wordCounts: [Int] {
    paragraphs.map { lines in
      lines.reduce(0) { $0 + $1.utf8.split { $0 == 0x20 || $0 == 0x09 }.count }
    }
  }

  /// The number of words that a voice reads in a minute.
  static let wordsPerMinute = 150

  /// The minutes that it takes to read aloud, at least one.
  var minutes: Int {
    let words = wordCounts.reduce(0, +)
    return max(1, (words + Self.wordsPerMinute / 2) / Self.wordsPerMinute)
  }

  /// Returns the scenes with the number of the paragraph that each stands before.
  ///
  /// A scene's time in the narration tells its paragraph. Without times, the scenes are spread
  /// evenly.
  func places(of scenes: [ShelfMedia.Scene]) -> [(paragraph: Int, scene: ShelfMedia.Scene)] {
    guard !paragraphs.isEmpty else { return [] }
    let length = scenes.compactMap { scene in scene.time.map { $0 + (scene.duration ?? 0) } }.max()
    let counts = wordCounts
    let words = Double(max(1, counts.reduce(0, +)))
    // The part of the text before each paragraph.
    var before: [Double] = []
    var sum = 0
    for count in counts {
      before.append(Double(sum) / words)
      sum += count
    }
    return scenes.enumerated().map { place, scene in
      guard let time = scene.time, let length, length > 0, time.isFinite, length.isFinite else {
        return (place * paragraphs.count / scenes.count, scene)
      }
      let part = time / length
      let nearest = before.indices.min { abs(before[$0] - part) < abs(before[$1] - part) }
      return (nearest ?? 0, scene)
    }.sorted { $0.paragraph < $1.paragraph }
  }
}
