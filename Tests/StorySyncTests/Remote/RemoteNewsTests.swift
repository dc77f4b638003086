import TestSupport
import Testing

@testable import StorySync

/// News of very many records against a plain dictionary, and texts that nobody expects.
@Suite("What is news on the server")
struct RemoteNewsTests {
  /// Texts that are all different byte for byte; some are one by canonical equivalence.
  static let texts: [(name: String, text: String)] = [
    ("an id as servers make them", "0d3f7c7e-6a54-4f2a-9f6f-0c8e4a1b2c3d"),
    ("nothing", ""),
    ("a zero byte", "\0"),
    ("two zero bytes", "\0\0"),
    ("a zero byte between", "a\0b"),
    ("its beginning", "a"),
    ("slashes", "../../etc/passwd"),
    ("lines and a quote", "a\r\n\"b\""),
    ("composed", "\u{E9}"),
    ("decomposed", "e\u{301}"),
    ("a ligature", "\u{FB01}"),
    ("its letters", "fi"),
    ("beyond the basic plane", "\u{1F319}\u{1F469}\u{200D}\u{1F680}"),
    ("very long", String(repeating: "x", count: 10_000)),
    ("very long, with another end", String(repeating: "x", count: 9_999) + "y"),
    ("very long, with another beginning", "y" + String(repeating: "x", count: 9_999)),
  ]

  private static func entry(
    _ id: String, _ version: String = "2026-11-20T10:00:00.000Z",
    created: String = "2026-11-20T09:00:00.000Z", at offset: UInt64 = 0
  ) -> RemoteState.Entry {
    RemoteState.Entry(
      id: id, updatedAt: version, createdAt: created,
      location: Spool.Location(offset: offset, length: 7))
  }

  /// Everything that an entry says, for comparison by Unicode scalar.
  private static func told(_ entry: RemoteState.Entry?) -> [[UInt8]]? {
    entry.map {
      [
        Array($0.id.utf8), Array($0.updatedAt.utf8), Array($0.createdAt.utf8),
        Array("\($0.location) \($0.keepsVersion) \($0.hasPictures)".utf8),
      ]
    }
  }

  @Test("any text comes out as it went in, as id, version and date", arguments: texts)
  func anyText(_ row: (name: String, text: String)) {
    var news = RemoteNews()
    for (place, text) in Self.texts.enumerated() {
      news.set(Self.entry(text.text, at: UInt64(place)))
    }
    var entry = Self.entry(row.text, row.text, created: row.text, at: 99)
    (entry.keepsVersion, entry.hasPictures) = (true, true)
    news.set(entry)
    #expect(news.count == Self.texts.count)
    #expect(Self.told(news[row.text]) == Self.told(entry))
    for (place, other) in Self.texts.enumerated() where other.name != row.name {
      #expect(Self.told(news[other.text]) == Self.told(Self.entry(other.text, at: UInt64(place))))
    }
    news.remove(row.text)
    #expect(!news.contains(row.text) && news[row.text] == nil)
    #expect(news.count == Self.texts.count - 1)
    for other in Self.texts where other.name != row.name { #expect(news.contains(other.text)) }
  }

  @Test("what comes again takes the place of what was there, whatever the lengths")
  func replaced() {
    var news = RemoteNews()
    let lengths: [(version: Int, created: Int)] = [
      (0, 0), (3, 0), (0, 3), (2, 1), (24, 24), (20, 28), (1, 1), (30, 30), (0, 0), (24, 24),
    ]
    for (number, length) in lengths.enumerated() {
      let version = String(repeating: "v", count: length.version)
      let created = String(repeating: "c", count: length.created)
      for id in ["a", "b"] {
        news.set(Self.entry(id, version + id, created: created, at: UInt64(number)))
      }
      for id in ["a", "b"] {
        let expected = Self.entry(id, version + id, created: created, at: UInt64(number))
        #expect(Self.told(news[id]) == Self.told(expected))
      }
      #expect(news.count == 2)
    }
    // Flags go back as well.
    var entry = Self.entry("a")
    (entry.keepsVersion, entry.hasPictures) = (true, true)
    news.set(entry)
    news.set(Self.entry("a"))
    #expect(news["a"]?.keepsVersion == false)
    #expect(news["a"]?.hasPictures == false)
  }

  @Test("nothing is in what is empty, and only what is there is removed")
  func empty() {
    var news = RemoteNews()
    #expect(news.isEmpty && !news.contains("") && news[""] == nil)
    news.remove("")
    #expect(news.isEmpty && Array(news).isEmpty && news.places(by: .creation).isEmpty)
    news.set(Self.entry("a"))
    news.remove("a")
    news.remove("a")
    news.remove("b")
    #expect(news.isEmpty && Array(news).isEmpty && news.places(by: .id).isEmpty)
  }

  @Test("a copy stays as it was")
  func copies() {
    var news = RemoteNews()
    news.set(Self.entry("a", "old"))
    let copy = news
    news.set(Self.entry("a", "new"))
    news.set(Self.entry("b"))
    news.remove("a")
    #expect(copy.count == 1)
    #expect(copy["a"]?.updatedAt == "old")
    #expect(!copy.contains("b"))
  }

  @Test("it is gone through in the order in which the ids first came")
  func order() {
    var news = RemoteNews()
    for id in ["c", "a", "d", "b"] { news.set(Self.entry(id)) }
    news.remove("a")
    news.set(Self.entry("c", "later"))
    #expect(news.map(\.id) == ["c", "d", "b"])
    news.set(Self.entry("a"))
    #expect(news.map(\.id) == ["c", "a", "d", "b"])
  }

  @Test("places come by the date as it is written, then by id, both byte for byte")
  func places() {
    var news = RemoteNews()
    for (id, created) in [
      ("b", "2026"), ("a", "2026"), ("aa", "2026"), ("", "2026"), ("z", "2025-12"), ("y", "2025"),
      ("x", ""), ("\u{E9}", "2027"), ("e\u{301}", "2027"), ("z", "2024"),
    ] {
      news.set(Self.entry(id, created: created))
    }
    let made = news.places(by: .creation).map { news.entry(at: Int($0)).id }
    #expect(
      made.map { Array($0.utf8) }
        == ["x", "z", "y", "", "a", "aa", "b", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
    let ids = news.places(by: .id) { $0.utf8.count < 2 }.map { news.entry(at: Int($0)).id }
    #expect(ids == ["", "a", "b", "x", "y", "z"])
  }

  @Test("a generated history is that of a dictionary", arguments: [1, 2, 3, 4] as [UInt64])
  func history(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var news = RemoteNews()
    // Bytes are compared as bytes.
    var oracle: [[UInt8]: RemoteState.Entry] = [:]
    var order: [[UInt8]] = []
    let odd = Self.texts.map(\.text).filter { $0.utf8.count < 100 }
    for step in 0..<4_000 {
      let number = Int.random(in: 0..<700, using: &random)
      let id = number < odd.count ? odd[number] : "id-\(number)"
      let key = Array(id.utf8)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<7:
        let text = String(repeating: "\u{FC}", count: .random(in: 0...12, using: &random))
        var entry = Self.entry(
          id, text, created: "\(Int.random(in: 0..<50, using: &random))", at: UInt64(step))
        entry.keepsVersion = .random(using: &random)
        entry.hasPictures = .random(using: &random)
        news.set(entry)
        oracle[key] = entry
        if !order.contains(key) { order.append(key) }
      case 7, 8:
        news.remove(id)
        oracle[key] = nil
      default:
        #expect(Self.told(news[id]) == Self.told(oracle[key]), "seed \(seed), step \(step)")
        #expect(news.contains(id) == (oracle[key] != nil), "seed \(seed), step \(step)")
      }
      #expect(news.count == oracle.count, "seed \(seed), step \(step)")
    }
    #expect(
      news.map { Self.told($0) } == order.compactMap { oracle[$0] }.map { Self.told($0) },
      "seed \(seed)")
    for (key, entry) in oracle {
      #expect(Self.told(news[String(decoding: key, as: UTF8.self)]) == Self.told(entry))
    }
    let sorted = oracle.sorted { left, right in
      let (made, other) = (Array(left.value.createdAt.utf8), Array(right.value.createdAt.utf8))
      return made == other
        ? left.key.lexicographicallyPrecedes(right.key) : made.lexicographicallyPrecedes(other)
    }
    #expect(
      news.places(by: .creation).map { Self.told(news.entry(at: Int($0))) }
        == sorted.map { Self.told($0.value) }, "seed \(seed)")
  }
}
