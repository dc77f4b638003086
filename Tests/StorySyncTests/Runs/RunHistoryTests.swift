import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct RunHistoryTests {
  private let luna = RecordRef(kind: .heroes, name: "luna")

  @Test(arguments: ContractServer.oneOfEach)
  func undoOfAPullIsAPendingEdit(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    let report = try await a.sync(.pull)
    #expect(report.run != nil)
    #expect(try a.value("heroes/luna.json")["age"] == 9)
    let undone = try RunHistory(a.library).undo()
    #expect(undone.run == report.run)
    #expect(undone.restored == [luna])
    #expect(try a.read("heroes/luna.json") == Samples.luna)
    #expect(try a.states() == ["heroes/luna": .pendingUpdate])
    try await a.sync()
    #expect(try world.records(.heroes)["Luna"]?["age"] == 7)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func undoOfAPushBringsTheServersFormerValues(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    try a.edit("heroes/luna.json", "7", "8")
    try await a.sync(.push)
    let undone = try RunHistory(a.library).undo()
    #expect(undone.restored == [luna])
    #expect(try a.read("heroes/luna.json") == Samples.luna)
    try await a.sync()
    #expect(try world.records(.heroes)["Luna"]?["age"] == 7)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func undoOfAnUndoBringsTheEditBack(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    try a.edit("heroes/luna.json", "7", "8")
    try await a.sync(.push)
    let history = RunHistory(try a.library)
    try #require(try history.undo().restored.count == 1)
    #expect(try history.undo().restored == [luna])
    #expect(try a.value("heroes/luna.json")["age"] == 8)
  }

  /// What a run removed does not go into a folder that has become another library since.
  @Test func undoWritesIntoNoOtherLibrary() async throws {
    let world = try TestWorld()
    let a = try Samples.filled(world, story: "old/snow")
    let snow = RecordRef(kind: .stories, name: "old/snow")
    try LibraryEditor(a.library).remove(snow)
    try a.write("stories/old/library.json", "{\"version\": 1, \"server\": \"embedded\"}\n")
    let undone = try RunHistory(a.library).undo()
    #expect(undone.restored.isEmpty && undone.skipped.map(\.ref) == [snow])
    #expect(!a.exists("stories/old/snow.json"))
    try a.remove("stories/old/library.json")
    #expect(try RunHistory(a.library).undo().restored == [snow])
  }

  @Test func recordsEditedSinceAreSkippedAndNamed() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try await a.sync(.pull)
    try a.edit("heroes/luna.json", "\"Luna\"", "\"Moon\"")
    let undone = try RunHistory(a.library).undo()
    #expect(undone.restored.isEmpty)
    #expect(undone.skipped.map(\.ref) == [luna])
    #expect(try a.value("heroes/luna.json")["age"] == 9)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func undoBringsARemovedRecordBack(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    try world.delete("heroes", try a.sidecar("heroes/luna").id)
    #expect(try await a.sync(.pull).receivedDeletes == [luna])
    #expect(try RunHistory(a.library).undo().restored == [luna])
    #expect(try a.read("heroes/luna.json") == Samples.luna)
    #expect(try a.states() == ["heroes/luna": .pendingCreate])
  }

  @Test(arguments: ContractServer.oneOfEach)
  func restoreTakesAnyEarlierVersion(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    let id = try a.sidecar("heroes/luna").id
    for age in 8...10 {
      try world.patch("heroes", id, ["age": .number(JSONNumber(age))])
      try await a.sync(.pull)
    }
    let history = RunHistory(try a.library)
    let versions = try history.versions(of: luna).filter { !$0.isServer }
    let ages = try versions.map { try JSONValue(parsing: $0.text)["age"]?.integer }
    #expect(ages == [9, 8, 7])
    let scan = try Scanner(a.library).scan()
    #expect(try history.restore([luna], to: [luna: versions[1]], scan: scan).restored == [luna])
    #expect(try a.value("heroes/luna.json")["age"] == 8)
  }

  @Test func versionsAreFoundAfterARenameThatASyncFound() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.edit("heroes/luna.json", "7", "8")
    try await a.sync()
    try a.move("heroes/luna.json", "heroes/moon.json")
    try await a.sync()
    let moon = RecordRef(kind: .heroes, name: "moon")
    let versions = try RunHistory(a.library).versions(of: moon)
    #expect(versions.map(\.ref) == [moon])
    let ages = try versions.map { try JSONValue(parsing: $0.text)["age"]?.integer }
    #expect(ages == [7])
  }

  @Test func prunesByAgeAndSizeButNeverTheNewest() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let id = try a.sidecar("heroes/luna").id
    for age in 8...10 {
      try world.patch("heroes", id, ["age": .number(JSONNumber(age))])
      try await a.sync(.pull)
    }
    let count = try RunHistory(a.library).runs().count
    #expect(count >= 3)
    let newest = try #require(try RunHistory(a.library).runs().first?.name)
    try Self.history(a, days: 31).prune(.init(age: .seconds(86_400 * 32)))
    try Self.history(a, days: 64).prune(.init(age: .seconds(86_400 * 32)))
    #expect(try RunHistory(a.library).runs().count == count)
    try Self.history(a, days: 64).prune()
    try Self.history(a, days: 93).prune()
    #expect(try RunHistory(a.library).runs().count == count)
    try Self.history(a, days: 95).prune()
    #expect(try RunHistory(a.library).runs().map(\.name) == [newest])
    try RunHistory(a.library).prune(.init(bytes: 0))
    #expect(try RunHistory(a.library).runs().map(\.name) == [newest])
  }

  /// The history as it is seen when the clock says that so many days have passed.
  private static func history(_ a: TestLibrary, days: Int) throws -> RunHistory {
    RunHistory(try a.library, time: time(days: days))
  }

  private static func time(days: Int) -> TimeSource {
    var time = TimeSource.system
    let now = TimeSource.system.now().advanced(by: .seconds(86_400 * days))
    time.now = { now }
    return time
  }

  @Test(arguments: [
    // The clock was slow when the runs were made.
    [90, 91, 119],
    // It is fast once, which a later prune sees again or not.
    [400, 1], [400, 1, 399, 400, 2, 31],
  ])
  func `a clock that is wrong removes nothing`(_ days: [Int]) async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let id = try a.sidecar("heroes/luna").id
    for age in 8...9 {
      try world.patch("heroes", id, ["age": .number(JSONNumber(age))])
      try await a.sync(.pull)
    }
    let runs = try RunHistory(a.library).runs().map(\.name)
    for day in days { try Self.history(a, days: day).prune() }
    #expect(try RunHistory(a.library).runs().map(\.name) == runs)
  }

  @Test func `a run is the newest although the clock was set back`() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let id = try a.sidecar("heroes/luna").id
    // Somebody's own folder, which is no run's.
    try FileSystem.makeFolder(a.library.statePath("runs/Zoo-Test"))
    var made: [String] = []
    for (age, day) in [(8, 20), (9, -4_000), (10, -4_000), (11, 0)] {
      try world.patch("heroes", id, ["age": .number(JSONNumber(age))])
      var synchronizer = try a.synchronizer()
      synchronizer.time = Self.time(days: day)
      made.insert(try #require(try await synchronizer.run(SyncOptions(.pull)).run), at: 0)
    }
    var runs = try RunHistory(a.library).runs().filter { $0.name != "Zoo-Test" }
    #expect(runs.map(\.name).prefix(4) == made[...])
    // The name is for the order; the time is what the clock said.
    let years = runs.prefix(4).map { $0.startedAt?.text.prefix(4) }
    #expect(years[1] == years[2] && years[1] != years[0] && years[3] != years[1])
    try FileSystem.removeTree(a.library.statePath("runs/Zoo-Test"))
    try Self.history(a, days: -4_000).prune(.init(bytes: 0))
    runs = try RunHistory(a.library).runs()
    #expect(runs.map(\.name) == [made[0]])
    _ = try RunHistory(a.library).undo()
    #expect(try a.value("heroes/luna.json")["age"] == 10)
  }

  @Test func syncWithoutChangesLeavesNoRun() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let before = try RunHistory(a.library).runs().map(\.name)
    try await a.sync()
    #expect(try RunHistory(a.library).runs().map(\.name) == before)
  }

  @Test func runsSayWhatTheyWereForAndWhatTheyKept() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.edit("heroes/luna.json", "7", "8")
    try await a.sync(.push)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try await a.sync(.pull)
    try LibraryEditor(a.library).remove(luna)
    let history = RunHistory(try a.library)
    let runs = try history.runs()
    #expect(runs.map(\.command) == ["rm heroes/luna", "sync pull", "sync push", "sync"])
    #expect(runs.allSatisfy { $0.startedAt != nil })
    #expect(runs.compactMap(\.startedAt) == runs.compactMap(\.startedAt).sorted(by: >))
    #expect(try history.keptCounts(runs[0]) == (versions: 1, sidecars: 1))
    #expect(try history.keptCounts(runs[1]) == (versions: 0, sidecars: 0))
    #expect(try history.kept() == [luna: history.versions(of: luna).count])
    #expect(try history.versions(in: runs[2].name).map(\.isServer) == [true])
  }

  @Test func versionsAreComparedWithTheRecordAsItIs() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try await a.sync(.pull)
    let history = RunHistory(try a.library)
    let version = try #require(try history.versions(of: luna).first { !$0.isServer })
    func difference() throws -> RunHistory.Difference {
      history.difference(of: version, references: try a.scan().references)
    }
    #expect(try difference() == .fields(["age"]))
    try a.write("heroes/luna.json", Samples.luna.replacing("  ", with: "    "))
    #expect(try difference() == .layout)
    try a.write("heroes/luna.json", Samples.luna)
    #expect(try difference() == .none)
    try a.remove("heroes/luna.json")
    #expect(try difference() == .missing)
  }

  @Test(arguments: ContractServer.single)
  func undoOfADeleteOfAHeroWithItsStoriesCanBeSynced(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    let story = "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"one\"]}\n"
    try a.write("stories/snow.json", story)
    try await a.sync()
    try a.remove("stories/snow.json")
    try a.remove("heroes/luna.json")
    #expect(try await a.sync().deleted.count == 2)
    #expect(try RunHistory(a.library).undo().restored.count == 2)
    #expect(try a.value("stories/snow.json")["hero"] == "luna")
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(report.created.count == 2)
    #expect(try world.records(.stories).count == 1)
  }

  @Test(arguments: ContractServer.single, [false, true])
  func `a story names its hero that was restored before it`(
    _ server: ContractServer, isSynced: Bool
  ) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.syncedHero(world)
    let snow = RecordRef(kind: .stories, name: "snow")
    try a.write(
      "stories/snow.json", "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"one\"]}\n")
    try await a.sync()
    try a.remove("stories/snow.json")
    try a.remove("heroes/luna.json")
    try await a.sync()
    let history = RunHistory(try a.library)
    for ref in [luna, snow] {
      let version = try #require(try history.versions(of: ref).first)
      let restored = try history.restore([ref], to: [ref: version], scan: a.scan())
      #expect(restored.restored == [ref])
      if isSynced { #expect(try await a.sync().failed.isEmpty) }
    }
    #expect(try a.value("stories/snow.json")["hero"] == "luna")
    #expect(try a.value("stories/snow.json")["heroId"] == nil)
    #expect(try await a.sync().failed.isEmpty)
    #expect(try world.records(.stories).count == 1)
  }

  /// Bytes that are not UTF-8, and bytes that JSON escapes.
  @Test(arguments: [(byte: 0xFF, count: 5 << 20), (0x01, 5 << 20), (0xC3, 1)])
  func `a large unreadable file that was replaced can be had back`(
    byte: UInt8, count: Int
  ) async throws {
    let bytes = [UInt8](repeating: byte, count: count)
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let file = try a.library.path(luna.path)
    try AtomicFile.write(bytes, to: file)
    let history = RunHistory(try a.library)
    #expect(try history.restore([luna], scan: a.scan()).restored == [luna])
    let run = try #require(try history.runs().first)
    #expect(try history.versions(in: run.name).map { $0.text == bytes } == [true])
    #expect(run.size >= bytes.count)
    #expect(try history.undo().restored == [luna])
    #expect(try FileSystem.read(file) == bytes)
    #expect(try history.undo().restored == [luna])
    #expect(try a.read("heroes/luna.json") == Samples.luna)
  }

  @Test func `bytes that an earlier version of the program kept as digits are read`() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.makeRun(#"{"ref":"heroes/luna","side":"here","text":"�a","bytes":"ff61"}"# + "\n")
    let history = RunHistory(try a.library)
    #expect(try history.versions(of: luna).map(\.text) == [[0xFF, 0x61]])
  }

  /// A file or a link is in the place of one record's folder.
  @Test(arguments: [false, true])
  func `a record whose folder cannot be used stops no other, and undo can be continued`(
    isLink: Bool
  ) async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let pip = RecordRef(kind: .heroes, name: "family/pip")
    try a.write(pip.path, Samples.luna.replacing("Luna", with: "Pip"))
    try await a.sync()
    func withoutFolder<Result>(_ body: () throws -> Result) throws -> Result {
      try a.move("heroes/family", "heroes/aside")
      if isLink {
        try TestFiles.link(at: a.path("heroes/family"), to: "aside")
      } else {
        try a.write("heroes/family", "a file")
      }
      defer {
        try? a.remove("heroes/family")
        try? a.move("heroes/aside", "heroes/family")
      }
      return try body()
    }
    let history = RunHistory(try a.library)
    #expect(try LibraryEditor(a.library).remove([luna, pip]).isEmpty)
    let removal = try #require(try history.runs().first?.name)
    let failed = try withoutFolder { try history.undo() }
    #expect(failed.restored == [luna] && failed.skipped.map(\.ref) == [pip])
    guard case .failed? = failed.skipped.first?.reason else {
      Issue.record("\(failed.skipped)")
      return
    }
    let continued = try history.undo(removal)
    #expect(continued.restored == [pip] && continued.skipped.isEmpty)
    #expect(a.exists(luna.path) && a.exists(pip.path))
    try LibraryEditor(a.library).remove(luna)
    let versions = try Dictionary(
      uniqueKeysWithValues: history.versions(in: removal).map { ($0.ref, $0) })
    let restored = try withoutFolder {
      try history.restore([luna, pip], to: versions, scan: a.scan())
    }
    #expect(restored.restored == [luna])
    #expect(restored.skipped.map(\.ref) == [pip] && restored.skipped.first?.error is FileError)
  }

  @Test func `a kept version that cannot be read is named`() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let digest = ContentDigest(Samples.luna.replacing("7", with: "8").utf8)
    try a.write("heroes/luna.json", Samples.luna.replacing("7", with: "8"))
    let after = #"{"ref":"heroes/luna","after":"\#(digest)"}"# + "\n"
    let lost = #"{"ref":"heroes/luna","side":"here","text":"#
    let history = RunHistory(try a.library)
    for line in ["\(lost)\"\n", "\(lost){\"file\":\"\(digest)\"}}\n"] {
      try a.makeRun(line + after + lost)
      #expect(try history.unreadableLines(in: TestLibrary.madeRun) == 1)
      let undone = try history.undo(TestLibrary.madeRun)
      #expect(undone.skipped.map(\.ref) == [luna])
      #expect(undone.skipped.map(\.reason) == [.refused(.noReadableVersion(luna))])
    }
    // The start of a line that a crash cut off was never acted on.
    try a.makeRun(lost)
    #expect(try history.unreadableLines(in: TestLibrary.madeRun) == 0)
  }

  @Test func `a run that cannot be read keeps no other from being read`() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.edit("heroes/luna.json", "7", "8")
    try await a.sync(.push)
    try FileSystem.makeFolder(
      a.library.statePath("runs/\(TestLibrary.madeRun)/saved.jsonl"))
    let history = RunHistory(try a.library)
    #expect(throws: FileError.self) { try history.unreadableLines(in: TestLibrary.madeRun) }
    #expect(try history.versions(of: luna).count == 1)
    #expect(try history.kept() == [luna: 1])
  }
}

extension TestLibrary {
  fileprivate static let madeRun = "2099-01-01T00-00-00.000Z"

  /// Writes a run, the newest, that kept these lines.
  fileprivate func makeRun(_ lines: String) throws {
    let folder = try library.statePath("runs/\(Self.madeRun)")
    try FileSystem.makeFolder(folder)
    try AtomicFile.write(Array(lines.utf8), to: Path.join(folder, "saved.jsonl"))
    try AtomicFile.write(
      Array(#"{"schema":"stories.run/1","command":"rm heroes/luna"}"#.utf8),
      to: Path.join(folder, "report.json"))
  }
}
