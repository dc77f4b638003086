import JSONText
import StoryAPI
import StoryPages
import StoryServer

/// Generates stories with `chat/completions`.
struct ChatEngine: Sendable {
  let endpoint: EngineEndpoint
  let prompts: Prompts

  func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
    let prompt = try prompts.text(.story, Self.values(request))
    let response = try await endpoint.post(
      "chat/completions", ["messages": [["role": "user", "content": .string(prompt)]]],
      wishes: ["response_format": Self.format])
    let story = try story(in: response.body)
    if let found = LanguageGuess.other(than: request.language, in: story.content) {
      throw .wrongLanguage(wanted: request.language, found: found)
    }
    return story
  }

  // MARK: The request

  static func values(_ request: StoryRequest) -> [String: String] {
    var values = Prompts.values(request.hero)
    values["language"] = Language.name(request.language)
    switch request.event {
    case .builtIn(let event): values["event"] = Self.phrase(event)
    case .custom(let event):
      values["event"] = "\(event.title). \(event.prompt)"
      values["tone"] = event.tone
      values["keywords"] = event.keywords.joined(separator: ", ")
      values["ageRange"] = event.ageRange
    }
    values["earlier"] = request.earlierTitles.map { "“\($0)”" }.joined(separator: ", ")
    values["scenes"] = String(request.scenes)
    let age = request.hero.age ?? 6
    values["words"] = age <= 4 ? "250" : age <= 7 ? "450" : "650"
    return values
  }

  private static func phrase(_ event: BuiltInEvent) -> String {
    switch event {
    case .bedtime: "going to bed"
    case .schoolDay: "a day at school"
    case .birthday: "a birthday"
    case .weekend: "a weekend"
    case .rainyDay: "a rainy day"
    case .family: "a day with the family"
    case .friendship: "a friendship"
    case .learning: "learning something new"
    case .helping: "helping somebody"
    case .holiday: "a holiday"
    }
  }

  /// Structured output: https://platform.openai.com/docs/guides/structured-outputs
  private static let format: JSONValue = [
    "type": "json_schema",
    "json_schema": [
      "name": "story", "strict": true,
      "schema": object([
        "title": ["type": "string"],
        "paragraphs": ["type": "array", "items": ["type": "string"]],
        "scenes": [
          "type": "array",
          "items": object([
            "paragraph": ["type": "integer"], "description": ["type": "string"],
          ]),
        ],
      ]),
    ],
  ]

  private static func object(_ properties: JSONObject) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(properties.members.map { .string($0.key) }), "additionalProperties": false,
    ]
  }

  // MARK: The answer

  /// Parses the story in `choices[0].message`.
  ///
  /// - Throws: `EngineError` for anything but a complete story.
  func story(in body: [UInt8]) throws(EngineError) -> WrittenStory {
    guard let answer = try? JSONValue(parsing: body) else {
      throw .unusable("it is not valid JSON")
    }
    guard let choice = answer["choices"]?.array?.first, let message = choice["message"] else {
      throw .unusable("it has no choices")
    }
    if let refusal = message["refusal"]?.string, !refusal.isEmpty {
      throw .refused(endpoint.shown(refusal))
    }
    switch choice["finish_reason"]?.string {
    case "content_filter": throw .refused(nil)
    case "length": throw .truncated
    default: break
    }
    // Some engines send the content in parts.
    let parts = message["content"]?.array?.compactMap { $0["text"]?.string }
    let text = message["content"]?.string ?? parts?.joined() ?? ""
    // A model's reasoning comes first.
    let content = text.ranges(of: "</think>").last.map { text[$0.upperBound...] } ?? text[...]
    guard content.contains(where: { !$0.isWhitespace }) else { throw .empty }
    guard let object = Self.object(in: content) else {
      throw .unusable("there is no story in “\(endpoint.shown(String(content.prefix(120))))”")
    }
    let prose = object["paragraphs"] ?? object["content"] ?? object["story"]
    let pieces = prose?.array?.compactMap(\.string) ?? [prose?.string ?? ""]
    let paragraphs = pieces.flatMap { $0.split(whereSeparator: \.isNewline) }.map(Self.line)
      .filter { !$0.isEmpty }
    guard !paragraphs.isEmpty else { throw .empty }
    let scenes = (object["scenes"]?.array ?? []).enumerated().compactMap { place, scene in
      let description = Self.line((scene["description"] ?? scene).string ?? "")
      let paragraph = scene["paragraph"]?.integer ?? place + 1
      return description.isEmpty
        ? nil : WrittenStory.Scene(paragraph: paragraph, description: description)
    }
    return WrittenStory(
      title: Self.line(object["title"]?.string ?? ""), paragraphs: paragraphs, scenes: scenes)
  }

  private static func line(_ text: some StringProtocol) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the first JSON object with a title in a text, ignoring code fences and prose.
  private static func object(in text: Substring) -> JSONValue? {
    let bytes = Array(text.utf8)
    var start = 0
    var tries = 0
    while let open = bytes[start...].firstIndex(of: UInt8(ascii: "{")), tries < 50 {
      tries += 1
      start = open + 1
      var (depth, isText, place) = (0, false, open)
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "\\") where isText: place += 1
        case UInt8(ascii: "\""): isText.toggle()
        case UInt8(ascii: "{") where !isText: depth += 1
        case UInt8(ascii: "}") where !isText: depth -= 1
        default: break
        }
        place += 1
        guard depth == 0 else { continue }
        let value = try? JSONValue(parsing: Array(bytes[open..<place]))
        if let value, value["title"] != nil { return value }
        break
      }
    }
    return nil
  }
}

/// Detects, by common short words, that a text is in another language than expected.
enum LanguageGuess {
  private static let words: [String: Set<String>] = [
    "en": ["the", "and", "was", "with", "that", "she", "of", "to", "they", "then"],
    "fr": ["les", "et", "des", "dans", "est", "pas", "elle", "était", "une", "qui"],
    "es": ["el", "los", "las", "y", "había", "muy", "pero", "una", "se", "estaba"],
    "de": ["der", "und", "nicht", "ist", "ein", "mit", "sie", "das", "den", "es"],
    "it": ["il", "gli", "che", "di", "era", "della", "una", "si", "nel", "più"],
  ]

  /// Returns a text's language, or `nil` if it is the expected one or unknown.
  static func other(than language: String, in text: String) -> String? {
    guard words[language] != nil else { return nil }
    var counts: [String: Int] = [:]
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
      for (language, small) in words where small.contains(String(word)) {
        counts[language, default: 0] += 1
      }
    }
    guard let most = counts.max(by: { $0.value < $1.value }), most.key != language,
      most.value >= 8, most.value >= 3 * (counts[language] ?? 0)
    else { return nil }
    return most.key
  }
}
