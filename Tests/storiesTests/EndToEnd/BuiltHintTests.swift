import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// The commands in hints and notes, run by a shell as they are printed: in a folder beside the library,
/// whose name has a space.
@Suite(.inTurn) struct BuiltHintTests {
  private let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    try folder.link("bin/stories", to: BuiltProgram.path)
    program.environment["PATH"] = folder.path("bin") + ":/usr/bin:/bin"
    self.program = program
    #expect(try program.run("init", "my lib").code == 0)
    try folder.write(SampleLibrary.luna, to: "my lib/heroes/luna.json")
  }

  /// Returns the commands in a text: in backquotes, in parentheses, at the start of a line, or after a
  /// colon.
  private func commands(_ text: String) -> [String] {
    text.matches(of: /(?m)(?:`|\(|: |^)((?:stories|git) (?:[^`()\n']|'[^'\n]*')+?)(?:`|\)|  |;|$)/)
      .map { String($0.output.1) }
  }

  /// Runs a command line and the only command that it advises.
  private func follow(
    _ line: String..., exits code: Int32 = 2, at place: SourceLocation = #_sourceLocation
  ) throws -> String {
    let first = try program.run(["-C", "my lib"] + line)
    #expect(first.code == code, "\(first.errors)", sourceLocation: place)
    let found = commands(first.output + first.errors)
    let command = try #require(
      found.first, "no command in \(first.output)\(first.errors)", sourceLocation: place)
    let second = try program.shell(command)
    #expect(second.code == 0, "\(command): \(second.errors)", sourceLocation: place)
    return command
  }

  @Test func ofTheStateOfALibrary() throws {
    #expect(try follow("status", exits: 0) == "stories -C 'my lib' sync push")
    #expect(try follow("show", "moon") == "stories -C 'my lib' list")
    #expect(try follow("rm", "luna", exits: 0) == "stories -C 'my lib' undo")
    try folder.write("{", to: "my lib/heroes/luna.json")
    #expect(try follow("status", exits: 0) == "stories -C 'my lib' restore heroes/luna")
  }

  @Test func withTheOptionThatIsMissing() throws {
    try folder.write(SampleLibrary.otto, to: "my lib/heroes/otto.json")
    #expect(
      try follow("new", "story", "First Snow")
        == "stories -C 'my lib' new story 'First Snow' --hero luna")
    #expect(folder.exists("my lib/stories/first-snow.json"))
    try folder.write(
      "{\n<<<<<<< HEAD\n  \"name\": \"A\",\n=======\n  \"name\": \"B\",\n>>>>>>> b\n  \"age\": 7,\n"
        + "  \"traits\": [\"brave\"]\n}\n", to: "my lib/heroes/my hero.json")
    #expect(
      try follow("resolve", "my hero") == "stories -C 'my lib' resolve 'my hero' --local")
    #expect(try folder.read("my lib/heroes/my hero.json").contains("\"name\": \"A\""))
  }

  @Test func ofAConflict() throws {
    try folder.write(
      "{\n<<<<<<< HEAD\n  \"name\": \"A\",\n=======\n  \"name\": \"B\",\n>>>>>>> b\n  \"age\": 7,\n"
        + "  \"traits\": [\"brave\"]\n}\n", to: "my lib/heroes/my hero.json")
    let listed = try program.run("-C", "my lib", "conflicts").output
    let advised = commands(listed)
    #expect(
      advised == [
        "stories -C 'my lib' resolve 'heroes/my hero'",
        "stories -C 'my lib' resolve 'heroes/my hero' --local",
      ], "\(listed)")
    #expect(try program.shell(advised.last ?? "").code == 0)
    #expect(try folder.read("my lib/heroes/my hero.json").contains("\"name\": \"A\""))
  }

  @Test func ofManyDeletes() throws {
    for name in ["a", "b", "c"] {
      try folder.write(
        SampleLibrary.luna.replacing("Luna", with: name), to: "my lib/heroes/\(name).json")
    }
    #expect(try program.run("-C", "my lib", "sync").code == 0)
    for name in ["a", "b", "c", "luna"] { try folder.remove("my lib/heroes/\(name).json") }
    #expect(
      try follow("sync", "push", exits: 4) == "stories -C 'my lib' sync --max-delete 4")
  }

  @Test(.enabled(if: GitTree.isThere, "needs git")) func ofGit() throws {
    let tree = GitTree(path: folder.path("my lib"))
    #expect(try program.run("-C", "my lib", "sync").code == 0)
    try tree.git("init", "-q")
    try tree.commit("All")
    try folder.remove("my lib/heroes/luna.json")
    let told = try program.run("-C", "my lib", "doctor")
    let command = commands(told.output).first { $0.hasPrefix("git ") }
    #expect(
      command == "git -C 'my lib' checkout -- heroes/luna.json", "\(told.output)\(told.errors)")
    #expect(try program.shell(command ?? "false").code == 0)
    #expect(folder.exists("my lib/heroes/luna.json"))
  }

  /// `serve` is for no library, so it is named without one.
  @Test func ofCommandsForNoLibrary() throws {
    let server = "http://127.0.0.1:9/v1/buckets/family"
    #expect(try program.run("init", "away", "--server", server).code == 0)
    let refused = try program.run("-C", "away", "media", "pull")
    #expect(
      commands(refused.errors) == ["stories serve", "stories -C away doctor"], "\(refused.errors)")
  }

  @Test func ofAServer() throws {
    let server = try TestServer()
    _ = try server.token()
    try folder.write("a long password\n", to: "password.txt")
    #expect(try program.run("init", "away", "--server", server.url).code == 0)
    let out = try program.run("-C", "away", "sync")
    #expect(out.code == 5)
    #expect(commands(out.errors) == ["stories -C away sign-in"], "\(out.errors)")
    let up = try program.run("-C", "away", "sign-up", "--email", "a@example.org")
    #expect(
      commands(up.errors)
        == ["stories -C away sign-up --email a@example.org --password-stdin < password.txt"],
      "\(up.errors)")
    #expect(try program.shell(commands(up.errors).first ?? "false").code == 0)
    // A library that was copied from elsewhere.
    #expect(try program.shell("mkdir there && cp away/library.json there").code == 0)
    let first = try program.run("-C", "there", "sync", "pull")
    #expect(first.code == 4)
    #expect(commands(first.errors) == ["stories -C there sync pull --yes"], "\(first.errors)")
    #expect(try program.shell(commands(first.errors).first ?? "false").code == 0)
    let other = try program.run("whoami", "--server", "http://127.0.0.1:9")
    #expect(commands(other.errors) == ["stories sign-in --server http://127.0.0.1:9"])
    let missing = try program.run("sign-in", "--server", server.url)
    #expect(missing.errors.hasPrefix("Error: `stories sign-in` needs --email"))
    try server.stop()
    var offline = program
    offline.environment["STORIES_RETRY"] = "0"
    let unreachable = try offline.run("-C", "there", "sync")
    #expect(unreachable.code == 6)
    #expect(
      commands(unreachable.errors) == ["stories -C there remote show"], "\(unreachable.errors)")
  }
}
