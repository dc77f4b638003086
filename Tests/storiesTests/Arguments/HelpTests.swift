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
          -s, --shade SHADE       How light (light, dark)
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
    let result = await setting.run("sync", "sideways")
    #expect(result.code == .wrongUsage)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Error: DIRECTION must be push or pull, not “sideways”"))
    #expect(result.errors.contains("Usage: stories sync [push|pull] [--dry-run]"))
    #expect(result.errors.contains("stories help sync"))
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
    #expect(result.output == "stories \(ProgramVersion.text)\n")
  }
}
