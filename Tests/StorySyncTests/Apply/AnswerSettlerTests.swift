import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Files that change while answers are brought into them.
@Suite(.inTurn) struct AnswerSettlerTests {
  /// Runs `sync` once for each change that it makes here, with `save` right before that change.
  private func interrupted(
    _ direction: SyncOptions.Direction,
    prepare: (TestWorld, TestLibrary) throws -> Void,
    save: @escaping @Sendable (TestLibrary) throws -> Void,
    check: (TestWorld, TestLibrary, Int) async throws -> Void
  ) async throws {
    for call in 1...300 {
      let world = try TestWorld()
      let a = try await Samples.synced(world)
      try prepare(world, a)
      let stops = try StopPoints(a.root)
      let isSaved = Box(false)
      stops.arm()
      stops.interrupt(at: call) {
        do {
          try save(a)
          isSaved.value = true
        } catch {
          Issue.record(error)
        }
      }
      _ = try await a.attempt(direction)
      guard isSaved.value else {
        #expect(call > 10)
        return
      }
      for _ in 0..<2 { try await a.sync() }
      try await check(world, a, call)
      let states = try a.states()
      #expect(states == [:], "saved before change \(call)")
    }
  }

  @Test(.enabled(if: StopPoints.areAvailable))
  func editSavedAnywhereInAPushLosesNothing() async throws {
    try await interrupted(.push) { world, a in
      let id = try a.sidecar("heroes/luna").id
      try a.edit("heroes/luna.json", "7", "8")
      // Somebody else is faster, so that the answer is a 412 with their change.
      world.server.addFault(
        FaultRule(
          .before { _ in try? world.patch("heroes", id, ["height": "tall"]) }, method: "PATCH",
          number: 1))
    } save: { a in
      try a.edit("heroes/luna.json", "talks to stars", "sings")
    } check: { world, a, call in
      let there = try #require(try world.records(.heroes)["Luna"])
      let here = try a.value("heroes/luna.json")
      for (side, value) in [("here", here), ("there", there)] {
        #expect(value["age"] == 8, "\(side), saved before change \(call)")
        #expect(value["height"] == "tall", "\(side), saved before change \(call)")
        #expect(value["specialAbility"] == "sings", "\(side), saved before change \(call)")
      }
    }
  }

  @Test func `an edit that meets a newer version each time is sent three times, and stays`()
    async throws
  {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.edit("heroes/luna.json", "7", "8")
    let sent = Box(0)
    world.server.addFault(
      FaultRule(
        .before { _ in
          sent.value += 1
          try? world.patch("heroes", id, ["height": .string("tall \(sent.value)")])
        }, method: "PATCH", numbers: 1...3))
    let report = try await a.attempt(.push)
    #expect(report.failed.map(\.reason) == [.serverKeepsChanging])
    #expect(sent.value == 3)
    #expect(try world.records(.heroes)["Luna"]?["age"] == 7)
    #expect(try a.value("heroes/luna.json")["age"] == 8)
    try await a.sync()
    for hero in [try a.value("heroes/luna.json"), try #require(try world.records(.heroes)["Luna"])]
    {
      #expect(hero["age"] == 8 && hero["height"] == "tall 3")
    }
  }

  @Test(.enabled(if: StopPoints.areAvailable))
  func editSavedAnywhereInAPullLosesNothing() async throws {
    try await interrupted(.pull) { world, a in
      try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    } save: { a in
      try a.edit("heroes/luna.json", "talks to stars", "sings")
    } check: { world, a, call in
      let there = try #require(try world.records(.heroes)["Luna"])
      #expect(there["specialAbility"] == "sings", "saved before change \(call)")
      #expect(there["height"] == "tall", "saved before change \(call)")
      let here = try a.value("heroes/luna.json")
      #expect(here["height"] == "tall", "saved before change \(call)")
    }
  }

  @Test(.enabled(if: StopPoints.areAvailable), arguments: [SyncOptions.Direction.pull, .push])
  func editOfARenamedRecordSavedAnywhereMakesNoSecondOne(
    _ direction: SyncOptions.Direction
  ) async throws {
    try await interrupted(direction) { world, a in
      try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
      try a.move("heroes/luna.json", "heroes/deep/moon.json")
      try a.edit("heroes/deep/moon.json", "7", "8")
    } save: { a in
      try a.edit("heroes/deep/moon.json", "talks to stars", "sings")
    } check: { world, a, call in
      let heroes = try world.live(.heroes)
      #expect(heroes.count == 1, "saved before change \(call)")
      let there = heroes.first?.value
      #expect(there?["specialAbility"] == "sings", "saved before change \(call)")
      #expect(there?["height"] == "tall", "saved before change \(call)")
      #expect(there?["age"] == 8, "saved before change \(call)")
    }
  }

  @Test(.enabled(if: StopPoints.areAvailable))
  func recordRemovedAnywhereInAPullIsRemovedOrComesBackWhole() async throws {
    try await interrupted(.pull) { world, a in
      try world.patch("custom-events", a.sidecar("events/lost-tooth").id, ["tone": "calm"])
      // What a story names would not be deleted.
      try world.patch("stories", a.sidecar("stories/first-snow").id, ["customEventId": .null])
    } save: { a in
      if a.exists("events/lost-tooth.json") { try a.remove("events/lost-tooth.json") }
    } check: { world, a, call in
      #expect(!a.exists("events/lost-tooth.json"), "removed before change \(call)")
      let there = try world.records(.customEvents)
      #expect(there.isEmpty, "removed before change \(call)")
    }
  }

  @Test(arguments: ContractServer.single)
  func fileThatBreaksDuringAPushRevertsNobodysChange(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.edit("heroes/luna.json", "7", "8")
    let text = try a.read("heroes/luna.json")
    world.server.addFault(
      FaultRule(
        .before { _ in
          try? world.patch("heroes", id, ["height": "tall"])
          try? a.write("heroes/luna.json", "{\"name\": ")
        }, method: world.method(of: "PATCH"), number: 1))
    _ = try await a.attempt(.push)
    try a.write("heroes/luna.json", text)
    try await a.sync()
    #expect(try world.records(.heroes)["Luna"]?["height"] == "tall")
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
  }

  @Test(arguments: ContractServer.single)
  func answerThatIsOlderThanTheSidecarChangesNothing(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try await b.sync()
    let id = try a.sidecar("stories/first-snow").id
    try a.edit("stories/first-snow.json", "\n  ]\n}", "\n  ],\n  \"playCount\": 2\n}")
    let isCut = Box(false)
    let fault = world.server.addFault(
      FaultRule(.dropAfterHandling) { request in
        if !request.isRead { isCut.value = true }
        return isCut.value
      })
    #expect(try await a.attempt(.push).error != nil)
    world.server.removeFault(fault)
    // Another clone counts on, and its files come here through git.
    try world.patch("stories", id, ["playCount": 5])
    try await b.sync()
    try a.write("stories/first-snow.json", b.read("stories/the-first-snow.json"))
    try a.write("stories/.sync/first-snow.json", b.read("stories/.sync/the-first-snow.json"))
    try await a.sync()
    #expect(try world.records(.stories)["The First Snow"]?["playCount"] == 5)
    #expect(try a.value("stories/first-snow.json")["playCount"] == 5)
  }

  @Test(arguments: ContractServer.single)
  func newRecordWhoseNameAnotherOneTookIsNotMixedUp(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try a.write("heroes/otto.json", "{\"name\": \"Otto\", \"age\": 5, \"traits\": [\"x\"]}")
    let other = try a.read("heroes/.sync/luna.json")
    let id = try a.sidecar("heroes/luna").id
    // Git brings another record's pair under this name while the create is under way.
    world.server.addFault(
      FaultRule(
        .before { _ in
          try? a.move("heroes/luna.json", "heroes/otto.json")
          try? a.remove("heroes/.sync/luna.json")
          try? a.write("heroes/.sync/otto.json", other)
        }, method: "POST", number: 1))
    try await a.sync(.push)
    #expect(try a.sidecar("heroes/otto").id == id)
    try await a.sync()
    #expect(try world.records(.heroes).keys.sorted() == ["Luna", "Otto"])
    #expect(try a.states() == [:])
  }

  /// Nothing was changed, so there is nothing to undo.
  @Test func editOfARecordThatIsGoneThereIsLeftByUndo() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("events/lost-tooth").id
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    world.server.addFault(
      FaultRule(
        .before { _ in try? world.delete("custom-events", id) }, method: world.method(of: "PATCH"),
        number: 1))
    let report = try await a.attempt(.push)
    #expect(report.conflicts.map(\.ref.description) == ["events/lost-tooth"])
    let undone = try RunHistory(a.library).undo()
    #expect(undone.skipped.map(\.reason) == [.notChanged])
    #expect(try a.read("events/lost-tooth.json").contains("A tooth is found."))
  }

  // MARK: What a server tidies

  @Test(arguments: [Strategy.server, .local, .merge, .ask, .newest, nil])
  func tidiedValueDoesNotBeatANewerOne(_ strategy: Strategy?) async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.edit("heroes/luna.json", "talks to stars", " sings ")
    try answer(world, "heroes", id, ["specialAbility": "sings"]) {
      try a.edit("heroes/luna.json", " sings ", "dances")
    }
    let report = try await a.sync(.push) { $0.strategy = strategy }
    #expect(report.conflicts.isEmpty && report.overridden.isEmpty && report.failed.isEmpty)
    #expect(try a.value("heroes/luna.json")["specialAbility"] == "dances")
    #expect(try a.states() == ["heroes/luna": .pendingUpdate])
    try await a.sync { $0.strategy = strategy }
    #expect(try world.records(.heroes)["Luna"]?["specialAbility"] == "dances")
    #expect(try a.states() == [:])
  }

  @Test func tidiedTitleIsNoConflictWithANewerOne() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("stories/first-snow").id
    try a.edit("stories/first-snow.json", "The First Snow", " My Snow ")
    try answer(world, "stories", id, ["title": "My Snow"]) {
      try a.edit("stories/first-snow.json", " My Snow ", "Our Snow")
    }
    let report = try await a.sync(.push)
    #expect(report.conflicts.isEmpty && report.overridden.isEmpty)
    #expect(try a.sidecar("stories/first-snow").conflict == nil)
    try await a.sync()
    #expect(try world.records(.stories).keys.sorted() == ["Our Snow"])
  }

  @Test func tidiedValueIsWrittenBackAndReported() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try a.edit("heroes/luna.json", "talks to stars", " sings ")
    try answer(world, "heroes", id, ["specialAbility": "sings"])
    let report = try await a.sync(.push)
    #expect(report.overridden.map(\.kept) == ["server"])
    #expect(try a.value("heroes/luna.json")["specialAbility"] == "sings")
    #expect(try await a.sync().isQuiet)
  }

  @Test func conflictThatAnAnswerBringsIsNamed() async throws {
    // Without preconditions somebody may change another field between the look and the write.
    let world = try TestWorld { $0.features.remove(.etag) }
    let a = try await Samples.synced(world)
    let id = try a.sidecar("stories/first-snow").id
    try a.edit("stories/first-snow.json", "whispered", "purred")
    try answer(world, "stories", id, ["title": "Theirs"]) {
      try a.edit("stories/first-snow.json", "The First Snow", "Mine")
    }
    let report = try await a.sync(.push)
    #expect(report.conflicts.map(\.ref.description) == ["stories/first-snow"])
    #expect(report.conflicts.map(\.fields) == [["title"]])
    #expect(try a.value("stories/first-snow.json")["title"] == "Mine")
    #expect(try world.records(.stories).keys.sorted() == ["Theirs"])
  }

  /// Lets the server answer the first change with the record after `change`, as one does that tidies
  /// what it is sent; `meanwhile` happens before the answer arrives.
  private func answer(
    _ world: TestWorld, _ kind: String, _ id: String, _ change: JSONValue,
    meanwhile: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let isChanged = Box(false)
    world.server.addFault(
      FaultRule(
        .after { _ in
          do {
            try meanwhile()
            try world.patch(kind, id, change)
            isChanged.value = true
          } catch {
            Issue.record(error)
          }
        }, method: "PATCH", number: 1))
    world.server.addFault(
      FaultRule(
        .rewriteBody { body in
          guard isChanged.value else { return body }
          let read = try? world.server.perform(
            "GET", "\(world.base)/\(kind)/\(id)", as: TestWorld.account)
          return read?.body ?? body
        }, method: "PATCH", number: 1))
  }
}
