import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

/// The built program from the first engine to the files on this machine.
@Suite(.inTurn) struct BuiltEngineTests {
  private static let script = """
    run() { echo "\\$ stories $*"; "$stories" "$@" 2>&1; }
    run init tales && cd tales
    run engine
    echo "\\$ stories engine set text --url $engine --model good --key-stdin < key"
    echo "$key" | "$stories" engine set text --url "$engine" --model good --key-stdin 2>&1
    run engine set pictures --url "$engine" --model base64
    run engine set speech --url "$engine" --model good --voice nova
    run engine
    run engine test --out test
    run new hero Luna --age 7 --trait brave
    run generate story --hero luna --language de
    run generate avatar luna --prompt 'in a red raincoat'
    run generate illustrations stories/der-nachtzug-von-luna
    run generate audio stories/der-nachtzug-von-luna
    run media pull
    run generate story --regenerate stories/der-nachtzug-von-luna
    run undo
    run sync
    run engine set text --url "$engine" --model quota
    run generate story --hero luna
    echo "ended with $?"
    """

  /// What follows if espeak-ng is installed; in CI it must be.
  private static let speech = """

    run engine set speech --program espeak-ng --speed 0.9
    run generate audio stories/der-nachtzug-von-luna
    run media pull
    run doctor
    """

  @Test func `from an engine to the files`() async throws {
    let folder = try TemporaryFolder()
    let engine = try ScriptedEngine(needsKey: true)
    let program = try BuiltProgram(in: folder)
    let script = Self.script + (SpeechProgramTests.isExpected ? Self.speech : "")
    let result = try program.shell(script, ["engine": engine.url, "key": ScriptedEngine.key])
    // For whoever wants to read it.
    if let path = ProcessInfo.processInfo.environment["STORIES_TEST_TRANSCRIPT"] {
      try result.output.write(toFile: path, atomically: true, encoding: .utf8)
    }
    for part in [
      "text      none: stories are placeholders", "model good, with a key",
      "stories/der-nachtzug-von-luna.json",
      "has its picture now", "has its pictures now (4)",
      "has its narration now (1.0 s, voice nova)",
      "Fetched 6 files", "quota of the engine's account is used up",
      "ended with 1",
    ] {
      #expect(result.output.contains(part), "\(part): \(result.output)")
    }
    #expect(!result.output.contains(ScriptedEngine.key))
    guard SpeechProgramTests.isExpected else { return }
    for part in [
      "voice espeak-ng de", "Fetched 1 file", "espeak-ng, speed 0.9", "(engines.json)",
    ] {
      #expect(result.output.contains(part), "\(part): \(result.output)")
    }
  }

  @Test func `what a test makes is put into a temporary folder, made for it alone`() async throws {
    let folder = try TemporaryFolder()
    let engine = try ScriptedEngine()
    var program = try BuiltProgram(in: folder)
    program.environment["TMPDIR"] = folder.path
    let start = program
    let files = { try folder.files().filter { $0.contains("stories-engine-test-") } }
    #expect(try start.run("engine", "test", "pictures").code == 1)
    #expect(try files() == [])
    _ = try start.run("engine", "set", "pictures", "--url", engine.url, "--model", "base64")
    #expect(try start.run("engine", "test", "pictures").code == 0)
    // Where the variable names no folder, there is the usual one.
    for other in ["", "missing", "/missing/folder"] {
      var odd = start
      odd.environment["TMPDIR"] = other
      let result = try odd.run("engine", "test", "pictures", "--json")
      let path = try JSONValue(parsing: result.bytes)["engines"]?.array?.first?["path"]?.string
      #expect(path?.hasPrefix("/tmp/stories-engine-test-") == true, "\(other)")
      if let path { try FileSystem.removeTree(Path.parent(path)) }
    }
    let made = try files()
    #expect(made.map { Path.name($0) } == ["avatar.png"])
  }

  @Test func `a server asks the engines of whoever runs it, and both are told what failed`()
    async throws
  {
    let folder = try TemporaryFolder()
    let engine = try ScriptedEngine(needsKey: true)
    let program = try BuiltProgram(in: folder)
    var serving = program
    serving.environment.merge(
      [
        "STORIES_STORYTELLER_KEY": ScriptedEngine.key, "STORIES_PICTURES_URL": engine.url,
        "STORIES_PICTURES_MODEL": "quota", "STORIES_PICTURES_KEY": ScriptedEngine.key,
      ]) { $1 }
    let server = try serving.start([
      "serve", "--port", "0", "--data", "data", "--storyteller", engine.url, "--model", "good",
    ])
    let url = server.firstLine() ?? ""
    let person = "run() { \"$stories\" \"$@\" 2>&1; echo \"ended with $?\"; }\n"
    let runs = try program.shell(
      person + """
        run init mine --server "$url" && cd mine
        echo "$password" | run sign-up --email a@example.org --password-stdin
        run new hero Luna --age 7 --trait brave
        run generate story --hero luna --language it
        run generate avatar luna
        """, ["url": url, "password": TestServer.password])
    server.signal(SIGTERM)
    let said = server.wait()
    #expect(runs.output.contains("stories/il-treno-notturno-di-luna.json\nended with 0"))
    #expect(
      runs.output.contains("nothing was made: the quota of the engine's account is used up\n"),
      "\(runs.output)")
    #expect(runs.output.hasSuffix("ended with 1\n"))
    #expect(
      said.errors.contains("Nothing was made: the quota of the engine's account is used up"),
      "\(said.errors)")
    #expect(!(said.errors + runs.output).contains(ScriptedEngine.key))
  }
}
