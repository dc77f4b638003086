import StoryLibrary
import Testing

@testable import StoryPages

@Suite struct NamesTests {
  private func name(_ text: String) -> String { SafeName.of(RecordRef(kind: .stories, name: text)) }

  @Test(arguments: ["first-snow", "2026/bedtime/moon", "a1"])
  func `plain names stay`(_ text: String) { #expect(name(text) == text) }

  @Test(arguments: ["Moon", "what?", "con", "雪", "a b", "x.html", "e\u{301}", "2026/CON", "a_b"])
  func `others become names that every file system holds`(_ text: String) {
    let safe = name(text)
    #expect(safe != text)
    #expect(safe.split(separator: "/").last?.contains(/-[0-9a-f]{4}$/) == true, "\(safe)")
    #expect(!safe.contains { "?.: _".contains($0) || $0.isUppercase }, "\(safe)")
  }

  @Test func `names that differ only by case stay apart`() {
    #expect(Set(["moon", "Moon", "MOON"].map { name($0) }).count == 3)
  }

  @Test(arguments: [
    ("index.html", "index.html"), ("stories/moon.html", "../index.html"),
    ("stories/2026/moon.html", "../../index.html"),
  ])
  func `links are relative`(_ file: String, _ home: String) {
    #expect(Links.relative(to: file) { $0.path }(.home) == home)
  }

  @Test func `links stay in a folder that both files share`() {
    let links = Links.relative(to: "stories/2026/moon.html") { $0.path }
    #expect(links(.story(RecordRef(kind: .stories, name: "2026/sun"))) == "sun.html")
    #expect(links(.story(RecordRef(kind: .stories, name: "sun"))) == "../sun.html")
    #expect(links(.hero(RecordRef(kind: .heroes, name: "luna"))) == "../../heroes/luna.html")
  }

  @Test(
    arguments: [
      ("en", "en"), ("pt-BR", "pt-BR"), ("zh-Hant-TW", "zh-Hant-TW"), ("", nil), ("e", nil),
      ("en\"><script>", nil), ("english", nil), ("en_US", nil), ("en-", nil),
    ] as [(String, String?)])
  func `only tags of languages are languages`(_ text: String, _ tag: String?) {
    #expect(Language.tag(text) == tag)
  }

  @Test(
    arguments: [
      ("2026-11-20T10:00:00.000Z", "20 November 2026"), ("2026-02-30T10:00:00Z", nil),
      ("yesterday", nil), ("", nil),
    ] as [(String, String?)])
  func `days are those of the server's times`(_ time: String, _ text: String?) {
    #expect(Day(time)?.text == text)
  }

  @Test func `formats are told by content`() {
    #expect(MediaFormat(start: SampleShelf.png) == .png)
    #expect(MediaFormat(start: [0xFF, 0xFB, 0x90, 0]) == .mp3)
    #expect(MediaFormat(start: Array("ID3\u{4}".utf8)) == .mp3)
    #expect(MediaFormat(start: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(MediaFormat(start: Array("RIFF....WAVE".utf8)) == .wav)
    #expect(MediaFormat(start: Array("<svg onload=alert(1)>".utf8)) == nil)
    #expect(MediaFormat(start: []) == nil)
  }
}
