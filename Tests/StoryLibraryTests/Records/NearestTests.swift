import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Nearest words")
struct NearestTests {
  private static let keys = EntityKind.heroes.schema.keyOrder

  @Test(
    "mistyped names of fields",
    arguments: [
      ("nmae", "name"), ("Name", "name"), ("trait", "traits"), ("hairColour", "hairColor"),
      ("specialAbilty", "specialAbility"), ("agee", "age"), ("SKINTONE", "skinTone"),
    ])
  func near(_ typed: String, _ meant: String) {
    #expect(Nearest.match(typed, among: Self.keys) == meant)
  }

  @Test(
    "words that are somebody's own", arguments: ["note", "mood", "id", "", "x", "favourite food"])
  func far(_ typed: String) {
    #expect(Nearest.match(typed, among: Self.keys) == nil)
  }

  @Test(
    "spellings that are certain, and others",
    arguments: [
      ("nmae", "name", true), ("Name", "name", true), ("trait", "traits", true),
      ("Prompt_Seed", "promptSeed", true), ("prompt-sed", "promptSeed", true),
      ("page", "age", false), ("ago", "age", false), ("comment", "content", false),
      ("", "age", false),
    ])
  func certain(_ typed: String, _ meant: String, _ isCertain: Bool) {
    #expect(Nearest.isCertain(typed, spells: meant) == isCertain)
  }

  @Test("of two that are as near, the first in order")
  func ties() {
    #expect(Nearest.match("lana", among: ["luna", "lena"]) == "lena")
    #expect(Nearest.match("luna", among: ["lunas", "luna"]) == "luna")
    #expect(Nearest.match("luna", among: [String]()) == nil)
  }

  @Test(
    "distances",
    arguments: [
      ("", "", 0), ("a", "", 1), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
      ("flaw", "lawn", 2),
    ])
  func distances(_ left: String, _ right: String, _ distance: Int) {
    #expect(Nearest.distance(Array(left), Array(right), limit: 9) == distance)
    #expect(Nearest.distance(Array(right), Array(left), limit: 9) == distance)
    for limit in 0..<distance {
      #expect(Nearest.distance(Array(left), Array(right), limit: limit) > limit)
    }
  }

  @Test("many wrong names in a large library take no time")
  func manyNames() {
    var table = ReferenceTable()
    var random = SeededGenerator(seed: 3)
    let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
    let names = (0..<10_000).map { number in
      (0..<8).map { _ in random.pick(letters) }.joined() + "-\(number)"
    }
    for name in names { table.add(RecordRef(kind: .heroes, name: name), id: nil) }
    var found = 0
    let time = timeOfWork {
      for name in names {
        // A letter too many at a place of its own.
        let place = name.index(name.startIndex, offsetBy: random.below(8))
        let typed = name[..<place] + "x" + name[place...]
        if table.nearest(to: String(typed), of: .heroes) == name { found += 1 }
      }
    }
    #expect(time < .seconds(7))
    #expect(found > 9_800)
    #expect(table.nearest(to: "nobody at all here", of: .heroes) == nil)
    table.add(RecordRef(kind: .heroes, name: "nobody-at-all"), id: nil)
    #expect(table.nearest(to: "nobody-at-al", of: .heroes) == "nobody-at-all")
  }

  @Test("stopping early never changes what is near")
  func early() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let words = (0..<2).map { _ in
        (0..<random.below(7)).map { _ in random.pick(["a", "b", "c"]) }
      }
      .map { $0.map { Character($0) } }
      let exact = Nearest.distance(words[0], words[1], limit: 20)
      for limit in 0...3 {
        let found = Nearest.distance(words[0], words[1], limit: limit)
        #expect(exact <= limit ? found == exact : found > limit, "\(words) within \(limit)")
      }
    }
  }
}
