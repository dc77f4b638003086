import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// A story names another hero or event here, and something of it changed on the server.
@Suite struct ReferenceEditTests {
  private static let story = "stories/first-snow.json"

  /// A world with a library in which the story can name `otto` and `pip` instead of `luna`, and `found`
  /// instead of `lost-tooth`.
  private static func world(_ server: ContractServer = .v0) async throws -> (TestWorld, TestLibrary)
  {
    let world = try TestWorld(server)
    let a = try Samples.filled(world)
    for name in ["Otto", "Pip"] {
      try a.write(
        "heroes/\(name.lowercased()).json",
        Samples.luna.replacing("Luna", with: name))
    }
    try a.write("events/found.json", Samples.tooth.replacing("lost tooth", with: "found tooth"))
    try await a.sync()
    return (world, a)
  }

  /// A reference in a file and on the wire, and the names of two records.
  struct Reference: CustomTestStringConvertible {
    var key, wireKey: String
    var kind: RecordKind
    var old, oldTitle, new, title: String
    var testDescription: String { key }
  }

  static let references = [
    Reference(
      key: "hero", wireKey: "heroId", kind: .heroes, old: "luna",
      oldTitle: "Luna", new: "otto", title: "Otto"),
    Reference(
      key: "event", wireKey: "customEventId", kind: .customEvents, old: "lost-tooth",
      oldTitle: "The lost tooth", new: "found", title: "The found tooth"),
  ]

  /// What changed on the server: nothing of the local edit's, the same, and something that is merged.
  static let changes: [(name: String, here: (String, String)?, there: JSONValue)] = [
    ("title", nil, ["title": "A Title From There"]),
    ("title, the same here", ("The First Snow", "Winter"), ["title": "Winter"]),
    (
      "content, merged", ("the window was white", "the world was white"),
      ["content": "Luna woke up and the window was white.\n\n\"At night,\" whispered the cat."]
    ),
  ]

  @Test(arguments: references, changes.map(\.name))
  func `an edited reference is sent`(_ reference: Reference, _ name: String) async throws {
    let change = try #require(Self.changes.first { $0.name == name })
    for way in [SyncOptions.Direction.both, .pull] {
      let (world, a) = try await Self.world()
      try a.edit(Self.story, "\"\(reference.old)\"", "\"\(reference.new)\"")
      if let (old, new) = change.here { try a.edit(Self.story, old, new) }
      try world.patch("stories", try a.sidecar("stories/first-snow").id, change.there)
      try await a.sync(way)
      try await a.sync()
      try Self.check(reference, reference.new, reference.title, a, world)
      #expect(try await a.sync().isQuiet)
    }
  }

  @Test(arguments: references)
  func `a reference is edited back while it is sent`(_ reference: Reference) async throws {
    let (world, a) = try await Self.world()
    try a.edit(Self.story, "\"\(reference.old)\"", "\"\(reference.new)\"")
    let isEdited = Box(false)
    world.server.addFault(
      FaultRule(
        .after { _ in
          isEdited.value = true
          do {
            try a.edit(Self.story, "\"\(reference.new)\"", "\"\(reference.old)\"")
          } catch {
            Issue.record(error)
          }
        }
      ) { !$0.isRead && !isEdited.value })
    try await a.sync()
    #expect(isEdited.value)
    #expect(try a.value(Self.story)[reference.key]?.string == reference.old)
    try await a.sync()
    try Self.check(reference, reference.old, reference.oldTitle, a, world)
  }

  /// Expects that both sides have a reference, and nothing to sync.
  private static func check(
    _ reference: Reference, _ name: String, _ title: String, _ a: TestLibrary, _ world: TestWorld
  ) throws {
    #expect(try a.value(story)[reference.key]?.string == name)
    #expect(try a.states() == [:])
    let there = try #require(try world.live(.stories).first?.value)
    let id = try world.id(reference.kind, title)
    #expect(there[reference.wireKey]?.string == id)
  }

  @Test(arguments: [ConflictResolver.Choice.local, .server])
  func `a reference that both sides edited is in conflict until somebody decides`(
    _ choice: ConflictResolver.Choice
  ) async throws {
    let (world, a) = try await Self.world()
    let (otto, pip) = (try world.id(.heroes, "Otto"), try world.id(.heroes, "Pip"))
    try a.edit(Self.story, "\"luna\"", "\"otto\"")
    try world.patch("stories", try a.sidecar("stories/first-snow").id, ["heroId": .string(pip)])
    for _ in 1...2 {
      try await a.sync()
      #expect(try a.states() == ["stories/first-snow": .conflict])
      #expect(try a.value(Self.story)["hero"] == "otto")
      let field = try #require(try ConflictResolver(a.library).conflicts().first?.fields.first)
      #expect(field.local.string == otto && field.server.string == pip)
    }
    try ConflictResolver(a.library).resolve(RecordRef(kind: .stories, name: "first-snow"), choice)
    try await a.sync()
    #expect(try a.states() == [:])
    #expect(try a.value(Self.story)["hero"]?.string == (choice == .local ? "otto" : "pip"))
    let there = try #require(try world.live(.stories).first?.value)
    #expect(there["heroId"]?.string == (choice == .local ? otto : pip))
  }

  /// The sidecar remembers a name that the file does not have while the hero gets another one.
  @Test func `a former name of the old hero can be given to another one`() async throws {
    let (world, a) = try await Self.world()
    try a.edit(Self.story, "\"luna\"", "\"otto\"")
    try world.patch(
      "stories", try a.sidecar("stories/first-snow").id, ["title": "A Title From There"])
    try await a.sync(.pull)
    try LibraryEditor(a.library).move(
      RecordRef(kind: .heroes, name: "luna"), to: RecordRef(kind: .heroes, name: "selene"))
    try a.write("heroes/luna.json", Samples.luna.replacing("Luna", with: "Another"))
    try a.edit(Self.story, "\"otto\"", "\"luna\"")
    try await a.sync()
    #expect(try a.value(Self.story)["hero"] == "luna")
    let there = try #require(try world.live(.stories).first?.value)
    let id = try world.id(.heroes, "Another")
    #expect(there["heroId"]?.string == id)
  }

  /// The old hero moved with its sidecar, and the new one takes the name that it had.
  @Test(arguments: [true, false])
  func `an edited reference stays when its hero takes the old hero's name`(
    isByCommand: Bool
  ) async throws {
    let (world, a) = try await Self.world()
    let otto = try world.id(.heroes, "Otto")
    try a.edit(Self.story, "\"luna\"", "\"otto\"")
    try a.move("heroes/luna.json", "heroes/old/luna.json")
    try a.move("heroes/.sync/luna.json", "heroes/old/.sync/luna.json")
    if isByCommand {
      try LibraryEditor(a.library).move(
        RecordRef(kind: .heroes, name: "otto"), to: RecordRef(kind: .heroes, name: "luna"))
    } else {
      try a.move("heroes/otto.json", "heroes/luna.json")
    }
    for _ in 1...2 { try await a.sync() }
    #expect(try a.value(Self.story)["hero"] == "luna")
    #expect(try a.value("heroes/luna.json")["name"] == "Otto")
    let there = try #require(try world.live(.stories).first?.value)
    #expect(there["heroId"]?.string == otto)
    #expect(try a.states() == [:])
  }

  /// The name that the file has still means the record that it meant, also after that was renamed.
  @Test func `a renamed hero is still known after a merge`() async throws {
    let (world, a) = try await Self.world()
    try world.patch(
      "stories", try a.sidecar("stories/first-snow").id, ["title": "A Title From There"])
    try await a.sync()
    try a.move("heroes/luna.json", "heroes/moon.json")
    try await a.sync()
    #expect(try a.value(Self.story)["hero"] == "moon")
    #expect(try a.states() == [:])
  }

  /// Its id means nothing there any more, and it has another one if it comes back.
  @Test(arguments: ContractServer.single, ["an edited story", "a new story"])
  func `a story waits for a hero that the server deleted`(
    _ server: ContractServer, _ case: String
  ) async throws {
    // That server never changes a story's hero.
    if server == .v1, `case` == "an edited story" { return }
    let (world, a) = try await Self.world(server)
    try world.delete("heroes", try a.sidecar("heroes/otto").id)
    try a.edit("heroes/otto.json", "talks to stars", "talks to owls")
    var story = Self.story
    if `case` == "a new story" {
      let text = try a.read(story).replacing("The First Snow", with: "The Second Snow")
      story = "stories/second-snow.json"
      try a.write(story, text)
    }
    try a.edit(story, "\"luna\"", "\"otto\"")
    let otto = RecordRef(kind: .heroes, name: "otto")
    for _ in 1...2 {
      let dry = try await a.sync { $0.isDryRun = true }
      let report = try await a.sync()
      for report in [dry, report] {
        #expect(report.conflicts.map(\.ref) == [otto])
        #expect(report.failed.map(\.reason) == [.waits(for: otto)])
        #expect(report.created.isEmpty && report.updated.isEmpty)
      }
    }
    try ConflictResolver(a.library).resolve(otto, .local)
    try await a.sync()
    #expect(try a.states() == [:])
    let id = try world.id(.heroes, "Otto")
    #expect(try a.sidecar(String(story.dropLast(5))).base.wire["heroId"]?.string == id)
    #expect(try a.value(story)["hero"] == "otto")
  }

  @Test(arguments: ContractServer.oneOfEach)
  func `a push asks about a deleted hero that a new story names`(
    _ server: ContractServer
  ) async throws {
    let (world, a) = try await Self.world(server)
    try world.delete("heroes", try a.sidecar("heroes/otto").id)
    try a.write(
      "stories/second-snow.json",
      a.read(Self.story).replacing("The First Snow", with: "The Second Snow")
        .replacing("\"luna\"", with: "\"otto\""))
    let otto = RecordRef(kind: .heroes, name: "otto")
    for direction in [SyncOptions.Direction.push, .both] {
      let report = try await a.sync(direction)
      #expect(report.conflicts.map(\.ref) == [otto])
      #expect(report.failed.map(\.reason) == [.waits(for: otto)])
      #expect(report.created.isEmpty && a.exists("heroes/otto.json"))
    }
  }
}
