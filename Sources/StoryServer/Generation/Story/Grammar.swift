/// Writes stories by itself: a tale for the event, sentences that go with all of them, and the
/// hero's own words between them.
///
/// Each has eight paragraphs: how it begins, who the hero is, a wish, a small trouble, the moment in
/// which it turns, the help, a quiet end, and good night. The same request and seed give the same
/// story, of some 300 to 500 words.
struct Grammar {
  private let request: StoryRequest
  private let tongue: Tongue
  private let tale: Tongue.Tale
  private var seed: Seed
  private var values: [String: String] = [:]

  /// The story for a request; a language that is not one of ``StoryRequest/languages`` is English.
  static func write(_ request: StoryRequest, seed: UInt64) -> WrittenStory {
    var grammar = Grammar(request, seed: seed)
    return grammar.story()
  }

  private init(_ request: StoryRequest, seed: UInt64) {
    self.request = request
    self.seed = Seed(seed)
    tongue = Tongue.of(request.language)
    switch request.event {
    case .builtIn(let event): tale = tongue.tales[event] ?? tongue.own
    case .custom: tale = tongue.own
    }
    values["name"] = Self.clip(request.name, 60)
    let nouns = request.traits.compactMap(tongue.noun)
    // Two words for one thing are told once.
    let distinct = nouns.enumerated().filter { place, noun in
      !nouns[..<place].contains { $0.having == noun.having }
    }.map(\.element)
    let known = distinct.isEmpty ? Array(tongue.nouns.prefix(1)) : distinct
    values["having"] = tongue.list(known.prefix(3).map(\.having))
    values["trait"] = known.first?.subject
    let others = request.traits.filter { tongue.noun($0) == nil }.map { Self.clip($0, 40) }
    if !others.isEmpty { values["words"] = tongue.list(others.prefix(4).map(tongue.quoted)) }
    if let ability = request.ability {
      values["gift"] = Self.withoutFullStop(Self.clip(ability, 120))
    }
    if let age = request.age, age >= 2 { values["age"] = String(age) }
    if case .custom(let title, let seed, let tone, let keywords) = request.event {
      values["event"] = Self.withoutFullStop(Self.clip(title, 80))
      values["seed"] = Self.sentence(Self.clip(seed, 240))
      values["tone"] = Self.withoutFullStop(Self.clip(tone, 40))
      if !keywords.isEmpty {
        values["keywords"] = keywords.prefix(5).map { Self.clip($0, 30) }.joined(separator: ", ")
      }
    }
  }

  private mutating func story() -> WrittenStory {
    let title = fill(seed.pick(tale.titles))
    var paragraphs = [[seed.pick(tale.opening)]]
    paragraphs.append([seed.pick(tongue.hero)])
    if values["words"] != nil { paragraphs[1].append(tongue.words) }
    if values["age"] != nil { paragraphs[1].append(tongue.age) }
    if values["gift"] != nil { paragraphs[1].append(seed.pick(tongue.gift)) }
    paragraphs.append([seed.pick(tale.wish)])
    if values["keywords"] != nil { paragraphs[2].append(tongue.keywords) }
    paragraphs.append([seed.pick(tale.trouble)])
    paragraphs.append([seed.pick(tongue.turn)])
    if values["gift"] != nil { paragraphs[4].append(seed.pick(tongue.giftTurn)) }
    paragraphs.append([seed.pick(tale.help)])
    paragraphs.append([seed.pick(tale.end)])
    paragraphs.append([seed.pick(tongue.close)])
    let text = paragraphs.map { fill($0.joined(separator: " ")) }
    return WrittenStory(title: title, content: text.joined(separator: "\n\n"))
  }

  /// A text with the values in their places; what stands in a value is left as it is.
  private func fill(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result = tongue.join(
        result + tongue.set(String(rest[..<open])),
        values[String(rest[rest.index(after: open)..<close])] ?? "")
      rest = rest[rest.index(after: close)...]
    }
    return result + tongue.set(String(rest))
  }

  // MARK: The hero's own words

  /// Somebody's text on one line, at most so many characters of it.
  private static func clip(_ text: String, _ length: Int) -> String {
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    guard words.count > length else { return words }
    let start = words.prefix(length)
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return start[..<end] + "…"
  }

  private static func withoutFullStop(_ text: String) -> String {
    text.hasSuffix(".") && !text.hasSuffix("..") ? String(text.dropLast()) : text
  }

  private static func sentence(_ text: String) -> String {
    guard let last = text.last, !".!?…".contains(last) else { return text }
    return text + "."
  }
}

extension Workshop {
  /// Writes a story: the storyteller, else the grammar with a note that says why.
  func write(_ request: StoryRequest, seed: UInt64) -> (story: WrittenStory, note: String?) {
    guard let storyteller = generation.storyteller else {
      return (Grammar.write(request, seed: seed), nil)
    }
    do throws(StorytellerFailure) {
      return (try storyteller.write(request), nil)
    } catch {
      let note = "The storyteller wrote nothing (\(error.reason)), so the server's own grammar did."
      generation.note(note)
      return (Grammar.write(request, seed: seed), note)
    }
  }
}
