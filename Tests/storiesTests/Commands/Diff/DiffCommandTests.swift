import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct DiffCommandTests {
  private func changed() async throws -> SampleLibrary {
    let library = try SampleLibrary()
    try await library.push()
    let folder = library.folder
    try folder.edit("heroes/luna.json", "7", to: "8")
    try folder.edit("heroes/luna.json", "\"brave\", ", to: "")
    try folder.edit("heroes/luna.json", "\"curious\"", to: "\"curious\", \"patient\"")
    try folder.edit("heroes/luna.json", ",\n  \"specialAbility\": \"talks to stars\"", to: "")
    try folder.remove("heroes/family/otto.json")
    try folder.write(SampleLibrary.otto, to: "heroes/new.json")
    try folder.edit("heroes/new.json", "Otto", to: "Nobody")
    let story = "stories/2026/first-snow.json"
    try folder.edit(story, "\"luna\"", to: "\"new\"")
    try folder.edit(story, "whispered the cat", to: "murmured the old cat")
    try folder.edit(story, "  \"language\": \"en\",\n", to: "  \"language\": \"fr\",\n")
    return library
  }

  @Test func fieldByField() async throws {
    let library = try await changed()
    let result = await library.run("diff")
    #expect(result.code == .done)
    #expect(
      result.output == """
        heroes/family/otto  deleted
          name    “Otto”
          age     4
          traits  “gentle”

        heroes/luna  edited
          age             7 → 8
          traits          + “patient”  - “brave”
          specialAbility  “talks to stars” → nothing

        heroes/new  new
          name    “Nobody”
          age     4
          traits  “gentle”

        stories/2026/first-snow  edited
          hero      “luna” → “new”
          language  “en” → “fr”
          content   +1 -1 lines
            line 3
              Luna woke up and the window was white.
            ~ It came at night, [-whispered-]{+murmured+} the{+ old+} cat.
              She did not stop for socks.

        """)
  }

  @Test func oneRecord() async throws {
    let library = try await changed()
    let result = await library.run("diff", "luna")
    #expect(result.output.hasPrefix("heroes/luna  edited\n"))
    #expect(!result.output.contains("otto"))
  }

  @Test func summary() async throws {
    let library = try await changed()
    let result = await library.run("diff", "--stat")
    #expect(
      result.lines == [
        "D.  heroes/family/otto       3 fields",
        "M.  heroes/luna              age, traits, specialAbility",
        "A.  heroes/new               3 fields",
        "M.  stories/2026/first-snow  hero, language, content +1 -1 lines",
        "",
      ])
  }

  @Test func json() async throws {
    let library = try await changed()
    let json = try #require(await library.run("diff", "luna", "stories", "--json").json)
    #expect(json["schema"] == "stories.diff/1")
    let records = try #require(json["records"]?.array)
    #expect(records.map { $0["ref"] } == ["heroes/luna", "stories/2026/first-snow"])
    #expect(
      records[0]["changes"] == [
        ["field": "age", "base": 7, "local": 8],
        ["field": "traits", "base": ["brave", "curious"], "local": ["curious", "patient"]],
        ["field": "specialAbility", "base": "talks to stars", "local": nil],
      ])
    let content = try #require(records[1]["changes"]?.array?.last)
    #expect(content["field"] == "content")
    #expect(content["base"]?.array?.count == 5)
  }

  @Test func nothingToShow() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let result = await library.run("diff")
    #expect(result.code == .done)
    #expect(result.output.isEmpty)
    #expect(result.errors == "Nothing differs from the last synced versions.\n")
    #expect(await library.run("diff", "-q").errors.isEmpty)
    try library.folder.write("{", to: "heroes/luna.json")
    #expect(await !library.run("diff", "luna").errors.contains("Nothing differs"))
    #expect(await !library.run("why", "luna").output.contains("No field differs"))
  }

  @Test func unreadableRecordsAreNamedAndTheOthersShown() async throws {
    let library = try await changed()
    try library.folder.write("", to: "heroes/new.json")
    let result = await library.run("diff")
    #expect(result.code == .failed)
    #expect(result.errors.contains("heroes/new.json:1:1: error: the file is empty"))
    #expect(result.output.contains("heroes/luna  edited"))
  }

  @Test func onlyTheOrderDiffers() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit(
      "heroes/luna.json", "\"brave\", \"curious\"", to: "\"curious\", \"brave\"")
    #expect(await library.run("diff").output.contains("traits  in another order"))
  }

  @Test func renamedRecord() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.move("heroes/luna.json", to: "heroes/moon.json")
    #expect(await library.run("diff").output == "heroes/moon  renamed, was heroes/luna\n")
    #expect(await library.run("diff", "heroes/luna").output.hasPrefix("heroes/moon"))
  }
}
