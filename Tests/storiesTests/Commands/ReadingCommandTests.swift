import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `list` and `show`.
@Suite(.inTurn) struct ReadingCommandTests {
  @Test func listsByKind() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    let result = await library.run("list")
    #expect(
      result.output == """
        2 heroes
            heroes/family/otto  Otto  age 4, gentle
        M.  heroes/luna         Luna  age 8, brave, curious

        1 event
            events/lost-tooth  A Lost Tooth  general, cheerful

        1 story
            stories/2026/first-snow  The First Snow  en, luna

        """)
  }

  @Test(arguments: ["stories", "story"])
  func listsOneKind(word: String) async throws {
    let library = try SampleLibrary()
    let result = await library.run("list", word)
    #expect(result.output.hasPrefix("1 story\n"))
    #expect(!result.output.contains("heroes/"))
  }

  @Test func listsAsJSON() async throws {
    let library = try SampleLibrary()
    let json = await library.run("list", "--json").json
    #expect(json?["schema"] == "stories.list/1")
    let records = try #require(json?["records"]?.array)
    #expect(records.count == 4)
    #expect(
      records[3] == [
        "ref": "stories/2026/first-snow", "kind": "stories", "title": "The First Snow",
        "state": "pendingCreate", "code": "A.", "hero": "luna", "event": "lost-tooth",
        "language": "en",
        "content": .string(
          "Luna woke up and the window was white.\n\nIt came at night, whispered the cat.\n\n"
            + "She did not stop for socks."), "isFavorite": false, "playCount": 0,
      ])
  }

  @Test func listsWhatCannotBeRead() async throws {
    let library = try SampleLibrary()
    try library.folder.write("[]", to: "heroes/luna.json")
    let result = await library.run("list", "heroes")
    #expect(result.code == .done)
    #expect(result.output.contains("!.  heroes/luna"))
    #expect(result.output.contains("a record must be a JSON object"))
  }

  @Test func unknownKind() async throws {
    let library = try SampleLibrary()
    let result = await library.run("list", "heros")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("did you mean “heroes”?"))
  }

  @Test func onATerminalEachRecordTakesOneLine() async throws {
    let library = try SampleLibrary()
    let traits = (1...15).map { "\"trait number \($0)\"" }.joined(separator: ", ")
    try library.folder.edit("heroes/luna.json", "\"brave\", \"curious\"", to: traits)
    var setting = CommandSetting(library.folder)
    setting.isTerminal = true
    setting.width = 50
    let result = await setting.run("list", "heroes", "--color", "never")
    #expect(result.lines.count == 4)
    #expect(result.lines.allSatisfy { $0.count <= 50 })
    #expect(result.output.contains("…"))
  }

  @Test func showsAStory() async throws {
    let library = try SampleLibrary()
    let result = await library.run("show", "first-snow")
    #expect(result.code == .done)
    #expect(
      result.output == """
        The First Snow
        stories/2026/first-snow · new

        Hero      Luna (heroes/luna)
        Event     A Lost Tooth (events/lost-tooth)
        Language  en

        Luna woke up and the window was white.

        It came at night, whispered the cat.

        She did not stop for socks.

        """)
  }

  @Test func showsAHero() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let result = await library.run("show", "heroes/luna.json")
    #expect(
      result.output.hasPrefix(
        """
        Luna
        heroes/luna

        Age              7
        Traits           brave, curious
        Special ability  talks to stars
        Created          2
        """))
  }

  @Test func showsTheFileAsJSON() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("heroes/luna.json", "7", to: "7.0")
    let result = await library.run("show", "luna", "--json")
    #expect(result.json?["schema"] == "stories.show/1")
    #expect(result.json?["ref"] == "heroes/luna")
    #expect(result.output.contains("\"age\": 7.0"))
  }

  @Test func showsNothingOfTheTerminalsBusiness() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("heroes/luna.json", "talks to", to: "\\u001b]0;owned\\u0007 talks to")
    let result = await library.run("show", "luna")
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.output.contains("\\u{1b}]0;owned\\u{7} talks to"))
  }

  @Test func unreadableRecordFails() async throws {
    let library = try SampleLibrary()
    try library.folder.write("{", to: "heroes/luna.json")
    let result = await library.run("show", "luna")
    #expect(result.code == .failed)
    #expect(result.errors.hasPrefix("heroes/luna.json:1:2: error: "))
  }

  @Test func deletedRecordShowsItsBase() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove("heroes/luna.json")
    let result = await library.run("show", "luna")
    #expect(result.code == .done)
    #expect(result.output.hasPrefix("Luna\nheroes/luna · deleted locally\n"))
  }
}
