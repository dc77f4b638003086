import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// A dry run tells what the real run does, and does nothing.
@Suite(.inTurn) struct DryRunTests {
  /// Runs dry, then really, and compares.
  private func expectSame(
    _ library: TestLibrary, _ direction: SyncOptions.Direction,
    _ change: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    let before = try library.tracked()
    _ = library.world.takeRequests()
    let dry = try await library.sync(direction) { options in
      change(&options)
      options.isDryRun = true
    }
    #expect(library.world.takeRequests().allSatisfy { $0.isRead })
    #expect(try library.tracked() == before)
    let real = try await library.sync(direction, change)
    #expect(dry.outline == real.outline)
    #expect(Set(dry.failed) == Set(real.failed))
    return real
  }

  @Test(arguments: SyncOptions.Direction.allCases, ContractServer.single)
  func tellsMergesInEveryDirection(
    _ direction: SyncOptions.Direction, _ server: ContractServer
  ) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    try world.patch("heroes", a.sidecar("heroes/luna").id, ["height": "tall"])
    try a.edit("heroes/luna.json", "7", "8")
    try a.write("heroes/pip.json", Samples.luna.replacing("Luna", with: "Pip"))
    let report = try await expectSame(a, direction)
    #expect(report.created.count == (direction == .pull ? 0 : 1))
    #expect(report.merged.map(\.description) == ["heroes/luna"])
  }

  @Test func tellsWhatTheServerWillNotTake() async throws {
    let a = try await Samples.synced(TestWorld(.v1))
    try a.write(
      "heroes/otto.json", #"{"name": "Otto", "age": 5, "traits": ["x"], "height": "tall"}"#)
    try await a.sync()
    try a.write("heroes/otto.json", #"{"name": "Otto", "age": 6, "traits": ["x"]}"#)
    try a.edit("stories/first-snow.json", "\"luna\"", "\"otto\"")
    try a.edit("stories/first-snow.json", "\"event\": \"lost-tooth\"", "\"event\": null")
    let report = try await expectSame(a, .push)
    #expect(Set(report.overridden.map(\.field)) == ["height", "hero", "event"])
    #expect(report.overridden.allSatisfy { $0.kept == "server" })
  }

  @Test func tellsWhatWaitsForANewRecordWithAnError() async throws {
    let a = try await Samples.synced(TestWorld())
    let (bad, luna) = (
      RecordRef(kind: .heroes, name: "bad"), RecordRef(kind: .heroes, name: "luna")
    )
    let (snow, new) = (
      RecordRef(kind: .stories, name: "first-snow"), RecordRef(kind: .stories, name: "new")
    )
    try a.write("heroes/bad.json", #"{"name": "Bad", "age": 99, "traits": ["x"]}"#)
    try a.write("stories/new.json", #"{"title": "New", "hero": "bad", "content": ["x"]}"#)
    try a.edit("stories/first-snow.json", "\"luna\"", "\"bad\"")
    try a.remove("heroes/luna.json")
    // What a selected record waits for is reported with it.
    let one = try await expectSame(a, .push) { $0.only = [new] }
    #expect(Set(one.failed.map(\.ref)) == [bad, new])
    let all = try await expectSame(a, .both)
    #expect(all.stops.isEmpty && all.isQuiet)
    #expect(Set(all.failed.map(\.ref)) == [bad, new, snow, luna])
    #expect(all.failed.contains { $0.ref == snow && $0.reason == .waits(for: bad) })
    #expect(all.failed.contains { $0.ref == luna && $0.reason == .waitsForRelease(by: snow) })
  }

  /// What becomes of a sidecar before the next sync.
  enum Damage: String, CaseIterable { case gone, cut, conflictMarkers, emptied }

  @Test(arguments: Damage.allCases, SyncOptions.Direction.allCases)
  func tellsThatASidecarIsRebuilt(
    _ damage: Damage, _ direction: SyncOptions.Direction
  ) async throws {
    for isEdited in [false, true] {
      let a = try await Samples.synced(TestWorld(.v0))
      let path = "heroes/.sync/luna.json"
      let text = try a.read(path)
      switch damage {
      case .gone: try a.remove(path)
      case .cut: try a.write(path, String(text.dropLast(20)))
      case .conflictMarkers: try a.write(path, "<<<<<<< a\n\(text)=======\n\(text)>>>>>>> b\n")
      case .emptied: try a.write(path, "")
      }
      if isEdited { try a.edit("heroes/luna.json", "7", "8") }
      let report = try await expectSame(a, direction)
      #expect(report.created.isEmpty)
      #expect(report.failed.isEmpty)
    }
  }
}
