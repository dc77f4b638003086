import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ImportCommandTests {
  private static let text = """
    ---
    title: The Night Train
    hero: Luna
    event: a lost tooth
    favorite: true
    ---

    It left at nine.

    """

  @Test func `a text becomes a story, and titles become names`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(Self.text, to: "text/The Night Train.md")
    let result = await library.run("import", "text/The Night Train.md")
    #expect(result.code == .done && result.errors == "")
    #expect(result.output == "Imported stories/the-night-train\n")
    #expect(
      try library.folder.read("stories/the-night-train.json") == """
        {
          "title": "The Night Train",
          "hero": "luna",
          "event": "lost-tooth",
          "content": [
            "It left at nine."
          ],
          "isFavorite": true
        }

        """)
    let again = await library.run("import", "text/The Night Train.md")
    #expect(again.code == .done && again.output == "")
    #expect(again.errors == "1 story unchanged.\n")
  }

  @Test func `plain texts get their title from the heading or the name`() async throws {
    let library = try SampleLibrary()
    try library.folder.write("# Deep Snow\n\nOnce.\n", to: "a/one.txt")
    try library.folder.write("Twice.", to: "a/sub/two-moons.md")
    try library.folder.write("[]", to: "a/ignored.json")
    let result = await library.run(
      "import", "a", "--hero", "otto", "--language", "de", "--in", "new/", "--json")
    #expect(result.code == .done)
    #expect(
      result.json?["created"] == [
        ["ref": "stories/new/one", "file": "stories/new/one.json", "source": "a/one.txt"],
        [
          "ref": "stories/new/sub/two-moons", "file": "stories/new/sub/two-moons.json",
          "source": "a/sub/two-moons.md",
        ],
      ])
    #expect(
      try JSONValue(parsing: library.folder.bytes("stories/new/one.json"))
        == [
          "title": "Deep Snow", "hero": "family/otto", "language": "de", "content": ["Once."],
        ])
    let two = try JSONValue(parsing: library.folder.bytes("stories/new/sub/two-moons.json"))
    #expect(two["title"] == "Two moons")
  }

  @Test func `standard input needs a title or a name`() async throws {
    let library = try SampleLibrary()
    var setting = CommandSetting(library.folder)
    setting.typed = ["# Deep Snow", "", "Once."]
    #expect(
      await setting.run("import", "-", "--hero", "luna").output == "Imported stories/deep-snow\n")
    setting.typed = ["Once."]
    let unnamed = await setting.run("import", "-", "--hero", "luna")
    #expect(unnamed.code == .wrongUsage)
    #expect(unnamed.errors.contains("<stdin>: standard input has no title and no name"))
    let untitled = await setting.run("import", "-", "--hero", "luna", "--name", "2026/x")
    #expect(untitled.code == .failed && untitled.errors.contains("“title” is missing"))
    setting.typed = ["---", "title: X", "hero: luna", "---", "Once."]
    #expect(
      await setting.run("import", "-", "--name", "2026/x").output == "Imported stories/2026/x\n")
    // With a name it is text, whatever it starts with.
    setting.typed = ["[Night]", "# Still Night"]
    #expect(
      await setting.run("import", "-", "--hero", "luna", "--name", "night").errors
        .contains("“title” is missing"))
  }

  @Test func `an existing record is changed only with --replace, and keeps its layout`()
    async throws
  {
    let library = try SampleLibrary()
    let record = "{\"hero\":\"luna\", \"mine\": [1,\n2],\n \"title\" : \"T\",\"content\":\"a\\nb\"}"
    try library.folder.write(record, to: "stories/t.json")
    try library.folder.write("---\ntitle: T\n---\n\na\nc\n", to: "t.md")
    let refused = await library.run("import", "t.md")
    #expect(refused.code == .failed)
    #expect(
      refused.errors == """
        Error: t.md: stories/t.json already exists and differs
        Hint: for a new record, rename the file, or give one file another --name; to change this one: \
        stories import t.md --replace

        """)
    #expect(
      await library.run("import", "t.md", "--replace", "--dry-run").output
        == "Would change stories/t\n")
    #expect(try library.folder.read("stories/t.json") == record)
    #expect(await library.run("import", "t.md", "--replace").output == "Changed stories/t\n")
    #expect(
      try library.folder.read("stories/t.json")
        == record.replacing("a\\nb", with: "a\\nc"))
    #expect(await library.run("undo").code == .done)
    #expect(try library.folder.read("stories/t.json") == record)
  }

  @Test func `what a file does not state stays in an existing record`() async throws {
    let library = try SampleLibrary()
    let record = """
      {"title": "My Own", "hero": "luna", "language": "fr", "content": ["a"]}
      """
    try library.folder.write(record, to: "stories/t.json")
    try library.folder.write("b", to: "t.md")
    let options = ["--replace", "--hero", "otto", "--language", "de"]
    let result = await CommandSetting(library.folder).run(["import", "t.md"] + options)
    #expect(result.code == .done && result.output == "Changed stories/t\n")
    #expect(
      try library.folder.read("stories/t.json") == record.replacing(#"["a"]"#, with: #"["b"]"#))
    try library.folder.write(#"{"title": null, "content": ["a"]}"#, to: "stories/t.json")
    #expect(await CommandSetting(library.folder).run(["import", "t.md"] + options).code == .done)
    #expect(
      try JSONValue(parsing: library.folder.bytes("stories/t.json"))
        == ["title": "T", "hero": "family/otto", "language": "de", "content": ["b"]])
  }

  @Test func `names are only for a single text, and a folder must have texts`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(#"{"data": []}"#, to: "in/a.json")
    try library.folder.write("x", to: "a.md")
    for words in [
      ["in/a.json", "--name", "x"], ["in/a.json", "--in", "x"], ["a.md", "--name", ""],
    ] {
      let result = await CommandSetting(library.folder).run(["import"] + words)
      #expect(result.code == .wrongUsage, "\(words)")
    }
    let blank = await library.run("import", "a.md", "--name", "2026/ ", "--hero", "luna")
    #expect(blank.code == .wrongUsage && blank.errors.contains("cannot be a story's name"))
    let empty = await library.run("import", "in")
    #expect(empty.code == .failed)
    #expect(empty.errors.hasPrefix("Error: in: there are no text files in this folder\n"))
  }

  @Test func `a bad file is named with its place, and the others are imported`() async throws {
    let library = try SampleLibrary()
    try library.folder.write("---\ntitle: A\nhero: lunna\n---\nx\n", to: "in/a.md")
    try library.folder.write("---\nhero: luna\nlanguage: xx\n---\nx\n", to: "in/b.md")
    try library.folder.write("---\ntitle \"B\"\n---\nx\n", to: "in/c.md")
    try library.folder.write("x", to: "in/d.md")
    try library.folder.write(Self.text, to: "in/good.md")
    let result = await library.run("import", "in", "missing.md")
    #expect(result.code == .failed && result.output == "Imported stories/good\n")
    #expect(
      result.errors == """
        Error: cannot read missing.md
        Caused by: No such file or directory
        Hint: check the path
        Error: in/c.md:2:1: this is not a field
        Hint: write it like “title: The Night Train”, or end the front matter above it with ---
        Error: in/a.md:3:7: there is no hero “lunna” in this library
        Hint: did you mean “luna”?
        Error: in/b.md:3:11: “language” must be one of en, fr, es, de, it, not “xx”
        Error: in/d.md:1:1: “hero” is missing
        Hint: add “hero: NAME” to the front matter, or give --hero NAME

        """)
    let json = await library.run("import", "in/a.md", "--json").json
    #expect(json?["schema"] == "stories.import/1")
    #expect(json?["failed"]?.array?.first?["code"] == "reference")
    #expect(json?["failed"]?.array?.first?["line"] == 3)
    #expect(try library.folder.files(below: "stories").count == 2)
  }

  @Test func `limits are those of check`() async throws {
    let library = try SampleLibrary()
    let title = String(repeating: "x", count: 501)
    try library.folder.write("---\ntitle: \(title)\nhero: luna\n---\nx\n", to: "a.md")
    let result = await library.run("import", "a.md", "--dry-run")
    #expect(result.code == .failed)
    #expect(
      result.errors.contains("a.md:2:8: “title” has 501 characters, but at most 500 are allowed"))
  }

  @Test func `a mistake in the existing record is named there`() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("stories/2026/first-snow.json", "\"en\"", to: "\"xx\"")
    try library.folder.write("---\ntitle: New\n---\n", to: "a.md")
    let result = await library.run("import", "a.md", "--name", "2026/first-snow", "--replace")
    #expect(result.code == .failed)
    #expect(
      result.errors.hasPrefix("Error: stories/2026/first-snow.json: “language” must be one of"))
  }

  @Test func `unknown fields are named`() async throws {
    let library = try SampleLibrary()
    try library.folder.write("---\ntitle: T\nhero: luna\nlangage: de\n---\nx\n", to: "a.md")
    let result = await library.run("import", "a.md")
    #expect(result.code == .done)
    #expect(
      result.errors
        == "Warning: a.md:4:1: unknown field “langage” (ignored)\nHint: did you mean “language”?\n")
  }

  @Test func `two titles that are the same are ambiguous`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.luna, to: "heroes/moon.json")
    try library.folder.write("---\ntitle: T\nhero: LUNA\n---\nx\n", to: "a.md")
    let result = await library.run("import", "a.md")
    #expect(result.errors.contains("a.md: “LUNA” is ambiguous: heroes/luna and heroes/moon"))
  }

  @Test func `the name of a deleted record is not taken again`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    _ = await library.run("export", "markdown", "out")
    _ = await library.run("rm", "first-snow")
    let result = await library.run("import", "out")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("was deleted locally, but not yet on the server"))
  }

  @Test func `a name that another record or file has is not taken`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(Self.text, to: "a/x.md")
    try library.folder.write("---\nhero: otto\n---\nOther.\n", to: "b/x.md")
    let cased = await library.run("import", "a/x.md", "--name", "2026/First-Snow")
    #expect(cased.code == .wrongUsage && !library.folder.exists("stories/2026/First-Snow.json"))
    #expect(cased.errors.contains("already exists: stories/2026/first-snow.json"))
    for options in [["--dry-run"], []] {
      let twice = await CommandSetting(library.folder).run(
        ["import", "a/x.md", "b/x.md"] + options)
      #expect(twice.code == .failed && twice.lines.count == 2)
      #expect(twice.errors.contains("b/x.md: a/x.md and b/x.md are for the same record"))
    }
    #expect(await library.run("import", "a/x.md", "b/x.md", "--replace").code == .failed)
    #expect(try library.folder.read("stories/x.json").contains("It left at nine."))
    let named = await library.run("import", "a", "b", "--name", "y")
    #expect(named.code == .wrongUsage)
  }
}
