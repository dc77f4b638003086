import Foundation
import Testing

@testable import StoryLibrary

@Suite("Searching for words")
struct TextSearchTests {
  /// Returns the line with its matches in brackets.
  private func marked(_ query: String, _ text: String) -> String? {
    TextSearch(query: query).lines(in: [text]).first.map { line in
      line.parts.map { $0.isMatch ? "[\($0.text)]" : String($0.text) }.joined()
    }
  }

  @Test(
    "matches",
    arguments: [
      ("a word", "snow", "The first snow.", "The first [snow]."),
      ("case", "SNOW", "Snow and snow", "[Snow] and [snow]"),
      ("whole words only", "snow", "snowy, unsnow, snow2", nil),
      ("a possessive", "luna", "Luna’s cat", "[Luna]’s cat"),
      ("an elision", "ete", "L'été", "L'[été]"),
      ("a typed apostrophe", "don't", "They don’t", "They [don’t]"),
      ("accents in the text", "cumpleanos", "El cumpleaños", "El [cumpleaños]"),
      ("accents in the query", "été", "un ete", "un [ete]"),
      ("decomposed accents", "été", "l'e\u{301}te\u{301}!", "l'[e\u{301}te\u{301}]!"),
      ("German", "grosse", "Große GRÖSSE größe", "[Große] [GRÖSSE] [größe]"),
      ("ligatures", "oeuvre", "Œuvre œuvre", "[Œuvre] [œuvre]"),
      ("Vietnamese", "viet", "Tiếng Việt", "Tiếng [Việt]"),
      ("Turkish", "isik", "IŞIK ışık", "[IŞIK] [ışık]"),
      ("full width", "full", "Ｆｕｌｌ", "[Ｆｕｌｌ]"),
      ("Cyrillic", "ЕЛКА", "ёлка", "[ёлка]"),
      ("composed Cyrillic", "зимой", "зимои\u{306}", "[зимои\u{306}]"),
      ("Greek", "ΚΟΣΜΟΣ", "ο κόσμος", "ο [κόσμος]"),
      ("polytonic Greek", "ανθρωπος", "ὁ ἄνθρωπος", "ὁ [ἄνθρωπος]"),
      ("Greek iota subscript", "τῷ", "ΤΩΙ τω τῳ", "ΤΩΙ [τω] [τῳ]"),
      ("Hebrew without points", "שלום", "שָׁלוֹם", "[שָׁלוֹם]"),
      ("Hindi vowels count", "हिन्दि", "हिन्दी", nil),
      ("Hindi", "हिन्दी", "यह हिन्दी है", "यह [हिन्दी] है"),
      ("Japanese", "雪の", "初雪の夜", "初[雪の]夜"),
      ("Japanese sound marks", "かき", "かき、かぎ、がき", "[かき]、かぎ、がき"),
      ("decomposed kana", "がっこう", "か\u{3099}っこう", "[か\u{3099}っこう]"),
      ("decomposed kana in the query", "は\u{309A}ん", "ぱん はん", "[ぱん] はん"),
      ("Korean", "하늘", "하늘 하느", "[하늘] 하느"),
      ("decomposed hangul", "하늘", "\u{1112}\u{1161}\u{1102}\u{1173}\u{11AF}", "[하늘]"),
      ("soft hyphens", "snowman", "snow\u{AD}man", "[snow\u{AD}man]"),
      ("digits", "7", "7 of 77", "[7] of 77"),
      ("all words", "snow cat", "the cat in snow", "the [cat] in [snow]"),
      ("not all words", "snow dog", "the cat in snow", nil),
      ("a phrase", "\"first snow\"", "first snow, first — snow", "[first snow], [first — snow]"),
      ("a phrase out of order", "\"first snow\"", "snow first", nil),
      ("curly quotes", "“first snow” cat", "cat: first snow", "[cat]: [first snow]"),
      ("a phrase that starts again", "\"a a b\"", "a a a b", "a [a a b]"),
      ("an open quote", "cat \"first snow", "cat first snow", "[cat] [first snow]"),
      ("overlaps", "\"a b\" \"b c\" b", "a b c", "[a b c]"),
      ("emoji are no words", "🌙", "🌙", nil),
      ("nothing", "", "snow", nil),
      ("only marks", "- !", "snow - !", nil),
    ] as [(String, String, String, String?)])
  func matches(_ name: String, _ query: String, _ text: String, _ expected: String?) {
    #expect(marked(query, text) == expected, "\(name)")
  }

  @Test(
    "both normal forms are the same text",
    arguments: [
      0x00C0...0x024F, 0x0370...0x0588, 0x05D0...0x06FF, 0x0900...0x09FF, 0x0B80...0x0BFF,
      0x1E00...0x1FFF, 0x212A...0x212B, 0x3041...0x30FF, 0xAC00...0xAFFF, 0xD700...0xD7A3,
    ] as [ClosedRange<UInt32>])
  func normalForms(_ scalars: ClosedRange<UInt32>) {
    for scalar in scalars.compactMap(Unicode.Scalar.init) {
      let composed = String(scalar)
      let decomposed = composed.decomposedStringWithCanonicalMapping
      guard scalar.properties.isAlphabetic,
        !composed.unicodeScalars.elementsEqual(decomposed.unicodeScalars)
      else { continue }
      for (query, text) in [(composed, decomposed), (decomposed, composed)] {
        #expect(marked(query, text) == "[\(text)]", "\(scalar.escaped(asASCII: true))")
      }
    }
  }

  @Test("terms may be in different lines, phrases not")
  func lines() {
    let lines = ["The First Snow", "", "Luna woke up.", "First, Luna slept."]
    let search = TextSearch(terms: ["luna", "snow"])
    #expect(search.lines(in: lines).map(\.index) == [0, 2, 3])
    #expect(TextSearch(terms: ["snow luna"]).lines(in: lines).isEmpty)
    #expect(TextSearch(terms: ["first snow"]).lines(in: lines).map(\.index) == [0])
    #expect(TextSearch(terms: ["luna", "cat"]).lines(in: lines).isEmpty)
    #expect(TextSearch(terms: ["…"]).isEmpty && TextSearch(terms: ["…"]).lines(in: lines).isEmpty)
  }
}
