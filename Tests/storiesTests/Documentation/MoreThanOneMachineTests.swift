import Foundation
import TestSupport
import Testing

/// The page on Kinto is followed from an empty PostgreSQL to libraries that sync over two nodes.
@Suite(.inTurn, .withPostgreSQL) struct MoreThanOneMachineTests {
  private static let path = "Sources/stories/stories.docc/MoreThanOneMachine.md"
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  @Test func `the page's commands and its kinto.ini do what it says`() async throws {
    let database = try PostgreSQL()
    let socket = try #require(database.url.components(separatedBy: "host=").last)
    let page = try String(contentsOfFile: Self.root + "/" + Self.path, encoding: .utf8)
    // The page's file, with the tests' own database, which has no network and asks no password.
    let shown = "postgresql://kinto:a-database-password@localhost/stories"
    let parts = page.components(separatedBy: "```ini\n")
    let settings = try #require(parts.last?.components(separatedBy: "```").first)
    #expect(parts.count == 2 && settings.components(separatedBy: shown).count == 4)
    let folder = try TemporaryFolder()
    try folder.write(
      settings.replacing(shown, with: "postgresql://kinto@/stories?host=\(socket)"),
      to: "kinto.ini")
    let kinto = (try #require(KintoServer.python) as NSString).deletingLastPathComponent
    var script = ConsoleScript(
      folder: folder.path, program: BuiltProgram.path, sampleData: Self.root + "/SampleData")
    script.prologue = """
      PATH="$PWD/.build/debug:\(kinto):$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH"
      sudo() { shift 2; PGHOST='\(socket)' PGUSER=postgres "$@"; }
      mv ../kinto.ini .
      """
    let prepared = script
    let mismatches = try prepared.mismatches(on: Self.path, in: Self.root)
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
    withExtendedLifetime((database, folder)) {}
  }
}
