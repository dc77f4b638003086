import Testing

@testable import StoryLibrary

@Suite("Slugs")
struct SlugTests {
  @Test(
    "titles",
    arguments: [
      ("The First Snow", "the-first-snow"),
      ("  Luna’s   night -- out!  ", "lunas-night-out"),
      ("L'été à Nîmes", "lete-a-nimes"),
      ("El cumpleaños del faro", "el-cumpleanos-del-faro"),
      ("Größe & Überfluß", "groesse-ueberfluss"),
      ("Æon Œuvre Ørsted Łódź Đak Ŋga", "aeon-oeuvre-oersted-lodz-dak-nga"),
      ("Tiếng Việt", "tieng-viet"),
      ("İstanbul ışık", "istanbul-isik"),
      ("ﬁve ﬀ", "five-ff"),
      ("Ｆｕｌｌ", "full"),
      ("Снегурочка и ёж", "snegurochka-i-ezh"),
      ("Їжак", "yizhak"),
      ("Καλημέρα κόσμε", "kalimera-kosme"),
      ("雪の夜", "雪の夜"),
      ("ليلة الثلج", "ليلة-الثلج"),
      ("हिन्दी", "हिन्दी"),
      ("שָׁלוֹם", "שָׁלוֹם"),
      ("🌙", "hero"),
      ("❤️ heart ❤️", "heart"),
      ("1️⃣ one", "1-one"),
      ("👩‍🚀 in space", "in-space"),
      ("so\u{AD}ft", "soft"),
      ("\u{200B}", "hero"),
      ("", "hero"),
      ("...", "hero"),
      ("..", "hero"),
      ("../../etc/passwd", "etc-passwd"),
      ("a/b\\c:d", "a-b-c-d"),
      (".hidden", "hidden"),
      ("-rf", "rf"),
      ("CON", "con-hero"),
      ("com1", "com1-hero"),
      ("LPT9", "lpt9-hero"),
      ("nul.json", "nul-json"),
      ("com¹", "com"),
      ("a\nb\tc\u{0}d", "a-b-c-d"),
      ("x\u{301}y", "xy"),
    ])
  func titles(_ title: String, _ slug: String) {
    #expect(Slug.make(title, fallback: "hero") == slug)
  }

  @Test(
    "a composed and a decomposed title give the same bytes",
    arguments: [
      ("\u{E9}t\u{E9}", "e\u{301}te\u{301}"), ("\u{FC}ber", "u\u{308}ber"),
      ("\u{1EBF}", "e\u{302}\u{301}"), ("\u{439}", "\u{438}\u{306}"), ("\u{3AC}", "\u{3B1}\u{301}"),
    ])
  func unicodeForms(_ composed: String, _ decomposed: String) {
    let slugs = [composed, decomposed].map { Array(Slug.make($0, fallback: "x").utf8) }
    #expect(slugs[0] == slugs[1])
    #expect(slugs[0] != Array("x".utf8))
  }

  @Test(
    "at most 80 bytes, cut between characters",
    arguments: [
      String(repeating: "a", count: 200), String(repeating: "雪", count: 200),
      String(repeating: "word ", count: 50), String(repeating: "ㄱ가", count: 60),
      "a" + String(repeating: "ß", count: 100), String(repeating: "हि", count: 100),
    ])
  func length(_ title: String) {
    let slug = Slug.make(title, fallback: "hero")
    #expect(slug.utf8.count <= Slug.longest)
    #expect(slug.utf8.count > Slug.longest - 8)
    #expect(!slug.hasSuffix("-"))
    let other = Slug.distinguished(slug, id: "some-id")
    #expect(other.utf8.count <= Slug.longest)
    #expect(RecordRef.isWellFormed(slug) && RecordRef.isWellFormed(other))
  }

  @Test("the id's digest tells two records of one title apart, the same way everywhere")
  func distinguished() {
    #expect(Slug.distinguished("luna", id: "id-1") == "luna-a65b")
    #expect(Slug.distinguished("luna", id: "id-1", attempt: 1).hasPrefix("luna-a65b"))
    #expect(Slug.distinguished("luna", id: "id-1") != Slug.distinguished("luna", id: "id-2"))
    let cut = String(repeating: "word-", count: 15) + "word-"
    #expect(Slug.distinguished(cut, id: "x").contains("--") == false)
    let names = Set((0..<40).map { Slug.distinguished("luna", id: "id-1", attempt: $0) })
    #expect(names.count == 40)
  }

  @Test(
    "names that some systems take for one",
    arguments: [
      ("Luna", "luna"), ("\u{E9}", "e\u{301}"), ("STRASSE", "straße"), ("ΣΑΣ", "σας"), ("İ", "i̇"),
    ])
  func collisions(_ left: String, _ right: String) {
    #expect(Slug.collisionKey(left) == Slug.collisionKey(right))
  }

  @Test("other names are not", arguments: [("luna", "lunas"), ("e", "\u{E9}"), ("a-b", "a/b")])
  func distinct(_ left: String, _ right: String) {
    #expect(Slug.collisionKey(left) != Slug.collisionKey(right))
  }
}
