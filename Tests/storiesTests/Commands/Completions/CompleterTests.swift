import JSONText
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct CompleterTests {
  private func offered(_ library: SampleLibrary, _ words: [String]) async -> [String] {
    let run = await CommandSetting(library.folder).run(["completions", "bash", "--"] + words)
    #expect(run.code == .done)
    return run.lines.filter { !$0.isEmpty }
  }

  /// What was typed, its last word unfinished, and what is offered.
  private static let typed: [([String], [String])] = [
    (["sy"], ["sync"]), (["sync", "pu"], ["push", "pull"]),
    (
      ["sync", "push", ""],
      ["heroes/family/otto", "heroes/luna", "events/lost-tooth", "stories/2026/first-snow"]
    ),
    (["resto"], ["restore"]), (["remote", "s"], ["show", "set"]),
    (["sync", "--no"], ["--no-wait", "--no-pager"]), (["sync", "--strategy", "m"], ["merge"]),
    (["sync", "--strategy=m"], ["--strategy=merge"]),
    (["sync", "--strategy", "=", "m"], ["merge"]),
    (["sync", "--strategy", "=", "a"], ["ask"]), (["--color", "al"], ["always"]),
    (["--colo"], ["--color"]), (["-C"], ["-C"]), (["-C", "st"], ["stories/"]),
    (["-C", "stories/"], ["stories/2026/"]), (["init", "eve"], ["events/"]),
    (["import", "l"], ["library.json"]), (["import", "a", "eve"], ["events/"]),
    (["-C", "heroes", "show", "ev"], ["events/lost-tooth"]),
    (
      ["show", ""],
      ["heroes/family/otto", "heroes/luna", "events/lost-tooth", "stories/2026/first-snow"]
    ),
    (["show", "heroes/l"], ["heroes/luna"]), (["read", "heroes/luna", ""], []),
    (["rm", "heroes/luna", "ev"], ["events/lost-tooth"]),
    (["show", "--", "heroes/l"], ["heroes/luna"]),
    (["new", "story", "--hero", ""], ["family/otto", "luna"]),
    (["new", "story", "--event", "l"], ["lost-tooth"]),
    (["help", "remote", ""], ["show", "set"]), (["help", "sy"], ["sync"]),
    (["--set", "re"], ["requestTimeout=", "retry="]), (["completions", "z"], ["zsh"]),
    (["nonsense", ""], []), (["sync", "--nonsense", "pu"], ["push", "pull"]),
    (["sync", "lu"], ["luna"]), (["sync", "push", "heroes/l"], ["heroes/luna"]),
    (["show", "ot"], ["otto"]), (["sync", "heroes/luna", "pu"], []),
    (["sync", "otto", "lu"], ["luna"]),
    (["-C", "=", "st"], ["stories/"]), (["-C", "=", "/", "show", ""], []),
    (["-C", "/", "--color", "nonsense", "show", ""], []),
    (["-vqC", "sto"], ["stories/"]), (["-Cheroes", "list", "ev"], ["events"]),
  ]

  @Test(arguments: typed)
  func offers(words: [String], expected: [String]) async throws {
    let library = try SampleLibrary()
    #expect(Set(await offered(library, words)) == Set(expected), "\(words)")
  }

  @Test(arguments: [["log", ""], ["undo", "2"], ["restore", "luna", "--from", ""]])
  func runsAreOffered(words: [String]) async throws {
    let library = try SampleLibrary()
    try await library.push()
    let runs = await library.run("log", "--json").json?["runs"]?.array ?? []
    #expect(await offered(library, words) == runs.compactMap { $0["run"]?.string })
    #expect(runs.count == 1)
  }

  @Test func onlyConflictsAreOfferedToResolve() async throws {
    let library = try SampleLibrary()
    try await library.push()
    #expect(await offered(library, ["resolve", ""]) == [])
    try library.folder.edit(
      "heroes/.sync/luna.json", "\"base\"",
      to: "\"conflict\": {\"deleted\": \"server\"}, \"base\"")
    #expect(await offered(library, ["resolve", ""]) == ["heroes/luna"])
    #expect(await offered(library, ["conflicts", ""]) == ["heroes/luna"])
  }

  @Test func everyCommandAndOptionIsOffered() async throws {
    let library = try SampleLibrary()
    for path in DeclarationTests.all {
      let words = path.commands.dropFirst().map { $0.name }
      if !path.last.subcommands.isEmpty {
        #expect(await offered(library, words + [""]) == path.last.subcommands.map { $0.name })
      }
      let options = Set(await offered(library, words + ["-"]))
      for declaration in path.last.declarations + GlobalOptions.declarations
      where !declaration.isArgument {
        #expect(options.contains(declaration.spelling), "\(path.text) \(declaration.spelling)")
      }
    }
  }

  @Test func otherShellsGetDescriptions() async throws {
    let library = try SampleLibrary()
    let run = await library.run("completions", "fish", "--", "whoa")
    #expect(run.output == "whoami\tShow which account is signed in\n")
    for shell in ["bash", "zsh", "fish"] {
      let script = await library.run("completions", shell).output
      #expect(script.contains("completions \(shell) -- "))
      #expect(script.hasSuffix("\n"))
    }
  }

  @Test func aNameThatCannotStandOnALineIsNotOffered() async throws {
    let library = try SampleLibrary()
    try library.folder.write("{}", to: "heroes/a b.json")
    #expect(await offered(library, ["show", "heroes/a"]) == ["heroes/a b"])
  }

  @Test func aShellMustBeNamed() async throws {
    let run = await CommandSetting("/").run("completions")
    #expect(run.code == .wrongUsage)
    #expect(
      await CommandSetting("/").run("completions", "csh").errors.contains("bash, zsh or fish"))
  }
}
