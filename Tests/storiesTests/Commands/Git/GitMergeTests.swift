import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Branches that git merges, and what the next sync makes of them; with our drivers and without.
@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct GitMergeTests {
  @Test(arguments: [true, false])
  func editsOfBothBranchesStay(hasDrivers: Bool) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    try await library.onBranch {
      try folder.edit("a/heroes/luna.json", "\"age\": 7", to: "\"age\": 9")
      try folder.edit("a/stories/first-snow.json", "Luna woke up", to: "Luna sat up")
    }
    try folder.edit("a/heroes/luna.json", "talks to stars", to: "talks to cats")
    try folder.edit("a/stories/first-snow.json", "for socks", to: "for shoes")
    try library.tree.commit("Main")
    try library.tree.git("merge", "-q", "other")
    #expect(await library.setting.run("sync").code == .done)
    let luna = try #require(try library.server.record(.heroes, "Luna"))
    #expect(luna["age"] == 9)
    #expect(luna["specialAbility"] == "talks to cats")
    let story = try #require(try library.server.record(.stories, "The First Snow"))
    let text = story["content"]?.string ?? ""
    #expect(text.contains("Luna sat up") && text.contains("for shoes"))
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
  }

  @Test func neighboursThatLinesCannotMerge() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch {
      try folder.edit("a/heroes/luna.json", "\"Luna\"", to: "\"Lena\"")
      try folder.edit("a/heroes/luna.json", "\"brave\", \"curious\"", to: "\"brave\", \"quick\"")
    }
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try folder.edit("a/heroes/luna.json", "\"brave\", \"curious\"", to: "\"curious\", \"loud\"")
    try library.tree.commit("Main")
    try library.tree.git("merge", "-q", "other")
    let text = try folder.read("a/heroes/luna.json")
    #expect(text.contains("Lena") && text.contains("8"))
    #expect(text.contains("[\"loud\", \"quick\"]"))
  }

  @Test func whatClashesIsMarkedAndNothingElse() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch {
      try folder.edit("a/heroes/luna.json", "7", to: "9")
      try folder.edit("a/heroes/luna.json", "Luna", to: "Lena")
    }
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    let text = try folder.read("a/heroes/luna.json")
    #expect(text.hasPrefix("{\n  \"name\": \"Lena\",\n<<<<<<< "))
    #expect(text.contains("\n  \"age\": 8,\n=======\n  \"age\": 9,\n>>>>>>> "))
    // While the markers are there, the record is left alone.
    library.server.server.clearRequestLog()
    #expect(await library.setting.run("sync").code == .failed)
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" })
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let settled = lines.filter { line in
      !["<<<<<<<", "=======", ">>>>>>>"].contains { line.hasPrefix($0) }
        && line != "  \"age\": 8,"
    }
    try folder.write(settled.joined(separator: "\n"), to: "a/heroes/luna.json")
    try library.tree.commit("Merged")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Lena")?["age"] == 9)
  }

  @Test func conflictStyleIsFollowed() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try library.tree.git("config", "merge.conflictStyle", "diff3")
    try await library.onBranch { try folder.edit("a/heroes/luna.json", "7", to: "9") }
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    #expect(try folder.read("a/heroes/luna.json").contains("\n  \"age\": 7,\n=======\n"))
  }

  @Test func textThatIsNoRecordIsMergedByLines() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.write("{\n1\n2\n3\n4\n5\n", to: "a/heroes/luna.json")
    try library.tree.commit("Broken")
    try await library.onBranch { try folder.edit("a/heroes/luna.json", "5", to: "five") }
    try folder.edit("a/heroes/luna.json", "1", to: "one")
    try library.tree.commit("Main")
    try library.tree.git("merge", "-q", "other")
    #expect(try folder.read("a/heroes/luna.json") == "{\none\n2\n3\n4\nfive\n")
  }

  @Test(arguments: [true, false])
  func aRenameAndAnEdit(hasDrivers: Bool) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    try await library.onBranch {
      #expect(await library.setting.run("mv", "heroes/luna", "heroes/moon").code == .done)
    }
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try library.tree.commit("Main")
    try library.tree.git("merge", "-q", "other")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 8)
    #expect(await library.setting.run("status", "--exit-code").code == .done)
    #expect(folder.exists("a/heroes/moon.json") && !folder.exists("a/heroes/luna.json"))
  }

  @Test func aDeleteAndAnEdit() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch {
      #expect(await library.setting.run("rm", "heroes/family/otto").code == .done)
      #expect(await library.setting.run("sync").code == .done)
    }
    try folder.edit("a/heroes/family/otto.json", "4", to: "5")
    try library.tree.commit("Main")
    // Git asks; whoever keeps the record has it as an edit, and no delete is sent for it.
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    try library.tree.commit("Keep")
    let result = await library.setting.run("sync")
    #expect([.done, .conflictsLeft].contains(result.code), "\(result.output)\(result.errors)")
    #expect(try folder.read("a/heroes/family/otto.json").contains("5"))
  }

  /// How a branch that removed a story meets one that edited it.
  enum Meeting: String, CaseIterable, Sendable {
    case merge, rebase, pick = "cherry-pick", stash
  }

  @Test(arguments: Meeting.allCases)
  func whatGitLeavesUnmergedIsReported(_ meeting: Meeting) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let tree = library.tree
    try await library.onBranch { try tree.git("rm", "-q", "stories/first-snow.json") }
    try folder.edit("a/stories/first-snow.json", "Luna woke up", to: "Luna sat up")
    switch meeting {
    case .stash:
      try tree.git("stash")
      try tree.git("merge", "-q", "other")
      #expect(try tree.status("stash", "pop") == 1)
    case .merge, .rebase, .pick:
      try tree.commit("Main")
      #expect(await library.setting.run("status").output.contains("unmerged") == false)
      #expect(try tree.status(meeting.rawValue, "other") == 1)
    }
    let side = meeting == .rebase || meeting == .stash ? "theirs" : "ours"
    let pair = "stories/first-snow.json stories/.sync/first-snow.json"
    let hint =
      "to keep it: `git add -- stories/first-snow.json`; to remove it: `git rm --ignore-unmatch -- \(pair)`"
    let check = await library.setting.run("check", "--json")
    let problems = check.json?["problems"]?.array?.filter { $0["code"] == "unmerged" }
    #expect(problems?.map { $0["file"] } == ["stories/first-snow.json"])
    #expect(problems?.first?["hint"]?.string?.hasPrefix(hint) == true)
    for command in ["check", "status", "conflicts"] {
      let output = await library.setting.run(command).output
      #expect(output.contains("stories/first-snow.json: warning: "), "\(output)")
      #expect(output.contains("git left this file unmerged: only “\(side)” has it"), "\(output)")
    }
    #expect(await library.setting.run("sync", "--dry-run").errors.contains("unmerged"))
    let inner = CommandSetting(folder.path("a/stories"))
    let output = await inner.run("status").output
    #expect(output.contains("`git add -- first-snow.json`"))
    #expect(output.contains("`git rm --ignore-unmatch -- first-snow.json .sync/first-snow.json`"))
    try tree.git("add", "stories/first-snow.json")
    #expect(await library.setting.run("status").output.contains("unmerged") == false)
  }

  @Test func aRecordWithMarkersIsReportedOnceUntilItIsResolved() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch { try folder.edit("a/heroes/luna.json", "7", to: "9") }
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    func codes() async -> [JSONValue]? {
      let problems = await library.setting.run("check", "--json").json?["problems"]?.array
      return problems?.compactMap { $0["code"] }
    }
    #expect(await codes() == ["conflict-markers"])
    #expect(await library.setting.run("resolve", "luna", "--local").code == .done)
    #expect(await codes() == [])
    let report = await library.setting.run("conflicts", "--json").json
    #expect(report?["conflicts"] == [] && report?["unmerged"] == [])
  }

  @Test(arguments: [true, false])
  func theSameNewRecordOnBothBranches(hasDrivers: Bool) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    let text = "{\n  \"name\": \"Pip\",\n  \"age\": 5,\n  \"traits\": [\"small\"]\n}\n"
    try await library.onBranch {
      try folder.write(text.replacing("5", with: "6"), to: "a/heroes/pip.json")
    }
    try folder.write(text, to: "a/heroes/pip.json")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    let merged = try folder.read("a/heroes/pip.json")
    #expect(merged.contains("\"age\": 5") && merged.contains("\"age\": 6"))
    #expect(await library.setting.run("sync").code == .failed)
    try folder.write(text, to: "a/heroes/pip.json")
    try library.tree.commit("Merged")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto", "Pip"])
  }

  @Test func sidecarsOfTwoClonesMergeToTheNewer() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (other, tree) = try library.clone("b")
    try #require(await other.run("git", "setup").code == .done)
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("A")
    try folder.edit("b/heroes/luna.json", "talks to stars", to: "talks to cats")
    #expect(await other.run("sync").code == .done)
    try tree.commit("B")
    try tree.git("pull", "-q", "--no-rebase")
    #expect(try tree.git("status", "--porcelain") == "")
    _ = library.server.takeMethods()
    #expect(await other.run("sync").code == .done)
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" })
    #expect(try tree.git("status", "--porcelain") == "")
  }

  @Test func sidecarsOfTwoRecordsAreAConflictThatNamesBoth() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (other, tree) = try library.clone("b")
    try #require(await other.run("git", "setup").code == .done)
    let text = "{\n  \"name\": \"Pip\",\n  \"age\": 5,\n  \"traits\": [\"small\"]\n}\n"
    try folder.write(text, to: "a/heroes/pip.json")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("A")
    try folder.write(text.replacing("5", with: "6"), to: "b/heroes/pip.json")
    #expect(await other.run("sync", "push").code == .done)
    try tree.commit("B")
    #expect(try tree.status("pull", "-q", "--no-rebase") == 1)
    // One undo takes back what one choice settled, in both files.
    let marked = try ["heroes/pip.json", "heroes/.sync/pip.json"].map { try folder.read("b/\($0)") }
    #expect(marked.allSatisfy { $0.contains("<<<<<<< ") })
    for side in ["--server", "--local"] {
      #expect(await other.run("resolve", "heroes/pip", side).code == .done)
      #expect(try folder.read("b/heroes/pip.json").contains(side == "--local" ? "6" : "5"))
      #expect(await other.run("undo", "--yes").code == .done)
      #expect(
        try ["heroes/pip.json", "heroes/.sync/pip.json"].map { try folder.read("b/\($0)") }
          == marked)
    }
    try folder.write(text, to: "b/heroes/pip.json")
    let conflicts = await other.run("conflicts")
    #expect(conflicts.output.contains("heroes/pip"))
    let sync = await other.run("sync")
    #expect(sync.code == .failed)
    #expect(sync.errors.contains("choose one: stories resolve heroes/pip"))
    #expect(try library.server.names(.heroes) == ["Luna", "Otto", "Pip", "Pip"])
    #expect(await other.run("resolve", "heroes/pip", "--local").code == .done)
    #expect(await other.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto", "Pip", "Pip"])
    #expect(await other.run("status", "--exit-code").code == .done)
  }

  /// Git takes the text of the only side that changed it, and asks only about the sidecar.
  @Test func aChosenSidecarBringsItsText() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (other, tree) = try library.clone("b")
    try #require(await other.run("git", "setup").code == .done)
    #expect(await other.run("sync").code == .done)
    let otto = "heroes/family/otto"
    try folder.edit("b/\(otto).json", "4", to: "5")
    try tree.commit("Edit")
    try library.tree.git("pull", "-q", "--no-rebase", folder.path("b"), "main")
    #expect(await library.setting.run("rm", otto).code == .done)
    #expect(await library.setting.run("sync").code == .done)
    try folder.write(SampleLibrary.otto.replacing("Otto", with: "Otta"), to: "a/\(otto).json")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Otta")
    #expect(await other.run("sync").code == .conflictsLeft)
    #expect(await other.run("resolve", otto, "--local").code == .done)
    #expect(await other.run("sync").code == .done)
    try tree.commit("Otto, created again")
    let text = try folder.read("b/\(otto).json")
    #expect(try tree.status("pull", "-q", "--no-rebase") == 1)
    #expect(try folder.read("b/\(otto).json").contains("Otta"))
    #expect(await other.run("resolve", otto, "--local").code == .done)
    #expect(try folder.read("b/\(otto).json") == text)
    // Without the choice, Otta's text is not Otto's.
    #expect(await other.run("undo", "--yes").code == .done)
    #expect(try folder.read("b/\(otto).json").contains("Otta"))
    #expect(await other.run("sync").code != .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otta", "Otto"])
    #expect(await other.run("resolve", otto, "--local").code == .done)
    #expect(await other.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otta", "Otto"])
  }

  @Test func textconvShowsProse() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.edit("a/stories/first-snow.json", "woke up", to: "sat up")
    let diff = try library.tree.git("diff", "--", "stories")
    #expect(diff.contains("\n-Luna woke up and the window was white.\n"))
    #expect(diff.contains("\n+Luna sat up and the window was white.\n"))
    let shown = await library.setting.run("git", "textconv", "stories/first-snow.json")
    #expect(
      shown.output == """
        title: The First Snow
        hero: luna
        event: lost-tooth
        language: en

        content:

        Luna sat up and the window was white.

        It came at night, whispered the cat.

        She did not stop for socks.

        """)
  }

  @Test(arguments: [
    "{\n  \"title\": \"T\u{9B}2J\",\n  \"hero\": \"luna\"\n}\n", "<<< \u{1B}[2J\r\n\u{9B}2J\n",
  ])
  func `git diff steers no terminal`(text: String) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.write(text, to: "a/stories/first-snow.json")
    for shown in [
      try library.tree.git("diff", "--", "stories"),
      await library.setting.run("git", "textconv", "stories/first-snow.json").output,
    ] {
      #expect(shown.contains("\\u{9b}2J"), "\(shown)")
      let unsafe = shown.unicodeScalars.filter {
        VisibleText.isUnsafe($0) && $0 != "\n" && $0 != "\r"
      }
      #expect(unsafe.isEmpty)
    }
  }

  /// Over the server, one side has what the other changed: git's common ancestor is older than that.
  @Test func whatWasReceivedOverTheServerIsNoChangeOfTheOtherSide() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.edit("a/stories/first-snow.json", "\n}", to: ",\n  \"playCount\": 5\n}")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Read")
    let (setting, tree) = try library.clone("b")
    #expect(await setting.run("git", "setup").code == .done)
    #expect(await setting.run("sync").code == .done)

    try folder.edit("a/stories/first-snow.json", "\"playCount\": 5", to: "\"playCount\": 6")
    try folder.edit("a/stories/first-snow.json", "\"The First Snow\"", to: "\"Snow\"")
    try folder.edit("a/heroes/luna.json", "\"curious\"", to: "\"curious\", \"quick\"")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Ours")

    #expect(await setting.run("sync").code == .done)
    try folder.edit("b/stories/first-snow.json", "\"playCount\": 6", to: "\"playCount\": 7")
    try folder.edit("b/stories/first-snow.json", "\"Snow\"", to: "\"Snow at Last\"")
    try folder.edit("b/heroes/luna.json", ", \"quick\"", to: "")
    #expect(await setting.run("sync").code == .done)
    // Not sent yet.
    try folder.edit("b/heroes/luna.json", "\"age\": 7", to: "\"age\": 8")
    try tree.commit("Theirs")

    let (hero, story) = (
      try folder.read("b/heroes/luna.json"), try folder.read("b/stories/first-snow.json")
    )
    try tree.git("pull", "-q", "--no-rebase")
    #expect(try folder.read("b/heroes/luna.json") == hero)
    #expect(try folder.read("b/stories/first-snow.json") == story)
    let status = await setting.run("status", "--porcelain=v1")
    #expect(status.output.split(separator: "\n").filter { $0.contains("/") }.count == 1)
    #expect(await setting.run("sync").code == .done)
    let snow = try #require(try library.server.record(.stories, "Snow at Last"))
    #expect(snow["playCount"] == 7)
    #expect(try library.server.record(.heroes, "Luna")?["traits"] == ["brave", "curious"])
  }

  /// What was committed before the branches parted is no change of theirs, though no server has it.
  @Test func whatOneBranchTookBackStaysAway() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.edit("a/heroes/luna.json", "\"curious\"", to: "\"curious\", \"quick\"")
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try library.tree.commit("Not sent")
    try await library.onBranch {
      try folder.edit("a/heroes/luna.json", "talks to stars", to: "talks to cats")
    }
    try folder.edit("a/heroes/luna.json", ", \"quick\"", to: "")
    try folder.edit("a/heroes/luna.json", "8", to: "7")
    try library.tree.commit("Taken back")
    try library.tree.git("merge", "-q", "other")
    #expect(
      try folder.read("a/heroes/luna.json")
        == SampleLibrary.luna.replacing("talks to stars", with: "talks to cats"))
  }

  /// Git applies the stash while its variables still name the commit that it has merged.
  @Test func aStashIsMergedFromWhereItWasMade() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (_, tree) = try library.clone("b")
    #expect(await library.moved(to: "b").run("git", "setup").code == .done)
    try folder.edit("a/heroes/luna.json", "7", to: "9")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Ours")
    try folder.edit("b/heroes/luna.json", "talks to stars", to: "talks to cats")
    try tree.git("pull", "-q", "--no-rebase", "--autostash")
    #expect(
      try folder.read("b/heroes/luna.json")
        == SampleLibrary.luna.replacing("7", with: "9")
        .replacing("talks to stars", with: "talks to cats"))
  }

  /// A conflict that a sync found on one side is still to be decided after the merge.
  @Test func anOpenConflictIsNotSettledByTheOtherSide() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (setting, tree) = try library.clone("b")
    #expect(await setting.run("git", "setup").code == .done)
    let story = "stories/first-snow.json"
    try folder.edit("b/" + story, "The First Snow", to: "Snow of B")
    #expect(await setting.run("sync").code == .done)
    try folder.edit("a/" + story, "The First Snow", to: "Snow of A")
    #expect(await library.setting.run("sync").code == .conflictsLeft)
    try library.tree.commit("In conflict")
    try folder.edit("b/" + story, "\"en\"", to: "\"fr\"")
    #expect(await setting.run("sync").code == .done)
    try tree.commit("Theirs")
    try library.tree.git("fetch", "-q", folder.path("b"), "main")
    #expect(try library.tree.status("merge", "-q", "FETCH_HEAD") == 1)
    let text = try folder.read("a/" + story)
    #expect(text.contains("Snow of A") && text.contains("Snow of B") && text.contains("\"fr\""))
  }

  /// The sidecar has moved with the record, so it is found by its id.
  @Test(arguments: ["merge", "rebase"])
  func whatWasReceivedBeforeARename(command: String) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (setting, tree) = try library.clone("b")
    #expect(await setting.run("git", "setup").code == .done)
    try folder.edit("a/heroes/luna.json", "\"curious\"", to: "\"curious\", \"quick\"")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Ours")
    #expect(await setting.run("sync").code == .done)
    #expect(await setting.run("mv", "heroes/luna", "heroes/moon").code == .done)
    try folder.edit("b/heroes/moon.json", ", \"quick\"", to: ", \"loud\"")
    #expect(await setting.run("sync").code == .done)
    try tree.commit("Renamed")
    try tree.git("fetch", "-q")
    try tree.git(command, "-q", "origin/main")
    let text = try folder.read("b/heroes/moon.json")
    #expect(text.contains("loud") && !text.contains("quick"), "\(text)")
  }

  /// A file that equals git's common ancestor again is replaced by the other side's, without a driver.
  @Test func whatWasTakenBackAndComesBackFromGitIsNamed() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let (setting, tree) = try library.clone("b")
    try #require(await setting.run("git", "setup").code == .done)
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("Wrong")
    try #require(await setting.run("sync").code == .done)
    try folder.edit("b/heroes/luna.json", "8", to: "7")
    try #require(await setting.run("sync").code == .done)
    try tree.commit("Taken back")
    try tree.git("pull", "-q", "--no-rebase")
    #expect(try folder.read("b/heroes/luna.json").contains("\"age\": 8"))
    let status = await setting.run("status")
    #expect(status.output.contains("same as an older synced version"), "\(status.output)")
    #expect(await setting.run("restore", "heroes/luna").code == .done)
    #expect(await setting.run("status", "--exit-code").code == .done)
    #expect(try folder.read("b/heroes/luna.json").contains("\"age\": 7"))
  }

  /// An edit of a record must not end in another one that has its name by now.
  @Test(arguments: [("Pip", true), ("Luna", true), ("Luna", false)])
  func aNameThatAnotherRecordGotIsAConflict(title: String, isSynced: Bool) async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch { try folder.edit("a/heroes/luna.json", "7", to: "9") }
    #expect(await library.setting.run("mv", "heroes/luna", "heroes/moon").code == .done)
    let other = SampleLibrary.luna.replacing("\"Luna\"", with: "\"\(title)\"")
    try folder.write(other.replacing("stars", with: "bees"), to: "a/heroes/luna.json")
    if isSynced { #expect(await library.setting.run("sync").code == .done) }
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "-X", "no-renames", "other") == 1)
    #expect(await library.setting.run("conflicts").output.contains("heroes/luna"))
    #expect(await library.setting.run("resolve", "heroes/luna", "--local").code == .done)
    let text = try folder.read("a/heroes/luna.json")
    #expect(text.contains("\"\(title)\"") && text.contains("\"age\": 7"))
  }

  /// Git takes the other record's sidecar, with which the text would be sent to that record.
  @Test func aVersionIsChosenOnlyWithItsOwnRecord() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let lena = SampleLibrary.luna.replacing("Luna", with: "Lena").replacing("stars", with: "bees")
    try await library.onBranch {
      #expect(await library.setting.run("mv", "heroes/luna", "heroes/moon").code == .done)
      try folder.write(lena, to: "a/heroes/luna.json")
      #expect(await library.setting.run("sync").code == .done)
    }
    try folder.edit("a/heroes/luna.json", "7", to: "9")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "-X", "no-renames", "other") == 1)
    let listed = await library.setting.run("conflicts")
    #expect(listed.output.contains("heroes/luna  git's conflict markers: two records"))
    #expect(!listed.output.contains("--merge"))
    #expect(await library.setting.run("resolve", "heroes/luna", "--merge").code == .conflictsLeft)
    let refused = await library.setting.run("resolve", "heroes/luna", "--local")
    #expect(refused.code == .conflictsLeft)
    #expect(refused.errors.contains("heroes/moon.json"), "\(refused.errors)")
    #expect(refused.errors.contains("from heroes/luna.json to"))
    #expect(try library.tree.git("show", ":2:./heroes/luna.json").contains("\"age\": 9"))
    #expect(try folder.read("a/heroes/luna.json").contains("<<<<<<<"))
    var setting = library.setting
    (setting.isTerminal, setting.width, setting.typed) = (true, 80, ["s"])
    setting.environment["NO_COLOR"] = "1"
    let asked = await setting.run("resolve", "heroes/luna")
    #expect(asked.output.contains("Resolved heroes/luna: the whole of server"), "\(asked.output)")
    #expect(try folder.read("a/heroes/luna.json") == lena)
    try library.tree.commit("Merged")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Lena", "Luna", "Otto"])
    #expect(try library.server.record(.heroes, "Lena")?["age"] == 7)
  }

  @Test func aStashIsNotMergedIntoAnotherRecord() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try folder.edit("a/heroes/luna.json", "7", to: "9")
    try library.tree.git("stash", "-q")
    #expect(await library.setting.run("mv", "heroes/luna", "heroes/moon").code == .done)
    let lena = SampleLibrary.luna.replacing("Luna", with: "Lena").replacing("stars", with: "bees")
    try folder.write(lena, to: "a/heroes/luna.json")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Main")
    #expect(try library.tree.status("stash", "pop", "-q") == 1)
    let refused = await library.setting.run("resolve", "heroes/luna", "--server")
    #expect(refused.code == .conflictsLeft)
    #expect(refused.errors.contains("heroes/moon.json"), "\(refused.errors)")
    #expect(await library.setting.run("resolve", "heroes/luna", "--local").code == .done)
    #expect(try folder.read("a/heroes/luna.json") == lena)
  }

  /// A record that only one side has synced is still one record.
  @Test func aRecordThatOneSideHasSyncedHasABase() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    let pip = "a/heroes/pip.json"
    let text = "{\n  \"name\": \"Pip\",\n  \"age\": 5,\n  \"traits\": [\"small\"]\n}\n"
    try folder.write(text, to: pip)
    try library.tree.commit("Pip")
    try await library.onBranch {
      #expect(await library.setting.run("sync").code == .done)
      try folder.edit(pip, "5", to: "6")
    }
    try folder.edit(pip, "5", to: "8")
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    let listed = await library.setting.run("conflicts")
    #expect(listed.output.contains("    base    5\n    local   8\n    server  6\n"), "\(listed)")
    #expect(await library.setting.run("resolve", "heroes/pip", "--server").code == .done)
    #expect(try folder.read(pip).contains("\"age\": 6"))
  }

  /// Git takes a new record for the renamed one that was deleted.
  @Test func aRecordThatIsOnlyAlikeIsAConflict() async throws {
    let folder = try TemporaryFolder()
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch { try folder.edit("a/heroes/family/otto.json", "4", to: "9") }
    #expect(await library.setting.run("rm", "heroes/family/otto").code == .done)
    #expect(await library.setting.run("sync").code == .done)
    let otta = SampleLibrary.otto.replacing("Otto", with: "Otta")
    try folder.write(otta, to: "a/heroes/otta.json")
    #expect(await library.setting.run("sync").code == .done)
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    #expect(await library.setting.run("resolve", "heroes/otta", "--local").code == .done)
    #expect(try folder.read("a/heroes/otta.json") == otta)
  }
}
