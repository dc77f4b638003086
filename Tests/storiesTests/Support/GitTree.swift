import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// A working tree of the real git, with nobody's configuration but its own.
struct GitTree: Sendable {
  /// The top.
  let path: String
  /// Settings for every call, as `-c` takes them.
  var settings: [String] = []

  /// Whether there is a git to test with.
  static let isThere: Bool = {
    let git = ChildProcess(["git", "--version"], environment: environment)
    return (try? git.run().status) == 0
  }()

  static let environment = [
    "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_ALLOW_PROTOCOL": "file",
  ]

  /// Git ended with something else than 0.
  struct Failure: Error {
    var arguments: [String]
    var status: Int32
    var output: String
  }

  /// Runs git; its output.
  @discardableResult
  func git(_ arguments: String...) throws -> String {
    let result = try run(arguments)
    guard result.status == 0 else {
      throw Failure(
        arguments: arguments, status: result.status,
        output: String(decoding: result.output, as: UTF8.self))
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  /// Runs git; how it ended.
  @discardableResult
  func status(_ arguments: String...) throws -> Int32 { try run(arguments).status }

  @discardableResult
  func run(_ arguments: [String]) throws -> ChildProcess.Result {
    let options = settings.flatMap { ["-c", $0] }
    return try ChildProcess(
      ["git", "-C", path] + options + arguments, environment: Self.environment
    ).run()
  }

  func commit(_ message: String) throws {
    try git("add", "-A")
    try git("commit", "-qm", message)
  }
}

/// A library that syncs with a server and lies in a git repository; clones of it sync with the same
/// account.
struct VersionedLibrary: Sendable {
  let folder: TemporaryFolder
  let server: TestServer
  let setting: CommandSetting
  let tree: GitTree

  /// A library with two heroes, an event and a story, synced and committed.
  init(in folder: TemporaryFolder, hasDrivers: Bool = true) async throws {
    self.folder = folder
    server = try TestServer()
    setting = try server.library(in: folder, "a")
    tree = GitTree(path: folder.path("a"))
    try folder.write(SampleLibrary.luna, to: "a/heroes/luna.json")
    try folder.write(SampleLibrary.otto, to: "a/heroes/family/otto.json")
    try folder.write(SampleLibrary.tooth, to: "a/events/lost-tooth.json")
    try folder.write(SampleLibrary.snow, to: "a/stories/first-snow.json")
    try #require(await setting.run("sync").code == .done)
    try tree.git("init", "-q", "-b", "main")
    if hasDrivers { try #require(await setting.run("git", "setup").code == .done) }
    try tree.commit("Start")
  }

  /// Another clone, whose commands sync with the same account.
  func clone(_ name: String, _ options: String...) throws -> (CommandSetting, GitTree) {
    let git = ChildProcess(
      ["git"] + ["clone", "-q"] + options + ["file://" + tree.path, folder.path(name)],
      environment: GitTree.environment)
    guard try git.run().status == 0 else {
      throw GitTree.Failure(arguments: ["clone"], status: 1, output: "")
    }
    return (moved(to: name), GitTree(path: folder.path(name)))
  }

  /// Does something on a branch `other`, commits it there and comes back to `main`.
  func onBranch(_ edit: () async throws -> Void) async throws {
    try tree.git("checkout", "-qb", "other")
    try await edit()
    try tree.commit("Other")
    try tree.git("checkout", "-q", "main")
  }

  /// The commands' surroundings in another folder.
  func moved(to name: String) -> CommandSetting {
    var other = CommandSetting(folder.path(name))
    other.environment = setting.environment
    return other
  }
}
