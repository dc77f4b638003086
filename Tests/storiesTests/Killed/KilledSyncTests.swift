import Foundation
import StoryServer
import Synchronization
import TestSupport
import Testing

/// The real program, killed with SIGKILL at every request and every change of a file, and what the
/// next run makes of it.
///
/// A run of the suite takes a few points of each scenario, other ones each time; with
/// `STORIES_STOP_POINTS=all` in the environment it takes them all, with a number that many of each.
/// `STORIES_SEED` repeats a choice.
@Suite(.inTurn, .enabled(if: KillPoints.library != nil, "\(KillPoints.reason)"))
struct KilledSyncTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var words: [String]
    var missing: Set<ServerFeature> = []
    var isEmbedded = false
    /// Whether the library is on a drive with exFAT, pulled out in the middle of a change.
    var isOnDrive = false

    var testDescription: String {
      let server = isEmbedded ? "embedded" : missing.isEmpty ? "all features" : "no features"
      return "\(words.joined(separator: " ")), \(server)\(isOnDrive ? ", on a drive" : "")"
    }
  }

  static let scenarios: [Scenario] =
    [["sync", "push"], ["sync", "pull"], ["sync"]].flatMap { words in
      [
        Scenario(words: words),
        Scenario(words: words, missing: Set(ServerFeature.allCases)),
      ]
    } + [
      Scenario(words: ["sync"], isEmbedded: true),
      Scenario(words: ["sync"], isOnDrive: true),
    ]

  @Test(arguments: scenarios)
  func theNextRunEndsAsIfNothingHadHappened(scenario: Scenario) async throws {
    let library =
      scenario.isEmbedded
      ? try await MixedLibrary() : try await MixedLibrary(missing: scenario.missing)
    let expected = try Result(library, scenario)
    #expect(expected.points.count > 60)
    let seed = Settings.seed
    let points = Settings.choose(expected.points, seed)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: points.count) { place in
      for failure in expected.differences(library, scenario, points[place]) {
        failures.withLock { $0.append(failure) }
      }
    }
    #expect(
      failures.withLock { $0 } == [],
      "seed \(seed), \(points.count) of \(expected.points.count) points")
  }

  /// Where names cannot be exchanged, nothing shows after a rename that a program had the file open.
  @Test func fileThatAnEditorHasOpenIsNotReplacedOnADrive() async throws {
    let copy = try await MixedLibrary(missing: []).copy(isOnDrive: true)
    let path = copy.folder.path("lib/stories/s5.json")
    let editor = try #require(FileHandle(forUpdatingAtPath: path))
    _ = try copy.armed().run("sync", "pull")
    let edited = try copy.folder.read("lib/stories/s5.json")
      .replacing("The last line.", with: "My last line.")
    try editor.truncate(atOffset: 0)
    try editor.write(contentsOf: Data(edited.utf8))
    try editor.close()
    #expect(try copy.folder.read("lib/stories/s5.json") == edited)
    _ = try copy.armed().run("sync")
    let text = try copy.folder.read("lib/stories/s5.json")
    #expect(text.contains("Their fifth") && text.contains("My last line."))
  }

  /// What a run that is not disturbed comes to.
  struct Result: Sendable {
    var outline: [String: String]
    var kept: Set<String>
    var titles: [String]
    var code: Int32
    var points: [StopPoint]

    init(_ library: MixedLibrary, _ scenario: Scenario) throws {
      let copy = try library.copy(isOnDrive: scenario.isOnDrive)
      code = try copy.armed(log: copy.folder.path("changes")).run(scenario.words).code
      outline = try copy.outline()
      kept = try copy.kept()
      titles = try copy.titles()
      points = StopPoint.all(
        changes: try copy.folder.read("changes"), requests: copy.server?.server.requestCount ?? 0,
        isOnDrive: scenario.isOnDrive)
    }

    /// What is otherwise after a run that was killed and another one.
    func differences(
      _ library: MixedLibrary, _ scenario: Scenario, _ point: StopPoint
    ) -> [String] {
      do {
        let copy = try library.copy(isOnDrive: scenario.isOnDrive)
        try point.kill(copy, scenario.words)
        let run = try copy.armed().run(scenario.words)
        if case .halfRename = point { return try losses(copy).map { "killed \(point): \($0)" } }
        var differences: [String] = []
        if run.code != code { differences.append("ended with \(run.code): \(run.errors)") }
        let now = try copy.outline()
        for name in Set(outline.keys).union(now.keys).sorted() where outline[name] != now[name] {
          differences.append("\(name): \(KilledSyncTests.difference(now[name], outline[name]))")
        }
        for version in try kept.subtracting(copy.kept()).sorted() {
          differences.append("not kept: \(version)")
        }
        return differences.map { "killed \(point): \($0)" }
      } catch {
        return ["killed \(point): \(error)"]
      }
    }

    /// What is lost or made twice. A file of the program's own that went with a rename is asked for again,
    /// or a person is: a record comes back, or is a conflict.
    private func losses(_ copy: MixedCopy) throws -> [String] {
      let everything = try copy.outline().values.joined() + copy.kept().joined()
      let now = try copy.titles()
      let twice = Dictionary(grouping: now) { $0 }.filter { $1.count > 1 }.keys
      return MixedLibrary.written.filter { !everything.contains($0) }.map { "lost: \($0)" }
        + Set(titles).subtracting(now).sorted().map { "not on the server: \($0)" }
        + twice.sorted().map { "twice on the server: \($0)" }
    }
  }

  /// What stands in one text and not in the other, without what both begin and end with.
  fileprivate static func difference(_ now: String?, _ expected: String?) -> String {
    guard let now, let expected else { return now == nil ? "is missing" : "should not be there" }
    let start = zip(now, expected).prefix { $0 == $1 }.count
    let left = now.dropFirst(start)
    let right = expected.dropFirst(start)
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    return
      "…\(now.prefix(start).suffix(20))| has “\(left.dropLast(end))”, not “\(right.dropLast(end))”"
  }

  private enum Settings {
    static let environment = ProcessInfo.processInfo.environment

    static var seed: UInt64 {
      environment["STORIES_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
    }

    static func choose(_ points: [StopPoint], _ seed: UInt64) -> [StopPoint] {
      if environment["STORIES_STOP_POINTS"] == "all" { return points }
      let count = environment["STORIES_STOP_POINTS"].flatMap { Int($0) } ?? 3
      var generator = SeededGenerator(seed: seed)
      return Array(points.shuffled(using: &generator).prefix(count))
    }
  }
}
