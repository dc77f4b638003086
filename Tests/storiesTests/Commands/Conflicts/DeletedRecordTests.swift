import JSONText
import TestSupport
import Testing

@testable import stories

/// What the commands show of a record that one side deleted and the other one changed.
@Suite(.inTurn) struct DeletedRecordTests {
  private static let ref = "stories/the-moon"

  /// Ben deletes a story that Ann edits, once or more.
  private func deletedLocally(_ titles: String...) async throws -> ConflictedLibraries {
    let world = try await ConflictedLibraries()
    let text = SampleLibrary.snow.replacing("The First Snow", with: "The Moon")
      .replacing("Luna woke", with: "Nobody woke")
    try world.folder.write(text, to: "ann/\(Self.ref).json")
    #expect(await world.ann.run("sync").code == .done)
    #expect(await world.ben.run("sync", "pull").code == .conflictsLeft)
    try world.folder.remove("ben/\(Self.ref).json")
    for (old, new) in zip(["The Moon"] + titles, titles) {
      try world.folder.edit("ann/\(Self.ref).json", old, to: new)
      #expect(await world.ann.run("sync").code == .done)
      #expect(await world.ben.run("sync", "pull").code == .conflictsLeft)
    }
    return world
  }

  @Test func serversChangesAreShown() async throws {
    let world = try await deletedLocally("The Sun")
    let shown = "  changed on the server:\n  title  “The Moon” → “The Sun”\n"
    for command in ["conflicts", "diff"] {
      let run = await world.ben.run(command, Self.ref)
      #expect(run.line(0).contains("deleted locally, edited on the server"))
      #expect(run.output.contains(shown), "\(run.output)")
    }
    let why = await world.ben.run("why", Self.ref)
    #expect(
      why.output.contains(
        """
          title
            base    “The Moon”
            local   deleted
            server  “The Sun”
            rule    changed on the server, deleted locally (policy “ask”)

        """), "\(why.output)")
    let field: JSONValue = [
      "field": "title", "base": "The Moon", "local": nil, "server": "The Sun",
    ]
    let conflict = await world.ben.run("conflicts", Self.ref, "--json").json?["conflicts"]?.array?
      .first
    #expect(conflict?["kind"] == "deletedHere")
    #expect(conflict?["fields"] == [field])
    let diff = await world.ben.run("diff", Self.ref, "--json").json?["records"]?.array?.first
    #expect(diff?["changes"] == [field])
    let explained = await world.ben.run("why", Self.ref, "--json").json?["fields"]?.array?.first
    #expect(explained?["base"] == "The Moon" && explained?["server"] == "The Sun")
  }

  @Test func laterChangesAreShownFromTheFirstBase() async throws {
    let world = try await deletedLocally("The Sun", "The Star")
    let run = await world.ben.run("conflicts", Self.ref)
    #expect(run.output.contains("  title  “The Moon” → “The Star”\n"), "\(run.output)")
    #expect(await world.ben.run("resolve", Self.ref, "--server").code == .done)
    #expect(try world.folder.read("ben/\(Self.ref).json").contains("The Star"))
    #expect(try !world.folder.read("ben/stories/.sync/the-moon.json").contains("conflict"))
  }

  @Test func localChangesAreShownOfARecordDeletedOnTheServer() async throws {
    let world = try await ConflictedLibraries()
    let sync = await world.ben.run("sync", "pull")
    #expect(
      sync.output.contains("events/power-cut         kept locally, deleted on the server\n"),
      "\(sync.output)")
    let change = "promptSeed  “A tooth falls out.” → “A tooth falls far.”"
    for command in ["conflicts", "diff"] {
      let run = await world.ben.run(command, "events/power-cut")
      #expect(run.output.contains("  changed locally:\n  \(change)\n"), "\(run.output)")
    }
    let why = await world.ben.run("why", "events/power-cut")
    #expect(why.output.contains("    local   “A tooth falls far.”\n    server  deleted\n"))
    let json = await world.ben.run("conflicts", "events", "--json").json?["conflicts"]?.array?.first
    #expect(
      json?["fields"] == [
        ["field": "promptSeed", "base": "A tooth falls out.", "local": "A tooth falls far."]
      ])
  }
}
