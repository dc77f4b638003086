import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct GitSetupTests {
  private let folder: TemporaryFolder
  private let tree: GitTree

  init() throws {
    folder = try TemporaryFolder()
    tree = GitTree(path: folder.path("repo"))
    try folder.write("", to: "repo/x")
    try tree.git("init", "-q", "-b", "main")
  }

  private func library(at place: String = "repo") async throws -> CommandSetting {
    try #require(await CommandSetting(folder).run("init", place).code == .done)
    return CommandSetting(folder.path(place))
  }

  /// Every file of the repository that could be touched, with its mode.
  private func picture() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in [".gitattributes", ".git/config"] { files[name] = try text("repo/" + name) }
    for entry in try FileSystem.list(folder.path("repo/.git/hooks")) {
      let path = "repo/.git/hooks/" + entry.name
      let mode = try FileSystem.status(folder.path(path))?.mode ?? 0
      files[path] = try String(mode, radix: 8) + " " + (text(path) ?? "")
    }
    return files
  }

  private func text(_ path: String) throws -> String? {
    folder.exists(path) ? try folder.read(path) : nil
  }

  private func hook(_ text: String, named name: String = "pre-commit") throws {
    try folder.write(text, to: "repo/.git/hooks/\(name)")
    #expect(
      try ChildProcess(
        ["chmod", "755", folder.path("repo/.git/hooks/\(name)")], environment: GitTree.environment
      ).run().status == 0)
  }

  @Test(arguments: ["", "*.png binary\n", "*.png binary", "# by hand\r\n*.txt text\r\n"])
  func removingLeavesEveryByteAsItWas(attributes: String) async throws {
    let setting = try await library()
    if !attributes.isEmpty { try folder.write(attributes, to: "repo/.gitattributes") }
    try tree.git("config", "merge.other.driver", "true %A")
    try hook("#!/bin/sh\necho mine\nexit 0\n")
    try hook("#!/bin/sh", named: "post-merge")
    let before = try picture()
    #expect(await setting.run("git", "setup", "--hooks", "--dry-run").code == .done)
    #expect(try picture() == before)
    let result = await setting.run("git", "setup", "--hooks")
    #expect(result.code == .done, "\(result.errors)")
    let after = try picture()
    #expect(after != before)
    #expect(
      await setting.run("git", "setup", "--hooks").output
        == "All of it is set up already.\n")
    #expect(await setting.run("git", "setup").code == .done)
    #expect(try picture() == after)
    #expect(await setting.run("git", "setup", "--remove").code == .done)
    #expect(try picture() == before)
    #expect(
      await setting.run("git", "setup", "--remove").output == "Nothing of it is set up.\n")
  }

  @Test func attributesTellRecordsFromSidecars() async throws {
    let setting = try await library()
    _ = await setting.run("git", "setup")
    let lines = try tree.git(
      "check-attr", "merge", "diff", "eol", "--", "heroes/a.json", "stories/2026/b.json",
      "heroes/.sync/a.json", "stories/2026/.sync/b.json", "library.json")
    for path in ["heroes/a.json", "stories/2026/b.json"] {
      #expect(lines.contains("\(path): merge: stories-json\n"))
      #expect(lines.contains("\(path): diff: stories-json\n"))
      // A record keeps its own line ends.
      #expect(lines.contains("\(path): eol: unspecified\n"))
    }
    for path in ["heroes/.sync/a.json", "stories/2026/.sync/b.json"] {
      #expect(lines.contains("\(path): eol: lf\n"))
      #expect(lines.contains("\(path): merge: stories-sidecar\n"))
      #expect(lines.contains("\(path): diff: unset\n"))
    }
    #expect(lines.contains("library.json: merge: unspecified\n"))
  }

  @Test func `a record keeps its CRLF through git`() async throws {
    let setting = try await library()
    try #require(await setting.run("git", "setup").code == .done)
    let text = SampleLibrary.luna.replacing("\n", with: "\r\n")
    try folder.write(text, to: "repo/heroes/luna.json")
    try tree.commit("CRLF")
    try folder.remove("repo/heroes/luna.json")
    try tree.git("checkout", "--", ".")
    #expect(try folder.read("repo/heroes/luna.json") == text)
  }

  @Test(arguments: [[], ["--hooks"]])
  func `a folder whose name is a line for the shell is refused`(options: [String]) async throws {
    let setting = try await library(at: "repo/a\ntouch ran\n#")
    let result = await setting.run(["git", "setup"] + options)
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("a\\ntouch ran\\n# contains a control character"))
    #expect(
      try FileSystem.list(folder.path("repo/.git/hooks")).allSatisfy {
        $0.name.hasSuffix(".sample")
      })
    #expect(try !folder.read("repo/.git/config").contains("stories"))
  }

  @Test func `a folder named .gitattributes is an error`() async throws {
    let setting = try await library()
    try FileSystem.makeFolder(folder.path("repo/.gitattributes"))
    for command in [["git", "setup"], ["git", "setup", "--dry-run"]] {
      let result = await setting.run(command)
      #expect(result.code == .failed)
      #expect(result.errors.contains(".gitattributes is not a file"), "\(result.errors)")
      #expect(result.errors.contains("Hint: rename or remove it"))
    }
    #expect(try !folder.read("repo/.git/config").contains("stories"))
  }

  @Test func hooksCheckWhatIsStagedAndTellWhatIsPending() async throws {
    let setting = try await library(at: "repo/my lib")
    try #require(await setting.run("git", "setup", "--hooks").code == .done)
    try hook(
      folder.read("repo/.git/hooks/pre-commit") + "echo mine > \"$PWD/ran\"\n")
    try folder.write(SampleLibrary.luna, to: "repo/my lib/heroes/luna.json")
    try tree.commit("Good")
    #expect(folder.exists("repo/ran"))
    try folder.edit("repo/my lib/heroes/luna.json", "7", to: "99")
    try tree.git("add", "-A")
    // What is staged counts, not the file.
    try folder.edit("repo/my lib/heroes/luna.json", "99", to: "8")
    #expect(try tree.status("commit", "-qm", "Bad") != 0)
    // `commit -a` hands the hook an index of its own.
    try tree.git("commit", "-qam", "Good again")
    try tree.git("checkout", "-q", "HEAD~1")
    // A commit from before the library, and a program that is gone, are no errors.
    try folder.move("repo/my lib/library.json", to: "repo/my lib/was.json")
    try folder.write("{", to: "repo/my lib/heroes/luna.json")
    try tree.commit("No library")
  }

  @Test func aMissingProgramBreaksNothing() async throws {
    let setting = try await library()
    try #require(await setting.run("git", "setup", "--hooks").code == .done)
    for path in ["pre-commit", "post-merge", "post-checkout"].map({ "repo/.git/hooks/" + $0 }) {
      let text = try folder.read(path)
      try folder.write(text.replacing(BuiltProgram.path, with: "/gone/stories"), to: path)
    }
    let config = try folder.read("repo/.git/config")
    let gone = Path.parent(BuiltProgram.path)
    try folder.write(config.replacing(gone, with: "/gone"), to: "repo/.git/config")
    try folder.write(SampleLibrary.luna, to: "repo/heroes/luna.json")
    try tree.commit("One")
    try tree.git("checkout", "-qb", "other")
    try folder.edit("repo/heroes/luna.json", "Luna", to: "Lena")
    try tree.commit("Other")
    #expect(try tree.git("show").contains("Lena"))
    try tree.git("checkout", "-q", "main")
    try folder.edit("repo/heroes/luna.json", "talks to stars", to: "talks to cats")
    try tree.commit("Main")
    try tree.git("merge", "-q", "other")
    let text = try folder.read("repo/heroes/luna.json")
    #expect(text.contains("Lena") && text.contains("cats"))
  }

  @Test func hooksThatCannotBeChangedAreLeftAndNamed() async throws {
    let setting = try await library()
    try hook("#!/usr/bin/env python3\nprint(1)\n")
    try folder.write("#!/bin/sh\n", to: "repo/.git/hooks/post-merge")
    let result = await setting.run("git", "setup", "--hooks", "--json")
    #expect(result.code == .failed)
    let skipped = result.json?["skipped"]?.array ?? []
    #expect(skipped.map { $0["hook"]?.string } == ["pre-commit", "post-merge"])
    #expect(result.json?["schema"] == "stories.git-setup/1")
    #expect(try folder.read("repo/.git/hooks/pre-commit") == "#!/usr/bin/env python3\nprint(1)\n")
    #expect(folder.exists("repo/.git/hooks/post-checkout"))
  }

  @Test func hooksPathIsFollowed() async throws {
    let setting = try await library()
    try tree.git("config", "core.hooksPath", "my-hooks")
    #expect(await setting.run("git", "setup", "--hooks").code == .done)
    #expect(folder.exists("repo/my-hooks/pre-commit"))
    #expect(!folder.exists("repo/.git/hooks/pre-commit"))
    _ = await setting.run("git", "setup", "--remove")
    #expect(!folder.exists("repo/my-hooks/pre-commit"))
    try tree.git("config", "core.hooksPath", folder.path("shared"))
    let result = await setting.run("git", "setup", "--hooks")
    #expect(result.code == .failed)
    #expect(result.errors.contains("other repositories use as well"))
    #expect(!folder.exists("shared/pre-commit"))
  }

  @Test func outsideOfARepository() async throws {
    try #require(await CommandSetting(folder).run("init", "alone").code == .done)
    let result = await CommandSetting(folder.path("alone")).run("git", "setup")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("is not in a git repository"))
  }

  @Test func initInsideARepositoryOffersIt() async throws {
    let inside = await CommandSetting(folder).run("init", "repo/lib")
    #expect(inside.output.contains("stories -C repo/lib git setup"))
    let outside = await CommandSetting(folder).run("init", "lib")
    #expect(!outside.output.contains("git setup"))
  }

  @Test func stagedRecordsAreReadFromTheIndex() async throws {
    let setting = try await library()
    try folder.write(SampleLibrary.luna, to: "repo/heroes/luna.json")
    try folder.write(SampleLibrary.snow, to: "repo/stories/snow.json")
    try folder.write(SampleLibrary.tooth, to: "repo/events/lost-tooth.json")
    try tree.commit("Start")
    #expect(await setting.run("check", "--staged").output == "0 records checked, no problems.\n")
    try folder.write(
      "{\n  \"title\": \"A\",\n  \"hero\": \"nobody\"\n}\n", to: "repo/stories/b.json")
    try tree.git("add", "-A")
    try folder.remove("repo/stories/b.json")
    let result = await setting.run("check", "--staged", "--json")
    #expect(result.code == .failed)
    let problems = result.json?["problems"]?.array ?? []
    #expect(problems.contains { $0["file"] == "stories/b.json" && $0["line"] == 3 })
    try tree.git("reset", "-q", "--hard")
    // A hero that goes is missed by stories that do not change.
    try tree.git("rm", "-q", "heroes/luna.json")
    let gone = await setting.run("check", "--staged")
    #expect(gone.code == .failed)
    #expect(gone.output.contains("stories/snow.json:3"))
    #expect(await setting.run("check", "--staged", "x").code == .wrongUsage)
  }

  /// The file, code and severity of each problem of what is staged.
  private func staged(_ setting: CommandSetting) async -> [String] {
    let result = await setting.run("check", "--staged", "--json")
    return (result.json?["problems"]?.array ?? []).map {
      "\($0["file"]?.string ?? "") \($0["code"]?.string ?? "") \($0["severity"]?.string ?? "")"
    }
  }

  @Test func `a sidecar and its record are staged together`() async throws {
    let setting = try await library()
    try folder.write(SampleLibrary.luna, to: "repo/heroes/luna.json")
    try #require(await setting.run("sync").code == .done)
    try tree.git("add", "library.json", "heroes/.sync/luna.json")
    #expect(await staged(setting) == ["heroes/.sync/luna.json sidecar error"])
    let text = await setting.run("check", "--staged")
    #expect(text.code == .failed)
    #expect(text.output.contains("git add heroes/luna.json heroes/.sync/luna.json"))
    try tree.git("rm", "-q", "--cached", "heroes/.sync/luna.json")
    try tree.git("add", "heroes/luna.json")
    #expect(await staged(setting) == ["heroes/luna.json sidecar warning"])
    #expect(await setting.run("check", "--staged").code == .done)
    try tree.git("add", "heroes")
    #expect(await staged(setting) == [])
    try tree.git("commit", "-qm", "Luna")
    // A sync changes both; the sidecar alone makes the record an edit back.
    try folder.edit("repo/heroes/luna.json", "7", to: "8")
    try #require(await setting.run("sync").code == .done)
    try tree.git("add", "heroes/.sync/luna.json")
    #expect(await staged(setting) == ["heroes/.sync/luna.json sidecar error"])
    try tree.git("add", "heroes/luna.json")
    #expect(await staged(setting) == [])
    try tree.git("commit", "-qm", "Older")
    // An edit that was made on purpose stays one.
    try folder.edit("repo/heroes/luna.json", "8", to: "9")
    try tree.git("commit", "-qam", "Edit")
    try #require(await setting.run("sync").code == .done)
    try tree.git("add", "-A")
    #expect(await staged(setting) == [])
    try tree.git("commit", "-qm", "Synced")
    // A record that is removed alone comes back elsewhere; a stated delete says what it is.
    try tree.git("rm", "-q", "heroes/luna.json")
    #expect(await staged(setting) == ["heroes/.sync/luna.json sidecar warning"])
    try tree.git("reset", "-q", "--hard")
    try #require(await setting.run("rm", "heroes/luna").code == .done)
    try tree.git("add", "-A")
    #expect(await staged(setting) == [])
  }

  @Test func `a staged library.json is read`() async throws {
    let setting = try await library()
    try folder.edit("repo/library.json", "\"auto\"", to: "\"v7\"")
    try tree.git("add", "-A")
    try folder.edit("repo/library.json", "\"v7\"", to: "\"auto\"")
    #expect(await staged(setting) == ["library.json type error"])
    try tree.git("add", "-A")
    #expect(await staged(setting) == [])
    try tree.git("commit", "-qm", "Fine")
    try tree.git("rm", "-q", "--cached", "library.json")
    #expect(await staged(setting) == ["library.json missing error"])
  }

  @Test func `a staged name with a control character is refused`() async throws {
    let setting = try await library()
    try folder.write(SampleLibrary.luna, to: "repo/heroes/lu\u{9B}31mna.json")
    try tree.git("add", "-A")
    #expect(await staged(setting) == ["heroes/lu\u{9B}31mna.json name error"])
  }

  // MARK: Who else uses the repository

  /// Both sides change neighbouring lines of a record; whether git merges it.
  private func mergesFields(_ place: String, in tree: GitTree) throws -> Bool {
    let record = "heroes/probe.json"
    let path = "\(place)/\(record)"
    try folder.write(SampleLibrary.luna, to: path)
    try tree.commit("Probe")
    try tree.git("checkout", "-q", "-b", "probe")
    try folder.edit(path, "7", to: "8")
    try tree.commit("Theirs")
    try tree.git("checkout", "-q", "-")
    try folder.edit(path, "Luna", to: "Lena")
    try tree.commit("Ours")
    let isMerged = try tree.status("merge", "-q", "probe") == 0
    if !isMerged { try tree.git("merge", "--abort") }
    try tree.git("branch", "-q", "-D", "probe")
    try folder.remove(path)
    try tree.commit("No probe")
    return isMerged
  }

  @Test func removalLeavesTheDriversThatAnotherLibraryUses() async throws {
    let one = try await library(at: "repo/one")
    let two = try await library(at: "repo/two")
    try #require(await one.run("git", "setup", "--hooks").code == .done)
    try tree.commit("One")
    // The second one finds the drivers there.
    let second = await two.run("git", "setup", "--hooks")
    #expect(second.output.contains(".gitattributes") && !second.output.contains("git config"))
    let removed = await one.run("git", "setup", "--remove")
    #expect(removed.code == .done)
    #expect(removed.errors.contains("The merge drivers stay, for others use them: "))
    #expect(removed.errors.contains("two/.gitattributes"))
    #expect(!folder.exists("repo/one/.gitattributes"))
    let hook = try folder.read("repo/.git/hooks/pre-commit")
    #expect(hook.contains("-C 'two'") && !hook.contains("-C 'one'"))
    #expect(try mergesFields("repo/two", in: tree))
    let json = await one.run("git", "setup", "--remove", "--json")
    #expect(json.json?["driversUsedBy"] == [.string(folder.path("repo/two/.gitattributes"))])
    #expect(json.json?["changes"] == [])
    // The last one takes them along.
    #expect(await two.run("git", "setup", "--remove").output.contains("git config"))
    #expect(try !folder.read("repo/.git/config").contains("stories"))
    // The hooks were made for the first one, and nothing of them is left either.
    for name in ["pre-commit", "post-merge", "post-checkout"] {
      #expect(!folder.exists("repo/.git/hooks/\(name)"), "\(name)")
    }
  }

  @Test func aFileThatIsGoneUsesNoDrivers() async throws {
    let one = try await library(at: "repo/one")
    let two = try await library(at: "repo/two")
    for library in [one, two] { #expect(await library.run("git", "setup").code == .done) }
    try tree.commit("Both")
    #expect(await one.run("git", "setup", "--remove").errors.contains("others use them"))
    // Git's index still has the first one's file, which is deleted and not committed.
    let last = await two.run("git", "setup", "--remove", "--json")
    #expect(last.json?["driversUsedBy"] == [])
    #expect(try !folder.read("repo/.git/config").contains("stories"))
  }

  @Test func theDriversStayWhereGitDoesNotSayWhoUsesThem() async throws {
    let setting = try await library()
    try #require(await setting.run("git", "setup").code == .done)
    try tree.commit("Set up")
    // A search that git cannot make tells nothing.
    let index = try FileSystem.read(folder.path("repo/.git/index"))
    try folder.write("broken", to: "repo/.git/index")
    let result = await setting.run("git", "setup", "--remove")
    #expect(result.code == .failed)
    #expect(result.errors.contains("The merge drivers stay, for git does not say who uses them"))
    #expect(try folder.read("repo/.git/config").contains("stories-json"))
    let json = await setting.run("git", "setup", "--remove", "--json")
    #expect(json.json?["driversUsedBy"] == .null)
    try FileSystem.remove(folder.path("repo/.git/index"))
    _ = try AtomicFile.write(index, to: folder.path("repo/.git/index"), expecting: .absent)
    #expect(await setting.run("git", "setup", "--remove").code == .done)
    #expect(try !folder.read("repo/.git/config").contains("stories"))
  }

  @Test func aWorktreeSharesDriversAndHooks() async throws {
    let setting = try await library()
    try tree.git("config", "extensions.worktreeConfig", "true")
    try #require(await setting.run("git", "setup", "--hooks").code == .done)
    try tree.commit("Set up")
    try tree.git("worktree", "add", "-q", "-b", "side", folder.path("side"))
    let other = CommandSetting(folder.path("side"))
    let side = GitTree(path: folder.path("side"))
    #expect(await other.run("git", "setup", "--hooks").output == "All of it is set up already.\n")
    #expect(try mergesFields("side", in: side))
    // The hook runs in the worktree, on its own files.
    try folder.write(SampleLibrary.luna.replacing("7", with: "700"), to: "side/heroes/luna.json")
    try side.git("add", "-A")
    #expect(try side.status("commit", "-qm", "Bad") != 0)
    try side.git("reset", "-q", "--hard")
    let removed = await other.run("git", "setup", "--remove")
    #expect(removed.errors.contains("The merge drivers stay, for others use them: "))
    #expect(try mergesFields("repo", in: tree))
  }

  @Test func aWorktreesOwnHooksPathIsFollowed() async throws {
    let setting = try await library()
    try tree.commit("Library")
    try tree.git("config", "extensions.worktreeConfig", "true")
    try tree.git("worktree", "add", "-q", "-b", "side", folder.path("side"))
    try GitTree(path: folder.path("side")).git(
      "config", "--worktree", "core.hooksPath", "own-hooks")
    let other = CommandSetting(folder.path("side"))
    #expect(await other.run("git", "setup", "--hooks").code == .done)
    #expect(folder.exists("side/own-hooks/pre-commit"))
    #expect(!folder.exists("repo/.git/hooks/pre-commit"))
    // Drivers are for the whole repository.
    #expect(try tree.git("config", "--local", "merge.stories-json.name").contains("stories"))
    #expect(await setting.run("git", "setup", "--dry-run").output.contains(".gitattributes"))
  }

  @Test func aSubmoduleHasItsOwn() async throws {
    let setting = try await library()
    try #require(await setting.run("git", "setup").code == .done)
    try tree.commit("Library")
    try folder.write("x", to: "outer/x")
    let outer = GitTree(path: folder.path("outer"), settings: ["protocol.file.allow=always"])
    try outer.git("init", "-q", "-b", "main")
    try outer.git("submodule", "--quiet", "add", "file://" + tree.path, "my/library")
    try outer.commit("Outer")
    let inner = CommandSetting(folder.path("outer/my/library"))
    let inside = GitTree(path: folder.path("outer/my/library"))
    #expect(await inner.run("git", "setup", "--hooks").code == .done)
    #expect(folder.exists("outer/.git/modules/my/library/hooks/pre-commit"))
    #expect(!folder.exists("outer/.git/hooks/pre-commit"))
    #expect(try !folder.read("outer/.git/config").contains("stories-json"))
    #expect(try folder.read("outer/.git/modules/my/library/config").contains("stories-json"))
    #expect(try mergesFields("outer/my/library", in: inside))
    try folder.write(
      SampleLibrary.luna.replacing("7", with: "700"), to: "outer/my/library/heroes/luna.json")
    try inside.git("add", "-A")
    #expect(try inside.status("commit", "-qm", "Bad") != 0)
    #expect(await inner.run("git", "setup", "--remove").code == .done)
    #expect(!folder.exists("outer/.git/modules/my/library/hooks/pre-commit"))
    #expect(try !folder.read("outer/.git/modules/my/library/config").contains("stories-json"))
    // The repository that it was cloned from keeps its own.
    #expect(try folder.read("repo/.git/config").contains("stories-json"))
  }

  // MARK: Hooks of other people

  struct ForeignHook: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    /// Whether lines can be added to it.
    var isTaken: Bool

    static let all = [
      ForeignHook(
        testDescription: "env bash", text: "#!/usr/bin/env bash\nset -eu\necho ran > ran\n",
        isTaken: true),
      ForeignHook(
        testDescription: "sh with options", text: "#!/bin/sh -e\necho ran > ran", isTaken: true),
      ForeignHook(testDescription: "no first line", text: "echo ran > ran\n", isTaken: true),
      ForeignHook(
        testDescription: "env python3",
        text: "#!/usr/bin/env python3\nopen('ran', 'w').write('ran')\n", isTaken: false),
      ForeignHook(
        testDescription: "env -S awk",
        text: "#!/usr/bin/env -S awk -f\nBEGIN { print \"ran\" > \"ran\" }\n", isTaken: false),
    ]
  }

  @Test(arguments: ForeignHook.all)
  func aHookGoesOnRunning(_ foreign: ForeignHook) async throws {
    let setting = try await library()
    try hook(foreign.text)
    let result = await setting.run("git", "setup", "--hooks")
    #expect(result.code == (foreign.isTaken ? .done : .failed))
    let text = try folder.read("repo/.git/hooks/pre-commit")
    #expect(text.contains("check --staged") == foreign.isTaken)
    if !foreign.isTaken {
      #expect(text == foreign.text)
      #expect(result.errors.contains("it is no shell script"))
      #expect(result.errors.contains("let it run `stories check --staged`"))
    }
    try folder.write(SampleLibrary.luna, to: "repo/heroes/luna.json")
    try tree.git("add", "-A")
    // A program that is not on this machine is not what is tested.
    if try tree.status("commit", "-qm", "One") == 0 {
      #expect(try folder.read("repo/ran").hasPrefix("ran"))
    } else {
      #expect(!foreign.isTaken)
    }
    _ = await setting.run("git", "setup", "--remove")
    #expect(try folder.read("repo/.git/hooks/pre-commit") == foreign.text)
  }

  @Test func aLinkedHookIsLeftAlone() async throws {
    let setting = try await library()
    try folder.write("#!/bin/sh\n", to: "repo/scripts/pre-commit")
    let made = ChildProcess(
      [
        "ln", "-s", folder.path("repo/scripts/pre-commit"),
        folder.path("repo/.git/hooks/pre-commit"),
      ], environment: GitTree.environment)
    #expect(try made.run().status == 0)
    let result = await setting.run("git", "setup", "--hooks")
    #expect(result.code == .failed)
    #expect(result.errors.contains("it is a symbolic link"))
    #expect(try folder.read("repo/scripts/pre-commit") == "#!/bin/sh\n")
    #expect(try FileSystem.status(folder.path("repo/.git/hooks/pre-commit"))?.type == .link)
    #expect(folder.exists("repo/.git/hooks/post-merge"))
  }

  @Test func theHookIsSilentWhereNothingIsWrong() async throws {
    let setting = try await library()
    try #require(await setting.run("git", "setup", "--hooks").code == .done)
    try folder.write(SampleLibrary.luna, to: "repo/heroes/luna.json")
    try tree.git("add", "-A")
    let commit = ChildProcess(
      ["sh", "-c", "git -C \"$0\" commit -qm One 2>&1", tree.path],
      environment: GitTree.environment)
    #expect(String(decoding: try commit.run().output, as: UTF8.self) == "")
  }
}
