import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import Testing

import StoryMedia
import StoryPages
@testable import StorySync
@testable import stories

/// The page on errors is drawn from what `ErrorReport` makes of these.
@Suite struct ErrorPageTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  private static let page = "\(root)/Sources/stories/stories.docc/Errors.md"

  /// After a change of the table: STORIES_DRAW_PAGES=1 swift test --filter ErrorPageTests
  @Test func `the page has the sentences of the table`() throws {
    let text = try String(contentsOfFile: Self.page, encoding: .utf8)
    let start = try #require(text.range(of: "| Code | Exit |"))
    let end = text.range(of: "\n\n", range: start.lowerBound..<text.endIndex)
    let drawn = text.replacingCharacters(
      in: start.lowerBound..<(end?.lowerBound ?? text.endIndex), with: Self.table)
    if ProcessInfo.processInfo.environment["STORIES_DRAW_PAGES"] != nil {
      try drawn.write(toFile: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(drawn == text, "drawn anew with STORIES_DRAW_PAGES=1")
  }

  @Test func `the page has every code`() throws {
    let folder = Self.root + "/Sources/stories/Errors"
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder)
      .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
    let codes = sources.matches(
      of: /(?:\.(?:init|misuse)\(\s*|return \(\s*|: \(?|ErrorReport\()"([a-z]+(?:-[a-z]+)*)"[,\n)]/
    ).map { String($0.output.1) }
    #expect(codes.count > 70)
    for code in Set(codes) {
      #expect(Self.table.contains("| `\(code)` |"), "no example of \(code)")
    }
  }

  private static var table: String {
    var context = Context(
      output: nowhere, errors: nowhere, input: Input(isTerminal: false) { nil },
      environment: [:], folder: "/work")
    context.arguments = ["…"]
    let rows = errors.map { error -> String in
      let report = ErrorReport(error, in: context)
      let cells = [
        "`\(report.code)`", "\(report.exitCode.rawValue)", report.message, report.hint ?? "",
        error is AnyOtherError ? "any other" : "`\(name(of: error))`",
      ]
      return "| "
        + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    let sorted = rows.enumerated().sorted {
      (code($0.element), $0.offset) < (code($1.element), $1.offset)
    }
    let heading = ["| Code | Exit | Says | Hint | Error |", "| --- | --- | --- | --- | --- |"]
    return (heading + sorted.map(\.element)).joined(separator: "\n")
  }

  /// Returns the type's name without its module: `ServerAddress.Problem`.
  private static func name(of error: any Error) -> Substring {
    String(reflecting: type(of: error)).drop { $0 != "." }.dropFirst()
  }

  private static func code(_ row: String) -> Substring { row.dropFirst(3).prefix { $0 != "`" } }

  private static let nowhere = Output(
    sink: OutputSink(isBuffered: false) { _ in 0 }, isTerminal: false, width: 80)
  private static let luna = RecordRef(kind: .heroes, name: "luna")
  private static let night = RecordRef(kind: .stories, name: "night")
  private static let picture = RecordRef(kind: .illustrations, name: "snow/01")
  private static let bad = ValueProblem(expected: "a whole number")
  private static let place = "/work/lib"

  private static let usage: [any Error] = [
    UsageError(.unknownCommand("stat", nearest: "status")), UsageError(.missingCommand),
    UsageError(.notUTF8("J\u{FFFD}rgen")),
    UsageError(.unknownOption("--dry", nearest: "--dry-run")),
    UsageError(.optionTooEarly("--full", of: "stories sync")),
    UsageError(.missingValue(of: "--server", "URL")), UsageError(.unexpectedValue(of: "--full")),
    UsageError(.wrongValue(of: "--max-delete", "many", bad)), UsageError(.missingArgument("REF")),
    UsageError(.missingOption("--email", "E")), UsageError(.unexpectedArgument("luna")),
    UsageError(.excluded("--local", by: "--server")),
    UsageError(.missing("--refresh", for: "--remote")),
  ]

  private static let commands: [any Error] = [
    CommandError.noSuchFolder("lib"), CommandError.emptyRef(""), CommandError.emptyRef("/"),
    CommandError.noSuchRecord("lna", noun: "hero", nearest: luna), CommandError.readOnly(picture),
    CommandError.notARecord("luna.json", nearest: luna),
    CommandError.missing([luna, night]), CommandError.onlyDeleted([luna]),
    CommandError.cannotBeRead(
      Problem(
        .unreadable(FileError(.read, path: "heroes/sub", code: 13)), file: "heroes/sub")),
    CommandError.ambiguousName("luna", [luna, night]),
    CommandError.severalRecords(["family"], count: 3),
    CommandError.outsideLibrary("../x", root: place),
    CommandError.nameTaken(luna, path: "heroes/luna.json"), CommandError.nameOfDeleted(luna),
    CommandError.badName("…", what: "a hero's name"), CommandError.heroNeeded(choices: []),
    CommandError.badField("shoes", .heroes, nearest: nil),
    CommandError.badRecord(
      Problem(.outOfRange("age", 3...12, JSONNumber(13)), file: "heroes/luna.json")),
    CommandError.folderInUse(place), CommandError.insideRecords("heroes", library: "."),
    CommandError.noServer, CommandError.embeddedHasNoAccounts,
    CommandError.unknownLibrary(
      root: place, server: "https://stories.example", account: "me@example.org"),
    CommandError.noConfigurationFolder, CommandError.noPassword(isTerminal: false),
    CommandError.passwordsDiffer, CommandError.removed(luna),
    CommandError.tooManyAttempts("me@example.org", wait: .seconds(2)),
    CommandError.wrongNameOrPassword, CommandError.noKey,
    CommandError.outputFailed(code: 28),
    SettingError.wrongValue(source: "STORIES_RETRY", word: "x", bad),
    SettingError.unknownName("retries", nearest: "retry"),
    SettingError.openToOthers(path: "/work/config.json"), ProgramError.noEditor,
    ProgramError.noCron,
    ProgramError.failed("nano", reason: "…"), ConflictError.nobodyToAsk(isAboutAll: true),
    ConflictError.nothingInConflict, ConflictError.fieldNotInConflict("titel", known: ["title"]),
    ConflictError.fieldNotInConflict("age", known: []),
    ConflictError.toolWithoutResult("meld"), EditingError.isFolder("family", count: 3),
    EditingError.badNewName("…", .heroes), EditingError.notAStory(luna),
    EditingError.changedOnDisk(night, fields: ["content"]), EditingError.removed(luna),
    ReadingError.noText(night),
    ReadingError.noNarration(night, isOnServer: true),
    ReadingError.noPlayer(type: "WAV"),
    ReadingError.noNarration(night, isOnServer: false), ReadingError.engine(.badKey),
    TransferError.notExported(path: "/work/out/night.md"), TransferError.doesNotReadBack(night),
    TransferError.exists(night, path: "stories/night.json", isJSON: false),
    TransferError.sameRecord("a/night.md", "b/night.md"), TransferError.noTexts,
    TransferError.ambiguousTitle("Luna", [luna, night]), TransferError.unnamed,
    TransferError.sharedTitle("Luna", [luna, night]),
    TransferError.missingReference(.heroes, id: "…", isInFile: false),
    TransferError.missingReference(.heroes, id: "…", isInFile: true),
    CommandError.nothingToAllow("https://stories.example"), RemoteMover.Refusal.conflicts([luna]),
    RemoteMover.Refusal.openWrites, RemoteMover.Refusal.absent([luna]),
    RemoteMover.Refusal.notCheckedOut([luna]), CancellationError(),
  ]

  private static let libraries: [any Error] = [
    LibraryError.notFound(from: "/work"), LibraryError.exists(place),
    LibraryError.newerVersion(9),
    LibraryError.unsafeState(path: place + "/.stories", reason: "it is a symbolic link"),
    LibraryError.locked(holder: "process 7"),
    LibraryError.sparseUnknown(marker: place + "/.git", .timedOut),
    FileError(.write, path: place + "/heroes/luna.json", code: 28),
    EditError.noSuchRecord(luna, nearest: nil), EditError.exists(luna),
    EditError.otherKind(luna, .stories), EditError.readOnly(picture),
    EditError.stillNamed(luna, by: [night]), EditError.noConflict(luna),
    EditError.cannotMerge(luna), EditError.twoIDs(luna), EditError.changedMeanwhile(luna),
    EditError.isOpen(luna, holder: "process 7 on host"),
    EditError.otherRecord(luna, home: RecordRef(kind: .heroes, name: "moon"), isLocal: true),
    EditError.otherRecord(luna, home: nil, isLocal: false),
    EditError.noSuchRun("2026-11-22"), EditError.severalRuns("2026-11"), EditError.noVersion(luna),
    EditError.noReadableVersion(luna), EditError.missing(luna), EditError.inConflict(luna),
    EditError.notCheckedOut(luna), GenerationError.notOnServer(luna),
    GenerationError.notSent(luna, .isInConflict),
    GenerationError.changedMeanwhile(night, kept: RecordRef(kind: .stories, name: "day")),
    GenerationError.textNotSent(night, .isInConflict),
    GenerationError.textNotSent(night, .isDraft),
    GenerationError.copyNotDeleted(night, id: "…"), GenerationError.answerLost,
    GenerationError.severalMade(2), GenerationError.placeholder(night), MediaFailure.noAddress,
    MediaFailure.refused,
    MediaFailure.wrongType("text/html"), MediaFailure.wrongAnswer("an empty file"),
    MediaFailure.tooLarge(limit: 1 << 30), GitSetup.Failure.noRepository(root: place),
    GitSetup.Failure.noGit, GitSetup.Failure.attributesNotAFile(place + "/.gitattributes"),
    GitSetup.Failure.unsafePath("a\\nb"), GitSetup.Failure.refusedSetting("merge.x.driver"),
    GitFailure.timedOut, ExportError.nothing, ExportError.folderInUse("/work/site"),
    ExportError.notAFolder("/work/site"), ExportError.foreignFile("/work/site/index.html"),
    ExportError.insideLibrary(place), ExportError.changed(night), ExportError.tooLarge,
    ExportError.unreadableManifest("/work/site/stories-site.json"),
    SafetyStop.deletes(kind: .heroes, onServer: true, count: 20, of: 20),
    SafetyStop.stillNamed(luna, by: [night]), SafetyStop.stateIsTracked,
    SafetyStop.gitIsAtWork(lock: place + "/.git/index.lock"),
    SafetyStop.serverWentBack(luna, had: "…", has: "…"),
    SafetyStop.serverWentBack(luna, had: "…", has: nil),
  ]

  private static let servers: [any Error] = [
    APIError.unauthorized(.notSignedIn), APIError.unauthorized(.wrongPassword),
    APIError.unauthorized(.sessionExpired), APIError.unauthorized(.tokenRefused),
    APIError.unauthorized(.sessionNotYetValid),
    APIError.forbidden(message: nil), APIError.notFound, APIError.conflict(message: nil),
    APIError.lacksRight(AccessRight("record:create", .heroes)),
    APIError.lacksRight(AccessRight("bucket:create")), APIError.noCollection(.heroes),
    APIError.unsupported(.generation), APIError.unsupported(.accounts),
    APIError.unsupported(.noBucket(server: "https://kinto.example/v1")),
    APIError.unsupported(.writing(server: "https://kinto.example/v1/buckets/family")),
    CommandError.noToken, CommandError.accountTaken("ann"),
    APIError.preconditionFailed(current: nil), APIError.rateLimited(until: nil),
    APIError.validation(message: "age: …", fields: []), APIError.tooLarge,
    APIError.server(status: 500, message: nil), APIError.network(.refused),
    APIError.network(.unknownHost), APIError.network(.timedOut), APIError.network(.insecure("…")),
    APIError.network(.pinMismatch),
    APIError.network(.redirectRefused(target: "https://elsewhere.example")),
    APIError.decoding(
      .mismatch(WireMismatch(.array, found: .nothing)), where: "GET /api/heroes, data"),
    APIError.list(.heroes, .incomplete), APIError.dialectChanged,
    APIError.notMade(reason: "refused", message: nil), APIError.unconfirmed(id: "1"),
    APIError.invalidIdentifier("…"),
    APIError.unsupported(.usage(server: "https://stories.example")), APIError.notCached,
    APIError.tokenStore(.openToOthers(path: "tokens.json")), APIError.deadlineExceeded,
    ServerAddress.Problem.scheme("stories.example"), ServerAddress.Problem.userInfo,
    ServerAddress.Problem.plainHTTP(origin: "http://stories.example"),
    StoryServerError.dataFolderInUse(path: "/srv/stories"),
    StoryServerError.damagedLog(path: "/srv/stories/log", line: 3, reason: "…"),
    StoryServerError.unsupportedLogVersion(path: "/srv/stories/log", version: 9),
    StoryServerError.cannotListen(host: "127.0.0.1", port: 80, reason: "permission denied"),
    StoryServerError.file(path: "/srv/stories/log", operation: "write", reason: "…"),
    EmbeddedServer.Failure.refused(["heroes/luna"]),
    EmbeddedServer.Failure.left([RecordRef(kind: .heroes, name: "luna")]),
    EmbeddedServer.Failure.unreadable(
      Problem(.newerSidecar(version: 2), file: "heroes/.sync/luna.json")),
  ]

  private static let errors = usage + commands + libraries + servers + [AnyOtherError()]
}

/// An error that the table does not know.
private struct AnyOtherError: Error, CustomStringConvertible {
  var description: String { "…" }
}
