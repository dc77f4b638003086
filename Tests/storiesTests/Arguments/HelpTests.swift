import JSONText
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct HelpTests {
  private let setting = CommandSetting("/")
  private let sample = Program(root: SampleProgram.self)

  @Test func pageOfACommand() async {
    let result = await setting.run(["paint", "--help"], program: sample)
    #expect(result.code == .done)
    #expect(result.errors.isEmpty)
    #expect(
      result.output == """
        Paint something

        Usage: sample paint PLACE [OTHER…] [--shade light|dark] [--coats N]
               [--tool NAME …] [--dry] [--fast] [--careful …]

        The first paragraph.

        The second one.

        Arguments
          PLACE                   What to paint
          OTHER                   What else

        Options
          -s, --shade SHADE       How light (one of light, dark)
          --coats N               How often
          -t, --tool NAME         With what (can be repeated)
          -d, --dry               Without paint
          -f, --fast              In a hurry
          -c, --careful           With care

        Examples
          sample paint door  paints a door

        Run `stories help` for the options of all commands.

        """)
  }

  @Test func pageOfTheProgramListsEveryCommand() async {
    let result = await setting.run("help")
    #expect(result.code == .done)
    for command in StoriesCommand.subcommands {
      #expect(result.output.contains("  \(command.name) "))
      #expect(result.output.contains(command.summary.prefix(30)))
    }
    let same = await setting.run("--help")
    #expect(same.output == result.output)
  }

  @Test func wordsAfterACommandAreItsArguments() async {
    let page = await setting.run("help", "sync")
    #expect(await setting.run("help", "sync", "push").output == page.output)
    #expect(await setting.run("help", "snyc", "push").code == .wrongUsage)
  }

  @Test func theTableOfCommands() async throws {
    let run = await setting.run("help", "--json")
    #expect(run.code == .done)
    #expect(run.json?["schema"] == "stories.help/1")
    let commands = try #require(run.json?["commands"]?.array)
    let paths = CommandPath([StoriesCommand.self]).andAllBelow
    #expect(commands.count == paths.map { ManPage($0) }.count)
    #expect(commands.first?["command"] == "stories")
    let sync = try #require(commands.first { $0["command"] == "stories sync" })
    #expect(sync["summary"] == .string(SyncCommand.summary))
    #expect(
      sync["arguments"]?.array?.first == [
        "name": "DIRECTION", "help": "push or pull (default: both)", "choices": ["push", "pull"],
        "required": false, "repeatable": false,
      ])
    let option = sync["options"]?.array?.first { $0["name"] == "--max-delete" }
    #expect(option?["value"] == "N" && option?["repeatable"] == false)
    #expect(sync["examples"]?.array?.first?["line"] == "stories sync")
    #expect(run.json?["options"]?.array?.contains { $0["name"] == "--json" } == true)
    #expect(await setting.run("--help", "--json").output == run.output)
    let some = await setting.run("help", "git", "--json").json?["commands"]?.array
    #expect(
      some?.compactMap { $0["command"]?.string }.prefix(2) == ["stories git", "stories git setup"])
    for option in [["--man"], ["--man-pages", "/tmp"]] {
      let wrong = await setting.run(["help", "--json"] + option)
      #expect(wrong.code == .wrongUsage)
      #expect(wrong.errors.contains("--json and \(option[0]) cannot be combined"))
    }
  }

  @Test func completionsAsJSON() async {
    let line = await setting.run("completions", "bash", "--json", "--", "sync", "pu")
    #expect(
      Set(line.json?["candidates"]?.array?.compactMap { $0["word"]?.string } ?? [])
        == ["push", "pull"],
      "\(line.output)")
    let script = await setting.run("completions", "fish", "--json")
    #expect(script.json?["schema"] == "stories.completions/1")
    #expect(script.json?["script"] == .string(Shell.fish.script))
  }

  @Test func helpOfANestedCommand() async {
    let result = await setting.run("help", "new", "hero")
    #expect(result.output.contains("Usage: stories new hero NAME"))
    #expect(await setting.run("new", "hero", "--help").output == result.output)
  }

  @Test func helpOfAnUnknownCommandNamesTheNearest() async {
    let result = await setting.run("help", "synk")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("did you mean `stories sync`?"))
  }

  @Test(arguments: [
    ("push", "sync push"), ("pull", "sync pull"), ("ls", "list"), ("commit", "sync"),
    ("add", "new"),
    ("fetch", "status --remote"), ("login", "sign-in"), ("cat", "show"), ("cp", "new"),
    ("upload", "sync push"), ("download", "sync pull"),
    // Two letters are swapped more often than one is forgotten.
    ("statsu", "status"), ("stat", "stats"), ("sycn", "sync"), ("psuh", "sync push"),
  ])
  func aCommandOfAnotherToolNamesOurs(word: String, ours: String) async {
    let result = await setting.run(word)
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("Hint: did you mean `stories \(ours)`?\n"), "\(result.errors)")
  }

  @Test func whatIsNotNearIsNotSuggested() async {
    #expect(await !setting.run("nosuch").errors.contains("Hint"))
    #expect(await !setting.run("--dry-run").errors.contains("Hint"))
    #expect(await setting.run("fix").errors.contains("did you mean `stories check --fix`?"))
  }

  @Test func linesKeepToTheWidth() async {
    for path in DeclarationTests.all {
      let words = path.commands.dropFirst().map { $0.name }
      var narrow = setting
      narrow.width = 60
      let result = await narrow.run(["help"] + words)
      #expect(result.code == .done)
      // Command lines are never broken, so that they can be copied.
      let examples = path.last.examples.map { "  " + $0.line }
      for line in result.lines where !examples.contains(where: line.hasPrefix) {
        #expect(line.count <= 60, "\(path.text): \(line)")
      }
    }
  }

  @Test func misuseShowsUsageOnStandardError() async {
    let result = await setting.run("sync", "--strategy", "sideways")
    #expect(result.code == .wrongUsage)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Error: --strategy must be "))
    #expect(result.errors.contains("not “sideways”"))
    #expect(result.errors.contains("Usage: stories sync [push|pull] [REF…] [--dry-run]"))
    #expect(result.errors.contains("stories help sync"))
  }

  @Test(arguments: [
    ("show", "stories show REF… ["), ("search", "stories search WORD… ["),
    ("rm", "stories rm REF… ["), ("restore", "stories restore REF… ["),
    ("import", "stories import FILE… ["),
  ])
  func usageShowsWhatIsRequired(command: String, synopsis: String) async {
    let result = await setting.run(command)
    #expect(result.code == .wrongUsage)
    #expect(result.errors.hasPrefix("Error: `stories \(command)` needs "))
    #expect(result.errors.contains("Usage: \(synopsis)"), "\(result.errors)")
  }

  @Test func onlyACommandWithArgumentsAsksForQuotes() async {
    #expect(await setting.run("new", "hero", "Luna", "Star").errors.contains("Hint: quote"))
    #expect(!(await setting.run("stats", "luna").errors.contains("Hint:")))
  }

  @Test func noCommandIsMisuse() async {
    let result = await setting.run()
    #expect(result.code == .wrongUsage)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Commands: init, "))
  }

  @Test func version() async {
    let result = await setting.run("--version")
    #expect(result.code == .done)
    #expect(result.output == ProgramVersion.line + "\n")
    let form = #/stories 0\.1\.0 \([0-9a-f]{7}\+?, 20\d\d-\d\d-\d\d\)\n/#
    #expect(result.output.wholeMatch(of: form) != nil, "\(result.output)")
    let json = await setting.run("--version", "--json").json
    #expect(json?["schema"] == "stories.version/1")
    #expect(json?["commit"]?.string == ProgramVersion.commit)
  }

  @Test(arguments: [
    ("Nov 23 2026", "2026-11-23"), ("Jan  2 2027", "2027-01-02"), ("2026-11-20", "2026-11-20"),
  ])
  func aBuildsDateIsInISOForm(text: String, date: String) {
    #expect(ProgramVersion.isoDate(text) == date)
  }
}
