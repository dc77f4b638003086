import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct CheckCommandTests {
  @Test func nothingWrong() async throws {
    let library = try SampleLibrary()
    let result = await library.run("check")
    #expect(result.code == .done)
    #expect(result.output == "4 records checked, no problems.\n")
    #expect(
      await library.run("check", "--json").json == ["schema": "stories.check/1", "problems": []])
  }

  private func broken() throws -> SampleLibrary {
    let library = try SampleLibrary()
    try library.folder.edit("heroes/luna.json", "\"age\": 7", to: "\"age\": \"seven\"")
    try library.folder.edit("heroes/luna.json", "specialAbility", to: "specialAbilty")
    try library.folder.edit("stories/2026/first-snow.json", "\"luna\"", to: "\"lunna\"")
    try library.folder.write("{\"name\": \"Otto\"", to: "heroes/family/otto.json")
    return library
  }

  @Test func everyProblemWithItsPlace() async throws {
    let library = try broken()
    let result = await library.run("check")
    #expect(result.code == .failed)
    #expect(
      result.output == """
        heroes/family/otto.json:1:16: error: the text ends here, but “,” or “}” should follow
          Hint: close the object with “}”
        heroes/luna.json:3:10: error: “age” must be a whole number, but this is a string
        heroes/luna.json:5:3: warning: unknown field “specialAbilty” (not synced)
          Hint: did you mean “specialAbility”?
        stories/2026/first-snow.json:3:11: error: there is no hero “lunna” in this library
          Hint: did you mean “luna”?
        4 records checked: 3 errors and 1 warning.

        """)
  }

  @Test func jsonIsTheStableSurface() async throws {
    let library = try broken()
    let result = await library.run("check", "heroes/luna", "--json")
    #expect(result.code == .failed)
    #expect(
      result.json?["problems"]?.array?.last == [
        "file": "heroes/luna.json", "line": 5, "column": 3, "severity": "warning",
        "code": "unknown-key",
        "message": "unknown field “specialAbilty” (not synced)",
        "hint": "did you mean “specialAbility”?",
      ])
  }

  @Test func recordsInSyncAreCheckedToo() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "{\n", to: "{\n  \"hairColour\": \"black\",\n")
    let result = await library.run("check")
    #expect(result.code == .done)
    #expect(result.output.contains("heroes/luna.json:2:3: warning: unknown field “hairColour”"))
    #expect(await library.run("check", "--strict").code == .failed)
  }

  @Test func onlyWhatWasAskedFor() async throws {
    let library = try broken()
    let result = await library.run("check", "events")
    #expect(result.code == .done)
    #expect(result.output == "1 record checked, no problems.\n")
  }

  @Test func settingsAreCheckedToo() async throws {
    let library = try SampleLibrary()
    try library.folder.write("{\"version\": 1, \"api\": \"v7\"}", to: "library.json")
    let result = await library.run("check", "--json")
    #expect(result.code == .failed)
    #expect(result.json?["schema"] == "stories.check/1")
    #expect(result.json?["problems"]?.array?.first?["file"] == "library.json")
    #expect(await library.run("check").code == .failed)
  }
}
