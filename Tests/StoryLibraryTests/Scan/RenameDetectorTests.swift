import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Renames")
struct RenameDetectorTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func story(_ title: String, _ lines: [String], _ more: String = "") -> String {
    let content = JSONValue.array(lines.map { .string($0) }).compactText
    return
      "{\"title\": \(JSONValue.string(title).compactText), \"heroId\": \"h\", \"content\": \(content)\(more)}"
  }

  private func lines(_ range: Range<Int>, _ word: String = "line") -> [String] {
    range.map { "\(word) \($0)" }
  }

  /// `new <- old state` for what was renamed, `ref state` for the rest.
  private func found() throws -> [String] {
    try test.scan().entries.map { entry in
      let from = entry.renamedFrom.map { " <- \($0.name)" } ?? ""
      return "\(entry.ref.name)\(from) \(entry.state.rawValue)"
    }
  }

  // MARK: Equal content

  @Test("a moved file is the record it was")
  func moved() throws {
    try test.synced("stories/a", id: "1", story("A", lines(0..<3)))
    try test.folder.move("library/stories/a.json", to: "library/stories/2026/b.json")
    let scan = try test.scan()
    let entry = try #require(scan.entry("stories/2026/b"))
    #expect(scan.entries.count == 1)
    #expect(entry.state == .synced)
    #expect(entry.renamedFrom == "stories/a")
    #expect(entry.id == "1")
    #expect(entry.sidecarPath == "stories/.sync/a.json")
  }

  @Test("also laid out anew, with unknown members and with defaults in another way")
  func movedAndFormatted() throws {
    try test.synced("stories/a", id: "1", story("A", lines(0..<2), ", \"playCount\": 0"))
    try test.folder.remove("library/stories/a.json")
    try test.write(
      "stories/b",
      "{\n\"note\": 1, \"content\": \"line 0\\nline 1\",\"isFavorite\": false, \"heroId\": \"h\",\r\n\"title\": \"\\u0041\"}"
    )
    #expect(try found() == ["b <- a synced"])
  }

  @Test("an absent field with a default stands for what the base holds")
  func defaults() throws {
    try test.sidecar(
      "stories/a", id: "1",
      base: ["title": "A", "heroId": "h", "content": "a", "language": "fr", "playCount": 4])
    try test.sidecar(
      "stories/z", id: "2",
      base: ["title": "A", "heroId": "h", "content": "a", "language": "de", "playCount": 4])
    try test.write("stories/b", #"{"title": "A", "heroId": "h", "content": "a", "language": "de"}"#)
    #expect(try found() == ["a pendingDelete", "b <- z synced"])
  }

  @Test("equal ones are matched one to one, in the order of their names")
  func equalOnes() throws {
    for (ref, id) in [("heroes/a", "1"), ("heroes/b", "2"), ("heroes/c", "3")]
      as [(RecordRef, String)]
    {
      try test.synced(ref, id: id, heroText("Same"))
    }
    try test.folder.move("library/heroes/a.json", to: "library/heroes/x.json")
    try test.folder.move("library/heroes/c.json", to: "library/heroes/w.json")
    #expect(try found() == ["b synced", "w <- a synced", "x <- c synced"])
  }

  @Test("a copy beside the original is a new record")
  func copy() throws {
    try test.synced("heroes/a", id: "1", heroText("Luna"))
    try test.write("heroes/b", heroText("Luna"))
    #expect(try found() == ["a synced", "b pendingCreate"])
  }

  @Test("a hero and the story that names it, renamed together")
  func together() throws {
    try test.synced("heroes/luna", id: "h1", heroText("Luna"))
    try test.write("stories/a", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    try test.sidecar(
      "stories/a", id: "s1", base: ["title": "A", "heroId": "h1", "content": "a"],
      refs: ["hero": "luna"])
    try test.folder.move("library/heroes/luna.json", to: "library/heroes/family/moon.json")
    try test.folder.move("library/stories/a.json", to: "library/stories/b.json")
    let scan = try test.scan()
    #expect(try found() == ["family/moon <- luna synced", "b <- a synced"])
    let story = try #require(scan.entry("stories/b"))
    #expect(story.outdatedReferences.fields(of: .stories).map(\.key) == ["hero"])
    #expect(story.problems.isEmpty)
  }

  @Test("the same, told by the names alone: nobody else resolves them")
  func togetherWithoutHero() throws {
    try test.write("stories/b", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    try test.sidecar(
      "stories/a", id: "s1", base: ["title": "A", "heroId": "h1", "content": "a"],
      refs: ["hero": "luna"])
    try test.sidecar(
      "stories/z", id: "s2", base: ["title": "A", "heroId": "h2", "content": "a"],
      refs: ["hero": "otto"])
    #expect(try found() == ["b <- a synced", "z pendingDelete"])
  }

  @Test("a new story that still uses a renamed hero's old name")
  func aliases() throws {
    try test.synced("heroes/luna", id: "h1", heroText("Luna"))
    try test.folder.move("library/heroes/luna.json", to: "library/heroes/moon.json")
    try test.write("stories/new", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    let entry = try #require(try test.scan().entry("stories/new"))
    #expect(entry.problems.isEmpty)
    #expect(entry.outdatedReferences.fields(of: .stories).map(\.key) == ["hero"])
  }

  @Test("a whole folder moved with its sidecars is no rename at all")
  func wholeFolder() throws {
    for name in ["a", "b"] {
      try test.synced(
        RecordRef(kind: .stories, name: "2026/\(name)"), id: name, story(name, [name]))
    }
    try test.folder.move("library/stories/2026", to: "library/stories/archive/2026")
    #expect(try found() == ["archive/2026/a synced", "archive/2026/b synced"])
    #expect(try test.scan().entries.allSatisfy { $0.renamedFrom == nil })
  }

  @Test("a folder's records moved without their sidecars")
  func folderWithoutSidecars() throws {
    for number in 0..<30 {
      try test.synced(
        RecordRef(kind: .stories, name: "2026/s\(number)"), id: "\(number)",
        story("Story \(number)", lines(0..<5, "text \(number)")))
      try test.folder.move(
        "library/stories/2026/s\(number).json", to: "library/stories/old/s\(number).json")
    }
    let scan = try test.scan()
    #expect(scan.counts == [.synced: 30])
    #expect(
      scan.entries.allSatisfy { entry in
        entry.renamedFrom?.name == "2026/" + Path.name(entry.ref.name)
      })
  }

  // MARK: The same title

  @Test("moved and edited, with the only title of its kind")
  func title() throws {
    try test.synced("heroes/luna", id: "1", heroText("Luna"))
    try test.folder.remove("library/heroes/luna.json")
    try test.write("heroes/moon", heroText("Luna", age: 9))
    try test.sidecar("heroes/other", id: "2", base: ["name": "Other"])
    let entry = try #require(try test.scan().entry("heroes/moon"))
    #expect(entry.state == .pendingUpdate)
    #expect(entry.renamedFrom == "heroes/luna")
    #expect(entry.changedFields.map(\.key) == ["age"])
  }

  @Test("two new ones of a title, or two missing ones, tell nothing")
  func ambiguousTitles() throws {
    try test.sidecar("heroes/a", id: "1", base: ["name": "Luna", "age": 3])
    try test.write("heroes/b", heroText("Luna", age: 4))
    try test.write("heroes/c", heroText("Luna", age: 5))
    try test.sidecar("heroes/d", id: "2", base: ["name": "Mia", "age": 3])
    try test.sidecar("heroes/e", id: "3", base: ["name": "Mia", "age": 4])
    try test.write("heroes/f", heroText("Mia", age: 5))
    #expect(
      try found() == [
        "a pendingDelete", "b pendingCreate", "c pendingCreate", "d pendingDelete",
        "e pendingDelete", "f pendingCreate",
      ])
  }

  @Test("an equal pair is taken out first")
  func equalFirst() throws {
    try test.sidecar("heroes/a", id: "1", base: ["name": "Luna", "age": 7, "traits": ["brave"]])
    try test.sidecar("heroes/b", id: "2", base: ["name": "Luna", "age": 3, "traits": ["brave"]])
    try test.write("heroes/x", heroText("Luna", age: 9))
    try test.write("heroes/y", heroText("Luna", age: 7))
    #expect(try found() == ["x <- b pendingUpdate", "y <- a synced"])
  }

  @Test("titles are compared by scalars, and those of other kinds do not count")
  func otherTitles() throws {
    try test.sidecar("heroes/a", id: "1", base: ["name": "\u{E9}", "age": 3])
    try test.write("heroes/b", heroText("e\u{301}"))
    try test.sidecar("events/c", id: "2", base: ["title": "e\u{301}"])
    #expect(try found() == ["a pendingDelete", "b pendingCreate", "c pendingDelete"])
  }

  @Test("no title is no title in common")
  func noTitle() throws {
    try test.sidecar("heroes/a", id: "1", base: ["age": 3])
    try test.write("heroes/b", #"{"age": 4}"#)
    try test.sidecar("events/a", id: "1", base: ["title": "", "tone": "x"])
    try test.write("events/b", #"{"title": "", "tone": "y"}"#)
    #expect(
      try found() == ["a pendingDelete", "b pendingCreate", "a pendingDelete", "b pendingCreate"])
  }

  // MARK: Similar texts

  @Test(
    "moved, renamed and edited, as long as 70 % of the lines are there",
    arguments: [
      (7, "b <- a pendingUpdate"), (10, "b <- a pendingUpdate"),
      (6, "a pendingDelete|b pendingCreate"), (0, "a pendingDelete|b pendingCreate"),
    ])
  func similar(_ common: Int, _ expected: String) throws {
    try test.synced("stories/a", id: "1", story("Old", lines(0..<10)))
    try test.folder.remove("library/stories/a.json")
    try test.write(
      "stories/b", story("New", lines(0..<common) + lines(common..<10, "other")))
    #expect(try found().joined(separator: "|") == expected)
  }

  @Test("lines may move and blank ones do not count")
  func movedLines() throws {
    try test.synced("stories/a", id: "1", story("Old", lines(0..<4)))
    try test.folder.remove("library/stories/a.json")
    try test.write(
      "stories/b",
      story("New", ["line 3", "", "line 1", "", "", "line 0", "", "line 2", "a new one", ""]))
    #expect(try found() == ["b <- a pendingUpdate"])
  }

  @Test("a line that stands twice counts twice, not more")
  func repeatedLines() throws {
    try test.synced("stories/a", id: "1", story("Old", ["x", "x", "x", "y"]))
    try test.folder.remove("library/stories/a.json")
    try test.write("stories/b", story("New", ["x", "y", "z"]))
    #expect(try found() == ["a pendingDelete", "b pendingCreate"])
  }

  @Test("two candidates tell nothing, on either side")
  func ambiguousTexts() throws {
    try test.sidecar(
      "stories/a", id: "1",
      base: ["title": "A", "content": .string(lines(0..<10).joined(separator: "\n"))])
    try test.sidecar(
      "stories/b", id: "2",
      base: ["title": "B", "content": .string(lines(0..<9).joined(separator: "\n"))])
    try test.write("stories/c", story("C", lines(0..<10)))
    try test.sidecar(
      "stories/d", id: "3",
      base: ["title": "D", "content": .string(lines(0..<10, "d").joined(separator: "\n"))])
    try test.write("stories/e", story("E", lines(0..<10, "d")))
    try test.write("stories/f", story("F", lines(1..<10, "d")))
    #expect(
      try found() == [
        "a pendingDelete", "b pendingDelete", "c pendingCreate", "d pendingDelete",
        "e pendingCreate", "f pendingCreate",
      ])
  }

  @Test("heroes have no long text, so only equality and the name count")
  func heroes() throws {
    try test.synced("heroes/a", id: "1", heroText("Luna"))
    try test.folder.remove("library/heroes/a.json")
    try test.write("heroes/b", heroText("Moon"))
    #expect(try found() == ["a pendingDelete", "b pendingCreate"])
  }

  // MARK: What is never a rename

  @Test("a stated delete, a sidecar that cannot be read, a record that is not checked out")
  func never() throws {
    let base: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]
    try test.sidecar("heroes/stated", id: "1", base: base, isDeleteStated: true)
    try test.folder.write("{\n  \"id\": \"2\",", to: "library/heroes/.sync/broken.json")
    try test.sidecar("heroes/sparse", id: "3", base: base)
    try test.write("heroes/new", heroText("Luna"))
    var scanner = Scanner(test.library)
    scanner.notCheckedOut = { _ in ["heroes/sparse.json"] }
    #expect(
      try scanner.scan().entries.map { "\($0.ref.name) \($0.state.rawValue)" } == [
        "broken unreadable", "new pendingCreate", "sparse notCheckedOut", "stated pendingDelete",
      ])
  }

  @Test("a file that cannot be read is no new record")
  func unreadableNew() throws {
    try test.sidecar("heroes/a", id: "1", base: ["name": "Luna"])
    try test.write("heroes/b", "{\"name\": \"Luna\"")
    #expect(try found() == ["a pendingDelete", "b unreadable"])
  }

  @Test("a conflict goes with its record")
  func conflicts() throws {
    let conflict = Sidecar.Conflict.fields(
      updatedAt: "u", [.init(wireKey: "name", base: "Luna", server: "Mond")])
    try test.sidecar(
      "heroes/a", id: "1", base: ["name": "Luna", "age": 7, "traits": ["brave"]],
      conflict: conflict)
    try test.write("heroes/b", heroText("Luna"))
    let scan = try test.scan()
    let entry = try #require(scan.entry("heroes/b"))
    #expect(scan.entries.count == 1)
    #expect(entry.state == .conflict)
    #expect(entry.conflict == .fields)
    #expect(entry.renamedFrom == "heroes/a")
  }

  // MARK: Cost

  @Test("a thousand files moved and edited")
  func many() throws {
    for number in 0..<1_000 {
      let text = lines(0..<9, "text \(number)")
      try test.sidecar(
        RecordRef(kind: .stories, name: "old/s\(number)"), id: "\(number)",
        base: ["title": .string("Old \(number)"), "content": .string(text.joined(separator: "\n"))])
      try test.write(
        RecordRef(kind: .stories, name: "new/s\(number)"),
        story("New \(number)", text + ["The end."]))
    }
    let scan = try test.scan(workers: 2)
    #expect(scan.counts == [.pendingUpdate: 1_000])
    #expect(scan.entries.allSatisfy { $0.renamedFrom?.name == "old/" + Path.name($0.ref.name) })
  }
}
