import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryServer

/// What is made without an engine.
@Suite(.inTurn) struct PlaceholderTests {
  private let hero = StoryHero(
    name: "Rolo", age: 3, traits: ["slow", "kind"], abilities: ["climbs walls"],
    looks: ["a snail"])

  @Test(arguments: StoryRequest.languages)
  func `a story has the name, the traits and the ability in it`(_ language: String) throws {
    let story = Placeholder.story(of: hero, in: language)
    #expect(story.isPlaceholder && story.paragraphs.count == 4 && story.scenes.isEmpty)
    #expect(story.title.hasSuffix("Rolo"))
    for word in ["slow", "kind", "climbs walls", "Rolo"] { #expect(story.content.contains(word)) }
    #expect(!story.content.contains("{") && !story.content.contains("  "))
    #expect(!story.content.contains("snail"))
    // Each language is another text.
    for other in StoryRequest.languages where other != language {
      #expect(Placeholder.story(of: hero, in: other).title != story.title)
    }
  }

  @Test(arguments: StoryRequest.languages)
  func `what a record does not say is left out`(_ language: String) throws {
    let bare = Placeholder.story(of: StoryHero(name: "Bo"), in: language)
    let whole = Placeholder.story(of: hero, in: language)
    #expect(bare.paragraphs[1].count < whole.paragraphs[1].count)
    #expect(bare.paragraphs[1].hasSuffix("Bo."))
    let odd = Placeholder.story(
      of: StoryHero(name: "Bo\nBo", traits: [" "], abilities: ["a\n{name}"]), in: language)
    #expect(!odd.content.contains("\n{"))
    #expect(odd.title.hasSuffix("Bo Bo"))
  }

  @Test func `the page What is made prints a story`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    let page = try String(
      contentsOfFile: root + "/Sources/StoryServer/StoryServer.docc/WhatIsMade.md", encoding: .utf8)
    let printed = page.split(separator: "\n").filter { $0.hasPrefix(">") }
      .map { $0.dropFirst(2) }.joined(separator: " ").replacing("  ", with: " ")
    let story = Placeholder.story(
      of: StoryHero(name: "Luna", traits: ["brave", "curious"], abilities: ["talks to stars"]),
      in: "en")
    #expect(printed.contains(([story.title] + story.paragraphs).joined(separator: " ")))
  }

  @Test func `a card is a PNG that says nothing of anybody`() async throws {
    let cards = (0..<4).map { PlaceholderCard.png(seed: $0) }
    #expect(Set(cards).count == 4)
    #expect(PlaceholderCard.png(seed: 4) == cards[0])
    let card = cards[0]
    #expect(MediaType(picture: card) == .png && card.count < 25_000)
    // Every chunk's check is right (ISO/IEC 15948, section 5.3).
    var place = 8
    var names: [String] = []
    while place < card.count {
      let length = card[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let content = Array(card[place + 4..<place + 8 + length])
      names.append(String(decoding: content.prefix(4), as: UTF8.self))
      let check = card[place + 8 + length..<place + 12 + length].reduce(UInt32(0)) {
        $0 << 8 | UInt32($1)
      }
      #expect(content.withUnsafeBytes { CRC32.sum($0) } == check)
      place += 12 + length
    }
    #expect(names == ["IHDR", "PLTE", "IDAT", "IEND"])
  }

  @Test func `nothing is read aloud`() async {
    await #expect(throws: EngineError.notSet(.speech)) {
      try await Placeholder().speak(SpeechRequest(paragraphs: ["x"], language: "en"))
    }
  }
}
