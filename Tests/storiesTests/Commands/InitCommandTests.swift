import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct InitCommandTests {
  @Test func makesALibrary() async throws {
    let folder = try TemporaryFolder()
    let result = await CommandSetting(folder).run("init", "my-library")
    #expect(result.code == .done)
    #expect(
      result.output == """
        Created a library in my-library
          library.json              its settings; synced with the embedded server
          heroes/ events/ stories/  your records
          .stories/                 local state of this machine; git ignores it

        Next:
          stories -C my-library new hero Luna  create a first record
          stories -C my-library sync           sync it with the server

        """)
    let library = try Library(root: folder.path("my-library"))
    #expect(library.configuration.server == .embedded)
    #expect(library.configuration.api == .auto)
    #expect(try folder.read("my-library/.stories/.gitignore") == "*\n")
    let status = try #require(try FileSystem.status(folder.path("my-library/.stories")))
    #expect(status.mode == 0o700)
  }

  @Test func inTheCurrentFolderForAServer() async throws {
    let folder = try TemporaryFolder()
    let result = await CommandSetting(folder).run(
      "init", "--server", "https://stories.example", "--api", "v1")
    #expect(result.code == .done)
    #expect(result.output.hasPrefix("Created a library in .\n"))
    #expect(result.output.contains("stories sign-in --email YOU"))
    let library = try Library(root: folder.path)
    #expect(library.configuration.server == .url("https://stories.example"))
    #expect(library.configuration.api == .v1)
  }

  @Test func refusesToMakeItTwice() async throws {
    let folder = try TemporaryFolder()
    let setting = CommandSetting(folder)
    _ = await setting.run("init")
    let before = try folder.read("library.json")
    let again = await setting.run("init")
    #expect(again.code == .wrongUsage)
    #expect(again.errors.contains("there is already a library in ."))
    #expect(try folder.read("library.json") == before)
  }

  @Test(arguments: [
    ["init", ""], ["clone", "https://stories.example", ""], ["export", "html", ""],
    ["export", "markdown", ""],
  ])
  func `an empty word is not the current folder`(words: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = await CommandSetting(folder).run(words)
    #expect(result.code == .wrongUsage)
    #expect(result.errors.hasPrefix("Error: DIR must be a folder, not “”\n"))
    #expect(try FileSystem.list(folder.path).isEmpty)
  }

  @Test func dryRunMakesNothing() async throws {
    let folder = try TemporaryFolder()
    let result = await CommandSetting(folder).run("init", "x", "--dry-run")
    #expect(result.code == .done)
    #expect(result.output.hasPrefix("Would create a library in x\n"))
    #expect(!folder.exists("x"))
  }

  @Test(arguments: ["stories.example", "ftp://x", ""])
  func refusesWhatIsNoAddress(text: String) async throws {
    let folder = try TemporaryFolder()
    let result = await CommandSetting(folder).run("init", "--server=\(text)")
    #expect(result.code == .wrongUsage)
    #expect(!folder.exists("library.json"))
  }

  @Test func saysWhereItLiesInsideAnother() async throws {
    let library = try SampleLibrary()
    let result = await library.run("init", "inner", "--json")
    #expect(result.code == .done)
    #expect(result.errors == "Note: this is inside the library in .\n")
    #expect(result.json?["schema"] == "stories.init/1")
    #expect(result.json?["root"] == .string(library.folder.path("inner")))
  }

  @Test(arguments: [
    "heroes", "stories", "illustrations", "heroes/family", "heroes/.sync", ".stories",
  ])
  func makesNoLibraryAmongTheRecordsOfAnother(folder: String) async throws {
    let library = try SampleLibrary()
    let result = await library.run("init", folder)
    #expect(result.code == .wrongUsage)
    #expect(
      result.errors == """
        Error: \(folder) holds records of the library in .
        Hint: choose a folder outside that library

        """)
    #expect(!library.folder.exists(folder + "/library.json"))
  }
}
