import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct HistoryCommandTests {
  /// A synced library in which the hero's age was changed and pushed, so that a run kept the old one.
  private func edited() async throws -> SampleLibrary {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    try await library.push()
    return library
  }

  private func newest(_ library: SampleLibrary) async throws -> String {
    let runs = await library.run("log", "--json").json?["runs"]?.array
    return try #require(runs?.first?["run"]?.string)
  }

  @Test func logListsRunsNewestFirst() async throws {
    let library = try await edited()
    _ = await library.run("rm", "stories/2026/first-snow")
    let run = await library.run("log")
    #expect(run.code == .done)
    #expect(run.lines.count == 4)
    #expect(run.line(0).contains("Z  just now  rm "))
    #expect(run.line(0).hasSuffix("  rm stories/2026/first-snow  kept 1 version"))
    #expect(run.line(1).hasSuffix("  sync push                   sent 1 edited"))
    #expect(run.line(2).hasSuffix("  sync push                   sent 4 new"))
  }

  @Test func restoredPicturesAreReported() async throws {
    let library = try await IllustratedLibrary()
    _ = await library.setting.run("sync")
    let picture = "mine/illustrations/first-snow/01.json"
    let text = try library.folder.read(picture)
    try library.folder.write(#"{"scene": "mine"}"#, to: picture)
    let run = await library.setting.run("sync")
    #expect(run.output.hasSuffix("\nRestored the server's version of 1 illustration.\n"))
    #expect(try library.folder.read(picture) == text)
    let log = await library.setting.run("log")
    #expect(log.line(0).hasSuffix("  restored the server's version of 1 record"))
  }

  @Test func logShowsOneRunWithWhatItKept() async throws {
    let library = try await edited()
    let name = try await newest(library)
    // The two runs may be of one tenth of a second.
    let run = await library.run("log", String(name.dropLast()))
    #expect(
      run.output == """
        sync push  \(name), just now
        sent 1 edited

          sent edited  heroes/luna

        Kept
          heroes/luna  server  other age

        """)
    let json = await library.run("log", name, "--json").json
    #expect(json?["schema"] == "stories.log/1")
    let entry = json?["runs"]?.array?.first
    #expect(entry?["command"] == "sync push")
    #expect(entry?["report"]?["sent"]?["updated"] == ["heroes/luna"])
    #expect(entry?["versions"]?.array?.first?["differs"] == ["age"])
  }

  @Test func logOfNothing() async throws {
    let library = try SampleLibrary()
    let run = await library.run("log")
    #expect(run.code == .done)
    #expect(run.output.isEmpty)
    #expect(run.errors == "No runs yet: nothing has been replaced.\n")
    let unknown = await library.run("log", "2026")
    #expect(unknown.code == .wrongUsage)
    #expect(unknown.errors == "Error: there is no run 2026\nHint: `stories log` lists the runs\n")
  }

  @Test func startOfSeveralNamesIsNoName() async throws {
    let library = try await edited()
    let start = String(try await newest(library).prefix(4))
    let run = await library.run("log", start)
    #expect(run.code == .wrongUsage)
    #expect(
      run.errors == "Error: several runs begin with \(start)\nHint: `stories log` lists the runs\n")
  }

  @Test func undoGivesBackAndIsItselfARun() async throws {
    let library = try await edited()
    let name = try await newest(library)
    let dry = await library.run("undo", "--dry-run")
    #expect(
      dry.output == "Would undo `sync push` of \(name):\n  would restore  heroes/luna\n")
    #expect(try library.folder.read("heroes/luna.json").contains("8"))
    let run = await library.run("undo")
    #expect(run.code == .done)
    #expect(run.output == "Undid `sync push` of \(name):\n  restored  heroes/luna  age\n")
    #expect(run.errors == "This now counts as your edit; the next push sends it.\n")
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await library.run("status", "--porcelain=v1").output == "M. heroes/luna\tage\n")
    let again = await library.run("undo", "--json").json
    #expect(again?["schema"] == "stories.undo/1")
    #expect(again?["restored"] == ["heroes/luna"])
    #expect(try library.folder.read("heroes/luna.json").contains("8"))
  }

  @Test func undoOfARunThatOnlyMadeConflicts() async throws {
    let libraries = try await ConflictedLibraries()
    let ben = libraries.ben
    let story = ConflictedLibraries.story
    for ref in [story, "events/power-cut"] {
      #expect(await ben.run("resolve", ref, "--server").code == .done)
    }
    try libraries.folder.edit("ann/\(story).json", "Their Snow", to: "Her Snow")
    #expect(await libraries.ann.run("sync", "push").code == .done)
    try libraries.folder.edit("ben/\(story).json", "Their Snow", to: "His Snow")
    let sync = await ben.run("sync", "pull", "--json")
    #expect(sync.code == .conflictsLeft)
    let name = try #require(sync.json?["run"]?.string)
    let log = await ben.run("log").lines.first ?? ""
    #expect(log.hasPrefix("\(name)  just now  sync pull "), "\(log)")
    #expect(log.hasSuffix("  1 conflict"), "\(log)")
    let undo = await ben.run("undo")
    #expect(undo.code == .done)
    #expect(
      undo.output == """
        Nothing to undo: `sync pull` of \(name) replaced no record.
        Its conflict is resolved with: stories resolve \(story)

        """)
    // The next sync finds nothing new, and leaves no run.
    #expect(await ben.run("sync", "pull", "--json").json?["run"] == .null)
  }

  @Test func undoSaysWhatIsInConflictAgain() async throws {
    let libraries = try await ConflictedLibraries()
    let ben = libraries.ben
    let story = ConflictedLibraries.story
    #expect(await ben.run("resolve", story, "--server").code == .done)
    let undo = await ben.run("undo")
    #expect(undo.output.hasSuffix("\n  restored  \(story)\n"))
    #expect(undo.errors == "In conflict again: stories resolve \(story)\n")
    let redo = await ben.run("undo")
    #expect(redo.errors == "In sync again; nothing to send.\n")
    #expect(await ben.run("status", "--porcelain=v1").output.contains(story) == false)
  }

  @Test func undoOfWhatOthersChangedAsksOnATerminal() async throws {
    let libraries = try await ConflictedLibraries()
    let ben = libraries.ben
    for ref in [ConflictedLibraries.story, "events/power-cut"] {
      #expect(await ben.run("resolve", ref, "--server").code == .done)
    }
    try libraries.folder.edit("ann/heroes/luna.json", "7", to: "8")
    #expect(await libraries.ann.run("sync").code == .done)
    #expect(await ben.run("sync", "pull").code == .done)
    func isPulled() throws -> Bool {
      try libraries.folder.read("ben/heroes/luna.json").contains("8")
    }
    let no = await libraries.typing("n").run("undo")
    #expect(no.code == .done && no.output.contains("Would undo `sync pull` of"), "\(no.output)")
    #expect(try isPulled())
    #expect(await libraries.typing("y").run("undo").output.contains("Undid `sync pull` of"))
    #expect(try !isPulled())
    // The newest run is the undo now, which took in nothing.
    let redo = await libraries.typing().run("undo")
    #expect(redo.code == .done && !redo.output.contains("Would undo"), "\(redo.output)")
    #expect(try isPulled())
  }

  @Test func undoLeavesWhatWasEditedSince() async throws {
    let library = try await edited()
    let name = try await newest(library)
    try library.folder.edit("heroes/luna.json", "8", to: "9")
    let run = await library.run("undo", name)
    #expect(run.code == .failed)
    #expect(run.line(1) == "  skipped  heroes/luna  it was edited since")
    #expect(try library.folder.read("heroes/luna.json").contains("9"))
    #expect(await library.run("mv", "luna", "moon").code == .done)
    let renamed = await library.run("undo", name)
    #expect(renamed.code == .failed)
    #expect(renamed.line(1) == "  skipped  heroes/luna  it was renamed or removed since")
  }

  @Test func undoTakesARenameBack() async throws {
    let library = try await edited()
    #expect(await library.run("mv", "luna", "moon").code == .done)
    let dry = await library.run("undo", "--dry-run")
    #expect(dry.line(0).hasPrefix("Would undo `mv heroes/luna heroes/moon` of "), "\(dry.output)")
    #expect(library.folder.exists("heroes/moon.json"))
    let undo = await library.run("undo")
    #expect(undo.code == .done)
    #expect(undo.line(1) == "  restored  heroes/luna")
    #expect(undo.errors == "In sync again; nothing to send.\n")
    #expect(library.folder.exists("heroes/luna.json"))
    #expect(!library.folder.exists("heroes/moon.json"))
    #expect(library.folder.exists("heroes/.sync/luna.json"))
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("\"luna\""))
    let redo = await library.run("undo", "--json")
    #expect(redo.json?["restored"] == ["heroes/moon"])
    let name = try await newest(library)
    #expect(await library.run("mv", "moon", "star").code == .done)
    // Another record has the name by now.
    try library.folder.write(SampleLibrary.luna, to: "heroes/moon.json")
    let gone = await library.run("undo", name)
    #expect(gone.code == .failed)
    #expect(gone.line(1) == "  skipped  heroes/moon  it was renamed or removed since")
    #expect(library.folder.exists("heroes/moon.json"))
  }

  @Test(arguments: [["--version", "1"], ["--from"], []])
  func restoreFindsWhatWasKeptBeforeARename(_ options: [String]) async throws {
    let library = try await edited()
    let name = try await newest(library)
    #expect(await library.run("mv", "luna", "star").code == .done)
    #expect(await library.run("mv", "star", "moon").code == .done)
    let list = await library.run("restore", "moon", "--list")
    #expect(list.line(0) == "heroes/moon")
    #expect(list.line(1).hasSuffix("  sync push  server  other age"))
    // Without a sidecar, the newest version that a run kept is taken.
    if options.isEmpty { try library.folder.remove("heroes/.sync/moon.json") }
    let words = options == ["--from"] ? options + [name] : options
    let run = await CommandSetting(library.folder).run(["restore", "moon"] + words)
    #expect(run.code == .done, "\(run.errors)")
    #expect(try library.folder.read("heroes/moon.json").contains("\"age\": 7"))
    #expect(!library.folder.exists("heroes/luna.json"))
    // Of another record that has the former name now, no version was kept.
    try library.folder.write(SampleLibrary.luna, to: "heroes/luna.json")
    let other = await library.run("restore", "luna", "--list")
    #expect(other.errors == "No run kept an earlier version under the name heroes/luna.\n")
  }

  @Test(arguments: [["--version", "1"], ["--from"]])
  func restoreFollowsARenameThatNoSyncHasSeen(_ options: [String]) async throws {
    let library = try await edited()
    let name = try await newest(library)
    try library.folder.move("heroes/luna.json", to: "heroes/moon.json")
    let list = await library.run("restore", "moon", "--list")
    #expect(list.line(0) == "heroes/moon")
    #expect(list.line(1).hasSuffix("  sync push  server  other age"))
    let words = options == ["--from"] ? options + [name] : options
    let run = await CommandSetting(library.folder).run(["restore", "moon"] + words)
    #expect(run.code == .done, "\(run.errors)")
    #expect(try library.folder.read("heroes/moon.json").contains("\"age\": 7"))
    // What that replaced is found as well.
    let now = await library.run("restore", "moon", "--list")
    #expect(now.line(1).hasSuffix("  restore heroes/moon  local   other age"), "\(now.output)")
    #expect(now.line(2).hasSuffix("  server  the same as now"), "\(now.output)")
  }

  @Test func undoOfARunThatReplacedNothing() async throws {
    let library = try SampleLibrary()
    #expect(await library.run("undo").errors == "Error: there is no run yet\n")
    try await library.push()
    let run = await library.run("undo")
    #expect(run.code == .done)
    #expect(run.output.hasPrefix("Nothing to undo: `sync push` of "))
    #expect(run.errors.isEmpty)
    try library.folder.write(SampleLibrary.tooth, to: "events/new.json")
    try await library.push()
    #expect(
      await library.run("undo").errors
        == "To undo an earlier run: `stories undo RUN`; `stories log` lists them\n")
  }

  @Test func restoreListsAndTakesVersions() async throws {
    let library = try await edited()
    try library.folder.edit("heroes/luna.json", "8", to: "9")
    try await library.push()
    let list = await library.run("restore", "luna", "--list")
    #expect(list.line(0) == "heroes/luna")
    #expect(list.line(1).hasPrefix("  1  20"))
    #expect(list.line(1).hasSuffix("  sync push  server  other age"))
    #expect(list.line(2).hasPrefix("  2  20"))
    let run = await library.run("restore", "luna", "--version", "2")
    #expect(run.code == .done)
    #expect(run.output.hasPrefix("Restored heroes/luna to the server version that"))
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    let same = await library.run("restore", "luna", "--version", "3", "--json").json
    #expect(same?["changed"] == false)
    let newest = await library.run("restore", "luna", "--dry-run", "--json").json
    #expect(newest?["schema"] == "stories.restore/1")
    #expect(newest?["changed"] == true)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
  }

  @Test func restoreFindsARecordThatIsGone() async throws {
    let library = try await edited()
    #expect(await library.run("rm", "family/otto").code == .done)
    #expect(await library.run("sync", "push").code == .done)
    let run = await library.run("restore", "otto")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output.contains("(there was no file)"))
    #expect(try library.folder.read("heroes/family/otto.json") == SampleLibrary.otto)
  }

  @Test func restoreRefusesWhatIsNotKept() async throws {
    let library = try await edited()
    _ = await library.run("new", "hero", "Nova")
    #expect(
      await library.run("restore", "nova").errors
        == "Error: no earlier version was kept under the name heroes/nova\n")
    #expect(await library.run("restore", "nobody").code == .wrongUsage)
    #expect(await library.run("restore", "luna", "--version", "7").code == .wrongUsage)
    #expect(
      await library.run("restore", "luna", "--version", "1", "--from", "x").code == .wrongUsage)
    let name = try await newest(library)
    #expect(await library.run("restore", "luna", "--from", name).code == .done)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
  }

  @Test(arguments: [
    (0, "just now"), (59, "just now"), (60, "1 min ago"), (3_599, "59 min ago"), (7_200, "2 h ago"),
    (86_400, "1 day ago"), (13 * 86_400, "13 days ago"), (14 * 86_400, "2 weeks ago"),
    (59 * 86_400, "8 weeks ago"), (60 * 86_400, "2 months ago"), (364 * 86_400, "12 months ago"),
    (365 * 86_400, "1 year ago"), (-5, "just now"),
  ])
  func agesAreInTheirLargestUnit(seconds: Int, text: String) {
    #expect(Phrases.age(.seconds(seconds)) == text)
  }
}
