import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ResolveCommandTests {
  private let story = ConflictedLibraries.story

  @Test func takesASideOfOneRecord() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run("resolve", "first-snow", "--server")
    #expect(run.code == .done)
    #expect(
      run.output == "Resolved stories/2026/first-snow (title and content): the server's version\n")
    #expect(run.errors == "To see what the next push sends: stories status\n")
    #expect(try world.value()["title"] == "Their Snow")
    #expect(await world.ben.run("resolve", "first-snow", "--server").code == .wrongUsage)
  }

  @Test func takesFieldsOneByOneAndTellsWhatIsLeft() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run(
      "resolve", "first-snow", "--server", "--field", "title", "--json")
    #expect(run.code == .conflictsLeft)
    #expect(
      run.json == [
        "schema": "stories.resolve/1", "dryRun": false,
        "resolved": [["ref": .string(story), "fields": ["title"]]],
        "left": [["ref": .string(story), "fields": ["content"]]],
        "failed": [],
      ])
    #expect(try world.value()["title"] == "Their Snow")
    #expect(try world.value()["content"]?.array?[2] == "It came at night, whispered a cat.")
    let unknown = await world.ben.run("resolve", "first-snow", "--local", "--field", "contents")
    #expect(unknown.code == .wrongUsage)
    #expect(unknown.errors.contains("Hint: did you mean “content”?"))
  }

  @Test func aFieldWithoutAnyConflict() async throws {
    let library = try SampleLibrary()
    let run = await library.run("resolve", "--field", "age")
    #expect(run.code == .wrongUsage)
    #expect(
      run.errors
        == "Error: “age” is not in conflict\nHint: list conflicts: stories conflicts\n",
      "\(run.errors)")
  }

  @Test func goesThroughAFolderAndDoesNotComeBack() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run("resolve", ".", "--local")
    #expect(run.code == .done)
    #expect(run.lines.count { $0.hasPrefix("Resolved ") } == 2)
    #expect(await world.ben.run("sync").code == .done)
    #expect(await world.ben.run("conflicts").output == "Nothing is in conflict.\n")
    #expect(await world.ann.run("sync").code == .done)
    let ann = try JSONValue(parsing: Array(world.folder.read("ann/\(story).json").utf8))
    #expect(ann["title"] == "My Snow")
    #expect(ann["content"]?.array?[2] == "It came at night, whispered a cat.")
  }

  @Test func mergeLeavesWhatClashes() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.ben.run("resolve", ".", "--merge")
    #expect(run.code == .conflictsLeft)
    #expect(
      run.lines.contains(
        "Still in conflict: stories/2026/first-snow (title and content): both sides changed the same lines"
      ))
    #expect(
      run.lines.contains(
        "Still in conflict: events/power-cut: one side deleted it: use --local or --server"))
  }

  @Test func dryRunChangesNothing() async throws {
    let world = try await ConflictedLibraries()
    let before = try world.folder.read("ben/\(story).json")
    let run = await world.ben.run("resolve", "first-snow", "--server", "--dry-run")
    #expect(run.code == .done)
    #expect(run.output.hasPrefix("Would resolve stories/2026/first-snow"))
    #expect(try world.folder.read("ben/\(story).json") == before)
    #expect(
      await world.ben.run("conflicts", "stories", "--json").json?["conflicts"]?.array?.count == 1)
  }

  @Test func withoutConflictsNobodyIsAsked() async throws {
    let library = try SampleLibrary()
    let run = await library.run("resolve")
    #expect(run.code == .done && run.output == "Nothing is in conflict.\n", "\(run.errors)")
    #expect(await library.run("resolve", "--json").json?["resolved"] == [])
  }

  @Test func refusesWhatCannotBe() async throws {
    let world = try await ConflictedLibraries()
    let cases: [([String], String)] = [
      (["resolve"], "keep the local version: stories resolve REF --local"),
      (["resolve", "luna"], "heroes/luna is not in conflict"),
      (["resolve", "first-snow"], "no terminal to ask on"),
      (["resolve", "--local"], "`stories resolve` needs REF"),
      (["resolve", "first-snow", "--local", "--server"], "cannot be combined"),
      (["resolve", "first-snow", "--edit", "--dry-run"], "cannot be combined"),
      (["resolve", "first-snow", "--tool", "meld"], "does not name the merged file"),
      (["resolve", "luna", "--local"], "heroes/luna is not in conflict"),
      (["resolve", "heroes", "--local"], "heroes/luna is not in conflict"),
      (["resolve", "nobody", "--local"], "there is no record “nobody”"),
    ]
    for (arguments, message) in cases {
      let run = await world.ben.run(arguments)
      #expect(run.code == .wrongUsage, "\(arguments)")
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(run.output.isEmpty)
    }
  }

  // MARK: Editor

  @Test func editTakesWhatWasWritten() async throws {
    var world = try await ConflictedLibraries()
    world.ben.environment["EDITOR"] = try world.script(
      "editor.sh",
      """
      cp "$1" \(world.folder.path("seen.txt"))
      sed -i -e '/^<<<<<<</d' -e '/^|||||||/,/^>>>>>>>/d' -e 's/^My Snow/Our Snow/' "$1"
      """)
    let run = await world.ben.run("resolve", "first-snow", "--edit")
    #expect(run.code == .done, "\(run.errors)")
    #expect(
      run.output == "Resolved stories/2026/first-snow (title and content): as you wrote it\n")
    let value = try world.value()
    #expect(value["title"] == "Our Snow")
    #expect(value["content"]?.array?[2] == "It came at night, whispered a cat.")
    #expect(value["content"]?.array?.last == "She did not stop for socks or shoes.")
    let seen = try world.folder.read("seen.txt")
    #expect(
      seen.contains("\nMy Snow\n||||||| base\nThe First Snow\n=======\nTheir Snow\n>>>>>>>"))
    #expect(!world.folder.exists("ben/.stories/edit"))
  }

  @Test func markersThatAreLeftKeepTheConflictAndWhatWasWritten() async throws {
    var world = try await ConflictedLibraries()
    world.ben.environment["VISUAL"] = try world.script(
      "editor.sh", "sed -i -e 's/^My Snow/Our Snow/' -e '/^It came/d' \"$1\"")
    let before = try world.folder.read("ben/\(story).json")
    let run = await world.ben.run("resolve", "first-snow", "--edit")
    #expect(run.code == .conflictsLeft)
    #expect(run.output == "Still in conflict: stories/2026/first-snow (title and content)\n")
    #expect(try world.folder.read("ben/\(story).json") == before)
    let kept = try #require(run.errors.wholeMatch(of: /Your text was kept in (.*)\n/)?.output.1)
    #expect(try world.folder.read("ben/\(kept)").contains("\nOur Snow\n"))
    let doctor = await world.ben.run("doctor", "--json").json
    let draft = doctor?["findings"]?.array?.first { $0["code"] == "draft" }
    #expect(draft?["file"]?.string == String(kept))
  }

  @Test func whatARecordCannotHoldIsRefusedAndKept() async throws {
    var world = try await ConflictedLibraries()
    world.ben.environment["EDITOR"] = try world.script(
      "editor.sh", "printf '@@ title @@\\n\\n@@ content @@\\nOne line.\\n\\n@@ end @@\\n' > \"$1\"")
    let run = await world.ben.run("resolve", "first-snow", "--edit")
    #expect(run.code == .failed)
    #expect(run.errors.contains("“title” must not be empty"))
    #expect(run.errors.contains("Your text was kept in "))
    #expect(try world.value()["content"] == ["One line."])
    #expect(try world.value()["title"] == "My Snow")
  }

  @Test func anEditorThatFailsLeavesTheConflict() async throws {
    var world = try await ConflictedLibraries()
    world.ben.environment["EDITOR"] = "false"
    let run = await world.ben.run("resolve", "first-snow", "--edit")
    #expect(run.code == .failed)
    #expect(run.errors.contains("“false” failed"))
    world.ben.environment["EDITOR"] = nil
    #expect(await world.ben.run("resolve", "first-snow", "--edit").code == .wrongUsage)
    #expect(!world.folder.exists("ben/.stories/edit"))
  }

  // MARK: Tools

  @Test func toolGetsTheVersionsAndItsResultIsTaken() async throws {
    let world = try await ConflictedLibraries()
    let tool = try world.script(
      "tool.sh",
      """
      set -e
      grep -q '"The First Snow"' "$1"; grep -q '"My Snow"' "$2"; grep -q '"Their Snow"' "$3"
      grep -q '^<<<<<<< local' "$4"
      sed 's/My Snow/Merged Snow/' "$2" > "$4"
      """)
    let run = await world.ben.run(
      "resolve", "first-snow", "--tool", tool + " $BASE $LOCAL $REMOTE $MERGED")
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output == "Resolved stories/2026/first-snow (title and content): as merged\n")
    #expect(try world.value()["title"] == "Merged Snow")
    #expect(!world.folder.exists("ben/.stories/edit"))
    #expect(await world.ben.run("sync").code == .conflictsLeft)
    #expect(await world.ben.run("conflicts", "stories").output == "None of these is in conflict.\n")
  }

  /// As a sync does that runs while the tool is open.
  @Test func aToolDecidesNothingThatCameMeanwhile() async throws {
    let world = try await ConflictedLibraries()
    let sidecar = "stories/2026/.sync/first-snow.json"
    let path = world.folder.path("ben/\(sidecar)")
    let tool = try world.script(
      "tool.sh",
      """
      sed 's/My Snow/Merged/' "$1" > "$2"
      sed -i 's/Their Snow/Their Newest Snow/' '\(path)'
      """)
    let run = await world.ben.run("resolve", "first-snow", "--tool", tool + " $LOCAL $MERGED")
    #expect(run.code == .failed, "\(run.output)")
    #expect(run.errors.contains("Its result was kept in "))
    #expect(try world.folder.read("ben/\(sidecar)").contains("Their Newest Snow"))
    #expect(await world.ben.run("conflicts").output.contains("first-snow"))
  }

  /// As a sync does that runs while the tool writes its result under a name of ours.
  @Test func aSyncTakesNoFileOfAToolThatIsOpen() async throws {
    let world = try await ConflictedLibraries()
    let settings = world.ben.environment.map { "\($0)='\($1)'" }.joined(separator: " ")
    let tool = try world.script(
      "tool.sh",
      """
      file="$(dirname "$2")/.stories-tmp-0123456789abcdef-0000000000000000-first-snow.json"
      sed 's/My Snow/Merged/' "$1" > "$file"
      \(settings) \(BuiltProgram.path) -C \(world.folder.path("ben")) sync pull > "$0.log" 2>&1
      mv "$file" "$2"
      """)
    let run = await world.ben.run("resolve", "first-snow", "--tool", tool + " $LOCAL $MERGED")
    #expect(run.code == .done, "\(run.errors)")
    #expect(try world.folder.read("tool.sh.log").contains("conflict"))
    #expect(try world.value()["title"] == "Merged")
  }

  @Test func aToolThatFailsLeavesTheConflict() async throws {
    let world = try await ConflictedLibraries()
    let before = try world.folder.read("ben/\(story).json")
    let cases: [(command: String, message: String, keeps: Bool)] = [
      ("exit 3", "it exited with status 3", false),
      ("echo '{' > $MERGED", "Error: ", true),
      ("true", "git's conflict markers", false),
      ("rm $MERGED", "it left no file", false),
      ("echo '{\"title\": 5}' > $MERGED", "first-snow.json:1:1: “hero” is missing", true),
    ]
    for (command, message, keeps) in cases {
      let run = await world.ben.run("resolve", "first-snow", "--tool", "\(command) # $MERGED")
      #expect(run.code == .failed, "\(command)")
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(run.errors.contains("Its result was kept in ") == keeps)
      #expect(run.lines.contains { $0.hasPrefix("Still in conflict: ") })
      #expect(try world.folder.read("ben/\(story).json") == before)
    }
  }
}
