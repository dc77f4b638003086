import JSONText

/// A moment of a story that gets a picture.
struct Scene {
  /// From 1.
  var order: Int
  /// What is seen: as the storyteller said it, else the paragraph itself.
  var text: String
  /// The scene and the hero's looks.
  var prompt: String
  /// Where in the narration it comes, in seconds.
  var start: Double
  /// How long the narration stays with it, in seconds.
  var duration: Double

  /// The most pictures of a story.
  static let most = 4
  /// How many words a voice reads in a minute.
  static let wordsPerMinute = 150.0

  /// The scenes of a story: those that it was written with, else paragraphs, evenly picked.
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

  /// The scenes that the story's record holds, in the order of its paragraphs.
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

  /// A record that waits for its picture.
  func values(story: String) -> [(name: String, value: JSONValue)] {
    func number(_ seconds: Double) -> JSONValue {
      JSONNumber(literal: Service.seconds(seconds)).map { .number($0) } ?? nil
    }
    return [
      ("storyId", .string(story)), ("displayOrder", .number(JSONNumber(order))),
      ("sceneDescription", .string(text)), ("imagePrompt", .string(prompt)), ("imageUrl", nil),
      ("generationStatus", "pending"), ("error", nil), ("audioTimestamp", number(start)),
      ("audioDuration", number(duration)), ("isPlaceholder", nil),
    ]
  }
}

/// What can be said of a story's text.
enum StoryText {
  /// The paragraphs: what stands between empty lines.
  static func paragraphs(_ text: String) -> [String] {
    var paragraphs: [[String]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy(\.isWhitespace) {
        if !(paragraphs.last ?? []).isEmpty { paragraphs.append([]) }
      } else {
        paragraphs[paragraphs.count - 1].append(String(line))
      }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// The number of words in a text.
  static func wordCount(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

  /// The first sentences, 400 characters at most unless one sentence has more.
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
