import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@testable import stories

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A library in a real git repository.
@Suite(.inTurn, .enabled(if: hasGit, "needs git"))
struct GitRepositoryTests {
  private func committed(_ world: TestWorld) async throws -> TestLibrary {
    let a = try Samples.filled(world, story: "2026/first-snow")
    try await a.sync()
    try a.git("init", "-q")
    try a.git("add", "-A")
    try a.git("commit", "-qm", "Start")
    return a
  }

  @Test func aSyncWithoutChangesLeavesGitStatusEmptyAndSendsOnlyReads() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    _ = world.takeRequests()
    for direction in SyncOptions.Direction.allCases {
      #expect(try await a.sync(direction).isQuiet)
    }
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try a.git("status", "--porcelain") == "")
    #expect(try a.git("ls-files", "--", ".stories") == "")
  }

  @Test func oneChangeTouchesItsRecordAndSidecarAlone() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try await a.sync()
    #expect(
      try a.git("status", "--porcelain") == " M heroes/.sync/luna.json\n M heroes/luna.json\n")
  }

  @Test func aRecordThatASparseCheckoutLeavesOutIsNoDelete() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.git("update-index", "--skip-worktree", "heroes/luna.json")
    try a.remove("heroes/luna.json")
    _ = world.takeRequests()
    for direction in SyncOptions.Direction.allCases {
      #expect(try await a.sync(direction).isQuiet)
    }
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try world.records(.heroes).count == 1)
    #expect(!a.exists("heroes/luna.json"))
  }

  @Test(arguments: [true, false])
  func `a new file under a name that git took away is another record`(
    _ isMissed: Bool
  ) async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.git("checkout", "-qb", "x")
    try a.write("heroes/mia.json", Samples.luna.replacing("Luna", with: "Mia of x"))
    try await a.sync()
    try a.git("add", "-A")
    try a.git("commit", "-qm", "x")
    try a.git("checkout", "-q", "-")
    if isMissed {
      // As `status` does.
      var scanner = Scanner(try a.library)
      GitRepository(try a.library)?.describe(to: &scanner)
      #expect(try scanner.scan().missingPairs.map(\.isTakenByGit) == [true])
    }
    try a.write("heroes/mia.json", Samples.luna.replacing("Luna", with: "Mia of main"))
    let report = try await a.sync()
    #expect(report.conflicts.isEmpty && report.failed.isEmpty)
    #expect(report.created.map(\.description) == ["heroes/mia"])
    #expect(try world.records(.heroes).keys.sorted() == ["Luna", "Mia of main", "Mia of x"])
    #expect(try a.states() == [:])
  }

  /// Whoever takes sidecars out of git does not mean other records.
  @Test func `a record that git has keeps its id without a sidecar`() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.git("rm", "-q", "heroes/.sync/luna.json")
    try a.git("commit", "-qm", "Without sidecars")
    try a.edit("heroes/luna.json", "7", "8")
    let report = try await a.sync()
    #expect(report.created.isEmpty && report.conflicts.map(\.fields) == [["age"]])
    #expect(try world.records(.heroes).count == 1)
  }

  // MARK: Git that does not answer

  /// Ways in which git does not answer.
  enum Silence: CaseIterable {
    case tooSlow, brokenIndex, noObjects, noRepository
  }

  private func silence(_ silence: Silence, _ a: TestLibrary) throws -> GitRepository {
    switch silence {
    case .tooSlow: break
    case .brokenIndex: try a.write(".git/index", "broken")
    case .noObjects:
      let object = try a.git("rev-parse", "HEAD:heroes/.sync/luna.json").dropLast()
      try a.remove(".git/objects/\(object.prefix(2))/\(object.dropFirst(2))")
    case .noRepository: try a.remove(".git/HEAD")
    }
    var repository = try #require(GitRepository(try a.library))
    if silence == .tooSlow { repository.patience = 0 }
    return repository
  }

  @Test(arguments: Silence.allCases)
  func `in a sparse checkout silence is no answer`(_ silence: Silence) async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.git("sparse-checkout", "set", "--no-cone", "/*", "!/heroes/")
    #expect(!a.exists("heroes/luna.json") && !a.exists("heroes/.sync"))
    #expect(try await a.sync().isQuiet)
    let before = try a.tracked()
    _ = world.takeRequests()
    var synchronizer = try a.synchronizer()
    let repository = try self.silence(silence, a)
    synchronizer.repository = repository
    for direction in SyncOptions.Direction.allCases {
      var options = SyncOptions()
      options.direction = direction
      let error = await #expect(throws: LibraryError.self) { try await synchronizer.run(options) }
      guard case .sparseUnknown(a.path(".git"), let failure)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      switch silence {
      case .tooSlow: #expect(failure == .timedOut)
      case .brokenIndex, .noRepository: #expect(failure == .refused(status: 128))
      case .noObjects: #expect(failure == .missingObjects(count: 1))
      }
    }
    #expect(world.takeRequests().isEmpty)
    #expect(
      try a.tracked().filter { !$0.key.hasPrefix(".git/") }
        == before.filter { !$0.key.hasPrefix(".git/") })
    let health = LibraryHealth(try a.library, repository: repository)
    #expect(health.diagnostics.contains { $0.severity == .error && $0.code == "sparse-unknown" })
  }

  @Test func `without a sparse checkout nobody needs git`() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.write(".git/index", "broken")
    let repository = try #require(GitRepository(try a.library))
    #expect(throws: GitFailure.refused(status: 128)) { try repository.tracksState() }
    #expect(try repository.notCheckedOut(["heroes/luna.json"]) == [])
    #expect(try await a.sync().isQuiet)
    let health = LibraryHealth(try a.library, repository: repository)
    #expect(health.diagnostics.contains { $0.code == "git-failed" })
  }

  @Test func `a file that leads to no repository may stand for a sparse one`() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try FileSystem.removeTree(a.path(".git"))
    try a.write(".git", "gitdir: ../gone/.git/worktrees/a\n")
    await #expect(throws: LibraryError.self) { try await a.sync() }
  }

  @Test(.enabled(if: getuid() == 0, "only root gives files away"))
  func `another owner's sparse checkout is read as it is`() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.git("sparse-checkout", "set", "--no-cone", "/*", "!/heroes/")
    #expect(chown(a.root, 65_534, 65_534) == 0 && chown(a.path(".git"), 65_534, 65_534) == 0)
    _ = world.takeRequests()
    #expect(try await a.sync().isQuiet)
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(!a.exists("heroes/luna.json"))
  }

  /// Git was stopped in the middle of a checkout: it had written sidecars, and removed a record.
  @Test func nothingIsDoneWhileGitChangesFiles() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.remove("stories/2026/first-snow.json")
    try a.write(".git/index.lock", "")
    _ = world.takeRequests()
    #expect(try await a.sync().stops == [.gitIsAtWork(lock: a.path(".git/index.lock"))])
    #expect(world.takeRequests().isEmpty)
    try a.remove(".git/index.lock")
    #expect(try await a.sync().deleted.count == 1)
  }

  @Test func whatGitChangesWhileTheServerIsListedIsScannedAgain() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    let transport = AlteredTransport { request, number, send throws(TransportError) in
      if number == 1 {
        try? a.edit("heroes/luna.json", "7", "9")
        _ = try? a.git("add", "-A")
      }
      return try await send(request)
    }
    let report = try await a.attempt(.push, transport: transport)
    #expect(report.updated.map(\.ref.description) == ["heroes/luna"])
    #expect(try world.records(.heroes)["Luna"]?["age"] == 9)
  }

  /// It would replace another record on the server.
  @Test func anEditIsNotSentWithTheSidecarOfAnotherRecord() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.write("heroes/pip.json", Samples.luna.replacing("Luna", with: "Pip"))
    try await a.sync()
    let sidecar = try a.read("heroes/.sync/pip.json")
    try a.edit("heroes/luna.json", "7", "9")
    let transport = AlteredTransport { request, number, send throws(TransportError) in
      if number == 1 { try? a.write("heroes/.sync/luna.json", sidecar) }
      return try await send(request)
    }
    let report = try await a.attempt(.push, transport: transport)
    #expect(report.updated.isEmpty)
    #expect(report.failed.map(\.reason) == [.fileKeepsChanging])
    #expect(try world.records(.heroes)["Pip"]?["age"] == 7)
    #expect(try world.records(.heroes)["Luna"]?["age"] == 7)
  }

  @Test func aTrackedStateFolderIsRefused() async throws {
    let world = try TestWorld()
    let a = try await committed(world)
    try a.git("add", "-f", ".stories/.gitignore")
    _ = world.takeRequests()
    #expect(try await a.sync().stops == [.stateIsTracked])
    #expect(world.takeRequests().isEmpty)
  }

  /// Calls git in a library with a path that stands in git's index as `.stories/…`: the low byte of its
  /// length, 46, is that of a point.
  private func misleading(_ world: TestWorld, _ format: String = "sha1") throws -> TestLibrary {
    let a = try world.library("a")
    try a.write("stories/\(String(repeating: "x", count: 33)).json", "{}")
    try a.git("init", "-q", "--object-format=\(format)")
    try a.git("add", "-A")
    return a
  }

  @Test func `git is not asked what stands in its index`() throws {
    let a = try misleading(TestWorld())
    try FileSystem.remove(a.path(".git/HEAD"))
    let repository = try #require(GitRepository(try a.library))
    #expect(throws: GitFailure.self) { try repository.tracksState() }
    #expect(!repository.mayTrackState)
  }

  @Test func `a tracked state folder is found where a sparse index has its library as one entry`()
    throws
  {
    let world = try TestWorld()
    let a = try world.library("a")
    try a.write(".stories/x", "")
    try a.write("../other/x", "")
    try a.git("init", "-q", "..")
    try a.git("-C", "..", "add", "-f", "a/.stories/x", "other/x")
    try a.git("-C", "..", "commit", "-qm", "Start")
    try a.git("-C", "..", "sparse-checkout", "set", "--cone", "--sparse-index", "other")
    #expect(try #require(GitRepository(try a.library)).mayTrackState)
  }

  @Test(arguments: [
    [], ["add", "-N", "new.txt"], ["update-index", "--index-version", "4"],
    ["update-index", "--split-index"], ["sha256"],
  ])
  func `a tracked state folder is found in any form of the index`(_ words: [String]) throws {
    let a = try misleading(TestWorld(), words == ["sha256"] ? "sha256" : "sha1")
    func change() throws {
      guard words.count > 1 else { return }
      let process = ChildProcess(
        ["git", "-C", a.root] + words, environment: ["PATH": "/usr/bin:/bin"])
      #expect(try process.run().status == 0)
    }
    try a.write("new.txt", "")
    try change()
    let repository = try #require(GitRepository(try a.library))
    #expect(!repository.mayTrackState)
    try a.write(".stories/x", "")
    try a.git("add", "-f", ".stories/x")
    try change()
    #expect(repository.mayTrackState)
  }
}
