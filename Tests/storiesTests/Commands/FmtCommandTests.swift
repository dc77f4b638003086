import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct FmtCommandTests {
  private func messy() throws -> SampleLibrary {
    let library = try SampleLibrary()
    try library.folder.write(
      "\u{FEFF}{\"age\":7.0,\r\n\t\"note\":1e3,\"name\":\"Lun\\u0061\",\"traits\":[\"brave\"]}",
      to: "heroes/luna.json")
    return library
  }

  private let canonical = """
    {
      "name": "Luna",
      "age": 7.0,
      "traits": ["brave"],
      "note": 1e3
    }

    """

  @Test func rewritesOnlyWhatDiffers() async throws {
    let library = try messy()
    let otto = try FileSystem.status(library.folder.path("heroes/family/otto.json"))
    let result = await library.run("fmt")
    #expect(result.code == .done)
    #expect(result.output == "heroes/luna.json\n")
    #expect(result.errors == "1 file rewritten, 3 already in canonical form.\n")
    #expect(try library.folder.read("heroes/luna.json") == canonical)
    #expect(try FileSystem.status(library.folder.path("heroes/family/otto.json")) == otto)
    #expect(await library.run("fmt").errors == "0 files rewritten, 4 already in canonical form.\n")
  }

  @Test(arguments: [("--check", ExitCode.failed), ("--dry-run", .done)])
  func canOnlyLook(option: String, code: ExitCode) async throws {
    let library = try messy()
    let before = try library.folder.read("heroes/luna.json")
    let result = await library.run("fmt", option)
    #expect(result.code == code)
    #expect(result.output == "heroes/luna.json\n")
    #expect(try library.folder.read("heroes/luna.json") == before)
  }

  @Test func changesNoValue() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "  \"name\": \"Luna\",\n", to: "\"name\":\"Luna\",")
    #expect(await library.run("fmt").output == "heroes/luna.json\n")
    #expect(await library.run("status", "--exit-code").code == .done)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
  }

  @Test func aBadFileStopsNoOther() async throws {
    let library = try messy()
    try library.folder.write("{", to: "heroes/family/otto.json")
    let result = await library.run("fmt")
    #expect(result.code == .failed)
    #expect(result.output == "heroes/luna.json\n")
    #expect(result.errors.hasPrefix("heroes/family/otto.json:1:2: error: "))
  }

  @Test func json() async throws {
    let library = try messy()
    #expect(
      await library.run("fmt", "heroes", "--check", "--json").json == [
        "schema": "stories.fmt/1", "dryRun": true, "changed": ["heroes/luna"], "unchanged": 1,
        "inOneString": [], "problems": [],
      ])
  }
}
