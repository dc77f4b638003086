import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// Writes that a dead run left in the journal: looked for first, then sent again exactly as they were.
@Suite(.inTurn) struct ResentWriteTests {
  private static func hero(_ name: String, age: Int = 7) -> String {
    "{\"name\": \"\(name)\", \"age\": \(age), \"traits\": [\"x\"]}\n"
  }

  /// A library of new heroes whose push was cut off; with `isDone` the server made them.
  private func cutOff(_ world: TestWorld, _ count: Int, isDone: Bool) async throws -> TestLibrary {
    let a = try world.library("a")
    for number in 0..<count {
      try a.write("heroes/h\(number).json", Self.hero("H\(number)"))
    }
    try await lose(a, isDone: isDone)
    return a
  }

  private func lose(_ library: TestLibrary, isDone: Bool) async throws {
    let fault = library.world.server.addFault(
      FaultRule(isDone ? .dropAfterHandling : .dropBeforeHandling) { !$0.isRead })
    #expect(try await library.attempt(.push).error != nil)
    library.world.server.removeFault(fault)
  }

  // MARK: Looking first

  @Test(arguments: [[], [ServerFeature.idempotency], [.batch]], [1, 3])
  func createThatAnotherCloneMadeMeanwhileIsNotMadeAgain(
    _ missing: [ServerFeature], _ count: Int
  ) async throws {
    let world = try TestWorld { $0.features.subtract(missing) }
    let a = try await cutOff(world, count, isDone: false)
    // The same files through git, in a clone whose push works.
    let b = try world.library("b")
    for number in 0..<count {
      try b.write("heroes/h\(number).json", Self.hero("H\(number)"))
    }
    try await b.sync()
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(try world.ids(.heroes).count == count)
    #expect(try a.states() == [:])
    #expect(try Journal(a.library).unfinished.isEmpty)
  }

  @Test func serverThatWentBackGetsNothingAgain() async throws {
    let clock = ManualClock()
    let world = try TestWorld { $0.clock = { clock.now } }
    let a = try await Samples.synced(world)
    let backup = world.backup()
    clock.advance(milliseconds: 60_000)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    try await a.sync()
    try a.write("heroes/new.json", Self.hero("New"))
    try await lose(a, isDone: false)
    world.restore(backup)
    _ = world.takeRequests()
    let report = try await a.sync()
    #expect(report.stops.count == 1)
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try Journal(a.library).unconfirmedWrites.count == 1)
  }

  @Test func updateThatIsDoneAfterTheListingIsNoOlderVersion() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try a.edit("heroes/luna.json", "7", "8")
    try await lose(a, isDone: false)
    // The listing shows another version than the sidecar, and the write makes a third.
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    let report = try await a.sync()
    #expect(report.stops.isEmpty && report.failed.isEmpty)
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  @Test func deleteThatIsDoneAfterTheListingBringsNothingBack() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedApart(world)
    try a.remove("events/lost-tooth.json")
    try await lose(a, isDone: false)
    try world.patch("custom-events", a.sidecar("events/lost-tooth").id, ["tone": "calm"])
    let report = try await a.sync { $0.strategy = .local }
    #expect(report.stops.isEmpty && report.receivedNew.isEmpty)
    #expect(try world.ids(.customEvents).isEmpty)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
  }

  @Test func createThatTheServerCannotHandleStopsNoOther() async throws {
    let world = try TestWorld { $0.features.subtract([.batch]) }
    let a = try world.library("a")
    let transport = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      let text = String(decoding: request.body, as: UTF8.self)
      return text.contains("Bad") ? HTTPResponse(status: 500) : try await send(request)
    }
    for name in ["A", "Bad", "C"] { try a.write("heroes/\(name).json", Self.hero(name)) }
    for count in [2, 0] {
      // The second time, it is what an earlier run left.
      let report = try await a.attempt(transport: transport)
      #expect(report.error == nil && report.created.count == count)
      #expect(report.failed.map(\.ref) == [RecordRef("heroes/Bad")])
      #expect(try Journal(a.library).unconfirmedWrites.count == 1)
    }
    #expect(try await a.sync().failed.isEmpty)
    #expect(try world.ids(.heroes).count == 3)
    #expect(try a.states() == [:])
  }

  // MARK: A key for one shape

  /// What happens between the push that died and the next sync.
  enum Since: String, CaseIterable, Sendable {
    case nothing, edited, anotherIsNew, oneIsTakenIn
  }

  @Test(arguments: Since.allCases, [1, 2, 5])
  func keysThatBelongToOneRequest(_ since: Since, _ count: Int) async throws {
    for isDone in [true, false] { try await keysThatBelong(since, isDone, count) }
  }

  private func keysThatBelong(_ since: Since, _ isDone: Bool, _ count: Int) async throws {
    let world = try TestWorld { $0.bindsKeysToRequests = true }
    try world.setLimits(page: 100, batch: 2)
    let a = try await cutOff(world, count, isDone: isDone)
    switch since {
    case .nothing: break
    case .edited: try a.write("heroes/h0.json", Self.hero("H0", age: 9))
    case .anotherIsNew: try a.write("heroes/aaa.json", Self.hero("AAA"))
    case .oneIsTakenIn:
      // The answer to one of a batch was noted before the run died.
      guard isDone, count > 1 else { return }
      let lost = try #require(try Journal(a.library).unconfirmedWrites.first)
      let made = try #require(try world.records(.heroes)["H0"]?.object)
      let record = try RemoteRecord(kind: .heroes, wire: made)
      let sidecar = Sidecar(record, refs: [:])
      try a.write("heroes/.sync/h0.json", String(decoding: sidecar.fileBytes, as: UTF8.self))
      try Journal(a.library).finish([lost.number])
    }
    for _ in 0..<2 {
      let report = try await a.sync()
      #expect(report.failed.isEmpty)
    }
    let names = try world.server.records(.heroes, of: TestWorld.account).compactMap {
      $0.value?["name"]?.string
    }
    let expected = (0..<count).map { "H\($0)" } + (since == .anotherIsNew ? ["AAA"] : [])
    #expect(names.sorted() == expected.sorted())
    #expect(try a.states() == [:])
    #expect(try Journal(a.library).unfinished.isEmpty)
    if since == .edited { #expect(try world.records(.heroes)["H0"]?["age"] == 9) }
  }

  @Test(arguments: [true, false])
  func changesWhoseKeysBelongToOneRequest(_ isDone: Bool) async throws {
    let world = try TestWorld { $0.bindsKeysToRequests = true }
    let a = try world.library("a")
    for number in 0..<4 { try a.write("heroes/h\(number).json", Self.hero("H\(number)")) }
    try await a.sync()
    for number in 0..<3 { try a.edit("heroes/h\(number).json", "7", "8") }
    try await lose(a, isDone: isDone)
    try a.edit("heroes/h3.json", "7", "8")
    let report = try await a.sync()
    #expect(report.failed.isEmpty && report.merged.isEmpty)
    #expect(try world.records(.heroes).values.allSatisfy { $0["age"] == 8 })
    #expect(try await a.sync().isQuiet)
  }

  @Test func writeWhoseKeyIsRefusedIsLookedUp() async throws {
    let world = try TestWorld { $0.bindsKeysToRequests = true }
    let a = try await cutOff(world, 2, isDone: true)
    // A journal of an earlier version does not say which writes went together.
    let text = try a.read(".stories/journal")
    let lines = text.split(separator: "\n").map { line -> String in
      guard var object = (try? JSONValue(parsing: Array(line.utf8)))?.object else { return "" }
      object["batch"] = nil
      return JSONValue.object(object).compactText
    }
    try a.write(".stories/journal", lines.joined(separator: "\n") + "\n")
    let id = try #require(try world.records(.heroes)["H1"]?["id"]?.string)
    try world.patch("heroes", id, ["height": "tall"])
    _ = try await a.sync()
    _ = try await a.sync()
    // The one that nobody changed is known again, the other is named; neither is made twice.
    #expect(try world.ids(.heroes).count == 2)
    #expect(try a.sidecar("heroes/h0").id == world.records(.heroes)["H0"]?["id"]?.string)
  }

  // MARK: Made again

  @Test(arguments: [[], [ServerFeature.idempotency], ServerFeature.allCases], [true, false])
  func recordThatTwoMachinesMakeAgainIsMadeOnce(
    _ missing: [ServerFeature], _ isEqual: Bool
  ) async throws {
    let world = try TestWorld { $0.features.subtract(missing) }
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try await b.sync()
    let event = try #require(RecordRef("events/lost-tooth"))
    let other = try #require(try b.scan().entries.first { $0.ref.kind == .events }?.ref)
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    try b.edit(other.path, "lost and found", isEqual ? "found" : "lost")
    try world.delete("custom-events", a.sidecar("events/lost-tooth").id)
    #expect(try await a.sync().conflicts.count == 1)
    #expect(try await b.sync().conflicts.count == 1)
    try ConflictResolver(a.library).resolve(event, .local)
    try ConflictResolver(b.library).resolve(other, .local)
    #expect(try await a.sync().created.count == 1)
    for _ in 0..<2 { _ = try await b.sync() }
    #expect(try world.ids(.customEvents).count == 1)
    for _ in 0..<2 { _ = try await a.sync() }
    #expect(try world.ids(.customEvents).count == 1)
    guard !missing.contains(.idempotency) || isEqual else { return }
    // The key says for sure that it is the same one, so that both edits come together.
    #expect(try b.states() == [:])
    let there = try #require(try world.records(.customEvents).values.first)
    #expect(there["promptSeed"] == (isEqual ? "A tooth is found." : "A tooth is lost."))
  }
}
