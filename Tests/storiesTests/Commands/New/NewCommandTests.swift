import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct NewCommandTests {
  @Test func hero() async throws {
    let library = try SampleLibrary()
    let result = await library.run("new", "hero", "Zoë O'Neil")
    #expect(result.code == .done)
    #expect(result.output == "heroes/zoe-oneil.json\n")
    #expect(
      result.errors == "“age” and “traits” are placeholders: change them in heroes/zoe-oneil.json\n"
    )
    #expect(
      try library.folder.read("heroes/zoe-oneil.json") == """
        {
          "name": "Zoë O'Neil",
          "age": 7,
          "traits": ["curious"]
        }

        """)
    #expect(await library.run("check").code == .done)
    #expect(await library.run("fmt", "--check").code == .done)
  }

  @Test func heroWithEverything() async throws {
    let library = try SampleLibrary()
    let result = await library.run(
      "new", "hero", "Pip", "--age", "3", "--trait", "small", "--trait=loud", "--in", "heroes/a/b/")
    #expect(result.output == "heroes/a/b/pip.json\n")
    #expect(result.errors.isEmpty)
    let json = try JSONValue(parsing: Array(library.folder.read("heroes/a/b/pip.json").utf8))
    #expect(json == ["name": "Pip", "age": 3, "traits": ["small", "loud"]])
  }

  /// A field that is given twice, and the two options for it.
  @Test(arguments: [
    (["hero", "Pip", "--field", "traits=a", "--trait", "c"], "--trait and --field traits"),
    (["hero", "Pip", "--age", "5", "--field", "age=6"], "--age and --field age"),
    (
      ["event", "E", "--prompt", "x", "--field", "promptSeed=y"], "--prompt and --field promptSeed"
    ),
    (["story", "S", "--hero", "luna", "--field", "hero=otto"], "--hero and --field hero"),
    (["story", "S", "--hero", "luna", "--field", "heroId=h1"], "--hero and --field heroId"),
    (
      ["story", "S", "--hero", "luna", "--event", "lost-tooth", "--field", "event=x"],
      "--event and --field event"
    ),
    (
      ["story", "S", "--hero", "luna", "--language", "de", "--field", "language=fr"],
      "--language and --field language"
    ),
  ])
  func aFieldGivenTwiceIsAMistake(words: [String], options: String) async throws {
    let library = try SampleLibrary()
    let run = await CommandSetting(library.folder).run(["new"] + words)
    #expect(run.code == .wrongUsage)
    #expect(run.errors.contains("Error: \(options) cannot be combined\n"), "\(run.errors)")
    let files = try library.folder.files().filter { !$0.hasPrefix(".stories") }
    #expect(try files == SampleLibrary().folder.files().filter { !$0.hasPrefix(".stories") })
  }

  @Test func event() async throws {
    let library = try SampleLibrary()
    let result = await library.run("new", "event", "Rainy Day", "--prompt", "It rains.")
    #expect(result.output == "events/rainy-day.json\n")
    #expect(result.errors.isEmpty)
    #expect(await library.run("check").code == .done)
  }

  @Test func storyWaitsForItsText() async throws {
    let library = try SampleLibrary()
    let result = await library.run(
      "new", "story", "The Second Snow", "--hero", "otto", "--event", "events/lost-tooth",
      "--language", "de", "--in", "2026")
    #expect(result.code == .done)
    #expect(result.output == "stories/2026/the-second-snow.json\n")
    #expect(
      result.errors
        == "“content” is empty: write the story in stories/2026/the-second-snow.json, or run `stories edit --text stories/2026/the-second-snow.json`. It is not sent until it has text.\n"
    )
    #expect(
      try library.folder.read("stories/2026/the-second-snow.json") == """
        {
          "title": "The Second Snow",
          "hero": "family/otto",
          "event": "lost-tooth",
          "language": "de",
          "content": [
            ""
          ]
        }

        """)
    let check = await library.run("check", "--json")
    #expect(check.code == .done)
    #expect(check.json?["problems"] == [])
  }

  @Test func theOnlyHeroNeedsNoName() async throws {
    let library = try SampleLibrary()
    #expect(await library.run("new", "story", "A").code == .wrongUsage)
    try library.folder.remove("heroes/family")
    #expect(await library.run("new", "story", "A").code == .done)
  }

  /// A command line that is refused, with a part of what it says.
  @Test(arguments: [
    (["hero", "Luna"], "a hero with this file name already exists: heroes/luna.json"),
    (["hero", "LUNA"], "a hero with this file name already exists"),
    (["hero", "Lúna"], "a hero with this file name already exists"),
    (["event", "Lost Tooth!"], "an event with this file name already exists"),
    (["event", "X", "--field", "x=y"], "“x” is not a field of an event"),
    (["event", " "], "“ ” cannot be an event's title"),
    (["hero", "  "], "“  ” cannot be a hero's name"),
    (["hero", "X", "--age", "40"], "“age” must be between 3 and 12"),
    (["hero", "X", "--trait", ""], "must not be empty"),
    (["hero", "X", "--in", "../.."], "“..” begins with a dot"),
    (["hero", "X", "--in", "/tmp"], "no part of a record's name may be empty"),
    (["hero", "X", "--in", ".sync"], "“.sync” begins with a dot"),
    (["hero", "X", "--in", "luna.json"], "the folder “luna.json” ends in .json"),
    (
      ["hero", "X", "--in", "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"],
      "folders nest deeper than 32"
    ),
    (["story", "X", "--hero", ""], "a record's name must not be empty"),
    (["story", "X", "--hero", "lna"], "there is no hero “lna”"),
    (["story", "X", "--hero", "lost-tooth"], "there is no hero “lost-tooth”"),
    (["story", "X"], "a story needs a hero: name heroes/family/otto or heroes/luna"),
    (["story", "X", "--hero", "luna", "--event", "tooth"], "there is no event “tooth”"),
    (["heroo", "X"], "did you mean `stories new hero`?"),
    (["hero", "Luna", "Star"], "quote a name that has several words"),
  ])
  func refuses(words: [String], message: String) async throws {
    let library = try SampleLibrary()
    let before = try FileSystem.list(library.folder.path("heroes")).map(\.name)
    let result = await CommandSetting(library.folder).run(["new"] + words)
    #expect(result.code == .wrongUsage)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try FileSystem.list(library.folder.path("heroes")).map(\.name) == before)
  }

  @Test func nameOfADeletedRecordIsKeptFree() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove("heroes/family/otto.json")
    let result = await library.run("new", "hero", "Otto", "--in", "family")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("heroes/family/otto was deleted locally"))
  }

  @Test func dryRunShowsTheFile() async throws {
    let library = try SampleLibrary()
    let result = await library.run("new", "hero", "Pip", "--dry-run")
    #expect(result.output.hasPrefix("heroes/pip.json\n{\n  \"name\": \"Pip\",\n"))
    #expect(!library.folder.exists("heroes/pip.json"))
  }

  @Test func pathCountsFromWhereTheProgramWasStarted() async throws {
    let library = try SampleLibrary()
    var setting = CommandSetting(Path.parent(library.folder.path))
    let name = Path.name(library.folder.path)
    #expect(await setting.run("-C", name, "new", "hero", "A").output == "\(name)/heroes/a.json\n")
    setting = CommandSetting(library.folder.path("stories"))
    #expect(await setting.run("new", "hero", "B").output == "../heroes/b.json\n")
    setting = CommandSetting("/")
    let path = library.folder.path
    let far = await setting.run("-C", path, "new", "hero", "C", "--json")
    #expect(far.json?["file"] == "heroes/c.json")
    #expect(far.json?["path"] == .string(String(path.dropFirst()) + "/heroes/c.json"))
  }

  @Test func newerLibraryIsOnlyRead() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("library.json", "\"version\": 1", to: "\"version\": 2")
    #expect(await library.run("new", "hero", "A").code == .stopped)
    #expect(await library.run("fmt").code == .stopped)
    #expect(await library.run("sync").code == .stopped)
    #expect(await library.run("status").code == .done)
    #expect(await library.run("show", "luna").code == .done)
  }
}
