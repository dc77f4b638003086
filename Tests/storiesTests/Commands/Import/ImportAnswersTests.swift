import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `import` of what a server answers.
@Suite(.inTurn) struct ImportAnswersTests {
  private static let heroes = #"""
    {"data": {"heroes": [
      {"id": "h1", "userId": "u", "name": "Ada", "age": 6, "traits": ["calm"],
       "specialAbilities": ["flies", "sings"], "appearance": null,
       "createdAt": "2026-02-01T00:00:00.000Z", "updatedAt": "2026-02-01T00:00:00.000Z"},
      {"id": "h0", "name": "Ada", "age": 7, "traits": ["loud"], "specialAbilities": [],
       "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-02-01T00:00:00.000Z"}
    ], "pagination": {"total": 2, "limit": 50, "offset": 0, "hasMore": false}}}
    """#
  private static let rest = #"""
    {"customEvents": [{"id": "e1", "title": "First Day", "promptSeed": "School.",
       "category": "general", "tone": "calm", "keywords": ["school"], "usageCount": 3}],
     "stories": [{"id": "s1", "title": "Up", "content": "One.\n\nTwo.", "heroId": "h1",
       "customEventId": "e1", "eventType": null, "language": "en", "playCount": 2,
       "isFavorite": false, "audioUrl": "https://x.example/a?sig=secret"}]}
    """#

  private func read(_ library: SampleLibrary, _ path: String) throws -> JSONValue {
    try JSONValue(parsing: library.folder.bytes(path))
  }

  @Test func `records get names, and references follow them across files`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(Self.heroes, to: "heroes-page.json")
    try library.folder.write(Self.rest, to: "rest.json")
    let dry = await library.run("import", "rest.json", "heroes-page.json", "--dry-run")
    #expect(dry.code == .done && dry.lines.count == 5)
    #expect(!library.folder.exists("heroes/ada.json"))
    let result = await library.run("import", "rest.json", "heroes-page.json", "--json")
    #expect(result.code == .done)
    let names = (result.json?["created"]?.array ?? []).compactMap { $0["ref"]?.string }
    let twin = try #require(names.first { $0.hasPrefix("heroes/ada-") })
    #expect(names == ["heroes/ada", twin, "events/first-day", "stories/up"])
    #expect(
      try read(library, "heroes/ada.json") == ["name": "Ada", "age": 7, "traits": ["loud"]])
    #expect(
      try read(library, twin + ".json") == [
        "name": "Ada", "age": 6, "traits": ["calm"], "specialAbility": ["flies", "sings"],
      ])
    #expect(
      try read(library, "events/first-day.json") == [
        "title": "First Day", "promptSeed": "School.", "tone": "calm", "keywords": ["school"],
      ])
    #expect(
      try library.folder.read("stories/up.json") == """
        {
          "title": "Up",
          "hero": "\(twin.dropFirst(7))",
          "event": "first-day",
          "content": [
            "One.",
            "",
            "Two."
          ],
          "playCount": 2
        }

        """)
    #expect(!library.folder.exists("heroes/.sync"))
    let check = await library.run("check")
    #expect(check.code == .done)
    let again = await library.run("import", "rest.json", "heroes-page.json", "--json").json
    #expect(again?["unchanged"]?.array?.count == 4 && again?["failed"] == [])
  }

  @Test func `a story whose hero is nowhere is an error`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(
      #"{"data": {"id": "s", "title": "Up", "content": "x", "heroId": "h9"}}"#, to: "a.json")
    let result = await library.run("import", "a.json")
    #expect(result.code == .failed)
    #expect(
      result.errors == """
        Error: a.json:1:10: there is no hero with the id “h9” here
        Hint: import its hero in the same command, or give --hero

        """)
    #expect(await library.run("import", "a.json", "--hero", "luna").code == .done)
    #expect(try read(library, "stories/up.json")["hero"] == "luna")
  }

  /// In a library with one hero, that is the hero of stories that name none, and of no others.
  @Test func `a story of another hero is not given to the only one`() async throws {
    let library = try SampleLibrary()
    #expect(await library.run("init", "one").code == .done)
    #expect(await library.run("-C", "one", "new", "hero", "Luna", "--trait", "brave").code == .done)
    try library.folder.write(
      """
      {"heroes": [{"id": "h2", "name": "Otto", "age": 99, "traits": ["x"]}],
       "stories": [
         {"id": "s2", "title": "Otto Swims", "heroId": "h2", "content": "x"},
         {"id": "s3", "title": "Mika Flies", "heroId": "h3", "content": "x"}]}
      """, to: "a.json")
    let alone = await library.run("-C", "one", "import", "../a.json")
    #expect(alone.code == .failed && alone.output == "", "\(alone.output)")
    #expect(alone.errors.contains("a.json:3:4: its hero was not imported"), "\(alone.errors)")
    #expect(alone.errors.contains("there is no hero with the id “h3” here"), "\(alone.errors)")
    let given = await library.run("-C", "one", "import", "../a.json", "--hero", "luna")
    #expect(given.code == .failed && !library.folder.exists("one/stories/otto-swims.json"))
    #expect(try read(library, "one/stories/mika-flies.json")["hero"] == "luna")
  }

  @Test func `a record file keeps its hero and its event, by name or by title`() async throws {
    let library = try SampleLibrary()
    for (hero, message) in [
      (#""hero": "lunna", "#, "Error: a.json:1:25: there is no hero “lunna” in this library\n"),
      (
        "",
        "Error: a.json:1:1: “hero” is missing\nHint: add “hero” to it, or give --hero NAME\n"
      ),
    ] {
      try library.folder.write(#"{"title": "Up", \#(hero)"content": ["x"]}"#, to: "a.json")
      let result = await library.run("import", "a.json")
      #expect(result.code == .failed && result.errors.hasPrefix(message), "\(result.errors)")
    }
    for hero in ["Otto", "family/otto"] {
      let record = #"{"title": "Up", "hero": "\#(hero)", "event": "lost-tooth", "content": ["x"]}"#
      try library.folder.write(record, to: "a.json")
      let result = await library.run("import", "a.json", "--hero", "luna")
      #expect(result.code == .done, "\(result.errors)")
      #expect(
        try read(library, "stories/up.json") == [
          "title": "Up", "hero": "family/otto", "event": "lost-tooth", "content": ["x"],
        ])
    }
  }

  @Test func `values are checked at their places, and a hero's stories wait for it`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(
      """
      {"heroes": [{"id": "h", "name": "Ada", "traits": ["x"],
        "age": 70}],
       "stories": [{"id": "s", "title": "Up", "content": "x", "heroId": "h"}, 7]}
      """, to: "a.json")
    let result = await library.run("import", "a.json")
    #expect(result.code == .failed && result.output == "")
    #expect(
      result.errors == """
        Error: a.json:3:73: a record must be a JSON object, but this is a number
        Error: a.json:2:10: “age” must be between 3 and 12, but this is 70
        Error: a.json:3:14: its hero was not imported
        Hint: correct the hero first, then run the same command again

        """)
  }

  @Test func `an existing hero of that name is kept`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(
      #"{"data": {"id": "h", "name": "Luna", "age": 9, "traits": ["x"]}}"#, to: "a.json")
    let refused = await library.run("import", "a.json")
    #expect(refused.code == .failed)
    #expect(
      refused.errors == """
        Error: a.json:1:10: heroes/luna.json already exists and differs
        Hint: for a new record, change its “name”; to change this one: stories import a.json --replace

        """)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await library.run("import", "a.json", "--replace").code == .done)
    #expect(
      try library.folder.read("heroes/luna.json")
        == SampleLibrary.luna.replacing("7", with: "9")
        .replacing("[\"brave\", \"curious\"]", with: "[\"x\"]"))
  }

  @Test func `of two records with the same title, the one with the id is changed`() async throws {
    let library = try SampleLibrary()
    func write(_ stories: (id: String, text: String)...) throws {
      let records = stories.map {
        #"{"id": "\#($0.id)", "title": "A", "heroId": "h", "content": "\#($0.text)"}"#
      }
      try library.folder.write("[\(records.joined(separator: ","))]", to: "a.json")
    }
    let words = ["import", "a.json", "--hero", "luna", "--replace"]
    try write(("s1", "one"), ("s2", "two"))
    let first = await CommandSetting(library.folder).run(words + ["--json"])
    let names = (first.json?["created"]?.array ?? []).compactMap { $0["ref"]?.string }
    let second = try #require(names.last)
    #expect(names == ["stories/a", second] && second.hasPrefix("stories/a-"))
    try write(("s2", "two, corrected"))
    #expect(await CommandSetting(library.folder).run(words).output == "Changed \(second)\n")
    #expect(try read(library, "stories/a.json")["content"] == ["one"])
    // Both together say which is which; the first one alone does not.
    try write(("s1", "one, corrected"), ("s2", "two, corrected"))
    #expect(await CommandSetting(library.folder).run(words).output == "Changed stories/a\n")
    try write(("s3", "three"))
    let third = await CommandSetting(library.folder).run(words)
    #expect(third.code == .failed)
    #expect(third.errors.contains("“A” is the title of stories/a and \(second)\n"))
    #expect(try read(library, "stories/a.json")["content"] == ["one, corrected"])
  }

  @Test func `a page is said to be one`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(
      Self.heroes.replacing("\"total\": 2", with: "\"total\": 9"), to: "a.json")
    let result = await library.run("import", "a.json")
    #expect(result.code == .done)
    #expect(result.errors.hasPrefix("Warning: a.json has 2 of 9 heroes\n"))
  }

  @Test(arguments: ["{", "", "[1]", "{\"x\": 1}"])
  func `what is no answer is refused`(_ text: String) async throws {
    let library = try SampleLibrary()
    try library.folder.write(text, to: "a.json")
    let result = await library.run("import", "a.json")
    #expect(result.code == .failed && result.errors.hasPrefix("Error: a.json:1:"))
  }
}
