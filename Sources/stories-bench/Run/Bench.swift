import CPlatform
import Foundation
import StoryLibrary

/// One run of the benchmark: its folder, the program it measures, and the rows so far.
final class Bench {
  let options: BenchOptions
  /// A folder of this run, removed at the end.
  let folder: String
  /// The built programs lie here, this one too.
  let products: String
  private(set) var rows: [Measurement] = []
  /// The areas that could not be measured.
  var failed: [String] = []
  private var folders = 0

  init(_ options: BenchOptions) throws {
    self.options = options
    let own =
      Path.resolved("/proc/self/exe")
      ?? Path.absolute(
        CommandLine.arguments[0], in: Path.currentFolder())
    products = Path.parent(own)
    // Beside the build, so that it lies on the same disk as what a person works on.
    folder = Path.join(products, "bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileSystem.makeFolder(Path.join(folder, "home"))
    guard FileSystem.exists(program) else {
      throw BenchOptions.Problem(
        description: "there is no \(program): `swift build -c release` makes it")
    }
  }

  /// Removes what the run has written: at its end only, for a file system may be slow with new files
  /// as long as it remembers those that went (ext4 looks for other inodes for some seconds).
  func clean() { try? FileSystem.removeTree(folder) }

  /// The command line program.
  var program: String { Path.join(products, "stories") }

  /// The environment of the programs that are started: nothing of this machine's user is in it.
  var environment: [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": Path.join(folder, "home"), "NO_PROXY": "127.0.0.1", "NO_COLOR": "1", "LC_ALL": "C",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "1", "GIT_AUTHOR_NAME": "b",
      "GIT_AUTHOR_EMAIL": "b@b", "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@b",
    ]
  }

  /// A path for a new folder; nothing is made.
  func newFolder(_ name: String) -> String {
    folders += 1
    return Path.join(folder, "\(name)-\(folders)")
  }

  /// Says something while measuring.
  func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

  /// Adds a row.
  func add(_ row: Measurement) {
    rows.append(row)
    let ratio = row.ratio.map { String(format: ", %.2f of %@", $0, row.limit?.name ?? "") } ?? ""
    note(
      String(format: "%@: %@: %.4g %@", row.area, row.what, row.samples.median, row.unit.rawValue)
        + ratio)
  }

  /// Waits until everything written so far is on the disk, so that no flush that is measured pays for
  /// what was prepared.
  func settle() throws { try RawTree.flushAll(folder) }

  // MARK: Measuring

  /// Measures something and its limit in turn, as often as the run says.
  ///
  /// Both closures return the seconds that count, so that what they prepare does not. One round
  /// before the first is thrown away.
  /// - Returns: the row, which is not added yet.
  func compare(
    _ area: any Area.Type, _ what: String, bound: Measurement.Bound, limit: String,
    rounds: Int? = nil, warmUp: Bool = true,
    subject: () async throws -> Double, against: () async throws -> Double
  ) async throws -> Measurement {
    var (values, limits): ([Double], [Double]) = ([], [])
    for round in 0..<(rounds ?? options.rounds) + (warmUp ? 1 : 0) {
      let value = try await subject()
      let other = try await against()
      guard round > 0 || !warmUp else { continue }
      values.append(value)
      limits.append(other)
    }
    return Measurement(
      area: area.name, what: what, samples: Samples(values),
      limit: (name: limit, samples: Samples(limits)), bound: bound)
  }

  /// The seconds that some work takes.
  static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// The seconds that some work takes.
  static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// The processor time that some work of this thread takes, in seconds: what a bound in seconds is
  /// held against, for other people's work is not in it.
  static func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try work()
    return now() - start
  }

  /// Runs the program in a library.
  ///
  /// - Throws: `Problem` where it does not end with 0.
  @discardableResult
  func stories(_ root: String, _ words: String..., input: String = "") throws -> TimedProcess.End {
    try run([program, "-C", root] + words, input: input)
  }

  /// Runs a program to its end.
  @discardableResult
  func run(
    _ arguments: [String], input: String = "", watchesMemory: Bool = false
  ) throws -> TimedProcess.End {
    let process = try TimedProcess(arguments, environment: environment, input: input)
    let end = process.wait(watchesMemory: watchesMemory)
    guard end.status == 0 else {
      throw BenchOptions.Problem(
        description: "\(arguments.joined(separator: " ")) ended with \(end.status): "
          + String(decoding: end.output, as: UTF8.self))
    }
    return end
  }
}
