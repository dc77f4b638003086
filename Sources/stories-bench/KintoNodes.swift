import Foundation
import JSONText
import StoryLibrary

/// Two nodes of a Kinto over one PostgreSQL, behind a proxy that distributes new connections in
/// turn.
final class KintoNodes {
  static let user = "bench"
  static let password = "once upon a time"

  /// A Python with the packages `kinto[postgresql]`, `kinto-http` and `waitress`, if one is named.
  static let python = ProcessInfo.processInfo.environment["STORIES_KINTO_PYTHON"]

  private(set) var url = ""
  private let bench: Bench
  private let folder: String
  private let programs: String
  private var nodes: [TimedProcess] = []
  private var front: TimedProcess?
  private var buckets = 0

  /// - Throws: `BenchError` if something that is needed is not installed.
  init(_ bench: Bench) throws {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    guard let python = Self.python, let newest = versions.compactMap({ Int($0) }).max() else {
      throw BenchError(
        "the area kinto needs PostgreSQL in \(root), and STORIES_KINTO_PYTHON: a Python with"
          + " kinto[postgresql], kinto-http and waitress")
    }
    self.bench = bench
    programs = "\(root)/\(newest)/bin"
    // PostgreSQL runs as its own user, who cannot read the bench's folder.
    folder = "/tmp/stories-bench-\(UUID().uuidString)"
    do {
      try startDatabase()
      for number in 0..<2 {
        nodes.append(
          try start([
            python, "-c", KintoScripts.node, "postgresql://postgres@/kinto?host=\(folder)",
            Self.user,
            Self.password, number == 0 ? "migrate" : "",
          ]))
        _ = try port(of: nodes[number])
      }
      let front = try start([python, "-c", KintoScripts.front] + nodes.map { try port(of: $0) })
      self.front = front
      url = "http://127.0.0.1:\(try port(of: front))/v1"
    } catch {
      end()
      throw error
    }
  }

  func end() {
    for process in nodes + [front].compactMap(\.self) { process.end() }
    try? postgres("pg_ctl", "-D", folder + "/data", "-m", "fast", "stop")
    try? FileManager.default.removeItem(atPath: folder)
  }

  func newBucket() -> String {
    buckets += 1
    return "\(url)/buckets/bench-\(buckets)"
  }

  /// The processor time so far, in seconds.
  var usage: (nodes: Double, database: Double) {
    let postmaster = (try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8))
      .flatMap { $0.split(separator: "\n").first }.flatMap { pid_t($0) }
    return (
      nodes.reduce(0) { $0 + ProcessorTime.ofProcess($1.id) },
      postmaster.map { ProcessorTime.ofFamily($0) } ?? 0
    )
  }

  private func startDatabase() throws {
    let owner = isRoot ? ["-o", "postgres"] : []
    try bench.run(["install", "-d", "-m", "755"] + owner + [folder])
    let data = folder + "/data"
    try postgres("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8")
    try postgres(
      "pg_ctl", "-D", data, "-l", folder + "/log", "-w", "-o",
      "-c listen_addresses='' -k \(folder) -c timezone=UTC", "start")
    try postgres("createdb", "-h", folder, "-U", "postgres", "kinto")
  }

  /// PostgreSQL refuses to run as root.
  private var isRoot: Bool { getuid() == 0 }

  private func postgres(_ program: String, _ words: String...) throws {
    let user = isRoot ? ["setpriv", "--reuid=postgres", "--clear-groups"] : []
    try bench.run(user + ["\(programs)/\(program)"] + words)
  }

  private func start(_ words: [String]) throws -> TimedProcess {
    try TimedProcess(words, environment: bench.environment)
  }

  private func port(of process: TimedProcess) throws -> String {
    let line = try process.firstLine()
    guard Int(line) != nil else { throw BenchError("a server did not start: \(process.written)") }
    return line
  }
}

/// Processor time as proc(5) counts it.
enum ProcessorTime {
  /// The seconds of a process and of those of its children that have ended.
  static func ofProcess(_ id: pid_t) -> Double {
    guard let fields = fields(id), fields.count > 14 else { return 0 }
    return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) }
      / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The seconds of a process and all its children.
  static func ofFamily(_ id: pid_t) -> Double {
    let others = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = others.compactMap { pid_t($0) }.filter { fields($0)?[1] == "\(id)" }
    return ([id] + children).reduce(0) { $0 + ofProcess($1) }
  }

  /// What follows the name in `/proc/ID/stat`: the state, the parent's id, and so on.
  private static func fields(_ id: pid_t) -> [Substring]? {
    let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    guard let text, let end = text.lastIndex(of: ")") else { return nil }
    return text[end...].dropFirst().split(separator: " ")
  }
}
