import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Records in which git left conflict markers, by real merges.
@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct GitMarkersTests {
  private let folder: TemporaryFolder
  private let library: VersionedLibrary
  private let luna = "a/heroes/luna.json"

  init() async throws {
    folder = try TemporaryFolder()
    library = try await VersionedLibrary(in: folder, hasDrivers: false)
  }

  private func run(_ arguments: String...) async -> CommandRun {
    await library.setting.run(arguments)
  }

  /// Merges a branch that edits Luna's age and ability with one that edits her age and traits.
  private func conflict() async throws {
    try await library.onBranch {
      try folder.edit(luna, "7", to: "9")
      try folder.edit(luna, "stars", to: "cats")
    }
    try folder.edit(luna, "7", to: "8")
    try folder.edit(luna, "curious", to: "loud")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
  }

  private func value() throws -> JSONValue {
    try JSONValue(parsing: Array(folder.read(luna).utf8))
  }

  @Test func isListedApartFromConflictsOfASync() async throws {
    try await conflict()
    let listed = await run("conflicts")
    #expect(
      listed.output.hasPrefix(
        """
        heroes/luna  git's conflict markers: 1 field
          local is “HEAD”, server is “other”, the first marker is in line 3
          age
            base    7
            local   8
            server  9

        """), "\(listed.output)")
    let json = await run("conflicts", "--json").json?["conflicts"]?.array
    #expect(json?.count == 1)
    #expect(
      json?.first == [
        "ref": "heroes/luna", "kind": "git",
        "fields": [["field": "age", "base": 7, "local": 8, "server": 9]], "line": 3,
        "local": ["label": "HEAD"], "server": ["label": "other"],
      ])
    for command in ["status", "check"] {
      let told = await run(command)
      let text = told.output + told.errors
      #expect(text.contains("heroes/luna.json:3:1: error: this file contains git's conflict"))
      #expect(text.contains("“HEAD” and “other”"))
      #expect(text.contains("stories resolve heroes/luna"))
    }
  }

  /// An editor may leave some of a conflict's markers.
  @Test(arguments: [
    "{\n<<<<<<< HEAD\n  \"name\": \"A\"\n}\n",
    "{\n  \"name\": \"A\"\n=======\n  \"name\": \"B\"\n>>>>>>> other\n}\n",
  ])
  func someOfTheMarkersAreListedAndHaveToBeEdited(text: String) async throws {
    try folder.write(text, to: luna)
    let line = text.hasPrefix("{\n<") ? 2 : 5
    let place = "heroes/luna.json:\(line):1: error: this file contains git's conflict markers\n"
    let listed = await run("conflicts")
    #expect(listed.output.hasPrefix("heroes/luna  git's conflict markers\n  \(place)"))
    #expect(listed.output.contains("resolve the conflict in an editor"))
    #expect(!listed.output.contains("stories resolve"))
    #expect(await run("conflicts", "--json").json?["conflicts"]?.array?.count == 1)
    let resolved = await run("resolve", "luna", "--local")
    #expect(resolved.code != .done)
    #expect(resolved.errors.contains("heroes/luna.json:\(line):1: this file contains git's"))
    #expect(try folder.read(luna) == text)
  }

  @Test func failsAloneInAPush() async throws {
    try await conflict()
    try folder.edit("a/heroes/family/otto.json", "4", to: "5")
    let pushed = await run("sync", "push")
    #expect(pushed.code == .failed)
    #expect(pushed.errors.contains("stories resolve heroes/luna"))
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 5)
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 7)
  }

  @Test(arguments: [("--local", 8, "HEAD"), ("--server", 9, "other")])
  func aSideIsTakenOfWhatClashesAndTheRestIsMerged(
    option: String, age: Int, label: String
  ) async throws {
    try await conflict()
    let resolved = await run("resolve", "luna", option)
    #expect(resolved.code == .done, "\(resolved.errors)")
    let side = option.dropFirst(2)
    #expect(resolved.output == "Resolved heroes/luna (age): \(side), git's “\(label)”\n")
    #expect(resolved.errors.contains("git add heroes/luna.json"))
    let value = try value()
    #expect(value["age"] == .number(JSONNumber(age)))
    #expect(value["traits"] == ["brave", "loud"])
    #expect(value["specialAbility"] == "talks to cats")
    #expect(await run("check").code == .done)
    #expect(await run("conflicts").output == "Nothing is in conflict.\n")
    try library.tree.commit("Merged")
    #expect(await run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Luna")?["traits"] == ["brave", "loud"])
    // The text with the markers was kept.
    let kept = await run("log")
    #expect(kept.output.contains("resolve heroes/luna"))
  }

  @Test func mergeLeavesMarkersAroundWhatClashesOnly() async throws {
    try await conflict()
    let merged = await run("resolve", "luna", "--merge")
    #expect(merged.code == .conflictsLeft)
    #expect(
      try folder.read(luna).contains(
        "<<<<<<< HEAD\n  \"age\": 8,\n=======\n  \"age\": 9,\n>>>>>>> other\n"))
    #expect(try folder.read(luna).contains("talks to cats"))
    #expect(await run("resolve", "luna", "--server", "--field", "age").code == .done)
    #expect(try value()["age"] == 9)
  }

  @Test func dryRunWritesNothing() async throws {
    try await conflict()
    let before = try folder.read(luna)
    let run = await run("resolve", "luna", "--local", "--dry-run")
    #expect(run.output == "Would resolve heroes/luna (age): local, git's “HEAD”\n")
    #expect(try folder.read(luna) == before)
  }

  @Test func whatCanBeMergedNeedsNoDecision() async throws {
    try await library.onBranch { try folder.edit(luna, "7", to: "9") }
    try folder.edit(luna, "curious", to: "loud")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    #expect(await run("conflicts").line(0) == "heroes/luna  git's conflict markers: can be merged")
    var setting = library.setting
    setting.isTerminal = true
    setting.environment["NO_COLOR"] = "1"
    let merged = await setting.run("resolve", "luna")
    #expect(merged.output == "Resolved heroes/luna: merged\n", "\(merged.errors)")
    #expect(try value()["age"] == 9)
    #expect(try value()["traits"] == ["brave", "loud"])
  }

  @Test func isAskedAboutOnATerminal() async throws {
    try await conflict()
    var setting = library.setting
    (setting.isTerminal, setting.width, setting.typed) = (true, 80, ["s"])
    setting.environment["NO_COLOR"] = "1"
    let run = await setting.run("resolve", "luna")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output.contains("local (HEAD)"))
    #expect(run.output.contains("server (other)"))
    #expect(run.output.contains("Resolved heroes/luna (age)\n"))
    #expect(try value()["age"] == 9)
  }

  @Test func anEditorAndAToolWriteTheRest() async throws {
    try await conflict()
    let marked = try folder.read(luna)
    var setting = library.setting
    try folder.write("printf '@@ age @@\\n10\\n\\n@@ end @@\\n' > \"$1\"\n", to: "editor.sh")
    setting.environment["EDITOR"] = "sh \(folder.path("editor.sh"))"
    #expect(await setting.run("resolve", "luna", "--edit").code == .done)
    #expect(try value()["age"] == 10)
    #expect(try value()["specialAbility"] == "talks to cats")
    try folder.write(marked, to: luna)
    let tool = await setting.run(
      "resolve", "luna", "--tool",
      "grep -q '\"age\": 7' $BASE && grep -q '\"age\": 8' $LOCAL && sed s/9/11/ $REMOTE > $MERGED")
    #expect(tool.code == .done, "\(tool.errors)")
    #expect(try value()["age"] == 11)
    #expect(try value()["traits"] == ["brave", "loud"])
  }

  @Test func proseIsMergedByItsLines() async throws {
    let story = "a/stories/first-snow.json"
    try await library.onBranch {
      try folder.edit(story, "the cat", to: "the dog")
      try folder.edit(story, "window", to: "door")
    }
    try folder.edit(story, "the cat", to: "a cat")
    try folder.edit(story, "socks", to: "shoes")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    #expect(await run("resolve", "first-snow", "--local").code == .done)
    let text = try folder.read(story)
    #expect(text.contains("door") && text.contains("a cat") && text.contains("shoes"))
  }

  @Test func aVersionThatIsNoRecordIsLeftAlone() async throws {
    try await conflict()
    try folder.edit(luna, "\"age\": 9,", to: "\"age\": 9,,")
    let before = try folder.read(luna)
    let run = await run("resolve", "luna", "--local")
    #expect(run.code == .failed)
    #expect(run.errors.contains("heroes/luna.json:8:12"), "\(run.errors)")
    #expect(run.errors.contains("the version “other” is not a record"))
    #expect(try folder.read(luna) == before)
    let listed = await library.setting.run("conflicts")
    #expect(listed.output.contains("the version “other” is not a record"))
  }

  @Test func bothFilesOfAPairAreSettledTogether() async throws {
    try await library.onBranch {
      try folder.edit(luna, "7", to: "9")
      #expect(await library.setting.run("sync").code == .done)
    }
    try folder.edit(luna, "7", to: "8")
    try folder.edit("a/heroes/.sync/luna.json", "\"updatedAt\": \"2", to: "\"updatedAt\": \"1")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    #expect(try folder.read("a/heroes/.sync/luna.json").contains("<<<<<<<"))
    #expect(await run("conflicts", "--json").json?["conflicts"]?.array?.first?["kind"] == "git")
    #expect(await run("resolve", "luna", "--local").code == .done)
    #expect(try value()["age"] == 8)
    #expect(try !folder.read("a/heroes/.sync/luna.json").contains("<<<<<<<"))
    #expect(await run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 8)
  }

  @Test func theBaseIsThatOfTheMarkersAfterGitAdd() async throws {
    try library.tree.git("config", "merge.conflictStyle", "diff3")
    try await conflict()
    try library.tree.git("add", "-A")
    let field = await run("conflicts", "--json").json?["conflicts"]?.array?.first?["fields"]
    #expect(field == [["field": "age", "base": 7, "local": 8, "server": 9]])
  }

  @Test func lineEndsStay() async throws {
    try folder.write(folder.read(luna).replacing("\n", with: "\r\n"), to: luna)
    try library.tree.commit("CRLF")
    try await conflict()
    #expect(try folder.read(luna).contains("=======\r\n"))
    #expect(await run("resolve", "luna", "--merge").code == .conflictsLeft)
    #expect(await run("resolve", "luna", "--server").code == .done)
    let text = try folder.read(luna)
    #expect(text.contains("\"age\": 9,\r\n") && text.contains("talks to cats"))
    #expect(!text.replacing("\r\n", with: "").utf8.contains(0x0A))
  }

  @Test func aRecordAddedOnBothBranchesHasNoBase() async throws {
    func pip(_ age: Int) -> String {
      "{\n  \"name\": \"Pip\",\n  \"age\": \(age),\n  \"traits\": [\"t\(age)\"]\n}\n"
    }
    try await library.onBranch { try folder.write(pip(5), to: "a/heroes/pip.json") }
    try folder.write(pip(6), to: "a/heroes/pip.json")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    let listed = await run("conflicts")
    #expect(listed.output.contains("  age\n    local   6\n    server  5\n"))
    #expect(await run("resolve", "pip", "--local").code == .done)
    let text = try folder.read("a/heroes/pip.json")
    #expect(text.contains("\"age\": 6") && text.contains("t6") && !text.contains("t5"))
  }

  @Test func aNameIsNotTrusted() async throws {
    try await conflict()
    try folder.edit(luna, "<<<<<<< HEAD", to: "<<<<<<< \u{1B}[31mHEAD")
    for command in ["conflicts", "check", "status"] {
      let told = await run(command)
      #expect(!(told.output + told.errors).contains("\u{1B}"))
    }
    let resolved = await run("resolve", "luna", "--local")
    #expect(resolved.code == .done && !resolved.output.contains("\u{1B}"))
  }

  @Test func aTextThatOnlyLooksLikeMarkersIsNoConflict() async throws {
    try folder.edit(
      "a/stories/first-snow.json", "It came at night", to: "<<<<<<< a ======= >>>>>>> b")
    #expect(await run("check").code == .done)
    #expect(await run("conflicts").output == "Nothing is in conflict.\n")
  }
}
