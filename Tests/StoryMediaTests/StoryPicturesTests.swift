import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StoryServer
import StorySync
@testable import StorySyncTests
import TestSupport
import Testing

/// What becomes of a story's pictures where the story moves or goes.
@Suite(.inTurn) struct StoryPicturesTests {
  private let world: TestWorld
  private let library: TestLibrary
  private let story = RecordRef(kind: .stories, name: "night")
  private let pictures = ["01", "02", "03", "04"].map {
    RecordRef(kind: .illustrations, name: "night/\($0)")
  }

  /// A library with a story that has four pictures, all in sync.
  init() async throws {
    world = try TestWorld {
      $0.generation.engine = TestEngine()
    }
    library = try world.library("mine")
    try library.write("heroes/luna.json", Samples.luna)
    try await library.sync()
    let repositories = try repositories()
    var options = StoryMedia.GenerationOptions()
    options.polling.first = .milliseconds(5)
    let made = try await repositories.stories.generate(
      StoryWish(hero: "luna", withIllustrations: true), options
    ).result()
    if made.ref != story { try LibraryEditor(library.library).move(made.ref, to: story) }
    try await library.sync()
  }

  private func repositories(_ time: TimeSource = .system) throws -> Repositories {
    try world.repositories(of: library, time: time)
  }

  private func here() throws -> [RecordRef: RecordState] {
    var scanner = Scanner(try library.library)
    scanner.kinds = [.illustrations]
    return Dictionary(uniqueKeysWithValues: try scanner.scan().entries.map { ($0.ref, $0.state) })
  }

  private var all: [RecordRef: RecordState] {
    Dictionary(uniqueKeysWithValues: pictures.map { ($0, .synced) })
  }

  @Test func `they lie under the story's name from its renaming on`() async throws {
    // The story was renamed above.
    #expect(try here() == all)
    #expect(try library.paths("illustrations").count == 8)
    #expect(
      try LibraryEditor(library.library).illustrations(
        ofStories: library.scan().storyIDs([story])) == pictures)
    let media = try repositories().media
    #expect(try await media.pull().failed.isEmpty)
    let moon = RecordRef(kind: .stories, name: "2026/moon")
    try LibraryEditor(library.library).move(story, to: moon)
    #expect(
      try Set(here().keys.map(\.name)) == [
        "2026/moon/01", "2026/moon/02", "2026/moon/03", "2026/moon/04",
      ])
    #expect(!library.exists("illustrations/night"))
    // Files go by ids: nothing is fetched again, and they are found by the new name.
    #expect(try media.plan().fetched.isEmpty)
    #expect(try media.use([moon]).count == 4)
    let report = try await library.sync()
    #expect(report.isQuiet, "\(report)")
  }

  @Test func `they follow a story whose file was renamed by hand`() async throws {
    try library.move("stories/night.json", "stories/day.json")
    let report = try await library.sync()
    #expect(report.renamed.map(\.to.name) == ["day"])
    #expect(try Set(here().keys.map(\.name)) == ["day/01", "day/02", "day/03", "day/04"])
    #expect(!library.exists("illustrations/night"))
  }

  @Test(arguments: [SyncOptions.Direction.push, .both])
  func `they go when the server has deleted the story, and not before`(
    _ direction: SyncOptions.Direction
  ) async throws {
    try LibraryEditor(library.library).remove(story)
    #expect(try here() == all)
    let report = try await library.sync(direction)
    #expect(report.deleted == [story] && report.receivedDeletes == pictures)
    #expect(try here().isEmpty && !library.exists("illustrations/night"))
    let run = try #require(report.run)
    // The story comes back as a new record; its pictures would be the server's to make.
    let undone = try RunHistory(library.library).undo(run)
    #expect(undone.skipped.map(\.ref) == pictures)
    #expect(undone.skipped.first?.reason == .refused(.readOnly(pictures[0])))
    // Neither does a restore write what nobody could send.
    let history = RunHistory(try library.library)
    let version = try #require(try history.versions(of: pictures[0]).first)
    let scan = try Scanner(history.library).scan()
    #expect(throws: EditError.readOnly(pictures[0])) {
      try history.restore([pictures[0]], to: [pictures[0]: version], scan: scan)
    }
    #expect(try here().isEmpty)
  }

  @Test func `a removal that is undone leaves all as it was`() async throws {
    try LibraryEditor(library.library).remove(story)
    _ = try RunHistory(library.library).undo()
    let report = try await library.sync()
    #expect(report.isQuiet, "\(report)")
    #expect(try here() == all)
  }

  @Test func `they go with a story that somebody else deleted`() async throws {
    try world.delete("stories", try library.sidecar("stories/night").id)
    let report = try await library.sync(.pull)
    #expect(report.receivedDeletes.count == 5)
    #expect(try here().isEmpty)
  }

  @Test func `a temporary file of a run that died goes at the next pull`() async throws {
    let name = ".stories-tmp-0000000000000001-0000000000000000-05.json"
    try library.write("illustrations/night/\(name)", "{")
    _ = try await library.sync(.pull)
    #expect(try here() == all && !library.exists("illustrations/night/\(name)"))
  }

  // MARK: Absence is not intent

  /// Lets the server tell of its stories without what they must have, or with more left out.
  private func mangleStories(without keys: [String]) throws {
    let target = "\(world.base)/stories"
    let list = try world.server.perform("GET", target, as: TestWorld.account)
    var answer = try #require(list.value?.object)
    answer["data"] = .array(
      try #require(answer["data"]?.array).map { row in
        var row = row.object ?? [:]
        for key in keys { row[key] = nil }
        return .object(row)
      })
    world.server.addFault(
      FaultRule(.replaceBody(JSONValue.object(answer).compactBytes), method: "GET", path: target))
  }

  @Test func `they stay where the story's sidecar is lost`() async throws {
    let before = try here()
    try library.remove("stories/.sync/night.json")
    try await library.sync()
    #expect(try here() == before)
  }

  @Test(arguments: [["content"], ["content", "id"]])
  func `they stay where the server's story cannot be understood and its sidecar is lost`(
    _ keys: [String]
  ) async throws {
    try library.remove("stories/.sync/night.json")
    try mangleStories(without: keys)
    let report = try await library.sync(.pull)
    #expect(report.failed.count == 1 && report.receivedDeletes.isEmpty)
    #expect(try here() == all)
    world.server.removeFaults()
    try await library.sync(.pull)
    #expect(try here() == all)
  }

  @Test func `those of a story that only the server has stay, and are asked for once`()
    async throws
  {
    let id = try library.sidecar("stories/night").id
    // The list is about to tell of it only once it changes.
    let path = "\(world.base)/stories"
    let empty: JSONValue = [
      "data": [],
      "pagination": ["total": 0, "limit": 100, "offset": 0, "hasMore": false],
    ]
    world.server.addFault(FaultRule(.replaceBody(empty.compactBytes), method: "GET", path: path))
    try library.remove("stories/.sync/night.json")
    try library.remove("stories/night.json")
    _ = world.takeRequests()
    let report = try await library.sync(.pull)
    #expect(report.receivedDeletes.isEmpty)
    #expect(try here() == all)
    #expect(world.takeRequests().filter { $0.path == "\(path)/\(id)" }.count == 1)
    // Once the server denies it, they go.
    try world.delete("stories", id)
    #expect(try await library.sync(.pull).receivedDeletes == pictures)
  }

  @Test func `an embedded server that no sidecar told about a story says nothing about its end`()
    async throws
  {
    try world.delete("stories", try library.sidecar("stories/night").id)
    try library.remove("stories/.sync/night.json")
    let world = world
    let library = try library.library
    _ = try library.saving(
      library.configuration.setting("synced", to: ["server": "embedded", "account": ""]))
    let synchronizer = Synchronizer(library: library) { _ in
      Connection(client: try world.client(), identity: .init(server: "embedded", account: ""))
    }
    let report = try await synchronizer.run(SyncOptions())
    #expect(report.stops.isEmpty && report.receivedDeletes.isEmpty, "\(report)")
    #expect(try here() == all)
  }

  @Test(arguments: [false, true])
  func `they are requested once the library's lock is free`(_ isGeneration: Bool) async throws {
    for picture in pictures {
      try library.remove(picture.path)
      try library.remove(picture.sidecarPath)
    }
    _ = world.takeRequests()
    let (lock, world) = (Box<LibraryLock?>(try LibraryLock(library.library)), world)
    var time = TimeSource.unwaiting
    time.sleep = { _ in
      // What is requested before could be older than what the lock's holder has written.
      #expect(!world.server.requestLog.contains { $0.path.hasSuffix("/illustrations") })
      lock.value = nil
    }
    let repositories = try repositories(time)
    if isGeneration {
      _ = try await repositories.stories.generateIllustrations("night").result()
    } else {
      #expect(try await repositories.media.pull().failed.isEmpty)
    }
    #expect(lock.value == nil)
    #expect(try here() == all)
  }

  // MARK: Stories that move with their sidecars

  private func moveWithSidecar(_ old: String, _ new: String) throws {
    try library.move("stories/\(old).json", "stories/\(new).json")
    try library.move("stories/.sync/\(old).json", "stories/.sync/\(new).json")
  }

  @Test func `they are their story's by its id, and follow one that moved with its sidecar`()
    async throws
  {
    // Another story takes the name of the one with pictures.
    try library.write(
      "stories/day.json",
      #"{"title":"Day","hero":"luna","language":"en","content":"The sun rose."}"#)
    try await library.sync()
    try moveWithSidecar("night", "zzz")
    try moveWithSidecar("day", "night")
    let other = RecordRef(kind: .stories, name: "moved")
    try LibraryEditor(library.library).move(story, to: other)
    #expect(try Set(here().keys) == Set(pictures))
    let report = try await library.sync()
    #expect(report.receivedDeletes.isEmpty)
    #expect(try Set(here().keys.map(\.name)) == ["zzz/01", "zzz/02", "zzz/03", "zzz/04"])
    #expect(!library.exists("illustrations/night"))
  }
}
