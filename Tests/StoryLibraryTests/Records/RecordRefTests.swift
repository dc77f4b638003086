import Testing

@testable import StoryLibrary

@Suite("Refs")
struct RecordRefTests {
  @Test(
    "what people type",
    arguments: [
      ("heroes/luna", "luna"), ("heroes/luna.json", "luna"), ("heroes/family/otto", "family/otto"),
      ("heroes/Ünal (2)", "Ünal (2)"), ("heroes/a.b", "a.b"), ("heroes/-x", "-x"),
    ])
  func typed(_ text: String, _ name: String) {
    let ref = RecordRef(text)
    #expect(ref?.name == name)
    #expect(ref?.kind == .heroes)
  }

  @Test(
    "what is none",
    arguments: [
      "", "luna", "heroes", "heroes/", "heroes//luna", "/heroes/luna", "heroes/luna/", "hero/luna",
      "heroes/.luna", "heroes/../luna", "heroes/./luna", "heroes/a/../../b", "heroes/.sync/luna",
      "heroes/a\u{0}", "heroes/a\nb", "heroes/a\u{7F}", "heroes/a\u{85}b", "heroes/.json",
      "heroes/a/\u{301}b/../c", "Heroes/luna", "heroes/luna.json/a",
    ])
  func refused(_ text: String) {
    #expect(RecordRef(text) == nil)
  }

  @Test(
    "the first thing that keeps a name from being a record's",
    arguments: [
      ("luna", nil), ("a.json", nil), ("\u{301}", nil), ("", .part("")), ("a//b", .part("")),
      ("/a", .part("")), ("a/", .part("")), ("a/.sync/b", .part(".sync")), ("..", .part("..")),
      ("a/b.json/c", .part("b.json")), ("a.json/\n", .controlCharacter),
      (".a/" + String(repeating: "b", count: 201), .part(".a")),
      (String(repeating: "é", count: 101) + "/a", .tooLong(bytes: 202)),
      (String(repeating: "d/", count: 32) + "a", nil),
      (String(repeating: "d/", count: 33) + "a", .tooDeep(limit: 32)),
    ] as [(String, RecordRef.NameFault?)])
  func fault(_ name: String, _ fault: RecordRef.NameFault?) {
    #expect(RecordRef.fault(in: name) == fault)
    #expect(RecordRef.isWellFormed(name) == (fault == nil))
  }

  @Test(
    "where the files lie",
    arguments: [
      ("heroes/luna", "heroes/luna.json", "heroes/.sync/luna.json"),
      ("stories/2026/bed/a", "stories/2026/bed/a.json", "stories/2026/bed/.sync/a.json"),
      ("events/a.b", "events/a.b.json", "events/.sync/a.b.json"),
    ])
  func paths(_ text: String, _ path: String, _ sidecarPath: String) throws {
    let ref = try #require(RecordRef(text))
    #expect(ref.path == path)
    #expect(ref.sidecarPath == sidecarPath)
    #expect(ref.description == text)
    #expect(RecordRef(path) == ref)
  }

  @Test("Unicode forms of a name are one name, cases are not")
  func forms() {
    #expect(RecordRef("heroes/\u{E9}") == RecordRef("heroes/e\u{301}"))
    #expect(RecordRef("heroes/luna") != RecordRef("heroes/Luna"))
    #expect(RecordRef("heroes/luna") != RecordRef("events/luna"))
  }

  @Test("order is by kind as they are created, then by name")
  func order() {
    let refs: [RecordRef] = ["stories/a", "heroes/b", "events/c", "heroes/a/b", "heroes/a"]
    #expect(
      refs.sorted().map(\.description)
        == ["heroes/a", "heroes/a/b", "heroes/b", "events/c", "stories/a"])
  }
}
