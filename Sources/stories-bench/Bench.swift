import Foundation
import StoryLibrary

/// A run: its folder, the program being measured, and the rows so far.
final class Bench {
  let options: Options
  /// The folder of this run, removed at the end. It is next to the build, on the disk that people
  /// work on. Nothing in it is removed earlier: for some seconds after many removals, ext4 creates
  /// files slowly.
  let folder: String
  /// The program `stories`, built next to this one.
  let program: String
  let own: String
  private(set) var report: Report
  private var folders = 0

  init(_ options: Options) throws {
    self.options = options
    own = Path.resolved(Path.absolute(CommandLine.arguments[0], in: Path.currentFolder())) ?? ""
    program = Path.join(Path.parent(own), "stories")
    folder = Path.join(Path.parent(own), "bench-\(ProcessInfo.processInfo.processIdentifier)")
    report = Report(records: options.records, rounds: options.rounds)
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchError("\(program) is missing: swift build -c release")
    }
    try FileManager.default.createDirectory(
      atPath: folder + "/home", withIntermediateDirectories: true)
  }

  func clean() { try? FileManager.default.removeItem(atPath: folder) }

  /// Returns a path for a new folder without creating it.
  func newFolder(_ name: String) -> String {
    folders += 1
    return "\(folder)/\(name)-\(folders)"
  }

  /// The environment of child processes, without anything of this machine's user.
  var environment: [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": folder + "/home", "NO_PROXY": "127.0.0.1", "LC_ALL": "C",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@b",
      "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@b",
    ]
  }

  func add(_ row: Row) {
    report.rows.append(row)
    FileHandle.standardError.write(Data((row.cells.joined(separator: "  ") + "\n").utf8))
  }

  /// Measures something and its limit in alternation and adds the row. Both closures return the
  /// relevant value, so that preparations do not count. A first round is discarded.
  func compare(
    _ what: String, atMost bound: Double?, limit: String, rounds: Int? = nil,
    _ subject: () async throws -> Double, against: () async throws -> Double
  ) async throws {
    var row = Row(
      what: what, values: [], limit: Row.Limit(what: limit, values: []),
      bound: bound.map { .ratio(atMost: $0) })
    for round in 0...(rounds ?? options.rounds) {
      let (value, other) = (try await subject(), try await against())
      if round == 0 { continue }
      row.values.append(value)
      row.limit?.values.append(other)
    }
    add(row)
  }

  @discardableResult
  func stories(_ root: String, _ words: String..., input: String = "") throws -> TimedProcess.End {
    try run([program, "-C", root] + words, input: input)
  }

  /// Runs a program to its end.
  ///
  /// - Throws: `BenchError` if its exit status is not 0.
  @discardableResult
  func run(_ words: [String], input: String = "") throws -> TimedProcess.End {
    let end = try TimedProcess(words, environment: environment, input: input).wait()
    guard end.status == 0 else {
      throw BenchError("\(words) ended with \(end.status): \(end.output)")
    }
    return end
  }
}

/// Returns the duration of some work in seconds.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await work()
  return (ContinuousClock.now - start) / .seconds(1)
}
