import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ConflictDialogueTests {
  private let story = ConflictedLibraries.story

  @Test func showsBothVersionsBesideEachOther() async throws {
    let world = try await ConflictedLibraries()
    let setting = world.typing("l", "s")
    let run = await setting.run("resolve", "first-snow")
    #expect(run.code == .done)
    let rule = String(repeating: "─", count: 38)
    #expect(
      run.output == """

        stories/2026/first-snow  My Snow  2 fields

        title  field 1 of 2
        base: “The First Snow”
        local                                    server
        \(rule)─┬─\(rule)
        [-The First-]{+My+} Snow               ≠ Their Snow
        [l]ocal  [s]erver  [e]dit  [n]ot now  [q]uit  [?] › local

        content  field 2 of 2
        local                                    server
        \(rule)─┬─\(rule)
          Luna woke up and the window was whi… │   Luna woke up and the window was whi…
        ~ It came at night, whispered          ≠ ~ It came at night, whispered the
          [-the-]{+a+} cat.                    ≠   [-cat-]{+dog+}.
          She did not stop for socks.          │ ~ She did not stop for socks{+ or
                                               │   shoes+}.
        [l]ocal  [s]erver  [b]oth  [e]dit  [n]ot now  [q]uit  [?] › server

        Resolved stories/2026/first-snow (title and content)

        """)
    let value = try world.value()
    #expect(value["title"] == "My Snow")
    #expect(value["content"]?.array?[2] == "It came at night, whispered the dog.")
  }

  @Test func stacksTheVersionsWhereTheTerminalIsNarrow() async throws {
    let world = try await ConflictedLibraries()
    let setting = world.typing("n", "q", width: 44)
    let run = await setting.run("resolve", "first-snow")
    #expect(run.code == .conflictsLeft)
    #expect(
      run.output.contains(
        """
        local
        ≠ [-The First-]{+My+} Snow
        server
        ≠ Their Snow
        l/s/e/n/q/? › not now
        """))
    #expect(run.lines.allSatisfy { DisplayWidth.of($0) <= 44 || $0.hasPrefix("Still in conflict") })
    #expect(
      run.output.hasSuffix("Still in conflict: stories/2026/first-snow (title and content)\n"))
  }

  @Test func marksWithColoursWhereThereAreColours() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.typing("q").run("resolve", "first-snow", "--color", "always")
    #expect(
      run.output.contains(
        "\u{1B}[9;31mThe\u{1B}[0m \u{1B}[9;31mFirst\u{1B}[0m\u{1B}[32mMy\u{1B}[0m Snow"))
    #expect(!run.output.contains("[-"))
  }

  @Test func bothTakesTheChangesOfBoth() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.typing("b").run("resolve", "first-snow", "--field", "content")
    #expect(run.code == .conflictsLeft)
    #expect(
      try world.value()["content"] == [
        "Luna woke up and the window was white.", "", "It came at night, whispered a cat.",
        "It came at night, whispered the dog.", "", "She did not stop for socks or shoes.",
      ])
    #expect(try world.value()["title"] == "My Snow")
  }

  @Test func editsOneFieldUntilItIsRight() async throws {
    let world = try await ConflictedLibraries()
    var setting = world.typing("e", "e", "n")
    // The first try leaves the markers, the second one takes them away.
    setting.environment["EDITOR"] = try world.script(
      "editor.sh",
      """
      if [ -e "$0.seen" ]; then printf '@@ title @@\\nNew Snow\\n\\n@@ end @@\\n' > "$1"; fi
      touch "$0.seen"
      """)
    let run = await setting.run("resolve", "first-snow")
    #expect(run.output.contains("Not yet: a line with <<<<<<<, =======, or >>>>>>> is left\n"))
    #expect(run.output.contains("Resolved stories/2026/first-snow (title)\n"))
    #expect(try world.value()["title"] == "New Snow")
    #expect(run.code == .conflictsLeft)
    #expect(!world.folder.exists("ben/.stories/edit"))
  }

  @Test func leavingKeepsWhatWasDecided() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.typing("l", "s", "q").run("resolve")
    #expect(run.code == .conflictsLeft)
    #expect(
      run.output.contains("Resolved events/power-cut: keep it; the next push creates it again"))
    #expect(run.output.contains("Resolved stories/2026/first-snow (title)\n"))
    #expect(run.output.contains("Still in conflict: stories/2026/first-snow (content)\n"))
    #expect(try world.value()["title"] == "Their Snow")
  }

  @Test func anInterruptLeavesTheRecordAsItWas() async throws {
    let world = try await ConflictedLibraries()
    let before = try world.folder.read("ben/\(story).json")
    let run = await world.typing("s", "\u{3}").run("resolve", "first-snow")
    #expect(run.code == .interrupted)
    #expect(try world.folder.read("ben/\(story).json") == before)
    #expect(
      await world.ben.run("conflicts", "stories", "--json").json?["conflicts"]?.array?.count == 1)
  }

  /// A control character interrupts, and a save by another editor keeps the record from being resolved.
  @Test(arguments: [["e", "\u{3}"], ["e", "s", "q"]])
  func aTextIsKeptUntilItIsInTheRecord(_ keys: [String]) async throws {
    let world = try await ConflictedLibraries()
    var setting = world.typing()
    setting.typed = keys
    setting.environment["EDITOR"] = try world.script(
      "editor.sh", "printf '@@ title @@\\nNew Snow\\n\\n@@ end @@\\n' > \"$1\"")
    let path = world.folder.path("ben/\(story).json")
    let text = try world.folder.read("ben/\(story).json")
    setting.observe = { shown in
      guard shown.contains("field 2 of 2") else { return }
      _ = try? AtomicFile.write(Array(text.replacing("My Snow", with: "My Own").utf8), to: path)
    }
    let run = await setting.run("resolve", "first-snow")
    #expect(run.code == (keys.count == 2 ? .interrupted : .conflictsLeft))
    // Notes wrap on a terminal.
    let note = run.errors.firstMatch(of: /Your text was kept in\s+(\S+)/)
    let kept = try #require(note?.output.1, "\(run.errors)")
    #expect(try world.folder.read("ben/\(kept)").contains("New Snow"))
    #expect(try world.value()["title"] == "My Own")
  }

  @Test func theEndOfTheInputCountsAsLeaving() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.typing().run("resolve")
    #expect(run.code == .conflictsLeft)
    #expect(run.output.contains("Still in conflict: events/power-cut\n"))
  }

  @Test func anotherKeyExplainsTheAnswers() async throws {
    let world = try await ConflictedLibraries()
    let run = await world.typing("?", "x", "N", "n").run("resolve", "first-snow")
    #expect(run.output.contains("the whole of the local version"))
    #expect(run.output.contains("quit; the rest stays in conflict"))
    #expect(run.code == .conflictsLeft)
  }

  @Test func aVersionThatChangedMeanwhileIsShownAgain() async throws {
    let world = try await ConflictedLibraries()
    let path = world.folder.path("ben/\(story).json")
    var setting = world.typing("s", "s", "l", "s")
    let text = try world.folder.read("ben/\(story).json")
    // Once the second field is shown, an editor saves another title.
    setting.observe = { shown in
      guard shown.contains("content"), shown.contains("field 2 of 2") else { return }
      let changed = text.replacing("My Snow", with: "My Newest Snow")
      _ = try? AtomicFile.write(Array(changed.utf8), to: path)
    }
    let run = await setting.run("resolve", "first-snow")
    #expect(run.code == .done, "\(run.output)")
    #expect(run.output.contains("It was changed in the meantime"))
    #expect(try world.value()["title"] == "My Newest Snow")
  }

  @Test func aDeletedRecordThatWasSavedMeanwhileIsShownAgain() async throws {
    let world = try await ConflictedLibraries()
    let path = world.folder.path("ben/events/power-cut.json")
    var setting = world.typing("s", "n")
    let text = try world.folder.read("ben/events/power-cut.json")
    setting.observe = { shown in
      guard shown.contains("delete it locally too") else { return }
      let changed = text.replacing("falls far", with: "falls farther")
      _ = try? AtomicFile.write(Array(changed.utf8), to: path)
    }
    let run = await setting.run("resolve", "events/power-cut")
    #expect(run.code == .conflictsLeft, "\(run.output)")
    #expect(run.output.contains("It was changed in the meantime"))
    #expect(try world.folder.read("ben/events/power-cut.json").contains("falls farther"))
  }
}
