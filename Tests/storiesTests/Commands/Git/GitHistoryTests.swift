import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// What git does to a library's working tree, and that neither `status` nor a sync takes it for
/// something that it is not.
@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct GitHistoryTests {
  private func expectQuiet(
    _ setting: CommandSetting, _ library: VersionedLibrary, _ what: Comment? = nil
  ) async throws {
    #expect(await setting.run("status", "--exit-code").code == .done, what)
    library.server.server.clearRequestLog()
    for command in [["sync", "pull"], ["sync", "push"], ["sync"]] {
      let result = await setting.run(command)
      #expect(result.code == .done, "\(result.output)\(result.errors)")
    }
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" }, what)
  }

  /// Makes a second version of everything: on the server, here, and in git.
  private func secondVersion(_ library: VersionedLibrary) async throws {
    let id = try #require(try library.server.record(.heroes, "Luna")?["id"]?.string)
    try library.server.patch("heroes", id, ["age": 9])
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("Second")
  }

  @Test func aPullOfGitIsNoEdit() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (other, tree) = try library.clone("b")
    try await secondVersion(library)
    try tree.git("pull", "-q")
    try await expectQuiet(other, library)
    #expect(try tree.git("status", "--porcelain") == "")
  }

  @Test func twoPullsOfOneStateAreTheSameBytes() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    for name in ["c", "d"] {
      let other = try library.server.library(in: folder, name)
      try #require(await other.run("sync", "pull").code == .done)
      try GitTree(path: folder.path(name)).git("init", "-q")
      try GitTree(path: folder.path(name)).git("add", "-A")
    }
    #expect(
      try GitTree(path: folder.path("c")).git("ls-files", "-s")
        == GitTree(path: folder.path("d")).git("ls-files", "-s"))
  }

  @Test(arguments: [
    ["checkout", "-q", "HEAD~1"], ["reset", "-q", "--hard", "HEAD~1"],
    ["bisect", "start", "HEAD", "HEAD~2"],
  ])
  func anOldCommitIsPulledForward(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.write("x", to: "a/notes.txt")
    try library.tree.commit("Notes")
    try await secondVersion(library)
    for word in [command] {
      let git = ChildProcess(
        ["git", "-C", library.tree.path] + word, environment: GitTree.environment)
      #expect(try git.run().status == 0)
    }
    #expect(try folder.read("a/heroes/luna.json").contains("7"))
    #expect(await library.setting.run("status", "--exit-code").code == .done)
    library.server.server.clearRequestLog()
    #expect(await library.setting.run("sync", "push").code == .done)
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" })
    #expect(await library.setting.run("sync", "pull").code == .done)
    #expect(try folder.read("a/heroes/luna.json").contains("9"))
  }

  @Test func stashAndRebase() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.edit("a/heroes/family/otto.json", "4", to: "5")
    try library.tree.git("stash", "-q")
    try await expectQuiet(library.setting, library, "stash")
    try library.tree.git("checkout", "-qb", "other")
    try folder.edit("a/stories/first-snow.json", "woke up", to: "sat up")
    try library.tree.commit("Other")
    try library.tree.git("checkout", "-q", "main")
    try await secondVersion(library)
    try library.tree.git("checkout", "-q", "other")
    try library.tree.git("rebase", "-q", "main")
    #expect(
      await library.setting.run("status", "--porcelain=v1").output
        == "M. stories/first-snow\tcontent\n")
    try library.tree.git("stash", "pop", "-q")
    #expect(
      await library.setting.run("status", "--porcelain=v1").output
        == "M. heroes/family/otto\tage\nM. stories/first-snow\tcontent\n")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 5)
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 9)
  }

  @Test func shallowClonesWorktreesAndSubmodules() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await secondVersion(library)
    let (shallow, _) = try library.clone("shallow", "--depth=1")
    try await expectQuiet(shallow, library, "shallow")
    try library.tree.git("worktree", "add", "-q", folder.path("tree"), "HEAD~1")
    let tree = library.moved(to: "tree")
    #expect(await tree.run("git", "setup", "--hooks").code == .done)
    #expect(await tree.run("check", "--staged").code == .done)
    #expect(await tree.run("status", "--exit-code").code == .done)
    #expect(await tree.run("sync").code == .done)
    #expect(try folder.read("tree/heroes/luna.json").contains("9"))
    try folder.write("x", to: "outer/x")
    let outer = GitTree(path: folder.path("outer"), settings: ["protocol.file.allow=always"])
    try outer.git("init", "-q")
    try outer.git("submodule", "--quiet", "add", "file://" + library.tree.path, "my/library")
    let inner = library.moved(to: "outer/my/library")
    #expect(await inner.run("git", "setup").output.contains(".gitattributes") == false)
    try await expectQuiet(inner, library, "submodule")
  }

  @Test func anOlderRecordIsAnEditWithAHint() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await secondVersion(library)
    try library.tree.git("checkout", "-q", "HEAD~1", "--", "heroes/luna.json")
    try library.tree.commit("The older one")
    let status = await library.setting.run("status")
    #expect(status.output.contains("M.  heroes/luna  age"))
    #expect(status.output.contains("take the newest: stories restore heroes/luna"))
    let json = await library.setting.run("status", "--json")
    #expect(json.json?["records"]?.array?.first?["older"] == true)
    let push = await library.setting.run("sync", "push", "--json")
    #expect(push.json?["older"] == ["heroes/luna"])
    // An edit that was never synced gets no hint.
    try folder.edit("a/heroes/family/otto.json", "4", to: "5")
    #expect(!(await library.setting.run("status").output.contains("older synced version")))
  }

  @Test(arguments: [true, false])
  func sparseCheckouts(hidesSidecars: Bool) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try library.tree.git("sparse-checkout", "init", "--no-cone")
    let rules = hidesSidecars ? ["/*", "!.sync/"] : ["/*", "!/heroes/*.json"]
    let git = ChildProcess(
      ["git", "-C", library.tree.path, "sparse-checkout", "set", "--no-cone"] + rules,
      environment: GitTree.environment)
    #expect(try git.run().status == 0)
    #expect(folder.exists("a/heroes/.sync/luna.json") != hidesSidecars)
    #expect(folder.exists("a/heroes/luna.json") == hidesSidecars)
    // What is not there would keep the ids of the old server.
    let move = await library.setting.run("remote", "set", "embedded")
    #expect(move.code == .stopped && move.errors.contains("git sparse-checkout disable"), "\(move)")
    try await expectQuiet(library.setting, library)
    #expect(try library.tree.git("status", "--porcelain") == "")
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    if hidesSidecars {
      try folder.edit("a/heroes/luna.json", "7", to: "8")
      let status = await library.setting.run("status")
      #expect(status.output.contains("Not checked out\n  ..  heroes/luna\n"))
      #expect(status.output.contains("keeps its sidecar out"))
      #expect(await library.setting.run("sync").code == .done)
      #expect(try library.server.record(.heroes, "Luna")?["age"] == 7)
    }
  }

  @Test(arguments: [["/*", "!/heroes/"], ["/*", "!.sync/"], ["/*", "!/heroes/*.json"]])
  func `a fresh sparse clone with the embedded server`(rules: [String]) async throws {
    let library = try SampleLibrary()
    try await library.push()
    let tree = GitTree(path: library.folder.path)
    try tree.git("init", "-q", "-b", "main")
    try tree.commit("Start")
    let folder = try TemporaryFolder()
    let clone = GitTree(path: folder.path("clone"))
    try GitTree(path: folder.path).git(
      "clone", "-q", "--no-checkout", "file://" + tree.path, clone.path)
    try clone.run(["sparse-checkout", "set", "--no-cone"] + rules)
    try clone.git("checkout", "-q", "main")
    let setting = CommandSetting(clone.path)
    for words in [["sync"], ["sync", "push"], ["sync", "pull"]] {
      let result = await setting.run(words)
      #expect(result.code == .done, "\(result.errors)")
      #expect(result.output.contains("in sync"), "\(result.output)")
    }
    #expect(await setting.run("doctor").code == .done)
    #expect(try clone.git("status", "--porcelain") == "")
    try clone.git("sparse-checkout", "disable")
    #expect(await setting.run("status", "--exit-code").code == .done)
    #expect(await setting.run("sync").output.contains("in sync"))
    #expect(try clone.git("status", "--porcelain") == "")
  }

  @Test func `a sparse partial clone stops with 4, and says how to complete it`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let tree = GitTree(path: library.folder.path)
    try tree.git("init", "-q", "-b", "main")
    try tree.commit("Start")
    try tree.git("config", "uploadpack.allowFilter", "true")
    let folder = try TemporaryFolder()
    let clone = GitTree(path: folder.path("clone"))
    try GitTree(path: folder.path).git(
      "clone", "-q", "--no-checkout", "--filter=blob:none", "file://" + tree.path, clone.path)
    try clone.git("sparse-checkout", "set", "--no-cone", "/*", "!/heroes/")
    try clone.git("checkout", "-q", "main")
    let status = await CommandSetting(clone.path).run("status")
    #expect(status.code == .stopped)
    #expect(status.errors.contains("git does not have the texts of 2 sidecars"))
    #expect(status.errors.contains("Hint: fetch them: git fetch --refetch --no-filter"))
  }

  @Test func `without git in PATH a sparse checkout stops with 4`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let tree = GitTree(path: library.folder.path)
    try tree.git("init", "-q", "-b", "main")
    try tree.commit("Start")
    try tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/heroes/")
    var program = try BuiltProgram(in: library.folder)
    program.environment["PATH"] = "/nonexistent"
    for words in [["status"], ["check"], ["sync"], ["sync", "push"], ["sync", "--dry-run"]] {
      let start = program
      let result = try start.run(words)
      #expect(result.code == 4, "\(words)")
      #expect(result.errors.contains(".git may be that of a sparse checkout"), "\(result.errors)")
      #expect(result.errors.contains("Hint: install git, or add its folder to PATH"))
    }
    let start = program
    #expect(try start.run("doctor").code == 1)
  }

  @Test func coneModeLeavesOutWholeFolders() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try library.tree.git("sparse-checkout", "set", "--cone", "stories", "events")
    #expect(!folder.exists("a/heroes/family"))
    try await expectQuiet(library.setting, library)
    #expect(!folder.exists("a/heroes/luna.json"))
    // What the server has newer waits until it is wanted here.
    let id = try #require(try library.server.record(.heroes, "Luna")?["id"]?.string)
    try library.server.patch("heroes", id, ["age": 9])
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.tree.git("status", "--porcelain") == "")
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
  }

  @Test(arguments: [["heroes", "stories", "events"], ["heroes/.sync", "stories", "events"]])
  func coneModeWithinAKind(folders: [String]) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let git = ChildProcess(
      ["git", "-C", library.tree.path, "sparse-checkout", "set", "--cone"] + folders,
      environment: GitTree.environment)
    #expect(try git.run().status == 0)
    // A cone takes in the files of the folders above it, so a record and its sidecar come together;
    // what is deeper stays out, as the records of `family` do in the second one.
    #expect(folder.exists("a/heroes/luna.json") && folder.exists("a/heroes/.sync/luna.json"))
    #expect(folder.exists("a/heroes/family/otto.json") == folders.contains("heroes"))
    try await expectQuiet(library.setting, library)
    #expect(try library.tree.git("status", "--porcelain") == "")
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 8)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
  }

  @Test func aConeThatHidesSidecarsNeitherCreatesNorDeletes() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    // The parent folders of a cone bring their files, the folders beside it stay out: `.sync` here.
    try library.tree.git("sparse-checkout", "set", "--cone", "heroes/family/.sync")
    #expect(folder.exists("a/heroes/luna.json") && !folder.exists("a/heroes/.sync"))
    #expect(folder.exists("a/heroes/family/otto.json"))
    #expect(!folder.exists("a/stories"))
    try await expectQuiet(library.setting, library)
    try folder.edit("a/heroes/family/otto.json", "4", to: "5")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 5)
    try library.tree.git("sparse-checkout", "disable")
    #expect(await library.setting.run("status", "--exit-code").code == .done)
  }

  @Test func lineEndsAndNamesAreNoEdits() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder, hasDrivers: false)
    // “Zoë” as a Mac may have written it: a letter and a mark.
    try folder.write(
      SampleLibrary.otto.replacing("Otto", with: "Zoe\u{308}"), to: "a/heroes/zoe\u{308}.json")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("Zoe")
    let (other, tree) = try library.clone(
      "crlf", "-c", "core.autocrlf=true", "-c", "core.ignoreCase=true", "-c",
      "core.precomposeunicode=true")
    #expect(try folder.read("crlf/heroes/luna.json").utf8.contains(0x0D))
    #expect(try folder.read("crlf/heroes/.sync/luna.json").utf8.contains(0x0D))
    try await expectQuiet(other, library)
    #expect(try tree.git("status", "--porcelain") == "")
    try folder.edit("crlf/heroes/luna.json", "7", to: "8")
    #expect(await other.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 8)
  }

  /// Another clone has the same name in the other Unicode form, as git on a Mac checks it out, and with
  /// another case, as a file system without cases may show it.
  @Test(arguments: ["zoe\u{308}", "zo\u{EB}"])
  func aNameInAnotherUnicodeFormIsTheSameRecord(name: String) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.write(SampleLibrary.otto.replacing("Otto", with: "Zoe"), to: "a/heroes/\(name).json")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.git("config", "core.precomposeunicode", "true")
    try library.tree.git("config", "core.ignoreCase", "true")
    let other = name.utf8.count == 5 ? "zo\u{EB}" : "zoe\u{308}"
    let found = other.utf8.elementsEqual(name.utf8) ? "zoe\u{308}" : other
    try folder.move("a/heroes/\(name).json", to: "a/heroes/\(found).json")
    _ = await library.setting.run("status")
    let sync = await library.setting.run("sync", "--json")
    #expect(sync.code == .done, "\(sync.errors)")
    #expect(sync.json?["sent"]?["created"] == [] && sync.json?["sent"]?["deleted"] == [])
    #expect(try library.server.names(.heroes) == ["Luna", "Otto", "Zoe"])
    #expect(await library.setting.run("status", "--exit-code").code == .done)
  }

  @Test func aNameOfAnotherCaseIsARename() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try library.tree.git("config", "core.ignoreCase", "true")
    try library.tree.git("mv", "-f", "heroes/luna.json", "heroes/Luna.json")
    let sync = await library.setting.run("sync", "--json")
    #expect(sync.code == .done, "\(sync.errors)")
    #expect(sync.json?["sent"]?["created"] == [] && sync.json?["sent"]?["deleted"] == [])
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    #expect(folder.exists("a/heroes/.sync/Luna.json"))
    #expect(await library.setting.run("status", "--exit-code").code == .done)
  }

  @Test func aStashOfASyncedStateSendsNoPast() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    // Record and sidecar of the newer state go into the stash together, and come back together.
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.git("stash", "-q")
    #expect(await library.setting.run("status", "--exit-code").code == .done)
    library.server.server.clearRequestLog()
    #expect(await library.setting.run("sync", "push").code == .done)
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" })
    #expect(await library.setting.run("sync", "pull").code == .done)
    #expect(try folder.read("a/heroes/luna.json").contains("8"))
    try library.tree.git("reset", "-q", "--hard")
    try library.tree.git("stash", "pop", "-q")
    try await expectQuiet(library.setting, library)
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 8)
  }

  @Test func aBisectOverManyStepsIsQuietAtEach() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let id = try #require(try library.server.record(.heroes, "Luna")?["id"]?.string)
    for age in [8, 9, 10] {
      try library.server.patch("heroes", id, ["age": .number(JSONNumber(age))])
      try #require(await library.setting.run("sync", "pull").code == .done)
      try library.tree.commit("Age \(age)")
    }
    try library.tree.git("bisect", "start", "HEAD", "HEAD~3")
    for word in ["bad", "bad"] {
      #expect(await library.setting.run("status", "--exit-code").code == .done)
      library.server.server.clearRequestLog()
      #expect(await library.setting.run("sync", "push").code == .done)
      #expect(library.server.takeMethods().allSatisfy { $0 == "GET" })
      #expect(try library.tree.git("status", "--porcelain") == "")
      try library.tree.git("bisect", word)
    }
    try library.tree.git("bisect", "reset")
    try await expectQuiet(library.setting, library)
  }

  @Test func aShallowCloneKnowsItsEditsAndGetsWhatIsNewer() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await secondVersion(library)
    let (shallow, tree) = try library.clone("shallow", "--depth=1")
    let id = try #require(try library.server.record(.heroes, "Luna")?["id"]?.string)
    try library.server.patch("heroes", id, ["age": 10])
    // An older version is not in its history; the record is an edit like any other, and no error.
    try folder.edit("shallow/heroes/family/otto.json", "4", to: "5")
    #expect(
      await shallow.run("status", "--porcelain=v1").output == "M. heroes/family/otto\tage\n")
    #expect(await shallow.run("sync").code == .done)
    #expect(try folder.read("shallow/heroes/luna.json").contains("10"))
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 5)
    #expect(
      try tree.git("status", "--porcelain").split(separator: "\n").count == 4)
  }

  @Test func timesProveNothing() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (other, _) = try library.clone("b")
    let touch = ChildProcess(
      ["find", folder.path("b"), "-name", "*.json", "-exec", "touch", "{}", "+"],
      environment: GitTree.environment)
    #expect(try touch.run().status == 0)
    library.server.server.clearRequestLog()
    #expect(await other.run("status", "--exit-code").code == .done)
    #expect(library.server.takeMethods().isEmpty)
    // The same length, and the same time to the last digit.
    let path = folder.path("b/heroes/luna.json")
    let keep = ChildProcess(
      [
        "sh", "-c",
        "cp -p \"$0\" \"$0.t\" && sed -i s/7/8/ \"$0\" && touch -r \"$0.t\" \"$0\""
          + " && rm \"$0.t\"", path,
      ], environment: GitTree.environment)
    #expect(try keep.run().status == 0)
    #expect(await other.run("status", "--porcelain=v1").output == "M. heroes/luna\tage\n")
  }

  @Test func aCommitInALargeLibraryHoldsTwoFilesAsWell() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    for number in 1...400 {
      try folder.write(
        SampleLibrary.otto.replacing("Otto", with: "Otto \(number)"),
        to: "a/heroes/otto-\(number).json")
    }
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("Many")
    try folder.edit("a/heroes/otto-200.json", "4", to: "5")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("One here")
    let id = try #require(try library.server.record(.heroes, "Otto 300")?["id"]?.string)
    try library.server.patch("heroes", id, ["age": 9])
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("One there")
    for (commit, number) in [("HEAD~1", 200), ("HEAD", 300)] {
      #expect(
        try library.tree.git("show", "--name-only", "--format=", commit)
          == "heroes/.sync/otto-\(number).json\nheroes/otto-\(number).json\n")
    }
  }

  @Test func aCommitAfterOneChangeHoldsTwoFiles() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await secondVersion(library)
    #expect(
      try library.tree.git("show", "--name-only", "--format=")
        == "heroes/.sync/luna.json\nheroes/luna.json\n")
  }
}
