import JSONText
import StoryLibrary
import StoryServer
import Testing

@testable import StorySync

private let hasGit: Bool = {
  let git = ChildProcess(["git", "--version"], environment: ["PATH": "/usr/bin:/bin"])
  return (try? git.run().status) == 0
}()

/// A library in a real git repository.
@Suite(.enabled(if: hasGit, "needs git"))
struct GitRepositoryTests {

  @discardableResult
  private func git(_ library: TestLibrary, _ arguments: String...) throws -> String {
    let process = ChildProcess(
      ["git", "-C", library.root] + arguments,
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": library.root, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
      ])
    let result = try process.run()
    guard result.status == 0 else {
      throw Unexpected("git \(arguments) ended with \(result.status)")
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  private func committed(_ world: TestWorld) async throws -> TestLibrary {
    let a = try world.library("a")
    try a.write("heroes/luna.json", PushAndPullTests.luna)
    try a.write("events/lost-tooth.json", PushAndPullTests.tooth)
    try a.write("stories/2026/first-snow.json", PushAndPullTests.snow)
    try await a.sync()
    try git(a, "init", "-q")
    try git(a, "add", "-A")
    try git(a, "commit", "-qm", "Start")
    return a
  }

  @Test func aSyncWithoutNewsLeavesGitStatusEmptyAndSendsOnlyReads() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    _ = world.takeRequests()
    for direction in SyncOptions.Direction.allCases {
      #expect(try await a.sync(direction).isQuiet)
    }
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try git(a, "status", "--porcelain") == "")
    #expect(try git(a, "ls-files", "--", ".stories") == "")
  }

  @Test func oneChangeTouchesItsRecordAndSidecarAlone() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try await a.sync()
    #expect(
      try git(a, "status", "--porcelain") == " M heroes/.sync/luna.json\n M heroes/luna.json\n")
  }

  @Test func aRecordThatASparseCheckoutLeavesOutIsNoDelete() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try git(a, "update-index", "--skip-worktree", "heroes/luna.json")
    try a.remove("heroes/luna.json")
    _ = world.takeRequests()
    for direction in SyncOptions.Direction.allCases {
      #expect(try await a.sync(direction).isQuiet)
    }
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try world.records(.heroes).count == 1)
    #expect(!a.exists("heroes/luna.json"))
  }

  @Test func aTrackedStateFolderIsRefused() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try git(a, "add", "-f", ".stories/.gitignore")
    _ = world.takeRequests()
    #expect(try await a.sync().stops == [.stateIsTracked])
    #expect(world.takeRequests().isEmpty)
  }
}
