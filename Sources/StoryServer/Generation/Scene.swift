import JSONText

struct Scene {
  /// The position among the illustrations, from 1.
  var order: Int
  /// A description of the scene: the engine's own, or else the paragraph itself.
  var text: String
  /// The scene and the hero's appearance.
  var prompt: String
  var start: Double
  var duration: Double

  static let most = 4
  /// The assumed speed of a narration, in words per minute.
  static let wordsPerMinute = 150.0

  /// Returns the scenes of a story: those written with it, or else evenly spaced paragraphs.
  static func all(of story: JSONNode, hero: JSONNode?) -> [Scene] {
    let paragraphs = StoryText.paragraphs(story["content"]?.string ?? "")
    guard !paragraphs.isEmpty else { return [] }
    let words = paragraphs.map(StoryText.wordCount)
    let all = max(1, words.reduce(0, +))
    let seconds =
      story["audioDuration"]?.number.flatMap { Double($0.literal) }
      ?? Double(all) * 60 / wordsPerMinute
    var moments = written(story, paragraphs.count)
    if moments.isEmpty {
      let count = min(most, paragraphs.count)
      moments = (0..<count).map { place in
        let first = place * paragraphs.count / count
        return (first, StoryText.beginning(paragraphs[first]))
      }
    }
    let hero = hero.map(StoryHero.init)
    return moments.enumerated().map { place, moment in
      let before = words[..<moment.paragraph].reduce(0, +)
      let end = place + 1 < moments.count ? moments[place + 1].paragraph : paragraphs.count
      let within = words[moment.paragraph..<end].reduce(0, +)
      let looks = hero.map { "\n\(([$0.name] + $0.looks).joined(separator: ", "))" } ?? ""
      return Scene(
        order: place + 1, text: moment.text, prompt: moment.text + looks,
        start: seconds * Double(before) / Double(all),
        duration: seconds * Double(within) / Double(all))
    }
  }

  /// Returns the scenes in the story's record, in the order of its paragraphs.
  private static func written(_ story: JSONNode, _ count: Int) -> [(paragraph: Int, text: String)] {
    let moments = (story["scenes"]?.elements ?? []).compactMap { node in
      let text = node["description"]?.string ?? ""
      let paragraph = min(max(node["paragraph"]?.number?.integer ?? 1, 1), count) - 1
      return text.isEmpty ? nil : (paragraph: paragraph, text: text)
    }
    return moments.prefix(most).enumerated()
      .sorted { ($0.element.paragraph, $0.offset) < ($1.element.paragraph, $1.offset) }
      .map(\.element)
  }

  func values(story: String) -> [(name: String, value: JSONValue)] {
    [
      ("storyId", .string(story)), ("displayOrder", .number(order)),
      ("sceneDescription", .string(text)), ("imagePrompt", .string(prompt)), ("imageUrl", nil),
      ("generationStatus", "pending"), ("error", nil), ("audioTimestamp", .seconds(start)),
      ("audioDuration", .seconds(duration)), ("isPlaceholder", nil),
    ]
  }
}

enum StoryText {
  /// Returns the paragraphs, which are separated by empty lines.
  static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: " ") }
  }

  static func wordCount(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

  /// Returns the first sentences, up to 400 characters unless the first sentence is longer.
  static func beginning(_ text: String) -> String {
    var (result, sentence) = ("", "")
    for character in text {
      sentence.append(character)
      if ".!?…".contains(character) {
        guard result.isEmpty || result.count + sentence.count <= 400 else { return result }
        result += sentence
        sentence = ""
      }
      if sentence.count >= 1000 { break }
    }
    return result.isEmpty ? sentence : result
  }
}
