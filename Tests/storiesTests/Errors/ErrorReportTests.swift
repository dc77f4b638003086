import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

@testable import stories

/// The one table of errors: what each says, and how the program ends.
@Suite(.inTurn) struct ErrorReportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var error: any Error
    var code: String
    var exit: ExitCode
    var message: String
    var hint: String?
    var testDescription: String { code + " " + String(describing: error).prefix(60) }

    init(
      _ error: any Error, _ code: String, _ exit: ExitCode, _ message: String, hint: String? = nil
    ) {
      self.error = error
      self.code = code
      self.exit = exit
      self.message = message
      self.hint = hint
    }
  }

  private static let luna = RecordRef(kind: .heroes, name: "luna")
  private static let otto = RecordRef(kind: .heroes, name: "family/otto")

  @Test(arguments: [
    Case(LibraryError.notFound(from: "/a"), "no-library", .wrongUsage, "/a", hint: "stories init"),
    Case(
      LibraryError.exists("/work/a"), "library-exists", .wrongUsage, "already a library in a",
      hint: "stories -C a status"),
    Case(
      SafetyStop.stillNamed(
        RecordRef(kind: .heroes, name: "old king"), by: [RecordRef(kind: .stories, name: "tale")]),
      "stopped", .stopped, "heroes/old king", hint: "`stories restore 'heroes/old king'`"),
    Case(LibraryError.newerVersion(9), "newer-version", .stopped, "library.json has version 9"),
    Case(
      LibraryError.newerVersion(2, file: "heroes/.sync/luna.json"), "newer-version", .stopped,
      "heroes/.sync/luna.json has version 2"),
    Case(
      UsageError(.wrongValue(of: "--public-url", "http://u:PW@h", ValueProblem(expected: "it"))),
      "wrong-value", .wrongUsage, "--public-url must be it, not “http://h”"),
    Case(
      UsageError(.unexpectedArgument("http://u:PW@h"), in: CommandPath([StoriesCommand.self])),
      "unexpected-argument", .wrongUsage, "“http://h” is an unexpected argument"),
    Case(
      SettingError.wrongValue(
        source: "tokenStore", word: "http://u:PW@h", ValueProblem(expected: "it")),
      "wrong-setting", .wrongUsage, "tokenStore must be it, not “http://h”"),
    Case(ServerAddress.Problem.scheme("https:/u:PW@h"), "bad-server", .wrongUsage, "“https:/h”"),
    Case(
      LibraryError.unsafeState(path: "/work/.stories", reason: "it is a symbolic link"),
      "unsafe-state", .stopped, ".stories cannot be used: it is a symbolic link"),
    Case(LibraryError.locked(holder: "process 7"), "locked", .stopped, "process 7"),
    Case(
      FileError(.write, path: "/work/a/b", code: 28), "file", .failed, "a/b",
      hint: "free some space"),
    Case(FileError(.write, path: "/work/a/b", code: 13), "file", .failed, "a/b", hint: "ls -ld a"),
    Case(
      FileError(.write, path: "/work/a b/c", code: 13), "file", .failed, "a b/c",
      hint: "ls -ld 'a b'"),
    Case(
      FileError(.write, path: "/work/a/b", code: 30), "file", .failed, "a/b",
      hint: "this disk is read-only"),
    Case(
      FileError(
        .write, path: "/work/a/.stories-tmp-96d658cd277f99d9-0000000000000000-b.json", code: 28),
      "file", .failed, "cannot write a/b.json"),
    Case(
      Problem(.storyText(.noComma), file: "heroes/a.json"), "syntax", .failed, "a comma"),
    Case(CommandError.noSuchFolder("/x"), "no-folder", .wrongUsage, "there is no folder /x"),
    Case(
      CommandError.noSuchRecord("lna", noun: "hero", nearest: luna), "no-record", .wrongUsage,
      "there is no hero “lna”", hint: "did you mean heroes/luna?"),
    Case(
      CommandError.noSuchRecord("x", noun: "record", nearest: nil), "no-record", .wrongUsage, "“x”",
      hint: "stories list"),
    Case(
      CommandError.notARecord("luna.json", nearest: luna), "no-record", .wrongUsage,
      "luna.json is not a record", hint: "did you mean heroes/luna?"),
    Case(
      CommandError.notARecord("stories/a.txt", nearest: nil), "no-record", .wrongUsage,
      "stories/a.txt is not a record", hint: "stories import FILE"),
    Case(
      CommandError.ambiguousName("a", [luna, otto]), "ambiguous-name", .wrongUsage,
      "heroes/luna and heroes/family/otto", hint: "heroes/luna"),
    Case(
      CommandError.heroNeeded(choices: []), "hero-needed", .wrongUsage, "the library has none yet",
      hint: "stories new hero NAME"),
    Case(
      CommandError.heroNeeded(choices: [luna]), "hero-needed", .wrongUsage, "name heroes/luna",
      hint: "--hero luna"),
    Case(CommandError.noServer, "no-server", .wrongUsage, "no server", hint: "--server URL"),
    Case(
      APIError.unauthorized(.notSignedIn), "not-signed-in", .signInFirst, "sign in first",
      hint: nil),
    Case(
      APIError.unauthorized(.wrongPassword), "wrong-password", .signInFirst,
      "invalid email or password"),
    Case(
      APIError.unauthorized(.sessionExpired), "session-expired", .signInFirst,
      "session expired, please sign in again"),
    Case(APIError.network(.refused), "network", .unreachable, "connection refused"),
    Case(APIError.server(status: 503, message: nil), "server", .unreachable, "503"),
    Case(APIError.server(status: 500, message: nil), "server", .failed, "500"),
    Case(APIError.rateLimited(until: nil), "rate-limited", .unreachable, "too many requests"),
    Case(APIError.deadlineExceeded, "deadline-exceeded", .unreachable, "time"),
    Case(APIError.forbidden(message: "no"), "forbidden", .failed, "no"),
    Case(APIError.cancelled, "interrupted", .interrupted, "interrupted"),
    Case(CancellationError(), "interrupted", .interrupted, "interrupted"),
    Case(
      ServerAddress.Problem.plainHTTP(origin: "http://x"), "bad-server", .stopped, "not encrypted"),
    Case(ServerAddress.Problem.scheme("x"), "bad-server", .wrongUsage, "“x”"),
    Case(
      StoryServerError.dataFolderInUse(path: "/d"), "in-use", .stopped, "another server"),
    Case(
      StoryServerError.damagedLog(path: "/work/.stories/backend/log", line: 3, reason: "x"),
      "damaged-log", .stopped, "log:3", hint: "remove .stories/backend"),
    Case(
      StoryServerError.damagedLog(path: "/data/log", line: 3, reason: "x"), "damaged-log",
      .stopped, "/data/log:3: the log is damaged: x", hint: "backup"),
    Case(
      StoryServerError.cannotListen(host: "h", port: 80, reason: "in use"), "cannot-listen",
      .failed, "in use", hint: "--port 0"),
    Case(
      EmbeddedServer.Failure.refused(["heroes/1: it has no id"]), "sidecars-refused", .stopped,
      "cannot import"),
    Case(UsageError(.missingCommand), "missing-command", .wrongUsage, "no command given"),
  ])
  func everyErrorHasWordsAndACode(_ row: Case) throws {
    let context = Context(
      output: Self.nowhere, errors: Self.nowhere, input: Input(isTerminal: false) { nil },
      environment: [:], folder: "/work")
    let report = ErrorReport(row.error, in: context)
    #expect(report.code == row.code)
    #expect(report.exitCode == row.exit)
    #expect(report.message.contains(row.message))
    if let hint = row.hint { #expect(report.hint?.contains(hint) == true) }
    #expect(report.json["schema"] == "stories.error/1")
    #expect(report.json["exitCode"]?.integer == Int(row.exit.rawValue))
    #expect(report.json["error"]?["code"] == .string(row.code))
    #expect(report.json["error"]?["message"] == .string(report.message))
  }

  private static let nowhere = Output(
    sink: OutputSink(isBuffered: false) { _ in 0 }, isTerminal: false, width: 80)

  @Test func unforeseenErrorsAreShownSafely() async {
    let result = await CommandSetting("/").run(["fail"], program: Program(root: SampleProgram.self))
    #expect(result.code == .failed)
    #expect(result.errors == "Error: the bucket \\u{1b}[31mfell over\\nand rolled away\n")
  }

  @Test func jsonIsOwedEvenByACommandLineThatIsNotUnderstood() async throws {
    let result = await CommandSetting("/").run("sync", "--json", "--dri-run")
    #expect(result.code == .wrongUsage)
    #expect(result.json?["schema"] == "stories.error/1")
    #expect(result.json?["error"]?["code"] == "unknown-option")
    #expect(
      result.errors.hasPrefix(
        "Error: `stories sync` has no option --dri-run\nHint: did you mean --dry-run?\n"))
  }

  @Test func placesOfProblemsCanBeClicked() async throws {
    let library = try SampleLibrary()
    try library.folder.write("{\"version\": \"x\"}", to: "library.json")
    var setting = CommandSetting(Path.parent(library.folder.path))
    let name = Path.name(library.folder.path)
    let below = await setting.run("-C", name, "status")
    #expect(below.code == .failed)
    #expect(below.errors.hasPrefix("Error: \(name)/library.json:1:13: "))
    setting = CommandSetting(library.folder.path("heroes"))
    let inside = await setting.run("status", "--json")
    #expect(inside.errors.hasPrefix("Error: ../library.json:1:13: "))
    #expect(inside.json?["error"]?["file"] == "library.json")
    #expect(inside.json?["error"]?["column"]?.integer == 13)
  }
}
