import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.enabled(if: GitTree.isThere, "needs git"))
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
      #expect(lines.contains("\(path): eol: lf\n"))
    }
    for path in ["heroes/.sync/a.json", "stories/2026/.sync/b.json"] {
      #expect(lines.contains("\(path): merge: stories-sidecar\n"))
      #expect(lines.contains("\(path): diff: unset\n"))
    }
    #expect(lines.contains("library.json: merge: unspecified\n"))
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
    #expect(result.errors.contains("lies in no git repository"))
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
}
