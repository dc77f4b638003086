import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StorySync
import TestSupport
import Testing

@testable import stories

/// What other commands do to a record that `stories edit`, a process of its own, has open.
@Suite(.inTurn) struct OpenRecordTests {
  /// `stories edit` with an editor that has read the file, and saves it with a last line when it is
  /// closed.
  private struct OpenEditor {
    let running: RunningProgram
    private let scripts: TemporaryFolder

    /// - Parameter script: What the editor does after it was opened.
    init(
      _ library: TemporaryFolder, below folder: String = "", _ words: String...,
      script: String = "cat > \"$0.input\"; { cat \"$0.read\"; echo; } > \"$1\""
    ) throws {
      scripts = try TemporaryFolder()
      try scripts.write("cp \"$1\" \"$0.read\"\necho open\n\(script)\n", to: "editor")
      var program = try BuiltProgram(in: library)
      program.folder = library.path(folder)
      program.environment["EDITOR"] = "sh \(scripts.path("editor"))"
      running = try program.start(["edit"] + words)
      #expect(running.firstLine() == "open")
    }

    /// Saves and closes the editor.
    func close() -> RunningProgram.Result {
      running.send("")
      return running.wait()
    }
  }

  private static let snow = "stories/2026/first-snow"

  struct Case: Sendable, CustomTestStringConvertible {
    /// The record in the editor.
    var open: String
    var command: [String]
    var code = ExitCode.stopped
    /// What is done to the library first.
    var change: @Sendable (SampleLibrary) async throws -> Void = { _ in }
    var testDescription: String { command.joined(separator: " ") + ", \(open)" }
  }

  private static func edit(_ old: String, _ new: String)
    -> @Sendable (SampleLibrary) async throws
    -> Void
  { { try $0.folder.edit("heroes/luna.json", old, to: new) } }

  private static let cases = [
    Case(open: "luna", command: ["edit", "luna"]),
    Case(open: snow, command: ["edit", "--text", snow]),
    Case(open: "luna", command: ["mv", "luna", "moon"]),
    Case(open: "luna", command: ["mv", "luna", "moon", "--dry-run"]),
    Case(open: snow, command: ["mv", "luna", "moon"]),
    Case(open: snow, command: ["rm", "first-snow"]),
    Case(open: "luna", command: ["rm", "luna", "first-snow"]),
    Case(open: snow, command: ["read", "--count", "first-snow"], code: .failed),
    Case(
      open: "luna", command: ["import", "--replace", "answers.json"], code: .failed,
      change: { library in
        let hero = #"{"id": "h1", "name": "Luna", "age": 9, "traits": ["brave"]}"#
        try library.folder.write("{\"heroes\": [\(hero)]}", to: "answers.json")
      }),
    Case(
      open: snow,
      command: ["import", "--replace", "--name", snow, "snow.md"], code: .failed,
      change: { try $0.folder.write("---\ntitle: A Snow\n---\n\nIt fell.\n", to: "snow.md") }),
    Case(open: "luna", command: ["check", "--fix"], code: .failed, change: edit("7", "\"7\"")),
    Case(open: "luna", command: ["fmt"], code: .failed, change: edit("  \"age\"", "\"age\"")),
    Case(open: "luna", command: ["restore", "luna"], code: .failed, change: edit("7", "8")),
    Case(
      open: "luna", command: ["undo"], code: .failed,
      change: { library in
        try library.folder.edit("heroes/luna.json", "7", to: "8")
        _ = await library.run("restore", "luna")
      }),
    Case(
      open: "moon", command: ["undo"], code: .failed,
      change: { _ = await $0.run("mv", "luna", "moon") }),
    Case(
      open: "luna", command: ["resolve", "luna", "--server"],
      change: { library in
        try library.folder.edit("heroes/luna.json", "7", to: "8")
        let ref = RecordRef(kind: .heroes, name: "luna")
        let path = library.folder.path(ref.sidecarPath)
        var sidecar = try Sidecar(bytes: FileSystem.read(path), ref: ref)
        sidecar.base[ref.kind.schema.fields[1]] = 9
        sidecar.conflict = .fields(
          updatedAt: sidecar.updatedAt, [.init(wireKey: "age", base: 7, server: 9)])
        try AtomicFile.write(sidecar.fileBytes, to: path)
      }),
  ]

  private func setting(_ library: SampleLibrary) -> CommandSetting {
    var setting = CommandSetting(library.folder)
    setting.environment["EDITOR"] = "true"
    return setting
  }

  /// The content of all files outside `.stories`.
  private func content(_ folder: TemporaryFolder) throws -> [String: String] {
    let files = try folder.files().filter { !$0.hasPrefix(".stories/") }
    return Dictionary(uniqueKeysWithValues: try files.map { ($0, try folder.read($0)) })
  }

  @Test(arguments: cases)
  func aRecordInAnEditorIsChangedByNoOtherCommand(_ test: Case) async throws {
    let library = try SampleLibrary()
    try await library.push()
    try await test.change(library)
    let setting = setting(library)
    let runs = try RunHistory(Library.find(from: library.folder.path)).runs().map(\.name)
    let before = try content(library.folder)
    let editor = try OpenEditor(library.folder, test.open)
    let run = await setting.run(test.command)
    #expect(run.code == test.code, "\(run.output)\(run.errors)")
    let holder = "in an editor (process \(editor.running.identifier) on "
    #expect((run.output + run.errors).replacing("\n", with: " ").contains(holder), "\(run)")
    #expect(try content(library.folder) == before)
    #expect(
      try RunHistory(Library.find(from: library.folder.path)).runs().map(\.name) == runs)
    let ended = editor.close()
    // Some cases begin with a record that has a problem.
    #expect(ended.code == (test.command == ["check", "--fix"] ? 1 : 0), "\(ended.errors)")
    let saved = try content(library.folder)
    #expect(saved != before)
    let again = await setting.run(test.command)
    if test.command != ["undo"] {
      #expect(again.code == .done, "\(again.output)\(again.errors)")
      #expect(
        try test.command[0] == "edit" || test.command.last == "--dry-run"
          || content(library.folder) != saved)
    }
  }

  /// Commands over many records leave only the one that is open.
  @Test func theOtherRecordsGoOn() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let otto = "heroes/family/otto.json"
    func editBoth(_ old: String, _ new: String, _ oldOfOtto: String, _ newOfOtto: String) throws {
      try library.folder.edit("heroes/luna.json", old, to: new)
      try library.folder.edit(otto, oldOfOtto, to: newOfOtto)
    }
    try editBoth("7", "\"7\"", "4", "\"4\"")
    let editor = try OpenEditor(library.folder, "luna")
    let fixed = await library.run("check", "--fix")
    #expect(fixed.code == .failed)
    #expect(try library.folder.read(otto) == SampleLibrary.otto)
    #expect(try library.folder.read("heroes/luna.json").contains("\"7\""))
    try library.folder.edit(otto, "4", to: "5")
    #expect(await library.run("restore", "heroes").code == .failed)
    #expect(try library.folder.read(otto) == SampleLibrary.otto)
    #expect(await library.run("undo").code == .done)
    #expect(try library.folder.read(otto).contains("5"))
    try editBoth("  \"age\"", "\"age\"", "  \"age\"", "\"age\"")
    #expect(await library.run("fmt").code == .failed)
    #expect(try library.folder.read(otto).contains("  \"age\""))
    #expect(await library.run("mv", "otto", "otter").code == .done)
    #expect(try library.folder.read("heroes/luna.json").contains("\"7\""))
    _ = editor.close()
    #expect(await library.run("check", "--fix").code == .done)
    #expect(try library.folder.read("heroes/luna.json").contains(": 7"))
  }

  /// A text is kept that was written while the record was opened as JSON.
  @Test func aTextIsKeptWhileTheRecordIsOpen() async throws {
    let library = try SampleLibrary()
    let script = "cat > \"$0.input\"; sed s/First/Last/ \"$0.read\" > \"$1\""
    let text = try OpenEditor(library.folder, "--text", Self.snow, script: script)
    let record = try OpenEditor(library.folder, Self.snow)
    let refused = text.close()
    #expect(refused.code == ExitCode.stopped.rawValue)
    #expect(refused.errors.contains("is open in an editor"))
    let kept = try #require(refused.errors.firstMatch(of: /Your text was kept in (.*)\n/))
    #expect(try library.folder.read(String(kept.output.1)).contains("The Last Snow"))
    #expect(record.close().code == 0)
    let path = "\(Self.snow).json"
    #expect(try library.folder.read(path) == SampleLibrary.snow + "\n")
    // A text that is open holds nothing, as both changes are kept.
    let again = try OpenEditor(library.folder, "--text", Self.snow, script: script)
    #expect(await library.run("read", "--count", "first-snow").code == .done)
    #expect(again.close().code == 0)
    let story = try JSONValue(parsing: Array(library.folder.read(path).utf8))
    #expect(story["title"] == "The Last Snow" && story["playCount"] == 1)
  }

  @Test func theFormsOfThePagesChangeNoOpenRecord() async throws {
    let library = try SampleLibrary()
    let pages = try BrowsedLibrary(library.folder)
    let path = "/\(Self.snow)"
    let token = try pages.formToken(path)
    let editor = try OpenEditor(library.folder, Self.snow)
    for (form, fields) in [("read", ""), ("favorite", "&favorite=yes")] {
      let answer = try pages.post("/\(form)/2026/first-snow", "token=\(token)" + fields)
      #expect(answer.status == 409, "\(answer.page)")
      #expect(answer.page.contains("is open in an editor"))
    }
    #expect(try library.folder.read("\(Self.snow).json") == SampleLibrary.snow)
    _ = editor.close()
    let answer = try pages.post("/favorite/2026/first-snow", "token=\(token)&favorite=yes")
    #expect(answer.status == 303)
    #expect(try library.folder.read("\(Self.snow).json").contains("\"isFavorite\": true"))
  }

  @Test func aDeadEditHoldsNothing() async throws {
    let library = try SampleLibrary()
    let killed = try OpenEditor(library.folder, "luna")
    killed.running.signal(SIGKILL)
    // Its editor has the pipes until it is closed.
    waitUntil { !killed.running.isRunning }
    #expect(await library.run("mv", "luna", "moon").code == .done)
    #expect(await setting(library).run("edit", "moon").code == .done)
    _ = killed.close()
    // What the editor saved is a new record.
    #expect(library.folder.exists("heroes/luna.json"))
    let failed = try OpenEditor(library.folder, "luna", script: "kill -9 $$")
    #expect(failed.running.wait().code == 1)
    #expect(await library.run("rm", "luna").code == .done)
    let left = (try? library.folder.files(below: ".stories/open")) ?? []
    #expect(left.allSatisfy { $0 == ".stories/open/lock" }, "\(left)")
  }

  /// A sync writes the file, and closing the editor merges.
  @Test func aSyncIsNotRefused() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer()
    let (ann, ben) = (try server.library(in: folder, "ann"), try server.library(in: folder, "ben"))
    try folder.write(SampleLibrary.luna, to: "ann/heroes/luna.json")
    #expect(await ann.run("sync", "push").code == .done)
    #expect(await ben.run("sync", "pull").code == .done)
    let editor = try OpenEditor(
      folder, below: "ben", "luna",
      script: "cat > \"$0.input\"; sed s/7/8/ \"$0.read\" > \"$1\"")
    try folder.edit("ann/heroes/luna.json", "stars", to: "owls")
    #expect(await ann.run("sync", "push").code == .done)
    #expect(await ben.run("sync", "pull").code == .done)
    #expect(try folder.read("ben/heroes/luna.json").contains("owls"))
    let result = editor.close()
    #expect(result.code == 0)
    #expect(result.errors.contains("A sync changed specialAbility"))
    let saved = try folder.read("ben/heroes/luna.json")
    #expect(saved.contains("owls") && saved.contains("8"), "\(saved)")
  }
}
