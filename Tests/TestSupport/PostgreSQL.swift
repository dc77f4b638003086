import Foundation
import StoryLibrary
package import Testing

/// A PostgreSQL of the tests' own, without a network: it listens in its own folder only. It is stopped
/// when nobody uses it any more.
package final class PostgreSQL: Sendable {
  /// Where its programs are; the newest version that is installed.
  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap { Int($0) }.max()
    return newest.map { "\(root)/\($0)/bin" }
  }()
  /// In CI nothing is skipped: without PostgreSQL the tests fail.
  package static let isExpected =
    KintoServer.isExpected
    && (programs != nil || ProcessInfo.processInfo.environment["CI"] != nil)
  /// Why the tests are skipped elsewhere.
  package static let skipped: Comment =
    "no PostgreSQL in /usr/lib/postgresql (apt-get install postgresql), or no Kinto"

  /// A program of it failed.
  package struct Failure: Error {
    package var output: String
  }

  private let folder: TemporaryFolder

  /// Makes a database `kinto` and starts to serve it.
  package init() throws {
    folder = try TemporaryFolder()
    // It refuses to run as root.
    if getuid() == 0 {
      try Self.run(["chmod", "755", folder.path])
      try Self.run(["install", "-d", "-o", "postgres", "-m", "755", folder.path("own")])
    } else {
      try folder.makeFolder("own")
    }
    try run("initdb", ["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8"])
    // Nothing of it has to survive a loss of power.
    let options = "-c listen_addresses='' -k \(folder.path("own")) -c fsync=off -c timezone=UTC"
    try run(
      "pg_ctl", ["-D", cluster, "-o", options, "-l", folder.path("own/log"), "-w", "start"])
    try run("createdb", ["-h", folder.path("own"), "-U", "postgres", "kinto"])
  }

  deinit { try? run("pg_ctl", ["-D", cluster, "-m", "immediate", "stop"]) }

  private var cluster: String { folder.path("own/data") }

  /// The database's address, for libpq.
  package var url: String { "postgresql://postgres@/kinto?host=\(folder.path("own"))" }

  /// The settings of a Kinto that keeps everything in it.
  package var settings: [String: String] {
    var settings: [String: String] = [:]
    for part in ["storage", "permission", "cache"] {
      settings["\(part)_backend"] = "kinto.core.\(part).postgresql"
      settings["\(part)_url"] = url
    }
    return settings
  }

  /// Holds a record until its input is closed, so that whoever writes it waits. It says `held`, and
  /// `awaited` once somebody waits.
  package func hold(_ id: String) throws -> RunningProgram {
    let script = """
      import sys, threading, time
      import psycopg2
      held, watch = psycopg2.connect(sys.argv[1]), psycopg2.connect(sys.argv[1])
      watch.autocommit = True
      held.cursor().execute("SELECT 1 FROM objects WHERE id = %s FOR UPDATE", (sys.argv[2],))
      print("held", flush=True)
      def look():
          while True:
              cursor = watch.cursor()
              cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
              if cursor.fetchone()[0]:
                  return print("awaited", flush=True)
              time.sleep(0.005)
      threading.Thread(target=look, daemon=True).start()
      sys.stdin.read()
      held.rollback()
      """
    return try RunningProgram(
      ProgramStart(
        words: [KintoServer.python ?? "python3", "-c", script, url, id],
        folder: NSTemporaryDirectory()))
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let words = ["\(Self.programs ?? "")/\(program)"] + arguments
    try Self.run(getuid() == 0 ? ["setpriv", "--reuid=postgres", "--clear-groups"] + words : words)
  }

  private static func run(_ words: [String]) throws {
    let result = try RunningProgram(ProgramStart(words: words, folder: "/")).wait()
    guard result.code == 0 else { throw Failure(output: "\(words): \(result.errors)") }
  }
}

extension Trait where Self == ConditionTrait {
  /// For suites that need a Kinto over PostgreSQL.
  package static var withPostgreSQL: Self {
    .enabled(if: PostgreSQL.isExpected, PostgreSQL.skipped)
  }
}
