import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct ConflictResolverTests {
  private let story = RecordRef(kind: .stories, name: "snow")

  /// A library in which the story's title, and with `lines` a line of its text, is in conflict.
  private func conflicting(_ world: TestWorld, lines: Bool = false) async throws -> TestLibrary {
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try a.write(
      "stories/snow.json",
      "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"one\", \"two\", \"three\"]}\n")
    try await a.sync()
    let id = try a.sidecar("stories/snow").id
    try world.patch(
      "stories", id,
      lines
        ? ["title": "Their Snow", "content": "one\nTHEIRS\nthree"] : ["title": "Their Snow"])
    try a.edit("stories/snow.json", "\"Snow\"", "\"My Snow\"")
    if lines { try a.edit("stories/snow.json", "\"two\"", "\"MINE\"") }
    #expect(try await a.sync().conflicts.count == 1)
    return a
  }

  @Test func listsTheThreeVersions() async throws {
    let world = try TestWorld()
    let a = try await conflicting(world)
    let conflict = try #require(try ConflictResolver(a.library).conflicts().first)
    #expect(conflict.ref == story)
    let field = try #require(conflict.fields.first)
    #expect(field.base == "Snow")
    #expect(field.local == "My Snow")
    #expect(field.server == "Their Snow")
  }

  @Test(arguments: ContractServer.single)
  func localIsSentAndDoesNotComeBack(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await conflicting(world)
    #expect(try ConflictResolver(a.library).resolve(story, .local) == [])
    #expect(try a.states() == ["stories/snow": .pendingUpdate])
    let report = try await a.sync()
    #expect(report.updated.map(\.fields) == [["title"]])
    #expect(report.conflicts.isEmpty)
    #expect(try world.records(.stories).keys.sorted() == ["My Snow"])
    #expect(try await a.sync().isQuiet)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func serverComesAndTheLocalVersionIsKept(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await conflicting(world)
    try ConflictResolver(a.library).resolve(story, .server)
    #expect(try a.value("stories/snow.json")["title"] == "Their Snow")
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
    let version = try #require(try RunHistory(a.library).versions(of: story).first { !$0.isServer })
    #expect(String(decoding: version.text, as: UTF8.self).contains("My Snow"))
  }

  @Test(arguments: ContractServer.oneOfEach)
  func fieldsAreSettledOneByOne(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await conflicting(world, lines: true)
    let resolver = ConflictResolver(try a.library)
    #expect(try resolver.resolve(story, .server, fields: ["title"]) == ["content"])
    #expect(try resolver.resolve(story, .merge) == ["content"])
    #expect(try resolver.resolve(story, .values(["content": "one\nBOTH\nthree"])) == [])
    #expect(try a.value("stories/snow.json")["content"] == ["one", "BOTH", "three"])
    try await a.sync()
    #expect(try world.records(.stories)["Their Snow"]?["content"] == "one\nBOTH\nthree")
  }

  @Test func decidingNothingIsNoRun() async throws {
    let world = try TestWorld()
    let a = try await conflicting(world, lines: true)
    let resolver = ConflictResolver(try a.library)
    #expect(try resolver.resolve(story, .server, fields: ["title"]) == ["content"])
    let runs = try RunHistory(a.library).runs().map(\.name)
    #expect(try resolver.resolve(story, .merge) == ["content"])
    #expect(try RunHistory(a.library).runs().map(\.name) == runs)
    #expect(try RunHistory(a.library).undo().restored == [story])
    #expect(try a.value("stories/snow.json")["title"] == "My Snow")
  }

  @Test(arguments: ContractServer.single)
  func deletedOnServerEitherWay(_ server: ContractServer) async throws {
    for keeps in [true, false] {
      let world = try TestWorld(server)
      let a = try world.library("a")
      try a.write("events/e.json", Samples.tooth)
      try await a.sync()
      try world.delete("custom-events", try a.sidecar("events/e").id)
      try a.edit("events/e.json", "lost and found", "found")
      #expect(try await a.sync().conflicts.count == 1)
      let ref = RecordRef(kind: .events, name: "e")
      try ConflictResolver(a.library).resolve(ref, keeps ? .local : .server)
      #expect(try a.scan().missingPairs.isEmpty)
      if keeps {
        // Under another name it is still the same new record.
        try a.move("events/e.json", "events/f.json")
        #expect(try a.scan().missingPairs.isEmpty)
        try a.move("events/f.json", "events/e.json")
      }
      let report = try await a.sync()
      #expect(report.conflicts.isEmpty)
      #expect(try world.records(.customEvents).count == (keeps ? 1 : 0))
      #expect(a.exists("events/e.json") == keeps)
      #expect(try a.states() == [:])
    }
  }

  @Test(arguments: ContractServer.oneOfEach, [true, false])
  func `a story without text is not created again`(
    _ server: ContractServer, isEmptiedFirst: Bool
  ) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedApart(world)
    try world.delete("stories", try a.sidecar("stories/first-snow").id)
    let empty = #"{"title": "The First Snow", "hero": "luna", "content": []}"#
    let edited = Samples.snow.replacing("white", with: "blue")
    try a.write("stories/first-snow.json", isEmptiedFirst ? empty : edited)
    #expect(try await a.sync().conflicts.count == 1)
    try ConflictResolver(a.library)
      .resolve(RecordRef(kind: .stories, name: "first-snow"), .local)
    if !isEmptiedFirst { try a.write("stories/first-snow.json", empty) }
    #expect(try a.states() == ["stories/first-snow": .draft])
    let report = try await a.sync()
    #expect(report.created.isEmpty && report.failed.isEmpty)
    #expect(try world.records(.stories).isEmpty)
    #expect(try a.states() == ["stories/first-snow": .draft])
    // With text it is a new story.
    try a.write("stories/first-snow.json", empty.replacing("[]", with: #"["Snow."]"#))
    #expect(try await a.sync().created.count == 1)
    #expect(try world.records(.stories).count == 1)
  }

  /// The old text would count as an edit of what the server has now.
  @Test(arguments: ContractServer.single)
  func `a choice that was undone can be made again`(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    try world.delete("heroes", try a.sidecar("heroes/luna").id)
    try a.edit("heroes/luna.json", "talks to stars", "talks to owls")
    try await a.sync()
    let luna = RecordRef(kind: .heroes, name: "luna")
    for _ in 1...2 {
      try ConflictResolver(a.library).resolve(luna, .local)
      #expect(try RunHistory(a.library).undo().restored == [luna])
      #expect(try a.states() == ["heroes/luna": .conflict])
    }
    // To undo the undo is to make it again.
    #expect(try RunHistory(a.library).undo().restored == [luna])
    #expect(try a.states() == ["heroes/luna": .pendingCreate])
    #expect(try RunHistory(a.library).undo().restored == [luna])
    #expect(try a.states() == ["heroes/luna": .conflict])
    try a.edit("heroes/luna.json", "talks to owls", "talks to cats")
    try ConflictResolver(a.library).resolve(luna, .local)
    #expect(try Journal(a.library).unfinished.count == 1)
    let report = try await a.sync()
    #expect(report.failed.isEmpty && report.conflicts.isEmpty)
    #expect(try a.states() == [:])
    #expect(try world.live(.heroes).map { $0.value["specialAbility"] } == ["talks to cats"])
  }

  @Test(arguments: [ConflictResolver.Choice.local, .server])
  func `a record that comes back in that conflict does not overwrite the server's`(
    _ choice: ConflictResolver.Choice
  ) async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let story = RecordRef(kind: .stories, name: "first-snow")
    let text = try a.read(story.path)
    try a.remove(story.path)
    try world.patch("stories", a.sidecar("stories/first-snow").id, ["title": "Their Snow"])
    try await a.sync()
    #expect(try a.states() == ["stories/first-snow": .conflict])
    try a.write(story.path, text)
    for _ in 1...2 {
      try await a.sync()
      #expect(try a.states() == ["stories/first-snow": .conflict])
      #expect(try world.records(.stories)["Their Snow"] != nil)
      #expect(try a.read(story.path) == text)
    }
    try ConflictResolver(a.library).resolve(story, choice)
    try await a.sync()
    #expect(try a.states() == [:])
    let title: JSONValue = choice == .local ? "The First Snow" : "Their Snow"
    #expect(try a.value(story.path)["title"] == title)
    #expect(try world.live(.stories).map { $0.value["title"] } == [title])
  }

  @Test(arguments: ContractServer.single)
  func deletedLocallyEitherWay(_ server: ContractServer) async throws {
    for keeps in [true, false] {
      let world = try TestWorld(server)
      let a = try await conflictFree(world)
      let id = try a.sidecar("stories/snow").id
      try world.patch("stories", id, ["title": "Newer"])
      try a.remove("stories/snow.json")
      #expect(try await a.sync().conflicts.map(\.ref) == [story])
      #expect(try a.states() == ["stories/snow": .conflict])
      try ConflictResolver(a.library).resolve(story, keeps ? .server : .local)
      let report = try await a.sync()
      #expect(report.conflicts.isEmpty)
      #expect(try world.records(.stories).count == (keeps ? 1 : 0))
      #expect(a.exists("stories/snow.json") == keeps)
      #expect(try a.states() == [:])
    }
  }

  private func conflictFree(_ world: TestWorld) async throws -> TestLibrary {
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try a.write(
      "stories/snow.json", "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"one\"]}\n")
    try await a.sync()
    return a
  }

  @Test func eachFieldInItsOwnWay() async throws {
    let world = try TestWorld()
    let a = try await conflicting(world, lines: true)
    let resolver = ConflictResolver(try a.library)
    let seen = try #require(try resolver.conflicts().first).fields
    let left = try resolver.resolve(
      story, choices: ["title": .local, "content": .values(["content": "one\nBOTH\nthree"])],
      seen: seen)
    #expect(left == [])
    #expect(try a.value("stories/snow.json")["content"] == ["one", "BOTH", "three"])
    #expect(try RunHistory(a.library).runs().first?.report?["command"] == "resolve stories/snow")
    try await a.sync()
    #expect(try world.records(.stories)["My Snow"]?["content"] == "one\nBOTH\nthree")
  }

  @Test func whatWasSeenMustStillBeThere() async throws {
    let world = try TestWorld()
    let a = try await conflicting(world)
    let resolver = ConflictResolver(try a.library)
    let seen = try #require(try resolver.conflicts().first).fields
    try world.patch("stories", try a.sidecar("stories/snow").id, ["title": "Newest Snow"])
    try await a.sync()
    #expect(throws: EditError.changedMeanwhile(story)) {
      try resolver.resolve(story, choices: ["title": .server], seen: seen)
    }
    #expect(try a.value("stories/snow.json")["title"] == "My Snow")
    #expect(try a.states() == ["stories/snow": .conflict])
  }

  @Test func aWholeTextSettlesFields() async throws {
    let world = try TestWorld()
    let a = try await conflicting(world, lines: true)
    let resolver = ConflictResolver(try a.library)
    let scan = try a.scan()
    let conflict = try #require(resolver.conflicts(in: scan).first)
    let files = try ConflictFiles(conflict, in: a.library, references: scan.references)
    #expect(String(decoding: files.local, as: UTF8.self) == (try a.read("stories/snow.json")))
    let base = try JSONValue(parsing: files.base)
    #expect(base["title"] == "Snow" && base["content"] == ["one", "two", "three"])
    let server = try JSONValue(parsing: files.server)
    #expect(server["title"] == "Their Snow" && server["content"] == ["one", "THEIRS", "three"])
    #expect(throws: Problem.self) {
      try resolver.resolve(story, text: files.marked, replacing: ContentDigest(files.local))
    }
    let text = String(decoding: files.local, as: UTF8.self).replacing("MINE", with: "BOTH")
    let replaced = ContentDigest(files.local)
    #expect(
      try resolver.resolve(
        story, text: Array(text.utf8), replacing: replaced, fields: ["content"]) == ["title"])
    #expect(throws: EditError.changedMeanwhile(story)) {
      try resolver.resolve(story, text: files.local, replacing: replaced)
    }
    #expect(try a.read("stories/snow.json") == text)
    #expect(
      try resolver.resolve(
        story, text: Array(text.utf8), replacing: ContentDigest(text.utf8)) == [])
    #expect(try a.states() == ["stories/snow": .pendingUpdate])
  }

  @Test func filesForAToolHoldOnlyTheFieldsAskedFor() async throws {
    let world = try TestWorld()
    let a = try await conflicting(world, lines: true)
    let scan = try a.scan()
    let conflict = try #require(ConflictResolver(a.library).conflicts(in: scan).first)
    let files = try ConflictFiles(
      conflict, fields: ["title"], in: a.library, references: scan.references)
    let server = try JSONValue(parsing: files.server)
    #expect(server["title"] == "Their Snow" && server["content"] == ["one", "MINE", "three"])
    #expect(String(decoding: files.marked, as: UTF8.self).contains("\n||||||| base\n"))
  }

  @Test func aSidecarWithTwoIdsWaitsForAPerson() async throws {
    let world = try TestWorld()
    let a = try await conflictFree(world)
    let sidecar = try a.read("stories/.sync/snow.json")
    let id = try a.sidecar("stories/snow").id
    let other = sidecar.replacing(id, with: "another-id").replacing("Snow", with: "Other")
    let marked = "<<<<<<< HEAD\n\(sidecar)=======\n\(other)>>>>>>> branch\n"
    try a.write("stories/.sync/snow.json", marked)
    let resolver = ConflictResolver(try a.library)
    let split = try #require(resolver.splitSidecars(in: try a.scan()).first)
    #expect(split.ref == story && split.path == "stories/.sync/snow.json")
    #expect(split.ours.id == id && split.ours.base.title == "Snow")
    #expect(split.theirs.id == "another-id" && split.theirs.base.title == "Other")
    #expect(throws: EditError.twoIDs(story)) { try resolver.resolve(story, .merge) }
    try resolver.resolve(story, .local, isDryRun: true)
    #expect(try a.states() == ["stories/snow": .unreadable])
    try resolver.resolve(story, .local)
    #expect(try a.states() == [:])
    #expect(try a.read("stories/.sync/snow.json") == sidecar)
    #expect(try RunHistory(a.library).runs().first?.report?["command"] == "resolve stories/snow")
    // The text of the other record does not stay, but that of a person does.
    for title in ["Other", "Mine"] {
      try a.write("stories/.sync/snow.json", marked)
      if title == "Mine" { try a.edit("stories/snow.json", "\"Other\"", "\"Mine\"") }
      try resolver.resolve(story, .server)
      #expect(try a.value("stories/snow.json")["title"] == .string(title))
      #expect(try a.states() == (title == "Mine" ? ["stories/snow": .pendingUpdate] : [:]))
    }
  }
}
