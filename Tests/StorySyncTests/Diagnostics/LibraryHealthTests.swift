import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

@testable import stories

@Suite(.inTurn) struct LibraryHealthTests {
  private let luna = RecordRef(kind: .heroes, name: "luna")

  private func health(_ library: TestLibrary) throws -> LibraryHealth {
    LibraryHealth(try library.library, repository: nil)
  }

  /// What a look at a library finds, as `severity area/code file`.
  private func found(_ library: TestLibrary) throws -> [String] {
    try health(library).diagnostics.map {
      "\($0.severity) \($0.area)/\($0.code) \($0.file ?? "-")"
    }
  }

  private func fix(_ library: TestLibrary) throws -> [LibraryRepairer.Outcome] {
    let fixer = LibraryRepairer(try library.library, repository: nil)
    return try fixer.fix(health(library).repairs).map(\.outcome)
  }

  @Test func aSyncedLibraryIsWellAndStaysUntouched() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let before = try a.tracked()
    let health = try health(a)
    #expect(health.diagnostics.isEmpty)
    #expect(health.counts == [.synced: 1])
    #expect(health.state.runs == 1)
    #expect(try a.tracked() == before)
    #expect(try fix(a).isEmpty)
  }

  @Test func aLinkInTheStateFolderIsNamedOnce() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try FileSystem.removeTree(a.path(".stories/runs"))
    try FileManager.default.createSymbolicLink(
      atPath: a.path(".stories/runs"), withDestinationPath: "/tmp")
    #expect(try found(a) == ["error state/unsafe .stories/runs"])
  }

  @Test func brokenRecordsAreNamedWithTheirPlace() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.write("heroes/cut.json", "{\"name\": \"C")
    try a.write("heroes/empty.json", "")
    try a.write("heroes/marked.json", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n")
    try FileSystem.makeFolder(a.path("heroes/folder.json"))
    #expect(
      try found(a) == [
        "error records/syntax heroes/cut.json", "error records/empty heroes/empty.json",
        "error records/not-a-file heroes/folder.json",
        "error records/conflict-markers heroes/marked.json",
      ])
    let diagnostic = try #require(try health(a).diagnostics.first)
    #expect(diagnostic.position?.line == 1)
    #expect(diagnostic.outlook?.contains("not changed on either side") == true)
    #expect(diagnostic.repair == nil)
  }

  @Test func sidecarsWithMarkersAreMendedWhereTheyNameOneId() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let old = try a.read("heroes/.sync/luna.json")
    let new = old.replacing(
      #/"updatedAt": "[^"]+"/#, with: "\"updatedAt\": \"2999-01-01T00:00:00.000Z\"")
    try a.write("heroes/.sync/luna.json", "<<<<<<< a\n\(old)=======\n\(new)>>>>>>> b\n")
    let health = try health(a)
    #expect(health.repairs == [.repairSidecar(luna, path: "heroes/.sync/luna.json")])
    #expect(try fix(a) == [.done])
    #expect(try a.read("heroes/.sync/luna.json") == new)
    #expect(try RunHistory(a.library).runs().first?.command == "doctor --fix")
    try a.write(
      "heroes/.sync/luna.json",
      "<<<<<<< a\n\(old)=======\n\(new.replacing(#/"id": "[^"]+"/#, with: "\"id\": \"x\""))>>>>>>> b\n"
    )
    let split = try #require(try self.health(a).diagnostics.first)
    #expect(split.repair == nil)
    #expect(split.hint == "choose one: stories resolve heroes/luna")
  }

  @Test func sidecarsBeyondReadingAreLeftToTheNextSync() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.write("heroes/.sync/luna.json", "{\"id\": ")
    let diagnostic = try #require(try health(a).diagnostics.first)
    #expect(diagnostic.area == .sidecars && diagnostic.severity == .error)
    #expect(diagnostic.outlook?.contains("writes a new sidecar") == true)
    #expect(diagnostic.repair == nil)
    try await a.sync()
    #expect(try found(a) == [])
  }

  @Test func copiesAndOrphansOfSidecars() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let sidecar = try a.read("heroes/.sync/luna.json")
    try a.write("heroes/.sync/stale.json", sidecar)
    #expect(try found(a) == ["warning sidecars/stale heroes/.sync/stale.json"])
    #expect(try fix(a) == [.done])
    #expect(!a.exists("heroes/.sync/stale.json"))
    #expect(a.exists("heroes/.sync/luna.json"))
    try a.write("heroes/copy.json", a.read("heroes/luna.json"))
    try a.write("heroes/.sync/copy.json", sidecar)
    let copies = try found(a).filter { $0.contains(" sidecars/") }
    #expect(
      copies == [
        "error sidecars/duplicate-id heroes/copy.json",
        "error sidecars/duplicate-id heroes/luna.json",
      ])
    try a.remove("heroes/copy.json")
    try a.remove("heroes/.sync/copy.json")
    try a.remove("heroes/luna.json")
    let orphan = try #require(try health(a).diagnostics.first)
    #expect(orphan.code == "orphan" && orphan.severity == .note)
    #expect(orphan.outlook == "the next push deletes heroes/luna on the server")
  }

  @Test func aStatedDeleteIsForgottenWhereTheRecordIsHere() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let text = try a.read("heroes/luna.json")
    try LibraryEditor(a.library).remove(luna)
    #expect(try found(a) == [])
    try a.write("heroes/luna.json", text)
    #expect(try found(a) == ["warning sidecars/delete-stated heroes/.sync/luna.json"])
    #expect(try fix(a) == [.done])
    #expect(try !a.sidecar("heroes/luna").isDeleteStated)
    #expect(try a.states() == [:])
  }

  @Test func remainsOfDeadRunsAreClearedAndEditsComeBack() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let text = try a.read("heroes/luna.json")
    let digest = ContentDigest(text.utf8).description.prefix(16)
    let other = String(repeating: "1", count: 16)
    try a.write("heroes/.stories-tmp-\(digest)-\(other)-luna.json", text)
    try a.write("heroes/.stories-tmp-\(other)-\(digest)-pip.json", "{\"name\": \"Pip\"}")
    #expect(
      try found(a)
        == [
          "warning staleFiles/temporary heroes/.stories-tmp-\(other)-\(digest)-pip.json",
          "warning staleFiles/temporary heroes/.stories-tmp-\(digest)-\(other)-luna.json",
        ].sorted())
    let outcomes = try fix(a)
    #expect(outcomes.contains(.done))
    #expect(outcomes.contains(.restored))
    #expect(try a.read("heroes/pip.json") == "{\"name\": \"Pip\"}")
    #expect(try a.read("heroes/luna.json") == text)
    // Nothing is offered for a file whose name says nothing.
    try a.write("heroes/.stories-tmp-zz", "mine")
    let unknown = try #require(
      try health(a).diagnostics.first { $0.file == "heroes/.stories-tmp-zz" })
    #expect(unknown.code == "temporary" && unknown.repair == nil)
    #expect(unknown.hint == "remove it by hand if you do not need it")
  }

  @Test func emptyFoldersAndNames() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try FileSystem.makeFolder(a.path("stories/2025/.sync"))
    try a.write("heroes/LUNA.json", Samples.luna)
    try a.write("heroes/luna.saved-1.json", Samples.luna)
    try TestFiles.link(at: a.path("heroes/elsewhere"), to: "/tmp")
    let found = try found(a)
    #expect(found.contains("warning records/saved-beside heroes/luna.saved-1.json"))
    #expect(found.contains { $0.hasPrefix("warning records/name-collision heroes/") })
    #expect(found.contains("warning records/not-a-file heroes/elsewhere"))
    #expect(found.contains("note staleFiles/empty-folder stories/2025/.sync"))
    #expect(try fix(a) == [.done])
    #expect(!a.exists("stories/2025/.sync"))
  }

  @Test func summariesPointToOtherCommands() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.write("heroes/pip.json", "{\"name\": \"Pip\"}")
    let diagnostic = try #require(try health(a).diagnostics.first { $0.code == "invalid" })
    #expect(diagnostic.message == "1 record has errors, the first is heroes/pip")
    #expect(diagnostic.hint == "see them all: stories check")
  }

  // MARK: State

  @Test func stateThatOthersSeeOrThatCannotBeRead() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try TestFiles.setMode(0o755, of: a.path(".stories"))
    try a.write(".stories/.gitignore", "# nothing\n")
    try a.write(".stories/failures.json", "{")
    try a.write(".stories/pulls.json", "[]")
    #expect(
      try found(a) == [
        "warning state/open-state .stories", "warning state/not-ignored .stories/.gitignore",
        "warning state/unreadable .stories/failures.json",
        "warning state/unreadable .stories/pulls.json",
      ])
    #expect(try fix(a).allSatisfy { $0 == .done })
    #expect(try found(a) == [])
    #expect(try a.read(".stories/.gitignore") == "*\n")
    #expect(try FileSystem.status(a.path(".stories"))?.mode == 0o700)
    #expect(try await a.sync().isQuiet)
  }

  @Test func anInterruptedRunIsToldAndNotTouched() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let journal = "{\"entry\":0,\"ref\":\"heroes/luna\"}\n"
    try a.write(".stories/journal", journal)
    let health = try health(a)
    #expect(health.state.openEntries == 1)
    #expect(health.diagnostics.map(\.code) == ["interrupted"])
    #expect(health.repairs.isEmpty)
    #expect(try a.read(".stories/journal") == journal)
    try a.write(".stories/journal", "what is this\n")
    #expect(try found(a) == ["error state/unreadable .stories/journal"])
  }

  @Test func failuresAreToldWithTheirReason() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    var failures = FailureStore(try a.library)
    failures[luna] = .init(message: "the server refused it", hint: "change it")
    try failures.save()
    let diagnostic = try #require(try health(a).diagnostics.first)
    #expect(diagnostic.code == "failed" && diagnostic.file == "heroes/luna.json")
    #expect(diagnostic.message == "failed last time: the server refused it")
    #expect(diagnostic.hint == "change it")
  }

  @Test func aLockedLibraryIsToldAndNotMended() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try FileSystem.makeFolder(a.path("stories/2025/.sync"))
    let lock = try LibraryLock(a.library)
    let health = try health(a)
    #expect(health.state.holder != nil)
    #expect(health.diagnostics.map(\.code) == ["empty-folder", "locked"])
    #expect(throws: LibraryError.self) { try fix(a) }
    #expect(a.exists("stories/2025/.sync"))
    withExtendedLifetime(lock) {}
  }

  @Test func aLostStateCostsTimeOnly() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try FileSystem.removeTree(a.path(".stories"))
    #expect(try found(a) == ["note state/no-state .stories"])
  }

  @Test func whatCannotBeScannedIsAFinding() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try a.move("heroes", "elsewhere")
    try TestFiles.link(at: a.path("heroes"), to: a.path("elsewhere"))
    let health = try health(a)
    #expect(health.diagnostics.map(\.code) == ["unsafe"])
    #expect(health.diagnostics[0].file == "heroes")
    #expect(health.counts.isEmpty)
  }

  @Test func whatIsMendedMeanwhileIsLeft() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    let fixer = LibraryRepairer(try a.library, repository: nil)
    let results = try fixer.fix([.dropSidecar(luna), .removeFolder(path: "heroes")])
    #expect(results.map(\.outcome) == [.notNeeded, .notNeeded])
    #expect(a.exists("heroes/.sync/luna.json"))
  }

  // MARK: Git

  @Test func gitMustTakeSidecarsAndLeaveState() async throws {
    let world = try TestWorld()
    let a = try await Samples.syncedHero(world)
    try TestFiles.git("init", "-q", in: a.root)
    let repository = try #require(GitRepository(try a.library))
    func codes() throws -> [String] {
      LibraryHealth(try a.library, repository: repository).diagnostics.map(\.code)
    }
    #expect(try codes() == [])
    try a.write(".gitignore", ".sync/\n")
    #expect(try codes() == ["sidecars-ignored"])
    try a.remove(".gitignore")
    try TestFiles.git("add", "-f", ".stories/pulls.json", in: a.root)
    #expect(try codes() == ["state-is-tracked"])
  }
}
