import Testing

@testable import StoryServer

/// What somebody who grew up with a language would stumble over, by classes.
@Suite struct GrammarLanguageTests {
  private static let names = ["Luna", "Amira", "Emil", "Inés", "Oskar", "Uma", "Hilda"]
  private static let own = StoryRequest.Event.custom(
    title: "Xyz", seed: "xyz", tone: "xyz", keywords: ["xyz", "zyx"])

  /// Every story of a language with heroes of all kinds.
  private func stories(_ language: String) -> [(what: String, text: String)] {
    let events = BuiltInEvent.allCases.map { StoryRequest.Event.builtIn($0) } + [Self.own]
    var stories: [(String, String)] = []
    for (place, name) in Self.names.enumerated() {
      for event in events {
        for seed in 0..<4 as Range<UInt64> {
          let traits = Tongue.traitWords.dropFirst(1 + place * 2 % 11).prefix(3).compactMap(\.first)
          let story = Grammar.write(
            StoryRequest(
              name: name, age: 6, traits: traits + ["zigzag"], ability: "zaps", appearance: [],
              event: event, language: language), seed: seed)
          let what = "\(language) \(event) \(name) \(seed)"
          stories.append((what, story.title + "\n\n" + story.content))
        }
      }
    }
    return stories
  }

  /// Patterns of what cannot stand in a language.
  private static let mistakes: [String: [String]] = [
    "en": [#"\ba [aeiou]"#, #"\b(the|a|and|of|to) \1\b"#],
    "fr": [
      #"\b[Dd]e les?\b"#, #"\b[àÀ] les?\b"#,
      #"\b([Ll][ea]|[Qq]ue|[DdNnSsJjMmTtCc]e) (?!onz|oui|un\b|huit|y\b)[aeiouéèêâ]"#,
      #"\b[Ss]i ils?\b"#, #"[^\u{A0}][:;!?»]"#, #"«[^\u{A0}]"#, #"\b(le|la|de|et|à|que) \1\b"#,
    ],
    "es": [
      #"\b[aA] el\b"#, #"\b[dD]e el\b"#, #" y (i(?![aeou])|í|hi(?![aeo]))"#, #" o h?o"#,
      #"\b(el|la|de|y|a|que) \1\b"#,
    ],
    "de": [#"\b(der|und|in) \1\b"#],
    "it": [
      #"\b[dD]i (il|lo|la|i|gli|le)\b"#, #"\b[aA] (il|lo|la|i|gli|le)\b"#,
      #"\b[iI]n (il|lo|la|i|gli|le)\b"#, #"\b[sS]u (il|lo|la|i|gli|le)\b"#,
      #" e [eEèÈ]"#, #" a [aA]"#,
      #"\b(lo|la|una) (?!e\b)[aeiou]"#, #"\b(il|la|di|e|che) \1\b"#,
    ],
  ]

  @Test(arguments: StoryRequest.languages)
  func noMistakeOfAKnownClass(_ language: String) throws {
    let patterns = try (Self.mistakes[language] ?? []).map { (text: $0, regex: try Regex($0)) }
    for (what, text) in stories(language) {
      for (pattern, regex) in patterns {
        let found = text.firstMatch(of: regex).map { match in
          String(text[match.range.lowerBound...].prefix(30))
        }
        #expect(found == nil, "\(what): \(pattern)")
      }
    }
  }

  @Test(arguments: StoryRequest.languages)
  func sentencesBeginWithCapitalsAndQuotationsEnd(_ language: String) throws {
    let small = try Regex(#"[.!?] [a-zàâäéèêëíîïóôöúûüßñç]"#)
    let tongue = Tongue.of(language)
    for (what, text) in stories(language) {
      let match = text.firstMatch(of: small).map { String(text[$0.range.lowerBound...].prefix(30)) }
      #expect(match == nil, "\(what)")
      for paragraph in text.split(separator: "\n") {
        #expect(!paragraph.contains("  ") && !paragraph.hasSuffix(" "), "\(what)")
        let first = paragraph.first { $0.isLetter }
        #expect(first?.isUppercase == true, "\(what): \(paragraph.prefix(30))")
        let (open, close) = (tongue.quotes.open.first ?? " ", tongue.quotes.close.last ?? " ")
        let signs = paragraph.filter { $0 == open || $0 == close }
        #expect(signs == String(repeating: "\(open)\(close)", count: signs.count / 2), "\(what)")
        #expect(!paragraph.contains { "\"'".contains($0) }, "\(what)")
      }
      if language == "es" {
        for (open, close) in [("¿", "?"), ("¡", "!")] {
          #expect(text.ranges(of: open).count == text.ranges(of: close).count, "\(what)")
        }
      }
    }
  }

  @Test(arguments: StoryRequest.languages)
  func traitsAreToldOnceEach(_ language: String) {
    func story(_ traits: [String]) -> String {
      Grammar.write(
        StoryRequest(
          name: "Luna", age: 7, traits: traits, ability: nil, appearance: [],
          event: .builtIn(.bedtime), language: language), seed: 1
      ).content
    }
    let tongue = Tongue.of(language)
    let nouns = ["brave", "curious", "kind"].compactMap(tongue.noun)
    let content = story(["brave", "fearless", "curious", "kind"])
    let all = tongue.list(nouns.map(\.having))
    #expect(content.contains(all), "\(content)")
    #expect(!content.contains("fearless"))
  }

  @Test func shortWordsChangeBeforeSounds() {
    let (es, it) = (Tongue.of("es"), Tongue.of("it"))
    #expect(es.join("Luna y ", "Inés") == "Luna e Inés")
    #expect(es.join("Luna y ", "Iago") == "Luna y Iago")
    #expect(es.join("Hoy ", "Inés") == "Hoy Inés")
    #expect(es.list(["«a»", "«inquieta»"]) == "«a» e «inquieta»")
    #expect(it.join("Noor e ", "Emil") == "Noor ed Emil")
    #expect(it.join("accanto a ", "Amira") == "accanto ad Amira")
    #expect(it.join("accanto a ", "Emil") == "accanto a Emil")
    #expect(Tongue.of("fr").set("« Oui ? »") == "«\u{A0}Oui\u{A0}?\u{A0}»")
  }
}
