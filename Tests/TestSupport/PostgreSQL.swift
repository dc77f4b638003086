import Foundation
package import Testing

/// A PostgreSQL of the tests' own, without a network: it listens in its own folder only. It is stopped
/// when nobody uses it any more, or when the tests end.
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

  /// Its own folder.
  private let folder: String
  /// Waits until nobody uses the database any more, be it that the tests were killed; then it stops the
  /// database and removes its folder.
  private let keeper: RunningProgram

  /// Makes a database `kinto` and starts to serve it.
  package init() throws {
    let memory = "/dev/shm"
    let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : "/tmp"
    folder = "\(parent)/stories-tests-\(UUID().uuidString)"
    let cluster = "\(folder)/data"
    let script = "cat >/dev/null; folder=$1; shift; \"$@\"; rm -rf \"$folder\""
    keeper = try RunningProgram(
      ProgramStart(
        words: ["sh", "-c", script, "sh", folder]
          + Self.words("pg_ctl", ["-D", cluster, "-m", "immediate", "stop"]),
        folder: "/"))
    // It refuses to run as root.
    let owner = getuid() == 0 ? ["-o", "postgres"] : []
    try Self.run(["install", "-d"] + owner + ["-m", "755", folder])
    try Self.run(
      Self.words("initdb", ["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]))
    // Nothing of it has to survive a loss of power, and it does not live long enough to need cleaning.
    let options = [
      "listen_addresses=''", "fsync=off", "full_page_writes=off", "autovacuum=off", "timezone=UTC",
    ].map { " -c " + $0 }.joined()
    try Self.run(
      Self.words(
        "pg_ctl",
        ["-D", cluster, "-o", "-k \(folder)" + options, "-l", "\(folder)/log", "-w", "start"]))
    try Self.run(Self.words("createdb", ["-h", folder, "-U", "postgres", "kinto"]))
  }

  /// The database's address, for libpq.
  package var url: String { "postgresql://postgres@/kinto?host=\(folder)" }

  /// The settings of a Kinto that keeps everything in it.
  package var settings: [String: String] {
    // A node looks up the account of each request; a cache of its own spares the database that.
    var settings: [String: String] = [:]
    for part in ["storage", "permission"] {
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
              cursor.execute(
                  "SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))",
                  (held.info.backend_pid,))
              if cursor.fetchone()[0]:
                  return print("awaited", flush=True)
              time.sleep(0.005)
      threading.Thread(target=look, daemon=True).start()
      sys.stdin.read()
      held.rollback()
      """
    return try RunningProgram(
      ProgramStart(
        words: [KintoServer.python ?? "python3", "-I", "-c", script, url, id],
        folder: NSTemporaryDirectory()))
  }

  /// The words that run one of its programs as somebody whom it does not refuse.
  private static func words(_ program: String, _ arguments: [String]) -> [String] {
    let words = ["\(programs ?? "")/\(program)"] + arguments
    return getuid() == 0 ? ["setpriv", "--reuid=postgres", "--clear-groups"] + words : words
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
