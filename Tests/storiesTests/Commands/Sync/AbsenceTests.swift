import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is not here was not removed by that alone, with the embedded server as with any other.
@Suite(.inTurn) struct AbsenceTests {
  private func states(_ setting: CommandSetting) async -> [String: String] {
    let records = await setting.run("status", "--json").json?["records"]?.array ?? []
    return Dictionary(
      uniqueKeysWithValues: records.map { ($0["ref"]?.string ?? "", $0["state"]?.string ?? "") })
  }

  // MARK: A folder with its sidecars

  @Test func aFolderThatGoesWithItsSidecarsComesBack() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let setting = CommandSetting(library.folder)
    try library.folder.remove("stories")
    let status = await setting.run("status", "--exit-code")
    #expect(status.code == .pending)
    #expect(status.output.contains("!.  stories/2026/first-snow"))
    #expect(status.lines.dropLast().last == "1 missing and 3 in sync.")
    #expect(await states(setting) == ["stories/2026/first-snow": "missing"])
    let porcelain = await setting.run("status", "--porcelain=v1")
    #expect(porcelain.output == "!. stories/2026/first-snow\n")
    #expect(await setting.run("doctor").output.contains("stories/2026/first-snow.json"))
    for _ in 0..<2 {
      let push = await setting.run("sync", "push")
      #expect(push.code == .done)
      #expect(push.errors.contains("1 story missing locally but still on the server"))
      #expect(push.errors.contains("stories/2026/first-snow"))
    }
    #expect(
      await setting.run("sync", "push", "--json").json?["left"] == ["stories/2026/first-snow"])
    #expect(await setting.run("sync", "pull").code == .done)
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("woke up"))
    #expect(await states(setting) == [:])
  }

  @Test func everythingMayGoThatWay() async throws {
    let library = try SampleLibrary()
    try await library.push()
    for folder in ["heroes", "events", "stories"] { try library.folder.remove(folder) }
    #expect(await library.run("sync").code == .done)
    for path in [
      "heroes/luna", "heroes/family/otto", "events/lost-tooth", "stories/2026/first-snow",
    ] {
      #expect(library.folder.exists("\(path).json"), "\(path)")
    }
  }

  @Test func aDeleteThatWasSyncedIsLetGo() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove("stories/2026/first-snow.json")
    #expect(await library.run("status", "--porcelain=v1").output == "D. stories/2026/first-snow\n")
    #expect(await library.run("sync", "push").code == .done)
    #expect(!library.folder.exists("stories/2026/.sync/first-snow.json"))
    let again = await library.run("sync", "--json")
    #expect(again.json?["received"]?["created"] == [])
    #expect(again.json?["left"] == nil)
    #expect(await library.run("status", "--exit-code").code == .done)
  }

  @Test(.enabled(if: GitTree.isThere, "needs git"))
  func whatGitTakesAwayIsLetGo() async throws {
    let library = try SampleLibrary()
    let tree = GitTree(path: library.folder.path)
    try tree.git("init", "-q", "-b", "main")
    try library.folder.remove("stories")
    try await library.push()
    try tree.commit("Without a story")
    try library.folder.write(SampleLibrary.snow, to: "stories/2026/first-snow.json")
    try await library.push()
    try tree.commit("With a story")
    try tree.git("checkout", "-q", "HEAD~1")
    #expect(await library.run("status", "--exit-code").code == .done)
    let push = await library.run("sync", "push", "--json")
    #expect(push.json?["left"] == nil)
    #expect(await library.run("sync").code == .done)
    #expect(!library.folder.exists("stories/2026/first-snow.json"))
    try tree.git("checkout", "-q", "main")
    #expect(await library.run("status", "--exit-code").code == .done)
    #expect(await library.run("sync").code == .done)
    #expect(library.folder.exists("stories/2026/first-snow.json"))
    // Removed by hand it is not git that took it, staged or not.
    try library.folder.remove("stories")
    try tree.git("add", "-A")
    #expect(await states(CommandSetting(library.folder)).values.contains("missing"))
    #expect(await library.run("sync").code == .done)
    #expect(library.folder.exists("stories/2026/first-snow.json"))
  }

  @Test(.enabled(if: GitTree.isThere, "needs git"))
  func whatWasRemovedByHandWasNotTakenByGitBecauseGitHadItsName() async throws {
    let library = try SampleLibrary()
    let otto = "heroes/family/otto"
    let tree = GitTree(path: library.folder.path)
    try tree.git("init", "-q", "-b", "main")
    try await library.push()
    try tree.commit("Start")
    #expect(await library.run("rm", otto).code == .done)
    try await library.push()
    try tree.commit("Without Otto")
    // Another record, which no commit has.
    try library.folder.write(SampleLibrary.otto, to: "\(otto).json")
    try await library.push()
    try library.folder.remove("heroes/family")
    #expect(await states(CommandSetting(library.folder)) == [otto: "missing"])
    #expect(await library.run("sync").code == .done)
    #expect(library.folder.exists("\(otto).json"))
  }

  // MARK: A sidecar alone

  @Test(.enabled(if: GitTree.isThere, "needs git"))
  func aSidecarThatWasCommittedAloneDeletesNothing() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.write(
      SampleLibrary.otto.replacing("Otto", with: "Mia"), to: "a/heroes/mia.json")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.git("add", "heroes/.sync/mia.json")
    try library.tree.git("commit", "-qm", "Half of it")
    let (other, _) = try library.clone("b")
    #expect(await states(other) == ["heroes/mia": "missing"])
    let why = await other.run("why", "heroes/mia")
    #expect(why.output.contains("nothing shows that anyone deleted it"))
    let check = await other.run("check")
    #expect(check.code == .done)
    #expect(check.output.contains("heroes/.sync/mia.json"))
    let push = await other.run("sync", "push", "--json")
    #expect(push.code == .done)
    #expect(push.json?["sent"]?["deleted"] == [])
    #expect(push.json?["left"] == ["heroes/mia"])
    #expect(try library.server.record(.heroes, "Mia") != nil)
    #expect(await other.run("sync").code == .done)
    #expect(try folder.read("b/heroes/mia.json").contains("Mia"))
    #expect(await states(other) == [:])
    // Now that it was here, removing it is a delete.
    try folder.remove("b/heroes/mia.json")
    #expect(await states(other) == ["heroes/mia": "pendingDelete"])
    #expect(await other.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Mia") == nil)
  }

  @Test(.enabled(if: GitTree.isThere, "needs git"))
  func aRecordThatGitHasWasRemovedByAPerson() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (other, _) = try library.clone("b")
    try folder.remove("b/heroes/family/otto.json")
    #expect(await states(other) == ["heroes/family/otto": "pendingDelete"])
    #expect(await other.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Otto") == nil)
  }

  /// A new record is staged or committed, and then synced, so that git does not know its sidecar.
  @Test(
    .enabled(if: GitTree.isThere, "needs git"),
    arguments: [
      ["checkout", "-q", "main"], ["reset", "-q", "--hard", "HEAD~1"], ["stash", "push", "-q"],
    ])
  func aRecordThatGitTookWithoutItsSidecarIsNoDelete(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (setting, tree) = (library.setting, library.tree)
    try tree.git("checkout", "-qb", "other")
    let path = "a/heroes/mia.json"
    let text = SampleLibrary.otto.replacing("Otto", with: "Mia")
    try folder.write(text, to: path)
    try #require(await setting.run("sync").code == .done)
    try folder.remove(path)
    #expect(await states(setting) == ["heroes/mia": "pendingDelete"], "no commit has it")
    try #require(await setting.run("sync").code == .done)
    try folder.write(text, to: path)
    try tree.git("add", "heroes/mia.json")
    if command[0] != "stash" { try tree.git("commit", "-qm", "Mia") }
    try #require(await setting.run("sync").code == .done)
    #expect(try tree.run(command).status == 0)
    #expect(!folder.exists(path) && folder.exists("a/heroes/.sync/mia.json"))
    #expect(await states(setting) == ["heroes/mia": "missing"])
    if command[0] == "stash" { try tree.git("stash", "drop", "-q") }
    #expect(await setting.run("sync", "push", "--json").json?["left"] == ["heroes/mia"])
    #expect(try library.server.record(.heroes, "Mia") != nil)
    #expect(await setting.run("sync").code == .done)
    #expect(folder.exists(path))
  }

  @Test func withoutStoriesNothingIsDeleted() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove(".stories")
    try library.folder.remove("stories/2026/first-snow.json")
    #expect(
      await states(CommandSetting(library.folder)) == ["stories/2026/first-snow": "missing"])
    #expect(await library.run("sync").code == .done)
    #expect(library.folder.exists("stories/2026/first-snow.json"))
    try library.folder.remove("stories/2026/first-snow.json")
    #expect(await library.run("rm", "stories/2026/first-snow").code == .done)
    #expect(await library.run("sync").code == .done)
    #expect(await library.run("status", "--exit-code").code == .done)
  }

  // MARK: What cannot be seen

  @Test func aNameThatIsNotUTF8DeletesNothingAndIsAFailure() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let old = library.folder.path("stories/2026/first-snow.json")
    let new =
      library.folder.path("stories/2026/").utf8CString.dropLast() + [-23] + ".json".utf8CString
    try #require(rename(old, Array(new)) == 0, "this file system takes only UTF-8")
    for command in [["sync", "push"], ["sync", "pull"], ["sync"]] {
      let result = await CommandSetting(library.folder).run(command)
      #expect(result.code == .failed)
      #expect(result.errors.contains("not UTF-8"))
      #expect(!result.output.contains("deleted"))
      #expect(!library.folder.exists("stories/2026/first-snow.json"))
    }
    #expect(rename(Array(new), old) == 0)
    #expect(await library.run("sync").code == .done)
    #expect(await library.run("status", "--exit-code").code == .done)
  }

  @Test func aNameThatIsTooLongIsNeverSent() async throws {
    let library = try SampleLibrary()
    let name = String(repeating: "n", count: 201)
    try library.folder.write(SampleLibrary.otto, to: "heroes/\(name).json")
    #expect(await library.run("check").code == .failed)
    #expect(await library.run("status").output.contains("the name is too long: 201 bytes"))
    let push = await library.run("sync", "push", "--json")
    #expect(push.code == .failed)
    #expect(push.json?["sent"]?["created"]?.array?.count == 4)
    #expect(await library.run("sync", "push", "--json").json?["sent"]?["created"] == [])
    #expect(await library.run("mv", "heroes/luna", name).code == .wrongUsage)
    try library.folder.remove("heroes/\(name).json")
    #expect(await library.run("sync").code == .done)
  }

  @Test func aLibraryInsideIsLeftOut() async throws {
    let library = try SampleLibrary()
    let inner = CommandSetting(library.folder.path("stories"))
    #expect(await inner.run("init", "old").code == .done)
    try library.folder.write(SampleLibrary.otto, to: "stories/old/heroes/otto.json")
    let check = await library.run("check")
    #expect(check.output.contains("stories/old"))
    #expect(check.output.contains("a library of its own"))
    try library.folder.move("stories/old", to: "stories/old tales")
    #expect(await library.run("check").output.contains("`stories -C 'stories/old tales'`"))
    let problems = await library.run("check", "--json").json?["problems"]?.array
    let problem = problems?.first { $0["code"] == "other-library" }
    #expect(problem?["hint"]?.string?.contains("`stories -C 'stories/old tales'`") == true)
    for words in [
      ["new", "story", "X", "--hero", "luna", "--in", "old tales/new"],
      ["mv", "first-snow", "old tales/"],
    ] {
      let run = await CommandSetting(library.folder).run(words)
      #expect(run.code == .wrongUsage)
      #expect(run.errors.contains("stories/old tales is a library of its own"), "\(run.errors)")
    }
    let push = await library.run("sync", "push", "--json")
    #expect(push.json?["sent"]?["created"]?.array?.count == 4)
  }

  @Test func aStoryAmongTheHeroesStaysInTheTree() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.move("stories/2026/first-snow.json", to: "heroes/first-snow.json")
    try library.folder.move(
      "stories/2026/.sync/first-snow.json", to: "heroes/.sync/first-snow.json")
    try library.folder.edit("heroes/first-snow.json", "woke up", to: "sat up")
    let states = await states(CommandSetting(library.folder))
    #expect(states["heroes/first-snow"] == "unreadable")
    for _ in 0..<2 { _ = await library.run("sync") }
    #expect(try library.folder.read("heroes/first-snow.json").contains("sat up"))
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("woke up"))
  }

  @Test(arguments: [true, false])
  func aSidecarThatCannotBeReadForAMomentMakesNoSecondRecord(wasSeen: Bool) async throws {
    let library = try SampleLibrary()
    let server = try TestServer()
    let setting = try server.library(in: library.folder, "a")
    try library.folder.write(SampleLibrary.luna, to: "a/heroes/luna.json")
    try #require(await setting.run("sync").code == .done)
    try library.folder.move("a/heroes/.sync/luna.json", to: "a/heroes/.sync/kept")
    #expect(
      symlink("kept", library.folder.path("a/heroes/.sync/luna.json")) == 0)
    if !wasSeen { try library.folder.remove("a/.stories") }
    for _ in 0..<2 { #expect(await setting.run("sync").code == .failed) }
    let names = try FileSystem.list(library.folder.path("a/heroes")).map(\.name)
    #expect(names.filter { $0.hasSuffix(".json") } == ["luna.json"])
    #expect(try server.names(.heroes) == ["Luna"])
    try library.folder.remove("a/heroes/.sync/luna.json")
    try library.folder.move("a/heroes/.sync/kept", to: "a/heroes/.sync/luna.json")
    #expect(await setting.run("sync").code == .done)
    #expect(await states(setting) == [:])
  }

  // MARK: References

  @Test(arguments: ["heroes/luna", "events/lost-tooth"])
  func aRemovedRecordThatStoriesNameIsForeseen(ref: String) async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.remove(ref + ".json")
    let words = "\(ref) was deleted locally, but stories/2026/first-snow still refers to it"
    #expect(await library.run("status").output.contains(words))
    let check = await library.run("check")
    #expect(check.code == .failed)
    #expect(check.output.contains(words))
    #expect(check.output.contains("in this library"))
    #expect(await library.run("sync", "--dry-run").code == .stopped)
    #expect(await library.run("sync").code == .stopped)
  }

  @Test func aMovedHeroIsNamedByCheckAndFollowed() async throws {
    let library = try SampleLibrary()
    try await library.push()
    for path in ["luna.json", ".sync/luna.json"] {
      try library.folder.move(
        "heroes/\(path)", to: "heroes/kin/\(path)")
    }
    let check = await library.run("check")
    #expect(check.code == .done)
    #expect(check.output.contains("the hero “luna” is now called “kin/luna”"))
    #expect(await library.run("sync").code == .done)
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("\"kin/luna\""))
    #expect(await library.run("check").output.contains("no problems"))
  }
}
