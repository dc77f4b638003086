import JSONText

/// A moment of a story that gets a picture.
struct Scene {
  /// From 1.
  var order: Int
  /// What happens, from the story.
  var text: String
  /// The look of the hero and the moment, as someone who draws would want it.
  var prompt: String
  /// Where in the narration it comes, in seconds.
  var start: Double
  /// How long the narration stays with it, in seconds.
  var duration: Double

  /// The most pictures of a story.
  static let most = 4
  /// How many words a voice reads in a minute.
  static let wordsPerMinute = 150.0

  /// The scenes of a story: its paragraphs, evenly picked.
  static func all(of story: JSONNode, hero: JSONNode?) -> [Scene] {
    let content = story["content"]?.string ?? ""
    let paragraphs = StoryText.paragraphs(content)
    guard !paragraphs.isEmpty else { return [] }
    let words = paragraphs.map(StoryText.wordCount)
    let all = max(1, words.reduce(0, +))
    let seconds =
      story["audioDuration"]?.number.flatMap { Double($0.literal) }
      ?? Double(all) * 60 / wordsPerMinute
    let count = min(most, paragraphs.count)
    let firsts = (0..<count).map { $0 * paragraphs.count / count }
    let look = Figure(hero).words
    return firsts.enumerated().map { place, first in
      let before = words[..<first].reduce(0, +)
      let end = place + 1 < count ? firsts[place + 1] : paragraphs.count
      let within = words[first..<end].reduce(0, +)
      let text = StoryText.firstSentence(paragraphs[first])
      return Scene(
        order: place + 1, text: text,
        prompt: "A picture for a children's book, under a night sky: \(look). \(text)",
        start: seconds * Double(before) / Double(all),
        duration: seconds * Double(within) / Double(all))
    }
  }

  /// A record that waits for its picture.
  func values(story: String) -> [(name: String, value: JSONValue)] {
    func number(_ seconds: Double) -> JSONValue {
      JSONNumber(literal: Service.seconds(seconds)).map { .number($0) } ?? nil
    }
    return [
      ("storyId", .string(story)), ("displayOrder", .number(JSONNumber(order))),
      ("sceneDescription", .string("A placeholder picture for: \(text)")),
      ("imagePrompt", .string(prompt)), ("imageUrl", nil), ("generationStatus", "pending"),
      ("error", nil), ("audioTimestamp", number(start)), ("audioDuration", number(duration)),
    ]
  }
}

/// What can be told of a story's text.
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

  /// How many words a text has.
  static func wordCount(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

  /// The first sentence, at most 200 characters of it.
  static func firstSentence(_ text: String) -> String {
    var sentence = ""
    for character in text {
      sentence.append(character)
      if ".!?…".contains(character) { break }
      if sentence.count >= 200 { return sentence + "…" }
    }
    return sentence
  }
}
