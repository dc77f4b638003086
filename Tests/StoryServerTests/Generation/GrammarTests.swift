import Testing

@testable import StoryServer

@Suite struct GrammarTests {
  private struct Hero: CustomTestStringConvertible {
    var testDescription: String
    var name: String
    var age: Int?
    var traits: [String]
    var ability: String?
  }

  private static let heroes = [
    Hero(
      testDescription: "with everything", name: "Luna", age: 7, traits: ["brave", "Curious"],
      ability: "talks to stars."),
    Hero(testDescription: "with a name alone", name: "Ada", age: nil, traits: [], ability: nil),
    Hero(
      testDescription: "in words of one’s own", name: "Émile {name}\nvon  Grün", age: 1,
      traits: ["moody", "{sparkly}", "kind", "über-nett"],
      ability: String(repeating: "sings and ", count: 60)),
  ]

  private static let own = StoryRequest.Event.custom(
    title: "The Lost Tooth.", seed: "a tooth falls out and\nnobody can find it", tone: "cheerful",
    keywords: ["tooth", "pillow", "moon"])

  private static let events: [StoryRequest.Event] =
    BuiltInEvent.allCases.map { .builtIn($0) } + [own]

  private func request(
    _ hero: Hero, _ event: StoryRequest.Event, _ language: String
  ) -> StoryRequest {
    StoryRequest(
      name: hero.name, age: hero.age, traits: hero.traits, ability: hero.ability, appearance: [],
      event: event, language: language)
  }

  @Test(arguments: StoryRequest.languages)
  func everyEventIsAStory(language: String) {
    for event in Self.events {
      for hero in Self.heroes {
        for seed in 0..<4 as Range<UInt64> {
          let request = request(hero, event, language)
          let story = Grammar.write(request, seed: seed)
          let what: Comment = "\(language) \(event) \(hero.testDescription) \(seed)"
          #expect(story == Grammar.write(request, seed: seed), what)
          #expect((250...600).contains(StoryText.wordCount(story.content)), what)
          #expect(story.content.contains(hero.name.prefix(4)), what)
          #expect(StoryText.paragraphs(story.content).count == 8, what)
          #expect(!story.title.isEmpty && !story.title.contains("\n"), what)
          let text = (story.title + story.content).replacing("{name}", with: "x")
            .replacing("{sparkly}", with: "x")
          #expect(!text.contains("{") && !text.contains("}") && !text.contains("  "), what)
          let sentences = story.content.split { ".!?\n".contains($0) }
            .map { $0.filter { $0.isLetter || $0 == " " } }.filter { $0.count > 12 }
          #expect(Set(sentences).count == sentences.count, what)
        }
      }
    }
  }

  @Test(arguments: StoryRequest.languages)
  func everyTongueIsComplete(language: String) {
    let tongue = Tongue.of(language)
    #expect(Set(tongue.tales.keys) == Set(BuiltInEvent.allCases))
    #expect(tongue.nouns.count == Tongue.traitWords.count)
    #expect(tongue.noun("Brave")?.words.contains("brave") == true)
    #expect(tongue.noun("moody") == nil)
    for tale in Array(tongue.tales.values) + [tongue.own] {
      for text in tale.opening + tale.help + tale.trouble { #expect(!text.isEmpty) }
      #expect(
        (tale.opening + tale.wish + tale.trouble + tale.help + tale.end).contains {
          $0.contains("{name}")
        })
    }
  }

  @Test func seedsGiveDifferentStories() {
    let request = request(Self.heroes[0], .builtIn(.bedtime), "en")
    let stories = Set((0..<20).map { Grammar.write(request, seed: UInt64($0)).content })
    #expect(stories.count > 8)
  }
}
