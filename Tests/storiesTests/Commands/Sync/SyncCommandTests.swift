import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// `stories sync` with the embedded server.
@Suite(.inTurn) struct SyncCommandTests {
  @Test func aNameThatMayBeAMisspeltFieldIsToldWhenItsRecordIsSent() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("stories/2026/first-snow.json", "\"language\"", to: "\"langauge\"")
    let run = await library.run("sync")
    #expect(run.code == .done)
    #expect(run.errors.contains("did you mean “language”?"), "\(run)")
    #expect(await library.run("sync").errors.isEmpty)
  }

  @Test func firstPushSendsEverything() async throws {
    let library = try SampleLibrary()
    let result = await library.run("sync", "push")
    #expect(result.code == .done)
    #expect(result.errors.isEmpty)
    #expect(
      result.output == """
        Sent to the embedded server:
          created  heroes/family/otto
                   heroes/luna
                   events/lost-tooth
                   stories/2026/first-snow

        Sent 4 records (2 heroes, 1 event and 1 story) in 7 requests.

        """)
  }

  @Test(arguments: [
    (["sync"], "nothing was sent or received."), (["sync", "push"], "nothing was sent."),
    (["sync", "pull"], "nothing new on the server."),
  ])
  func secondRunSaysThatAllIsWell(words: [String], end: String) async throws {
    let library = try SampleLibrary()
    try await library.push()
    let result = await CommandSetting(library.folder).run(words)
    #expect(result.code == .done)
    #expect(result.output == "Everything is in sync with the embedded server; \(end)\n")
    #expect(await CommandSetting(library.folder).run(words + ["-q"]).output.isEmpty)
  }

  @Test(arguments: [
    (["luna"], "1 change here waits"), (["luna", "family/otto"], "2 changes here wait"),
  ])
  func aPullSaysWhatIsNotSent(_ names: [String], _ rest: String) async throws {
    let library = try SampleLibrary()
    try await library.push()
    for name in names {
      try library.folder.edit("heroes/\(name).json", "\n}", to: ",\n\"height\": \"tall\"}")
    }
    for options in [[], ["--dry-run"]] {
      let result = await CommandSetting(library.folder).run(["sync", "pull"] + options)
      #expect(result.code == .done)
      #expect(
        result.output
          == "Nothing new on the embedded server; \(rest) for `stories sync push`.\n")
    }
  }

  @Test func aDryRunNamesWhatAnEarlierSyncLeftHalfDone() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.write(
      #"{"entry":0,"ref":"heroes/luna","sidecar":""}"# + "\n", to: ".stories/journal")
    let plan = await library.run("sync", "push", "--dry-run")
    #expect(plan.errors.contains("Note: an unfinished change is left at heroes/luna\n"))
    #expect(plan.code == .done)
    let json = await library.run("sync", "push", "--dry-run", "--json").json
    #expect(json?["unsettled"] == ["heroes/luna"])
  }

  @Test func anEditTravelsAsItsFields() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    let plan = await library.run("sync", "push", "--dry-run")
    #expect(
      plan.output == """
        Would be sent to the embedded server:
          updated  heroes/luna  age

        Would send 1 hero. Dry run: nothing was changed.

        """)
    #expect(await library.run("status", "--exit-code").code == .pending)
    let result = await library.run("sync", "push")
    #expect(
      result.lines.prefix(2) == ["Sent to the embedded server:", "  updated  heroes/luna  age"])
    #expect(await library.run("status", "--exit-code").code == .done)
  }

  @Test func jsonIsTheStableSurface() async throws {
    let library = try SampleLibrary()
    let json = try #require(await library.run("sync", "push", "--json").json)
    #expect(json["schema"] == "stories.sync/1")
    #expect(json["dryRun"] == false)
    #expect(
      json["sent"] == [
        "created": [
          "heroes/family/otto", "heroes/luna", "events/lost-tooth", "stories/2026/first-snow",
        ], "updated": [], "deleted": [], "renamed": [],
      ])
    #expect(json["received"] == ["created": [], "updated": [], "deleted": []])
    for key in ["merged", "adopted", "conflicts", "overridden", "failed"] {
      #expect(json[key] == [])
    }
    #expect(json["requests"]?.integer ?? 0 > 0)
    #expect(json["bytes"]?["up"]?.integer ?? 0 > 0)
    #expect(json["bytes"]?["down"]?.integer ?? 0 > 0)
  }

  @Test func aRecordWithErrorsStopsNoOther() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("heroes/family/otto.json", "4", to: "40")
    let result = await library.run("sync", "push")
    #expect(result.code == .failed)
    #expect(
      result.errors
        == "Error: heroes/family/otto.json:3:10: “age” must be between 3 and 12, but this is 40\n"
    )
    #expect(result.lines.suffix(2).first?.hasSuffix("requests. 1 hero was not synced.") == true)
    let json = await library.run("sync", "push", "--json").json
    #expect(json?["failed"]?.array?.map { $0["ref"] } == ["heroes/family/otto"])
    #expect(json?["failed"]?.array?.first?["error"]?["line"]?.integer == 3)
  }

  @Test func manyDeletesStopTheRun() async throws {
    let library = try SampleLibrary()
    for number in 1...8 {
      try library.folder.write(SampleLibrary.otto, to: "heroes/h\(number).json")
      try library.folder.edit("heroes/h\(number).json", "Otto", to: "H\(number)")
    }
    try await library.push()
    for number in 1...7 { try library.folder.remove("heroes/h\(number).json") }
    let stopped = await library.run("sync", "push")
    #expect(stopped.code == .stopped)
    #expect(stopped.output.isEmpty)
    #expect(
      stopped.errors.contains("Error: stopped for safety, nothing was changed: 7 of 10 heroes"))
    #expect(stopped.errors.contains("--max-delete 7"))
    let json = await library.run("sync", "push", "--json")
    #expect(json.code == .stopped)
    #expect(json.json?["schema"] == "stories.sync/1")
    let allowed = await library.run("sync", "push", "--max-delete", "7")
    #expect(allowed.code == .done)
    #expect(allowed.output.contains("  deleted  heroes/h1\n"))
  }

  @Test func manyRecordsAreListedByKind() async throws {
    let library = try SampleLibrary()
    for number in 1...60 {
      try library.folder.write(SampleLibrary.otto, to: "heroes/family/hero-\(number).json")
      try library.folder.edit("heroes/family/hero-\(number).json", "Otto", to: "H\(number)")
    }
    let result = await library.run("sync", "push")
    #expect(result.lines.count < 12)
    #expect(result.line(1).hasPrefix("  created  62 heroes  family/hero-1, family/hero-10,"))
    #expect(result.line(3).contains(" more"))
    #expect(result.lines.contains("           1 event    lost-tooth"))
    #expect(result.lines.allSatisfy { $0.count <= 80 })
    let all = await library.run("sync", "--dry-run", "-v", "--full")
    #expect(all.errors.contains("Server: embedded (from library.json)"))
  }

  @Test func aCopiedLibraryJustWorks() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove(".stories")
    let result = await library.run("sync")
    #expect(result.code == .done)
    #expect(result.output.hasPrefix("Everything is in sync"))
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    #expect(await library.run("sync").output.contains("updated  heroes/luna  age"))
  }

  /// What git does in a checkout: records and sidecars go back together.
  @Test func aCheckoutIsNoChange() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let record = try library.folder.read("heroes/luna.json")
    let sidecar = try library.folder.read("heroes/.sync/luna.json")
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    try await library.push()
    try library.folder.write(record, to: "heroes/luna.json")
    try library.folder.write(sidecar, to: "heroes/.sync/luna.json")
    let result = await library.run("sync")
    #expect(result.code == .done)
    #expect(result.output.hasPrefix("Everything is in sync"))
    #expect(try library.folder.read("heroes/luna.json") == record)
  }

  /// A sidecar that the embedded server refuses must not make its record look deleted.
  @Test func aSidecarThatMakesNoSenseStopsTheRun() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let sidecar = try library.folder.read("heroes/.sync/luna.json")
    let date = try #require(sidecar.firstRange(of: "\"updatedAt\": \"2")?.upperBound)
    try library.folder.write(
      sidecar.replacingCharacters(in: sidecar.index(before: date)..<date, with: "x"),
      to: "heroes/.sync/luna.json")
    let result = await library.run("sync")
    #expect(result.code == .stopped)
    #expect(result.errors.contains("the embedded server cannot import"))
    #expect(library.folder.exists("heroes/luna.json"))
  }

  @Test func namesThatDifferInCaseAreTold() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.otto, to: "heroes/Luna.json")
    guard try library.folder.read("heroes/luna.json") == SampleLibrary.luna else { return }
    let run = await library.run("sync", "push")
    #expect(run.code == .done)
    #expect(run.errors.contains("warning: the name differs from heroes/"))
    #expect(await library.run("sync", "-q").errors.isEmpty)
    let json = await library.run("sync", "--json").json
    #expect(json?["warnings"]?.array?.first?["code"] == "name-collision")
  }

  @Test func whatAFileSaysOfItselfIsNotRemembered() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("heroes/family/otto.json", "4", to: "40")
    #expect(await library.run("sync", "push").code == .failed)
    try library.folder.edit("heroes/family/otto.json", "40", to: "5")
    let status = await library.run("status")
    #expect(!status.output.contains("must be between"))
  }

  @Test func runsAreKeptAsLongAsTheSettingSays() async throws {
    let library = try SampleLibrary()
    try await library.push()
    func edit(_ age: Int) async throws {
      try library.folder.edit("heroes/luna.json", "\"age\": \(age)", to: "\"age\": \(age + 1)")
    }
    for age in 7...8 {
      try await edit(age)
      #expect(await library.run("sync").code == .done)
    }
    let runs = { try FileSystem.list(library.folder.path(".stories/runs")).count }
    #expect(try runs() > 2)
    try await edit(9)
    #expect(await library.run("sync", "--set", "runSpace=0").code == .done)
    #expect(try runs() == 1)
    let wrong = await library.run("sync", "--set", "keepRuns=never")
    #expect(wrong.code == .wrongUsage)
    let doctor = await library.run("doctor", "--set", "keepRuns=7d")
    #expect(doctor.output.contains("keepRuns"))
    #expect(doctor.output.contains("7d  (--set)"))
  }

  @Test func hintsAreRightFromTheCurrentFolder() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.write("", to: "heroes/luna.json")
    var inside = CommandSetting(library.folder.path("stories"))
    let status = await inside.run("check")
    #expect(status.output.contains("`git checkout -- ../heroes/luna.json`"))
    inside = CommandSetting(library.folder)
    #expect(await inside.run("check").output.contains("`git checkout -- heroes/luna.json`"))
    try library.folder.write("{\"version\": 1}", to: "heroes/old tales/library.json")
    inside = CommandSetting(library.folder.path("stories"))
    let nested = await inside.run("status")
    #expect(nested.output.contains("open it with `stories -C '../heroes/old tales'`, or move"))
  }

  @Test func checkLooksAtTheSettingsToo() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("library.json", "\"api\"", to: "\"polices\": {},\n  \"api\"")
    let check = await library.run("check")
    #expect(check.code == .done)
    let warning = "library.json:4:3: warning: “polices” is not a setting"
    #expect(check.output.contains(warning))
    #expect(await library.run("status").output.contains(warning))
    #expect(await library.run("sync").errors.contains(warning))
  }

  @Test func anotherSyncIsNotWaitedFor() async throws {
    let library = try SampleLibrary()
    let opened = try Library(root: library.folder.path)
    let lock = try LibraryLock(opened)
    let result = await library.run("sync", "--no-wait")
    withExtendedLifetime(lock) {}
    #expect(result.code == .stopped)
    #expect(result.errors.contains("another command is changing this library: process "))
  }

  @Test func `a command that holds the embedded server is waited for`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let server = try StoryServer(
      options: ServerOptions(dataFolder: library.folder.path(".stories/backend")))
    let refused = await library.run("sync", "--no-wait")
    #expect(refused.code == .stopped)
    #expect(refused.errors.contains("another command is changing this library: "))
    var setting = CommandSetting(library.folder)
    setting.time.sleep = { _ in server.stop() }
    let waited = await setting.run("sync")
    #expect(waited.code == .done)
    #expect(waited.errors.contains("Waiting for another command that uses this library"))
  }

  @Test func aDamagedEmbeddedServerSaysWhatToDo() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let files = try FileSystem.list(library.folder.path(".stories/backend")).map(\.name)
    let log = try #require(files.first { $0.contains("log") })
    let path = ".stories/backend/\(log)"
    let text = try library.folder.read(path)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let damaged = [lines[0]] + [Substring(String(lines[1].reversed()))] + lines[2...]
    try library.folder.write(damaged.joined(separator: "\n"), to: path)
    let result = await library.run("sync")
    #expect(result.code == .stopped)
    #expect(result.errors.contains("Hint: remove .stories/backend"))
    try library.folder.remove(".stories/backend")
    #expect(await library.run("sync").output.hasPrefix("Everything is in sync"))
  }

  @Test func serverOfTheCommandLineGoesFirst() async throws {
    let library = try SampleLibrary()
    try await library.push()
    var setting = CommandSetting(library.folder)
    setting.environment = ["STORIES_SERVER": "http://127.0.0.1:1"]
    // Nobody is asked to sign in to a server that the library does not belong to.
    let other = await setting.run("sync")
    #expect(other.code == .stopped)
    #expect(other.errors.contains("belongs to the embedded server, but would be synced with"))
    #expect(await setting.run("--server", "embedded", "sync").code == .done)
    setting.environment = ["STORIES_SERVER": "nonsense"]
    #expect(await setting.run("sync").code == .wrongUsage)
  }
}
