import StoryAPI
import StoryServer
import TestSupport
import Testing

@testable import stories

/// What is made of addresses and texts before an engine sees them.
@Suite(.inTurn) struct EngineTextTests {
  @Test(arguments: [
    ("https://api.example.org/v1", "https://api.example.org/v1"),
    ("https://API.example.org/", "https://api.example.org"),
    ("http://localhost:11434/v1/", "http://localhost:11434/v1"),
    ("http://127.0.0.1:1/v1/chat/completions", "http://127.0.0.1:1/v1"),
    ("https://api.example.org/v1/audio/speech", "https://api.example.org/v1"),
    ("http://example.org/v1", nil), ("ftp://example.org", nil), ("nonsense", nil),
    ("https:/api.example.org/v1", nil), ("https://", nil),
    ("https://api.example.org/v1?key=x", nil), ("https://me@api.example.org/v1", nil),
  ])
  func `an address is what is above the endpoints`(word: String, expected: String?) {
    let url = try? EngineURL(word) { (text) throws(ServerAddress.Problem) in
      try ServerAddress(text)
    }
    #expect(url?.text == expected)
  }

  @Test func `a long text is read in parts that are short enough`() {
    let paragraph = Array(repeating: "word", count: 700).joined(separator: " ")
    #expect(SpeechEngine.inputs(["Title", paragraph]) == ["Title\n\n\(paragraph)"])
    let whole = ["Title"] + Array(repeating: paragraph, count: 4) + [paragraph + " " + paragraph]
    let inputs = SpeechEngine.inputs(whole)
    #expect(inputs.allSatisfy { $0.count <= 4_000 })
    let words = inputs.joined(separator: " ").split(whereSeparator: \.isWhitespace)
    #expect(words.count == 1 + 6 * 700)
  }

  @Test(arguments: StoryRequest.languages)
  func `a language is known by its small words`(_ language: String) async throws {
    let hero = StoryHero(name: "Luna", traits: ["brave"], abilities: ["talks to stars"])
    let story = try await Placeholder().write(
      StoryRequest(hero: hero, event: .builtIn(.bedtime), language: language))
    #expect(LanguageGuess.other(than: language, in: story.content) == nil)
    // A name or two in another language is no other language.
    let mixed = story.content + " The Night Train, La Luna, Der Mond"
    #expect(LanguageGuess.other(than: language, in: mixed) == nil)
    let other = language == "en" ? "de" : "en"
    #expect(LanguageGuess.other(than: other, in: story.content) == language)
  }
}
