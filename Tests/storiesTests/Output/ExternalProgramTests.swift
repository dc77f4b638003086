import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite struct ExternalProgramTests {
  @Test(
    arguments: [("true", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("/no/such/program", 127)]
      as [(String, Int32)])
  func tellsHowItEnded(command: String, status: Int32) throws {
    #expect(try ExternalProgram(command: command + " 2>&-").run() == status)
  }

  @Test func argumentsAndVariablesArriveWhole() throws {
    let folder = try TemporaryFolder()
    var program = ExternalProgram(
      command: "printf '%s|%s|%s' \"$WHAT\"", arguments: ["a b", "$HOME'\"", folder.path("out")])
    program.command = "write() { printf '%s|%s|%s' \"$WHAT\" \"$1\" \"$2\" > \"$3\"; }; write"
    program.variables = ["WHAT": "x y"]
    #expect(try program.run() == 0)
    #expect(try folder.read("out") == "x y|a b|$HOME'\"")
  }

  @Test func brokenPipesEndItAsTheyDoElsewhere() throws {
    // This process ignores SIGPIPE in the built program; its children must not.
    #expect(try ExternalProgram(command: "sh -c 'kill -PIPE $$; exit 0'").run() == 141)
  }

  @Test func theEditorIsTheOneThatTheEnvironmentNames() throws {
    let folder = try TemporaryFolder()
    func editor(_ environment: [String: String], isTerminal: Bool = false) throws -> String {
      let sink = OutputSink(isBuffered: true) { _ in 0 }
      let output = Output(sink: sink, isTerminal: isTerminal, width: 80)
      let context = Context(
        output: output, errors: output, input: Input(isTerminal: isTerminal) { nil },
        environment: environment, folder: folder.path)
      return try Editor(context).command
    }
    #expect(try editor(["VISUAL": "a", "EDITOR": "b"]) == "a")
    #expect(try editor(["VISUAL": " ", "EDITOR": "b -w"]) == "b -w")
    #expect(try editor([:], isTerminal: true) == "vi")
    #expect(throws: ProgramError.noEditor) { try editor([:]) }
  }
}
