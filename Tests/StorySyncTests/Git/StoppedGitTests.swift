import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// What git, or a program that copies files, leaves behind if it writes only one file of a pair, or takes
/// only one away, is neither a delete nor an edit.
@Suite(.inTurn, .enabled(if: hasGit, "needs git"))
struct StoppedGitTests {
  /// A library with the heroes Luna, Mia and Pip of whom the second commit has newer versions.
  private func twoCommits(_ world: TestWorld) async throws -> TestLibrary {
    let a = try world.library("a")
    for name in ["Luna", "Mia", "Pip"] {
      try a.write(
        "heroes/\(name.lowercased()).json", Samples.luna.replacing("Luna", with: name))
    }
    try await a.sync()
    try a.git("init", "-q", "-b", "main")
    try a.git("add", "-A")
    try a.git("commit", "-qm", "Start")
    for name in ["luna", "mia", "pip"] { try a.edit("heroes/\(name).json", "7", "8") }
    try await a.sync()
    try a.git("commit", "-qam", "Eight")
    return a
  }

  /// The same at the first commit, with Mia renamed to Maya and then the newer sidecar of Mia alone.
  private func renamed(_ world: TestWorld) async throws -> TestLibrary {
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    try a.move("heroes/mia.json", "heroes/maya.json")
    try a.write("heroes/.sync/mia.json", try a.git("show", "main:heroes/.sync/mia.json"))
    return a
  }

  /// The states of all records that are not synced, as `status` finds them.
  private func states(_ a: TestLibrary) throws -> [String: RecordState] {
    var scanner = Scanner(askingGit: try a.library)
    try ScanVariant.current.prepare(&scanner)
    return try scanner.scan().entries.filter { $0.state != .synced || $0.isOutdated }
      .reduce(into: [:]) { $0[$1.ref.description] = $1.state }
  }

  private func ages(_ world: TestWorld) throws -> [String: JSONValue?] {
    try world.records(.heroes).mapValues { $0["age"] }
  }

  /// Lets git fail to write records.
  private func failFilters(_ a: TestLibrary, _ pattern: String = "heroes/*.json") throws {
    try a.write(".git/info/attributes", pattern + " filter=vault\n")
    try a.git("config", "filter.vault.clean", "cat")
    try a.git("config", "filter.vault.smudge", "false")
    try a.git("config", "filter.vault.required", "true")
  }

  @Test(arguments: SyncOptions.Direction.allCases)
  func `a checkout that stopped is no delete and no edit`(
    _ direction: SyncOptions.Direction
  ) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    try failFilters(a)
    #expect(try a.gitStatus("checkout", "-q", "main") != 0)
    #expect(!a.exists("heroes/luna.json"))
    #expect(try a.read("heroes/mia.json").contains("7"))
    #expect(try a.sidecar("heroes/mia").base.wire["age"] == 8)

    let report = try await a.sync(direction)
    #expect(report.deleted.isEmpty && report.updated.isEmpty && report.conflicts.isEmpty)
    #expect(try ages(world) == ["Luna": 8, "Mia": 8, "Pip": 8])
    guard direction != .push else { return }
    for name in ["luna", "mia", "pip"] {
      #expect(try a.read("heroes/\(name).json").contains("8"))
    }
    #expect(try states(a) == [:])
    // What people do from here on counts again.
    try a.remove("heroes/luna.json")
    try a.edit("heroes/mia.json", "8", "7")
    let next = try await a.sync()
    #expect(next.deleted.count == 1 && next.updated.count == 1)
  }

  @Test func `a record that is written anew keeps its form and what only the file has`()
    async throws
  {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    let text =
      "{ \"age\": 7, \"note\": \"mine\", \"name\": \"Mia\",\n"
      + "  \"traits\": [\"brave\", \"curious\"], \"specialAbility\": \"talks to stars\" }\n"
    try a.write("heroes/mia.json", text)
    #expect(try states(a) == [:])
    let newer = try a.git("show", "main:heroes/.sync/mia.json")
    try a.write("heroes/.sync/mia.json", newer)
    let report = try await a.sync()
    #expect(report.updated.isEmpty)
    #expect(report.receivedChanges.map(\.ref.description).contains("heroes/mia"))
    #expect(try a.read("heroes/mia.json") == text.replacing("7", with: "8"))
  }

  @Test func `a renamed record that nobody edited gets the version of a sidecar that came alone`()
    async throws
  {
    let world = try TestWorld()
    let a = try await renamed(world)
    let report = try await a.sync()
    #expect(report.updated.isEmpty && report.created.isEmpty)
    #expect(try a.read("heroes/maya.json").contains("8") && !a.exists("heroes/mia.json"))
    #expect(try ages(world) == ["Luna": 8, "Mia": 8, "Pip": 8])
    #expect(try states(a) == [:])
  }

  @Test func `a committed rename with an edit is one, though no command had seen the record`()
    async throws
  {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try FileSystem.removeTree(a.library.statePath())
    try a.git("mv", "heroes/mia.json", "heroes/maya.json")
    try a.edit("heroes/maya.json", "8", "9")
    try a.git("commit", "-qam", "Maya")
    let report = try await a.sync()
    #expect(report.created.isEmpty && report.updated.map(\.ref.description) == ["heroes/maya"])
    #expect(try ages(world) == ["Luna": 8, "Mia": 9, "Pip": 8])
  }

  @Test func `a conflict that came alone waits for its text`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    let newer = try a.git("show", "main:heroes/.sync/mia.json").replacing("Mia", with: "Mimi")
    try a.write("heroes/.sync/mia.json", newer)
    var sidecar = try a.sidecar("heroes/mia")
    sidecar.conflict = .fields(
      updatedAt: sidecar.updatedAt, [.init(wireKey: "name", base: "Mia", server: "Mimi")])
    try a.write("heroes/.sync/mia.json", String(decoding: sidecar.fileBytes, as: UTF8.self))
    #expect(throws: Problem.self) {
      try ConflictResolver(a.library).resolve(
        RecordRef(kind: .heroes, name: "mia"), .server)
    }
    for _ in 0..<2 {
      let report = try await a.sync()
      #expect(report.updated.isEmpty && report.conflicts.map(\.ref.description) == ["heroes/mia"])
    }
    #expect(try a.sidecar("heroes/mia").conflictingFields.map(\.key) == ["name"])
    // It is like any other conflict by now.
    #expect(try states(a) == ["heroes/mia": .conflict])
    #expect(try !Scanner(askingGit: a.library).scan().entries.contains { $0.isOutdated })
    #expect(try a.read("heroes/mia.json").contains("8"))
    try a.write(
      "heroes/mia.json", try a.git("show", "main:heroes/mia.json").replacing("Mia", with: "My"))
    #expect(try states(a) == ["heroes/mia": .conflict])
  }

  @Test func `a push moves the sidecar that came alone, and sends nothing of the old version`()
    async throws
  {
    let world = try TestWorld()
    let a = try await renamed(world)
    var sidecar = try a.sidecar("heroes/mia")
    sidecar.conflict = .fields(
      updatedAt: sidecar.updatedAt,
      [.init(wireKey: "specialAbility", base: "none", server: "flies")])
    try a.write("heroes/.sync/mia.json", String(decoding: sidecar.fileBytes, as: UTF8.self))
    for _ in 0..<2 {
      let report = try await a.sync(.push)
      #expect(report.updated.isEmpty && report.created.isEmpty)
      #expect(try Scanner(askingGit: a.library).scan().entries.contains { $0.isOutdated })
    }
    try await a.sync()
    #expect(try a.read("heroes/maya.json").contains("8"))
    #expect(try ages(world) == ["Luna": 8, "Mia": 8, "Pip": 8])
  }

  @Test func `a hero's new name is no edit of a story whose sidecar came alone`() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let path = "stories/first-snow.json"
    let old = try a.read(path)
    try a.write(path, old.replacing("cat", with: "owl"))
    try await a.sync()
    let newer = try a.read("stories/.sync/first-snow.json")
    try a.write(path, old)
    try await a.sync()
    // As if the sidecar with the owl came from another machine.
    try a.write("stories/.sync/first-snow.json", newer)
    #expect(try states(a) == ["stories/first-snow": .synced])
    try LibraryEditor(a.library).move(
      RecordRef(kind: .heroes, name: "luna"), to: RecordRef(kind: .heroes, name: "moon"))
    #expect(try a.read(path) == old)
    #expect(try states(a) == ["stories/first-snow": .synced])
  }

  @Test func `a sync that stops before it writes has not seen what it would write`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    let many = (0..<20).map { "heroes/zed-\($0).json" }
    for path in many { try a.write(path, Samples.luna.replacing("Luna", with: path)) }
    try await a.sync()
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    try failFilters(a)
    #expect(try a.gitStatus("checkout", "-q", "main") != 0)
    for path in many { try a.remove(path) }
    #expect(try await a.attempt().stops.count == 1)
    let report = try await a.sync { $0.maximumDeletes = many.count }
    #expect(report.updated.isEmpty && report.deleted.count == many.count)
    #expect(try ages(world) == ["Luna": 8, "Mia": 8, "Pip": 8])
  }

  @Test func `a record that a person removes in a merge is a delete afterwards`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-qb", "x", "HEAD~1")
    try a.git("rm", "-q", "heroes/luna.json")
    try a.git("commit", "-qm", "Without Luna")
    try a.git("checkout", "-q", "main")
    #expect(try states(a) == [:])
    #expect(try a.gitStatus("merge", "-q", "x") != 0)
    try a.remove("heroes/luna.json")
    #expect(try states(a) == ["heroes/luna": .missing])
    try a.git("rm", "-q", "heroes/luna.json")
    try a.git("commit", "-qm", "Merged")
    #expect(try states(a) == ["heroes/luna": .pendingDelete])
  }

  /// What was there when a command last read the library, before the checkout that stopped.
  enum Earlier: String, CaseIterable {
    case edited, otherCommit, unreadable
  }

  @Test(arguments: Earlier.allCases)
  func `git's index shows what nobody edited`(_ earlier: Earlier) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    switch earlier {
    case .edited:
      try a.edit("heroes/mia.json", "7", "6")
      #expect(try states(a) == ["heroes/mia": .pendingUpdate])
      try a.git("checkout", "-q", "--", "heroes/mia.json")
    case .otherCommit:
      #expect(try states(a) == [:])
      try a.git("checkout", "-q", "main")
      for name in ["luna", "mia", "pip"] { try a.edit("heroes/\(name).json", "8", "9") }
      try await a.sync()
      try a.git("commit", "-qam", "Nine")
      try a.git("checkout", "-q", "HEAD~2")
      #expect(try states(a) == [:])
      try a.git("checkout", "-q", "main~1")
    case .unreadable:
      try a.write("heroes/mia.json", "{")
      #expect(try states(a) == ["heroes/mia": .unreadable])
      try a.git("checkout", "-q", "--", "heroes/mia.json")
    }
    try failFilters(a)
    #expect(try a.gitStatus("checkout", "-q", "main") != 0)
    let before = try ages(world)
    let report = try await a.sync()
    #expect(report.deleted.isEmpty && report.updated.isEmpty && report.conflicts.isEmpty)
    #expect(try ages(world) == before)
  }

  @Test func `a conflict in a sidecar without its record is nobody's`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try world.patch(
      "heroes", try a.sidecar("heroes/mia").id, ["specialAbility": "sings", "height": "tall"])
    try a.edit("heroes/mia.json", "talks to stars", "dances")
    let first = try await a.sync { $0.strategy = .ask }
    #expect(first.conflicts.map(\.fields) == [["specialAbility"]])
    try a.git("commit", "-qam", "Conflict")
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    try failFilters(a)
    #expect(try a.gitStatus("checkout", "-q", "main") != 0)
    let report = try await a.sync()
    #expect(report.updated.isEmpty && report.conflicts.isEmpty)
    #expect(try world.records(.heroes)["Mia"]?["height"] == "tall")
    #expect(try a.value("heroes/mia.json")["specialAbility"] == "sings")
  }

  @Test(arguments: [false, true])
  func `what a person decided in a merge counts`(_ isScanned: Bool) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    let id = try a.sidecar("heroes/luna").id
    for (age, branch) in [(9, "main"), (11, "x")] {
      if branch == "x" { try a.git("checkout", "-qb", "x", "HEAD~1") }
      try world.patch("heroes", id, ["age": .number(JSONNumber(age))])
      try await a.sync()
      try a.git("commit", "-qam", branch)
    }
    try a.git("checkout", "-q", "main")
    #expect(try states(a) == [:])
    #expect(try a.gitStatus("merge", "-q", "x") != 0)
    try a.git("checkout", "-q", "--ours", "heroes/luna.json")
    try a.write("heroes/.sync/luna.json", try a.git("show", "x:heroes/.sync/luna.json"))
    if isScanned { #expect(try states(a) == ["heroes/luna": .pendingUpdate]) }
    try a.git("add", "-A")
    try a.git("commit", "-qm", "Merged")
    #expect(try states(a) == ["heroes/luna": .pendingUpdate])
  }

  @Test(arguments: ["seen", ""])
  func `without what this machine saw, an edit and a conflict are as they look`(
    _ lost: String
  ) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try world.patch("heroes", try a.sidecar("heroes/mia").id, ["specialAbility": "sings"])
    try a.edit("heroes/mia.json", "talks to stars", "dances")
    try a.edit("heroes/luna.json", "8", "9")
    try await a.sync { $0.strategy = .ask }
    try a.git("checkout", "-q", "--", "heroes/mia.json", "heroes/luna.json")
    let expected: [String: RecordState] = ["heroes/mia": .conflict, "heroes/luna": .pendingUpdate]
    #expect(try states(a) == expected)
    try FileSystem.removeTree(a.path(Path.join(".stories", lost)))
    #expect(try states(a) == expected)
  }

  @Test func `an outdated record that the server deleted goes`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    try a.write("heroes/.sync/mia.json", try a.git("show", "main:heroes/.sync/mia.json"))
    try world.delete("heroes", try a.sidecar("heroes/mia").id)
    let report = try await a.sync()
    #expect(report.receivedDeletes.map(\.description) == ["heroes/mia"])
    #expect(report.created.isEmpty && !a.exists("heroes/mia.json"))
  }

  @Test func `a clone whose checkout failed has deleted nothing`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    let story = "stories/first-snow.json"
    try a.write(story, Samples.snow.replacing("  \"event\": \"lost-tooth\",\n", with: ""))
    try await a.sync()
    try a.git("add", "-A")
    try a.git("commit", "-qm", "Story")
    try a.git("clone", "-qn", ".", "../b")
    let b = TestLibrary(root: Path.join(Path.parent(a.root), "b"), world: world)
    try failFilters(b, "stories/*.json")
    #expect(try b.gitStatus("checkout", "-q") != 0)
    #expect(b.exists("stories/.sync/first-snow.json") && !b.exists(story))
    #expect(try states(b) == ["stories/first-snow": .missing])
    #expect(try await b.sync().deleted.isEmpty)
    #expect(try world.records(.stories).count == 1 && b.exists(story))
  }

  @Test(arguments: [false, true])
  func `what git wrote to its end counts`(_ isScanned: Bool) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("checkout", "-q", "HEAD~1")
    #expect(try states(a) == [:])
    try a.git("checkout", "-q", "main")
    if isScanned { #expect(try states(a) == [:]) }
    try a.remove("heroes/luna.json")
    try a.git("checkout", "-q", "HEAD~1", "--", "heroes/mia.json")
    #expect(try states(a) == ["heroes/luna": .pendingDelete, "heroes/mia": .pendingUpdate])
  }

  @Test(arguments: ["add", "commit", "untracked"])
  func `a record in a stash is no delete where git has its sidecar`(_ way: String) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.write("heroes/zed.json", Samples.luna.replacing("Luna", with: "Zed"))
    try await a.sync()
    switch way {
    case "add":
      try a.git("add", "-A")
      try a.git("stash", "push", "-q", "--", "heroes/zed.json")
    case "commit":
      try a.git("add", "heroes/.sync/zed.json")
      try a.git("commit", "-qm", "Sidecar")
      try a.git("add", "heroes/zed.json")
      try a.git("stash", "push", "-q")
    default:
      try a.git("add", "heroes/.sync/zed.json")
      try a.git("stash", "push", "-qu", "--", "heroes/zed.json")
    }
    #expect(!a.exists("heroes/zed.json") && a.exists("heroes/.sync/zed.json"))
    #expect(try await a.sync(.push).deleted.isEmpty)
    try a.git("stash", "drop")
    #expect(try states(a) == ["heroes/zed": .missing])
    #expect(try world.records(.heroes).count == 4)
  }

  @Test(arguments: ["merge", "rebase", "cherry-pick", "stash"])
  func `a pair that one side removed is no delete before it is merged`(_ way: String) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    let pair = ["heroes/luna.json", "heroes/.sync/luna.json"]
    try a.git("branch", "x")
    // The server's time alone is newer.
    for age in [9, 8] {
      try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": .number(JSONNumber(age))])
    }
    if way == "stash" {
      try a.git("rm", "-q", pair[0], pair[1])
      try a.git("stash", "-q")
      try await a.sync()
      try a.git("commit", "-qam", "Newer")
      #expect(try a.gitStatus("stash", "pop", "-q") != 0)
    } else {
      try await a.sync()
      try a.git("commit", "-qam", "Newer")
      try a.git("checkout", "-q", "x")
      try a.git("rm", "-q", pair[0], pair[1])
      try a.git("commit", "-qm", "Without Luna")
      if way != "rebase" { try a.git("checkout", "-q", "main") }
      #expect(try a.gitStatus(way, way == "rebase" ? "main" : "x") != 0)
    }
    #expect(!a.exists(pair[0]) && a.exists(pair[1]))
    #expect(try states(a) == ["heroes/luna": .missing])
    #expect(try await a.sync(.push).deleted.isEmpty)
    try a.git("add", "--", pair[1])
    #expect(try await a.sync(.push).deleted.isEmpty)
    #expect(try world.records(.heroes).count == 3)
  }

  @Test func `a new record is not one that git took, though it has the same name`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.git("rm", "-rq", "--cached", "heroes/.sync")
    try a.write(".gitignore", ".sync\n")
    try a.git("add", "-A")
    try a.git("commit", "-qm", "Without sidecars")
    try a.write("heroes/noa.json", Samples.luna.replacing("Luna", with: "Noa"))
    try await a.sync()
    try a.git("checkout", "-qb", "x")
    try a.git("add", "-A")
    try a.git("commit", "-qm", "Noa")
    #expect(try states(a) == [:])
    try a.git("checkout", "-q", "main")
    #expect(!a.exists("heroes/noa.json") && a.exists("heroes/.sync/noa.json"))
    let other = Samples.luna.replacing("Luna", with: "Noa").replacing("7", with: "12")
    try a.write("heroes/noa-2.json", other)
    #expect(try states(a) == ["heroes/noa": .missing, "heroes/noa-2": .pendingCreate])
    try await a.sync()
    #expect(try world.live(.heroes).count == 5)
  }

  @Test(arguments: ["ignored", "uncommitted", "amended", "reset"])
  func `a renamed record is not another one, whatever git has of it`(_ way: String) async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    if way == "ignored" {
      try a.git("rm", "-rq", "--cached", "heroes/.sync")
      try a.write(".gitignore", ".sync\n")
      try a.git("add", "-A")
      try a.git("commit", "-qm", "Without sidecars")
    }
    try a.write("heroes/zed.json", Samples.luna.replacing("Luna", with: "Zed"))
    if way != "uncommitted" { try await a.sync() }
    try a.git("add", "heroes/zed.json")
    try a.git("commit", "-qm", "Zed")
    if way != "ignored" {
      try await a.sync()
      try a.git("add", "-A")
      try a.git("commit", "-q", "--allow-empty", "-m", "Sidecar")
    }
    #expect(try states(a) == [:])
    if way == "reset" { try a.git("reset", "-q", "--soft", "HEAD~2") }
    try a.git("mv", "heroes/zed.json", "heroes/zack.json")
    try a.edit("heroes/zack.json", "7", "8")
    try a.git("add", "heroes/zack.json")
    try a.git("commit", "-qm", "Zack", way == "amended" ? "--amend" : "--no-edit")
    #expect(try states(a) == ["heroes/zack": .pendingUpdate])
    let report = try await a.sync()
    #expect(report.created.isEmpty && report.renamed.count == 1)
    #expect(try world.live(.heroes).count == 4)
  }

  @Test func `git that does not answer once decides nothing`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try a.remove("heroes/luna.json")
    try a.move(".git/HEAD", "HEAD")
    #expect(try states(a) == ["heroes/luna": .missing])
    try a.move("HEAD", ".git/HEAD")
    #expect(try states(a) == ["heroes/luna": .pendingDelete])
  }

  @Test func `what a sync wrote that was killed counts until the next one`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    let seen = try FileSystem.read(a.path(".stories/seen"))
    let mia = RecordRef(kind: .heroes, name: "mia")
    try a.edit("heroes/luna.json", "8", "9")
    try await a.sync()
    #expect(!a.exists(".stories/unseen"))
    try AtomicFile.write(seen, to: a.path(".stories/seen"))
    try a.remove("heroes/luna.json")
    #expect(try states(a) == ["heroes/luna": .missing])
    try AtomicFile.write(seen, to: a.path(".stories/seen"))
    try a.library.noteUnseenSidecars([mia])
    #expect(try states(a) == ["heroes/luna": .missing])
    try AtomicFile.write(seen, to: a.path(".stories/seen"))
    try a.library.noteUnseenSidecars([mia, RecordRef(kind: .heroes, name: "luna")])
    #expect(try states(a) == ["heroes/luna": .pendingDelete])
    #expect(try await a.sync().deleted.count == 1)
    #expect(!a.exists(".stories/unseen"))
  }

  @Test func `what a sync wrote before an error was seen`() async throws {
    let world = try TestWorld()
    let a = try await twoCommits(world)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try a.edit("heroes/mia.json", "8", "9")
    let transport = AlteredTransport(world.transport) { request, _, send throws(TransportError) in
      guard request.method == .get else { throw .network(.refused) }
      return try await send(request)
    }
    let report = try await a.attempt(transport: transport)
    #expect(report.error != nil && report.receivedChanges.count == 1)
    try a.remove("heroes/luna.json")
    #expect(try states(a)["heroes/luna"] == .pendingDelete)
  }
}
