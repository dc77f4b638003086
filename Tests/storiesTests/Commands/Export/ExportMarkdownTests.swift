import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `export markdown`, and `import` of what it wrote.
@Suite(.inTurn) struct ExportMarkdownTests {
  private static let snow = """
    ---
    title: The First Snow
    hero: luna
    event: lost-tooth
    language: en
    ---

    Luna woke up and the window was white.

    It came at night, whispered the cat.

    She did not stop for socks.

    """

  @Test(arguments: ["luna", "lost-tooth"])
  func `a hero or an event stands for its stories`(_ word: String) async throws {
    let library = try SampleLibrary()
    let result = await library.run("export", "markdown", "out", word)
    #expect(result.output == "new      out/2026/first-snow.md\n", "\(result.errors)")
    #expect(await library.run("export", "markdown", "out", "otto").code == .wrongUsage)
  }

  @Test func `writes a file for each story, with its folders`() async throws {
    let library = try SampleLibrary()
    let result = await library.run("export", "markdown", "out")
    #expect(result.code == .done)
    #expect(result.output == "new      out/2026/first-snow.md\n")
    #expect(result.errors == "Wrote 1 file to out.\n")
    #expect(try library.folder.read("out/2026/first-snow.md") == Self.snow)
    let before = try library.folder.read("out/.stories-markdown.json")
    let again = await library.run("export", "markdown", "out")
    #expect(again.output == "" && again.errors == "Wrote 0 files to out, 1 file unchanged.\n")
    #expect(try library.folder.read("out/.stories-markdown.json") == before)
  }

  @Test func `a dry run writes nothing`() async throws {
    let library = try SampleLibrary()
    let json = await library.run("export", "markdown", "out", "--dry-run", "--json").json
    #expect(json?["schema"] == "stories.export-markdown/1" && json?["dryRun"] == true)
    #expect(json?["created"] == ["2026/first-snow.md"])
    #expect(!library.folder.exists("out"))
  }

  @Test func `replaces only what it wrote`() async throws {
    let library = try SampleLibrary()
    try library.folder.write("mine", to: "out/2026/first-snow.md")
    let first = await library.run("export", "markdown", "out")
    #expect(first.code == .failed)
    #expect(
      first.errors.contains(
        "Error: out/2026/first-snow.md was not written by an export, or was edited since\n"
          + "Hint: move it elsewhere, or replace it: stories export markdown out --force\n"))
    #expect(try library.folder.read("out/2026/first-snow.md") == "mine")
    #expect(await library.run("export", "markdown", "out", "--force").code == .done)
    try library.folder.edit("stories/2026/first-snow.json", "white", to: "blue")
    let second = await library.run("export", "markdown", "out")
    #expect(second.code == .done && second.output == "updated  out/2026/first-snow.md\n")
    #expect(try library.folder.read("out/2026/first-snow.md").contains("blue"))
    try library.folder.edit("out/2026/first-snow.md", "blue", to: "green")
    try library.folder.edit("stories/2026/first-snow.json", "blue", to: "red")
    #expect(await library.run("export", "markdown", "out").code == .failed)
    #expect(try library.folder.read("out/2026/first-snow.md").contains("green"))
  }

  @Test func `removes the files of stories that are gone, unless they were edited`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.snow, to: "stories/other.json")
    _ = await library.run("export", "markdown", "out")
    try library.folder.remove("stories/2026")
    try library.folder.remove("stories/other.json")
    #expect(await library.run("export", "markdown", "out").code == .wrongUsage)
    #expect(library.folder.exists("out/2026/first-snow.md"))
    try library.folder.write(SampleLibrary.snow, to: "stories/last.json")
    _ = await library.run("export", "markdown", "out", "stories/last")
    try library.folder.edit("out/other.md", "white", to: "blue")
    let part = await library.run("export", "markdown", "out", "--dry-run")
    #expect(part.output == "removed  out/2026/first-snow.md\n")
    let result = await library.run("export", "markdown", "out")
    #expect(result.output == "removed  out/2026/first-snow.md\n")
    #expect(result.errors.contains("Kept out/other.md: it was edited."))
    #expect(
      try library.folder.files(below: "out") == [
        "out/.stories-markdown.json", "out/last.md", "out/other.md",
      ])
  }

  @Test func `keeps the files of stories that are only missing or hidden here`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.snow, to: "stories/other.json")
    try await library.push()
    _ = await library.run("export", "markdown", "out")
    // Without the index, nothing shows that somebody deleted it.
    try library.folder.remove(".stories")
    try library.folder.remove("stories/2026/first-snow.json")
    let missing = await library.run("export", "markdown", "out")
    #expect(missing.code == .done && missing.output == "", "\(missing.errors)")
    let deep = "stories" + String(repeating: "/d", count: 33)
    try library.folder.remove("stories/2026")
    try library.folder.makeFolder(deep)
    let hidden = await library.run("export", "markdown", "out")
    #expect(hidden.code == .failed && hidden.output == "")
    #expect(hidden.errors.contains("folders nest deeper than 32"), "\(hidden.errors)")
    #expect(library.folder.exists("out/2026/first-snow.md"))
    try library.folder.remove("stories/d")
    let gone = await library.run("export", "markdown", "out")
    #expect(gone.code == .done && gone.output == "removed  out/2026/first-snow.md\n")
  }

  @Test func `knows its files after an export that was killed`() async throws {
    let library = try SampleLibrary()
    _ = await library.run("export", "markdown", "out")
    let name = "2026/first-snow.md"
    for isWritten in [false, true] {
      // The list is written before the files, and `finish` is missing.
      var folder = try MarkdownFolder(
        library.folder.path("out"), isForced: false, isDryRun: false)
      let bytes = Array("killed \(isWritten)".utf8)
      try folder.begin([name: bytes])
      if isWritten { #expect(try folder.write(bytes, to: name) == .updated) }
      let result = await library.run("export", "markdown", "out")
      #expect(result.code == .done && result.errors.hasPrefix("Wrote \(isWritten ? 1 : 0) file"))
      #expect(try library.folder.read("out/" + name) == Self.snow)
    }
  }

  @Test func `a file that cannot be removed is reported, and the list is saved`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.snow, to: "stories/other.json")
    _ = await library.run("export", "markdown", "out")
    try library.folder.remove("stories/2026")
    try library.folder.remove("out/2026")
    try library.folder.makeFolder("elsewhere")
    try library.folder.link("out/2026", to: library.folder.path("elsewhere"))
    try library.folder.edit("stories/other.json", "white", to: "blue")
    let result = await library.run("export", "markdown", "out")
    #expect(result.code == .failed && result.output == "updated  out/other.md\n")
    #expect(result.errors.contains("out/2026"))
    try library.folder.edit("stories/other.json", "blue", to: "red")
    let again = await library.run("export", "markdown", "out")
    #expect(again.output == "updated  out/other.md\n")
  }

  @Test(arguments: [
    "x", "{}", #"{"version": 2, "files": {}}"#, #"{"version": 1, "files": {"../a.md": "x"}}"#,
    #"{"version": 1, "files": {"../stories/a.md": []}}"#,
    #"{"version": 1, "files": {".hidden.md": []}}"#, #"{"version": 1, "files": {"a.txt": []}}"#,
  ])
  func `a list that no export wrote is refused`(_ list: String) async throws {
    let library = try SampleLibrary()
    try library.folder.write(list, to: "out/.stories-markdown.json")
    let result = await library.run("export", "markdown", "out", "--force")
    #expect(result.code == .failed && result.errors.contains("out/.stories-markdown.json"))
    #expect(try library.folder.read("out/.stories-markdown.json") == list)
    #expect(try library.folder.files(below: "out").count == 1)
  }

  @Test func `a list that is a link is refused`() async throws {
    let library = try SampleLibrary()
    try library.folder.makeFolder("out")
    try library.folder.link("out/.stories-markdown.json", to: library.folder.path("none"))
    #expect(await library.run("export", "markdown", "out").code == .failed)
    #expect(!library.folder.exists("out/2026"))
  }

  @Test func `a link in the folder is not followed`() async throws {
    let library = try SampleLibrary()
    try library.folder.makeFolder("elsewhere")
    try library.folder.makeFolder("out")
    try library.folder.link("out/2026", to: library.folder.path("elsewhere"))
    let result = await library.run("export", "markdown", "out", "--force")
    #expect(result.code == .failed)
    #expect(try library.folder.files(below: "elsewhere") == [])
  }

  @Test func `a story that cannot be text is named, and the others are written`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(#"{"title": ["x"], "hero": "luna"}"#, to: "stories/bad.json")
    let result = await library.run("export", "markdown", "out")
    #expect(result.code == .failed)
    #expect(result.errors.contains("Error: stories/bad.json:1:11: “title” must be a string"))
    #expect(library.folder.exists("out/2026/first-snow.md"))
  }

  // MARK: Round trip

  /// The members of all stories by their names.
  private func stories(_ folder: TemporaryFolder) throws -> [String: JSONValue] {
    var stories: [String: JSONValue] = [:]
    for path in try folder.files(below: "stories") where !path.contains("/.sync/") {
      stories[path] = try JSONValue(parsing: folder.bytes(path))
    }
    return stories
  }

  @Test func `an import of the sample library's export gives the same stories`() async throws {
    let folder = try TemporaryFolder()
    try folder.copySampleData()
    let before = try stories(folder)
    #expect(before.count == 15)
    let setting = CommandSetting(folder)
    #expect(await setting.run("export", "markdown", "out").code == .done)
    let unchanged = await setting.run("import", "out", "--json").json
    #expect(unchanged?["unchanged"]?.array?.count == 15)
    try folder.remove("stories")
    let result = await setting.run("import", "out")
    #expect(result.code == .done && result.lines.count == 16)
    #expect(try stories(folder) == before)
  }

  @Test func `hostile titles, contents and names come back`() async throws {
    let library = try SampleLibrary()
    let texts = [
      "---\nhero: x\n---", "# x", "*a*  \n\tb \n", "<b>", "\n\na\n\n", "a\r\nb\r\n", "a\0b",
      "שלום\u{200F}",
      String(repeating: "Es war einmal. ", count: 70_000),
    ]
    for (place, text) in texts.enumerated() {
      let record: JSONObject = [
        "title": .string(String(text.prefix(200))), "hero": "luna",
        "content": .array(RecordFile.lines(of: text).map { .string($0) }),
      ]
      try library.folder.write(
        JSONValue.object(record).fileBytes(), to: "stories/Sub folder/Nº \(place).json")
    }
    try library.folder.write(
      #"{"title": "A draft", "hero": "luna", "isFavorite": true}"#, to: "stories/draft.json")
    let before = try stories(library.folder)
    #expect(await library.run("export", "markdown", "out").code == .done)
    try library.folder.remove("stories")
    let result = await library.run("import", "out")
    #expect(result.code == .done && result.errors == "")
    #expect(try stories(library.folder) == before)
  }

  /// Returns a text of characters that mean something to Markdown, YAML, JSON or a terminal.
  private static func text(_ random: inout SeededGenerator, lines: Int) -> String {
    let words = [
      "snow", "*", "**bold**", "_", "#", "---", "- ", "1. ", "> ", "`", "<b>", "&amp;", ":", ": ",
      "\"",
      "'", "“", "”", "\\", "\\n", "[x](y)", "|", "\t", " ", "  ", "é", "e\u{301}", "שלום",
      "\u{202E}",
      "\u{0}", "\u{1B}[31m", "\u{85}", "\u{2028}", "\u{FEFF}", "😀", "true", "null", "~", "%", "@",
      "!",
      "{", "}", "hero: x",
    ]
    return (0..<lines).map { _ in
      (0..<random.below(6)).map { _ in random.pick(words) }.joined(
        separator: random.pick(["", " "]))
    }.joined(separator: random.pick(["\n", "\n\n"]))
  }

  @Test(arguments: 1...8) func `any stories come back`(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let library = try SampleLibrary()
    for number in 0..<25 {
      let text = Self.text(&random, lines: 1 + random.below(12))
      var record: JSONObject = [
        "title": .string("T" + Self.text(&random, lines: 1)),
        "hero": .string(random.pick(["luna", "family/otto"])),
      ]
      if random.oneIn(2) { record["event"] = "lost-tooth" }
      if random.oneIn(2) { record["language"] = .string(random.pick(["en", "de", "fr"])) }
      if random.oneIn(2) { record["isFavorite"] = .bool(random.oneIn(2)) }
      if random.oneIn(2) { record["playCount"] = .number(JSONNumber(random.below(99))) }
      record["content"] = .array(RecordFile.lines(of: text).map { .string($0) })
      let folder = random.pick(["", "2026/", "Sub folder/Ä/"])
      try library.folder.write(
        JSONValue.object(record).fileBytes(), to: "stories/\(folder)story \(number).json")
    }
    let before = try stories(library.folder)
    let exported = await library.run("export", "markdown", "out")
    #expect(exported.code == .done, "\(exported.errors)")
    let same = await library.run("import", "out", "--json").json
    #expect(same?["unchanged"]?.array?.count == before.count)
    try library.folder.remove("stories")
    let result = await library.run("import", "out")
    #expect(result.code == .done && result.errors == "", "\(result.errors)")
    let after = try stories(library.folder)
    #expect(Set(after.keys) == Set(before.keys))
    for (path, record) in before { #expect(after[path] == record, "\(path)") }
  }
}
