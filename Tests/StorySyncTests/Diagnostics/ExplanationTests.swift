import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

@testable import stories

@Suite(.inTurn) struct ExplanationTests {
  private let luna = RecordRef(kind: .heroes, name: "luna")
  private let snow = RecordRef(kind: .stories, name: "snow")

  private func synced(_ world: TestWorld) async throws -> TestLibrary {
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try a.write(
      "stories/snow.json", "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"one\"]}\n")
    try await a.sync()
    return a
  }

  private func why(
    _ ref: RecordRef, _ library: TestLibrary, remote: RemoteRecord? = nil, wasAsked: Bool = false
  ) throws -> Explanation {
    let scan = try Scanner(askingGit: library.library).scan()
    return try Explanation(
      ref, in: library.library, scan: scan, remote: remote, wasAsked: wasAsked)
  }

  @Test func whatIsInSyncDiffersNowhere() async throws {
    let world = try TestWorld()
    let a = try await synced(world)
    let why = try why(luna, a)
    #expect(why.verdict == "equal to the last synced version")
    #expect(why.fields.isEmpty)
  }

  @Test func changesOfOneSideAndOfBoth() async throws {
    let world = try TestWorld()
    let a = try await synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.edit("heroes/luna.json", "7", "8")
    try a.edit("heroes/luna.json", "\"curious\"", "\"curious\", \"loud\"")
    try world.patch("heroes", id, ["age": 9, "traits": ["brave"], "hairColor": "red"])
    let remote = try await world.client().record(.heroes, id: id)
    let why = try why(luna, a, remote: remote, wasAsked: true)
    #expect(why.fields.map(\.key) == ["age", "traits", "hairColor"])
    #expect(
      why.fields.map(why.verdict(of:)) == [
        "changed on both sides: policy “server” takes the server's value",
        "changed on both sides: additions and removals are merged",
        "changed on the server: the next pull takes it",
      ])
    #expect(why.fields[0].base == 7 && why.fields[0].local == 8 && why.fields[0].server == 9)
  }

  @Test func aReferenceThatTheServerClearedIsNotMergedLikeAList() async throws {
    let world = try TestWorld()
    let a = try await synced(world)
    for name in ["rain", "wind"] {
      try a.write(
        "events/\(name).json",
        #"{"title": "\#(name)", "description": "It comes.", "promptSeed": "It comes."}"#)
    }
    try a.edit("stories/snow.json", "\"hero\"", "\"event\": \"rain\",\n  \"hero\"")
    try await a.sync()
    let id = try a.sidecar("stories/snow").id
    try world.patch("stories", id, ["customEventId": nil])
    try a.edit("stories/snow.json", "\"rain\"", "\"wind\"")
    let remote = try await world.client().record(.stories, id: id)
    let why = try why(snow, a, remote: remote, wasAsked: true)
    #expect(
      why.fields.map(why.verdict(of:)) == ["changed locally: the next push sends it"])
  }

  @Test func conflictsHaveTheVersionsTheyStartedFrom() async throws {
    let world = try TestWorld()
    let a = try await synced(world)
    try world.patch("stories", try a.sidecar("stories/snow").id, ["title": "Theirs"])
    try a.edit("stories/snow.json", "\"Snow\"", "\"Mine\"")
    try await a.sync()
    let why = try why(snow, a)
    #expect(why.verdict == "waits for a decision: `stories resolve stories/snow`")
    let field = try #require(why.fields.first)
    #expect(field.base == "Snow" && field.local == "Mine" && field.server == "Theirs")
    #expect(why.verdict(of: field) == "in conflict: `stories resolve stories/snow` resolves it")
  }

  @Test func deletesOfEitherSide() async throws {
    let world = try TestWorld()
    let a = try await synced(world)
    #expect(
      try why(luna, a, wasAsked: true).verdict
        == "deleted on the server, unchanged locally: the next pull removes it, kept in the run")
    try a.edit("heroes/luna.json", "7", "8")
    #expect(
      try why(luna, a, wasAsked: true).verdict
        == "deleted on the server, changed locally: the next sync makes it a conflict")
    try a.remove("stories/snow.json")
    #expect(try why(snow, a).verdict.hasPrefix("its file was deleted: the next push deletes it"))
    #expect(try why(snow, a).fields.isEmpty)
    let id = try a.sidecar("stories/snow").id
    try world.patch("stories", id, ["title": "Theirs"])
    let remote = try await world.client().record(.stories, id: id)
    #expect(
      try why(snow, a, remote: remote, wasAsked: true).verdict
        == "its file was deleted, and the server's version is newer: "
        + "the next sync makes it a conflict"
    )
    try LibraryEditor(a.library).remove(snow)
    #expect(
      try why(snow, a).verdict
        == "removed with `stories rm`: the next push deletes it on the server")
  }

  @Test func changedFieldsOfARecordThatTheServerDeletedAreNotSent() async throws {
    let a = try await synced(TestWorld())
    try a.edit("stories/snow.json", "Snow", "Ice")
    let why = try why(snow, a, wasAsked: true)
    #expect(
      why.verdict == "deleted on the server, changed locally: the next sync makes it a conflict")
    #expect(why.fields.map(why.verdict(of:)) == ["changed locally, deleted on the server"])
  }

  @Test func whatTheServerDoesNotHave() async throws {
    let world = try TestWorld()
    let a = try await synced(world)
    try a.write("heroes/pip.json", Samples.luna.replacing("Luna", with: "Pip"))
    #expect(
      try why(RecordRef(kind: .heroes, name: "pip"), a).verdict
        == "has no sidecar: the next push creates it on the server")
    try a.edit("stories/snow.json", "\"luna\"", "\"pip\"")
    let field = try #require(try why(snow, a).fields.first)
    #expect(field.key == "hero")
    #expect(try why(snow, a).waitsFor == [RecordRef(kind: .heroes, name: "pip")])
    #expect(
      try why(snow, a).verdict(of: field)
        == "refers to a record that the server does not have yet, and waits for it")
    try a.edit("heroes/luna.json", "7", "70")
    let wrong = try why(luna, a)
    #expect(wrong.verdict == "it has errors and is not sent until they are fixed")
    #expect(wrong.fields.map(wrong.verdict(of:)) == ["changed locally"])
    #expect(throws: EditError.noSuchRecord(RecordRef(kind: .heroes, name: "lun"), nearest: luna)) {
      try why(RecordRef(kind: .heroes, name: "lun"), a)
    }
  }
}
