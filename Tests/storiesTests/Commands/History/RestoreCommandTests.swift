import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `stories restore`: the last synced version, which the sidecar holds.
@Suite(.inTurn) struct RestoreCommandTests {
  /// The story as a new file has it, which leaves defaults out.
  private static let snow = SampleLibrary.snow.replacing("  \"language\": \"en\",\n", with: "")

  private func synced() async throws -> SampleLibrary {
    let library = try SampleLibrary()
    try await library.push()
    return library
  }

  private func status(_ library: SampleLibrary) async -> String {
    await library.run("status", "--porcelain=v1").output
  }

  @Test func deletedFileComesBack() async throws {
    let library = try await synced()
    try library.folder.remove("heroes/luna.json")
    #expect(
      await library.run("status").output.contains(
        "\n  (`stories restore REF` restores the last synced version)\n"))
    let dry = await library.run("restore", "luna", "--dry-run")
    #expect(
      dry.output == "Would restore heroes/luna to the last synced version (there was no file).\n")
    #expect(!library.folder.exists("heroes/luna.json"))
    let run = await library.run("restore", "luna")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output == "Restored heroes/luna to the last synced version (there was no file).\n")
    #expect(run.errors.isEmpty)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await status(library).isEmpty)
  }

  @Test(arguments: [
    ["mv", "first-snow", "fs"], ["read", "first-snow"], ["export", "markdown", "md", "first-snow"],
  ])
  func aRemovedRecordIsSaidToComeBack(_ words: [String]) async throws {
    let library = try await synced()
    #expect(await library.run("rm", "first-snow").code == .done)
    let run = await CommandSetting(library.folder).run(words)
    #expect(run.code == .wrongUsage)
    #expect(
      run.errors.hasPrefix(
        """
        Error: stories/2026/first-snow.json was removed
        Hint: to bring it back: stories restore stories/2026/first-snow

        """), "\(run.errors)")
  }

  /// The hero was deleted and created again, so that the kept version has an id that means nothing now.
  @Test func aStoryReferencesItsHeroThatExistsAgain() async throws {
    let library = try await synced()
    for ref in ["first-snow", "luna"] {
      #expect(await library.run("rm", ref).code == .done)
      #expect(await library.run("sync").code == .done)
    }
    for ref in ["luna", "stories/2026/first-snow"] {
      #expect(await library.run("restore", ref).code == .done)
      #expect(await library.run("sync").code == .done)
    }
    #expect(try library.folder.read("stories/2026/first-snow.json").contains("\"hero\": \"luna\""))
  }

  @Test func severalNamesAreTooManyForAList() async throws {
    let library = try await synced()
    let run = await library.run("restore", "luna", "otto", "--list")
    #expect(run.code == .wrongUsage)
    #expect(
      run.errors == """
        Error: “luna” and “otto” name 2 records, but the command takes one
        Hint: list them: stories list luna otto

        """)
  }

  @Test(arguments: [["rm", "-r"], ["restore"], ["show"], ["why"], ["export", "html", "site"]])
  func anEmptyWordIsNoRecord(_ words: [String]) async throws {
    let library = try await synced()
    for word in ["", "/"] {
      let run = await CommandSetting(library.folder).run(words + [word])
      #expect(run.code == .wrongUsage)
      #expect(run.errors.contains("Hint: name a record or a folder"), "\(run.errors)")
    }
    #expect(await status(library).isEmpty)
  }

  @Test func aDeleteIsNotSent() async throws {
    let library = try await synced()
    #expect(await library.run("rm", "first-snow").code == .done)
    let dry = await library.run("sync", "push", "--dry-run")
    #expect(
      dry.output.hasSuffix("Would delete 1 story on the server. Dry run: nothing was changed.\n"),
      "\(dry.output)")
    #expect(await library.run("restore", "first-snow").code == .done)
    let undo = await library.run("undo")
    #expect(undo.errors == "The next push deletes 1 story on the server.\n", "\(undo.errors)")
  }

  @Test func editedRecordKeepsWhatIsNotSynced() async throws {
    let library = try await synced()
    try library.folder.write(
      "{\n\t\"note\": \"mine\",\n\t\"age\": \"old\",\n\t\"name\": \"Moon\"\n}\n",
      to: "heroes/luna.json")
    let run = await library.run("restore", "heroes/luna")
    #expect(
      run.output
        == "Restored heroes/luna to the last synced version (name, age, traits and\nspecialAbility).\n"
    )
    let text = try library.folder.read("heroes/luna.json")
    #expect(text.hasPrefix("{\n\t\"note\": \"mine\",\n"))
    #expect(await status(library).isEmpty)
    let again = await library.run("restore", "luna")
    #expect(again.code == .done)
    #expect(
      again.output == "heroes/luna already has its last synced version; nothing was changed.\n")
  }

  @Test(arguments: ["", "{ \"name\": ", "<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> b\n", "[1]"])
  func damagedRecordIsMadeAnew(text: String) async throws {
    let library = try await synced()
    try library.folder.write(text, to: "heroes/luna.json")
    #expect(
      await library.run("status").output.contains(
        "        Hint: to restore the last synced version: stories restore heroes/luna\n"))
    let run = await library.run("restore", "luna")
    #expect(
      run.output == "Restored heroes/luna to the last synced version (it could not be read).\n")
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await status(library).isEmpty)
    #expect(await library.run("undo").code == .done)
    #expect(try library.folder.read("heroes/luna.json") == text)
  }

  @Test func foldersAndKindsCanBeRestored() async throws {
    let library = try await synced()
    try library.folder.write("", to: "heroes/luna.json")
    try library.folder.remove("heroes/family/otto.json")
    try library.folder.remove("stories/2026/first-snow.json")
    let run = await library.run("restore", "heroes", "stories/2026", "--json")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.json?["schema"] == "stories.restore/1")
    #expect(run.json?["dryRun"] == false)
    #expect(
      run.json?["restored"] == ["heroes/family/otto", "heroes/luna", "stories/2026/first-snow"])
    #expect(run.json?["skipped"] == [])
    #expect(try library.folder.read("heroes/family/otto.json") == SampleLibrary.otto)
    #expect(try library.folder.read("stories/2026/first-snow.json") == Self.snow)
    #expect(await status(library).isEmpty)
    #expect(await library.run("undo").code == .done)
    #expect(
      await status(library)
        == "D. heroes/family/otto\n!. heroes/luna\nD. stories/2026/first-snow\n")
  }

  @Test func statedDeleteIsTakenBack() async throws {
    let library = try await synced()
    #expect(await library.run("rm", "first-snow", "luna").code == .done)
    let run = await library.run("restore", "stories", "heroes")
    #expect(run.code == .done)
    #expect(try library.folder.read("stories/2026/first-snow.json") == Self.snow)
    #expect(await status(library).isEmpty)
    #expect(!(try library.folder.read("heroes/.sync/luna.json")).contains("delete"))
    #expect(await library.run("undo").code == .done)
    #expect(try library.folder.read("heroes/.sync/luna.json").contains("\"delete\": true"))
    #expect(!library.folder.exists("heroes/luna.json"))
  }

  @Test func missingRecordComesBack() async throws {
    let library = try await synced()
    // A copy without what this machine saw, in which one record is not.
    try library.folder.remove(".stories")
    try library.folder.remove("heroes/family/otto.json")
    #expect(await status(library) == "!. heroes/family/otto\n")
    #expect(
      await library.run("status").output.contains(
        "\n  (`stories restore REF` restores the last synced version)\n"))
    #expect(await library.run("restore", "heroes").code == .done)
    #expect(try library.folder.read("heroes/family/otto.json") == SampleLibrary.otto)
    #expect(await status(library).isEmpty)
  }

  // MARK: Without sidecars

  @Test func folderThatIsGoneWithItsSidecarsIsNamed() async throws {
    let library = try await synced()
    try library.folder.remove("heroes")
    try library.folder.remove("stories/2026")
    let run = await library.run("restore", "heroes")
    #expect(run.code == .failed)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        Error: 2 heroes and their sidecars are missing locally, and no readable version of them was kept: heroes/family/otto and heroes/luna
        Hint: `stories sync pull` brings them back

        """)
    let json = await library.run("restore", "stories/2026", "--json")
    #expect(json.code == .failed)
    #expect(json.json?["restored"] == [])
    #expect(json.json?["skipped"]?.array?.count == 1)
    let skipped = json.json?["skipped"]?.array?.first
    #expect(skipped?["ref"] == "stories/2026/first-snow")
    #expect(
      skipped?["reason"]
        == "stories/2026/first-snow and its sidecar are missing locally, and no readable version of it was kept"
    )
    #expect(skipped?["hint"] == "`stories sync pull` brings it back")
    // Other commands do not say that there is no such record.
    for command in ["why", "rm", "show", "diff"] {
      for word in ["heroes/luna", "luna"] {
        let run = await library.run(command, word)
        #expect(run.code == .wrongUsage)
        #expect(
          run.errors == """
            Error: heroes/luna and its sidecar are missing locally
            Hint: `stories sync pull` brings it back

            """, "\(command) \(word)")
      }
    }
    #expect(await library.run("sync", "pull").code == .done)
    #expect(await status(library).isEmpty)
  }

  @Test func theNewestVersionThatCanBeReadIsTaken() async throws {
    let library = try await synced()
    // Two runs keep Luna: first as she was, then damaged; of Otto only damaged versions are kept.
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    #expect(await library.run("restore", "luna").code == .done)
    for text in ["[]", "{ \"name\": "] {
      try library.folder.write(text, to: "heroes/luna.json")
      try library.folder.write(text, to: "heroes/family/otto.json")
      #expect(await library.run("restore", "heroes").code == .done)
    }
    try library.folder.remove("heroes")
    let list = await library.run("restore", "heroes/family/otto", "--list")
    #expect(list.output.contains("cannot be read"))
    let run = await library.run("restore", "heroes")
    #expect(run.code == .failed)
    #expect(run.output.contains("Restored heroes/luna to "))
    #expect(
      run.errors.contains(
        "Error: heroes/family/otto and its sidecar are missing locally, and no readable version of it was kept\n"
      ))
    #expect(
      try library.folder.read("heroes/luna.json") == SampleLibrary.luna.replacing("7", with: "8"))
    #expect(!library.folder.exists("heroes/family/otto.json"))
    let otto = await library.run("restore", "heroes/family/otto")
    #expect(otto.code == .failed)
    #expect(otto.errors.contains("`stories sync pull` brings it back"))
  }

  @Test func deletesThatWereSyncedAreTakenBackByNameOnly() async throws {
    let library = try await synced()
    #expect(await library.run("rm", "family/otto").code == .done)
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    #expect(await library.run("restore", "heroes", "--json").json?["restored"] == ["heroes/luna"])
    try library.folder.remove("heroes")
    let run = await library.run("restore", "heroes", "--json")
    #expect(run.json?["restored"] == ["heroes/luna"])
    #expect(run.json?["skipped"] == [])
    #expect(!library.folder.exists("heroes/family/otto.json"))
    let folder = await library.run("restore", "heroes/family")
    #expect(folder.code == .wrongUsage)
    #expect(
      folder.errors == """
        Error: no record to restore in this folder: only deleted ones were kept (heroes/family/otto)
        Hint: to bring one back, name it: stories restore heroes/family/otto

        """)
    #expect(await library.run("restore", "heroes/family/otto").code == .done)
    #expect(try library.folder.read("heroes/family/otto.json") == SampleLibrary.otto)
  }

  @Test func needsNoServerAndNoRun() async throws {
    let library = try await synced()
    try library.folder.remove(".stories")
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    #expect(await library.run("restore", "luna").code == .done)
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
  }

  @Test func recordInConflictIsLeft() async throws {
    let libraries = try await ConflictedLibraries()
    let before = try libraries.folder.read("ben/\(ConflictedLibraries.story).json")
    let run = await libraries.ben.run("restore", "stories")
    #expect(run.code == .failed)
    #expect(
      run.errors == """
        Error: \(ConflictedLibraries.story) is in conflict
        Hint: choose a version with `stories resolve \(ConflictedLibraries.story)`

        """)
    #expect(try libraries.folder.read("ben/\(ConflictedLibraries.story).json") == before)
  }

  @Test func earlierVersionsOfSeveralRecordsComeFromARun() async throws {
    let library = try await synced()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    try library.folder.edit("heroes/family/otto.json", "4", to: "5")
    try await library.push()
    let runs = await library.run("log", "--json").json?["runs"]?.array
    let name = try #require(runs?.first?["run"]?.string)
    let run = await library.run("restore", "heroes", "--from", name)
    #expect(run.code == .done, "\(run.errors)")
    #expect(
      run.output
        == "Restored 2 records to what run \(name) replaced:\n  heroes/family/otto  age\n"
        + "  heroes/luna         age\n")
    #expect(run.errors == "These now count as your edits; the next push sends them.\n")
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await library.run("restore", "events", "--from", name).code == .wrongUsage)
  }

  @Test func undoOfAResolveGivesTheConflictBack() async throws {
    let libraries = try await ConflictedLibraries()
    let story = ConflictedLibraries.story
    let before = try libraries.folder.read("ben/\(story).json")
    let conflicts = await libraries.ben.run("conflicts", "--json").json?["conflicts"]
    for choice in ["--local", "--server"] {
      for ref in [story, "events/power-cut"] {
        #expect(await libraries.ben.run("resolve", ref, choice).code == .done)
        #expect(await libraries.ben.run("undo").code == .done)
      }
      #expect(try libraries.folder.read("ben/\(story).json") == before)
      #expect(await libraries.ben.run("conflicts", "--json").json?["conflicts"] == conflicts)
    }
  }

  @Test func undoOfARemovalIsRedoneByUndo() async throws {
    let library = try await synced()
    // A file that was removed by hand before is part of it.
    try library.folder.remove("stories/2026/first-snow.json")
    #expect(await library.run("rm", "first-snow", "luna").code == .done)
    let removed = try library.folder.read("heroes/.sync/luna.json")
    let undo = await library.run("undo", "--json").json
    #expect(undo?["restored"] == ["heroes/luna"])
    #expect(undo?["removed"] == ["stories/2026/first-snow"])
    #expect(try library.folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(await status(library) == "D. stories/2026/first-snow\n")
    #expect(await library.run("undo").code == .done)
    #expect(try library.folder.read("heroes/.sync/luna.json") == removed)
    #expect(!library.folder.exists("heroes/luna.json"))
    #expect(await library.run("sync", "push").output.contains("deleted"))
  }

  @Test func undoBringsFoldersBack() async throws {
    let library = try await synced()
    try library.folder.remove("stories/2026/first-snow.json")
    try await library.push()
    try library.folder.remove("heroes/family/otto.json")
    try await library.push()
    #expect(!library.folder.exists("stories/2026/.sync/first-snow.json"))
    try library.folder.remove("stories/2026")
    try library.folder.remove("heroes/family")
    let runs = await library.run("log", "--json").json?["runs"]?.array ?? []
    for run in runs.prefix(2) {
      #expect(await library.run("undo", run["run"]?.string ?? "").code == .done)
    }
    #expect(try library.folder.read("stories/2026/first-snow.json") == Self.snow)
    #expect(try library.folder.read("heroes/family/otto.json") == SampleLibrary.otto)
    try await library.push()
  }

  @Test func modesAreKept() async throws {
    let library = try await synced()
    let path = library.folder.path("heroes/luna.json")
    func mode() throws -> UInt32? { try FileSystem.status(path)?.mode }
    for wanted in [UInt32(0o600), 0o755, 0o644] {
      try library.folder.setMode("heroes/luna.json", wanted)
      try library.folder.edit("heroes/luna.json", "7", to: "8")
      #expect(await library.run("restore", "luna").code == .done)
      #expect(try mode() == wanted)
      #expect(await library.run("rm", "first-snow", "luna").code == .done)
      #expect(await library.run("undo").code == .done)
      #expect(try mode() == wanted)
      #expect(await library.run("undo").code == .done)
      #expect(try mode() == nil)
      #expect(await library.run("undo").code == .done)
      #expect(try mode() == wanted)
      #expect(await library.run("mv", "luna", "moon").code == .done)
      #expect(await library.run("mv", "moon", "luna").code == .done)
      #expect(try mode() == wanted)
      try await library.push()
    }
  }

  @Test(.enabled(if: GitTree.isThere, "needs git"))
  func undoOfTheCleanupBringsRecordsBackAtTheirPaths() async throws {
    let library = try SampleLibrary()
    let tree = GitTree(path: library.folder.path)
    let later = ["heroes/family/otto.json", "stories/2026/first-snow.json"]
    let texts = try later.map { try library.folder.read($0) }
    for path in later { try library.folder.remove(path) }
    try await library.push()
    try tree.git("init", "-q", "-b", "main")
    try tree.commit("First")
    for (path, text) in zip(later, texts) { try library.folder.write(text, to: path) }
    try library.folder.edit("stories/2026/first-snow.json", "\"luna\"", to: "\"family/otto\"")
    try await library.push()
    try tree.commit("Second")
    try tree.git("checkout", "-q", "HEAD~1")
    #expect(await library.run("sync").errors.contains("removed from the embedded server"))
    #expect(!library.folder.exists("heroes/family"))
    let undo = await library.run("undo", "--json").json
    #expect(undo?["restored"] == ["heroes/family/otto", "stories/2026/first-snow"])
    #expect(try library.folder.read("heroes/family/otto.json") == SampleLibrary.otto)
    #expect(
      try library.folder.read("stories/2026/first-snow.json")
        == Self.snow.replacing("\"luna\"", with: "\"family/otto\""))
    #expect(await library.run("sync").code == .done)
    #expect(await status(library).isEmpty)
  }
}
