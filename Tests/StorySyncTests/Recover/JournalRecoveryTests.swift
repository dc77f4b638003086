import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// A pull that dies between a record and its sidecar, and what people do before the next one.
@Suite(.inTurn, .enabled(if: StopPoints.areAvailable)) struct JournalRecoveryTests {
  /// Runs `sync` again and again, dying at each change in turn, until `isReached` holds of the files.
  private func die(
    _ library: TestLibrary, where isReached: () throws -> Bool
  ) async throws {
    let stops = try StopPoints(library.root)
    for call in 1...200 {
      stops.arm(call)
      _ = try? await library.sync(.pull)
      #expect(stops.isStopped)
      if try isReached() { return }
    }
    throw Unexpected("that state was never reached")
  }

  /// A library whose first pull died when the new hero had no sidecar yet.
  private func diedBeforeASidecar() async throws -> (world: TestWorld, library: TestLibrary) {
    let world = try TestWorld()
    _ = try await Samples.synced(world)
    let b = try world.library("b")
    try await die(b) { b.exists("heroes/luna.json") && !b.exists("heroes/.sync/luna.json") }
    return (world, b)
  }

  @Test func newRecordEditedBeforeItHasASidecarIsNotMadeAgain() async throws {
    let (world, b) = try await diedBeforeASidecar()
    try b.edit("heroes/luna.json", "7", "8")
    let report = try await b.sync()
    #expect(report.created.isEmpty)
    #expect(report.updated.map(\.ref.description) == ["heroes/luna"])
    #expect(try world.records(.heroes).count == 1)
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
    #expect(try b.states() == [:])
  }

  /// What a program may be about to save is put back; then its sidecar must not be the new one.
  @Test func pullThatDiesAnywhereWhileTheFileIsOpenForWritingRevertsNothing() async throws {
    for call in 1...200 {
      let world = try TestWorld()
      let a = try await Samples.synced(world)
      try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 8])
      let editor = try #require(
        FileHandle(forUpdatingAtPath: a.library.path("heroes/luna.json").text))
      let stops = try StopPoints(a.root)
      stops.arm(call)
      _ = try? await a.attempt(.pull)
      let isDone = !stops.isStopped
      stops.arm()
      _ = try await a.attempt()
      #expect(try world.records(.heroes)["Luna"]?["age"] == 8, "killed at change \(call)")
      try editor.close()
      try await a.sync()
      #expect(try a.value("heroes/luna.json")["age"] == 8, "killed at change \(call)")
      #expect(try world.records(.heroes)["Luna"]?["age"] == 8, "killed at change \(call)")
      #expect(try a.states() == [:], "killed at change \(call)")
      if isDone { return }
    }
    Issue.record("the pull makes more changes than that")
  }

  enum Then: CaseIterable {
    case setBack, setBackToTheBase, move, moveByHand, movePair, moveFolder, moveOther, restore
  }

  /// `git checkout`, `stories mv`, `mv` of the record, of the pair and of the whole folder, and
  /// `stories restore` between a record's new content and its sidecar. Meanwhile somebody changes
  /// on the server what the record was getting.
  @Test(arguments: Then.allCases)
  func whatIsDoneAfterAPullThatDiesAnywhereTakesBackNothing(_ then: Then) async throws {
    let story = RecordRef(kind: .stories, name: "first-snow")
    for call in 1...200 {
      let world = try TestWorld()
      let a = try await Samples.synced(world)
      let (text, old) = (try a.read(story.path), try a.sidecar(story.description))
      // What git brings back may be older than an edit of one's own.
      if then == .setBackToTheBase { try a.edit(story.path, "whispered", "murmured") }
      try world.patch("stories", old.id, ["title": "Theirs", "playCount": 5])
      let stops = try StopPoints(a.root)
      stops.arm(call)
      _ = try? await a.attempt(.pull)
      let isDone = !stops.isStopped
      stops.arm()
      var name = story.description
      if try a.sidecar(name).updatedAt == old.updatedAt {
        switch then {
        case .setBack, .setBackToTheBase: try a.write(story.path, text)
        case .move:
          name = "stories/snow"
          try LibraryEditor(a.library).move(story, to: RecordRef(kind: .stories, name: "snow"))
        case .moveByHand:
          name = "stories/snow"
          try a.move(story.path, name + ".json")
        case .movePair:
          name = "stories/snow"
          try a.move(story.path, name + ".json")
          try a.move(story.sidecarPath, "stories/.sync/snow.json")
        case .moveFolder:
          name = "stories/winter/first-snow"
          try a.move("stories", "aside")
          try a.move("aside", "stories/winter")
        case .moveOther:
          // What an editor or a shell does not show stays behind.
          name = "stories/winter/first-snow"
          try a.move(story.path, name + ".json")
          try a.move(story.sidecarPath, "stories/winter/.sync/first-snow.json")
        case .restore: _ = try RunHistory(a.library).restore([story], scan: a.scan())
        }
      }
      try world.patch("stories", old.id, ["title": "Theirs again"])
      _ = try await a.attempt()
      let stories = try world.records(.stories)
      #expect(stories.count == 1, "killed at change \(call)")
      let there = try #require(stories["Theirs again"], "killed at change \(call)")
      #expect(there["playCount"] == 5, "killed at change \(call)")
      #expect(try a.value(name + ".json")["title"] == "Theirs again", "killed at change \(call)")
      #expect(try a.states() == [:], "killed at change \(call)")
      if isDone { return }
    }
    Issue.record("the pull makes more changes than that")
  }

  /// Whose file it is depends neither on what it holds nor on its name.
  @Test func newRecordThatGotAnotherNameIsNotMadeAgain() async throws {
    let (world, b) = try await diedBeforeASidecar()
    try b.edit("heroes/luna.json", "Luna", "Stella")
    try b.edit("heroes/luna.json", "7", "8")
    let report = try await b.sync()
    #expect(report.created.isEmpty)
    #expect(report.updated.map(\.ref.description) == ["heroes/luna"])
    #expect(try world.records(.heroes).keys.sorted() == ["Stella"])
    #expect(try b.states() == [:])
  }

  /// `doctor --fix` clears temporary files, which prove what the sync had written.
  @Test func fixingTheLibraryFirstMakesNoSecondRecord() async throws {
    let (world, b) = try await diedBeforeASidecar()
    try b.edit("heroes/luna.json", "Luna", "Stella")
    let repairs = LibraryHealth(try b.library, repository: nil).repairs
    #expect(!repairs.isEmpty)
    for result in try LibraryRepairer(try b.library, repository: nil).fix(repairs) {
      #expect(result.outcome == .done)
    }
    let report = try await b.sync()
    #expect(report.created.isEmpty)
    #expect(try world.records(.heroes).keys.sorted() == ["Stella"])
    #expect(try b.states() == [:])
  }

  /// The sidecar that is ready for it has moved with it, and is the only proof of whose file it is.
  @Test func newRecordWhoseFolderIsMovedIsNotMadeAgain() async throws {
    let (world, b) = try await diedBeforeASidecar()
    try b.move("heroes", "aside")
    try b.move("aside", "heroes/family")
    try b.edit("heroes/family/luna.json", "Luna", "Stella")
    let report = try await b.sync()
    #expect(report.created.isEmpty)
    #expect(report.updated.map(\.ref.description) == ["heroes/family/luna"])
    #expect(try world.records(.heroes).keys.sorted() == ["Stella"])
    #expect(try b.states() == [:])
  }

  /// Another record took the place of the one that the run had written.
  @Test func pairsThatSwappedTheirNamesKeepTheirOwnSidecars() async throws {
    for call in 1...200 {
      let world = try TestWorld()
      let a = try await Samples.synced(world)
      for (name, title) in [("one", "One"), ("two", "Two")] {
        try a.write("stories/\(name).json", Samples.snow.replacing("The First Snow", with: title))
      }
      try await a.sync()
      let ids = (try a.sidecar("stories/one").id, try a.sidecar("stories/two").id)
      try world.patch("stories", ids.0, ["playCount": 5])
      try world.patch("stories", ids.1, ["playCount": 7])
      let stops = try StopPoints(a.root)
      stops.arm(call)
      _ = try? await a.attempt(.pull)
      let isDone = !stops.isStopped
      stops.arm()
      for (from, to) in [("one", "three"), ("two", "one"), ("three", "two")] {
        try a.move("stories/\(from).json", "stories/\(to).json")
        try a.move("stories/.sync/\(from).json", "stories/.sync/\(to).json")
      }
      _ = try await a.attempt()
      #expect(try world.records(.stories)["One"]?["playCount"] == 5, "killed at change \(call)")
      #expect(try world.records(.stories)["Two"]?["playCount"] == 7, "killed at change \(call)")
      #expect(try a.value("stories/two.json")["playCount"] == 5, "killed at change \(call)")
      #expect(try a.states() == [:], "killed at change \(call)")
      if isDone { return }
    }
    Issue.record("the pull makes more changes than that")
  }

  @Test func changeThatWasInPlaceIsNotTakenBackByAnEdit() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try world.patch("heroes", id, ["height": "tall"])
    try await die(a) { try a.value("heroes/luna.json")["height"] == "tall" }
    // Someone saw the new height and removed it. Without the new age, the file would be as it was before
    // the pull, which counts as set back by git.
    try a.write("heroes/luna.json", Samples.luna.replacing("7", with: "8"))
    let report = try await a.sync()
    #expect(report.updated.map(\.fields) == [["age", "height"]])
    #expect(try world.records(.heroes)["Luna"]?["height"] ?? .null == .null)
    #expect(try a.states() == [:])
  }

  /// Nobody saw it together with its sidecar: a stash may have taken it.
  @Test func recordThatIsGoneAfterTheKillComesBack() async throws {
    let world = try TestWorld()
    _ = try await Samples.synced(world)
    // Each try begins anew: what one left behind would be finished by the next, beyond that state.
    var found: TestLibrary?
    for call in 1...200 where found == nil {
      let library = try world.library("b\(call)")
      let stops = try StopPoints(library.root)
      stops.arm(call)
      _ = try? await library.sync(.pull)
      if library.exists("stories/the-first-snow.json"),
        !library.exists("stories/.sync/the-first-snow.json")
      {
        found = library
      }
    }
    let b = try #require(found)
    try b.remove("stories/the-first-snow.json")
    try await b.sync()
    #expect(try world.records(.stories).count == 1)
    #expect(b.exists("stories/the-first-snow.json"))
    #expect(try b.states() == [:])
  }

  @Test func countOfARecordThatDidNotGetItsContentIsKept() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try world.patch("stories", a.sidecar("stories/first-snow").id, ["playCount": 3])
    try await die(a) { try !Journal(a.library).unfinished.isEmpty }
    #expect(try a.value("stories/first-snow.json")["playCount"] != 3)
    // Read twice, beside the three times that the server counted.
    try a.edit("stories/first-snow.json", "\"hero\"", "\"playCount\": 4,\n  \"hero\"")
    try await a.sync()
    #expect(try world.records(.stories)["The First Snow"]?["playCount"] == 7)
    #expect(try a.states() == [:])
  }

  @Test func oneEntryThatFailsStopsNoOther() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    func change(_ ref: RecordRef, sidecar: String) throws -> Journal.FileChange {
      let digest = ContentDigest(try a.read(ref.path).utf8)
      return .init(ref: ref, before: nil, after: digest, sidecar: Array(try a.read(sidecar).utf8))
    }
    let (luna, snow) = (
      RecordRef(kind: .heroes, name: "luna"), RecordRef(kind: .stories, name: "first-snow")
    )
    _ = try Journal(a.library).begin([
      change(luna, sidecar: luna.sidecarPath), change(snow, sidecar: snow.sidecarPath),
      change(snow, sidecar: snow.sidecarPath),
    ])
    try a.remove(luna.sidecarPath)
    try TestFiles.link(at: a.path(luna.sidecarPath), to: a.path("nowhere"))
    try a.remove(snow.sidecarPath)
    let report = try await a.attempt()
    #expect(report.failed.map(\.ref).contains(luna))
    #expect(a.exists(snow.sidecarPath))
    #expect(try Journal(a.library).unfinished.count == 1)
    try a.remove(luna.sidecarPath)
    let next = try await a.sync()
    #expect(next.failed.isEmpty)
    #expect(next.created.isEmpty)
    #expect(try a.states() == [:])
  }

  @Test func mergedCounterOfARecordThatWasEditedIsNotAddedTwice() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("stories/first-snow").id
    try world.patch("stories", id, ["playCount": 3])
    try await die(a) { try a.value("stories/first-snow.json")["playCount"] == 3 }
    try a.edit("stories/first-snow.json", "The First Snow", "My Snow")
    try await a.sync()
    let there = try #require(try world.records(.stories)["My Snow"])
    #expect(there["playCount"] == 3)
    #expect(try a.value("stories/first-snow.json")["playCount"] == 3)
  }

  /// It came with the record by `git pull`. The other one is in a temporary file or in the journal.
  @Test(arguments: [true, false])
  func newerSidecarThatCameSinceIsKept(_ isStaged: Bool) async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let b = TestLibrary(root: Path.join(world.folder, "b"), world: world)
    for path in try a.tracked().keys { try b.write(path, a.read(path)) }
    let id = try a.sidecar("stories/first-snow").id
    try world.patch("stories", id, ["playCount": 2])
    try await die(a) { try a.value("stories/first-snow.json")["playCount"] == 2 }
    if !isStaged {
      for path in try a.paths("stories") where path.contains(".stories-tmp-") { try a.remove(path) }
    }
    try world.patch("stories", id, ["playCount": 3])
    try await b.sync()
    let pair = ["stories/first-snow.json", "stories/.sync/first-snow.json"]
    for path in pair { try a.write(path, b.read(path)) }
    let report = try await a.sync()
    #expect(report.updated.isEmpty && report.failed.isEmpty)
    #expect(try world.records(.stories)["The First Snow"]?["playCount"] == 3)
    for path in pair { #expect(try a.read(path) == b.read(path)) }
    #expect(try Journal(a.library).unfinished.isEmpty)
  }

  @Test func recordThatWasMovedOnAfterItsRenameKeepsOneSidecar() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    // A sync died after the sidecar had followed the record and before that was noted.
    try a.move("heroes/luna.json", "heroes/deep/luna.json")
    try a.move("heroes/.sync/luna.json", "heroes/deep/.sync/luna.json")
    let digest = ContentDigest(try a.read("heroes/deep/luna.json").utf8)
    _ = try Journal(a.library).begin([
      Journal.FileChange(
        ref: RecordRef(kind: .heroes, name: "deep/luna"), before: digest, after: digest,
        sidecar: Array(try a.read("heroes/deep/.sync/luna.json").utf8),
        old: RecordRef(kind: .heroes, name: "luna"))
    ])
    try a.move("heroes/deep", "heroes/family")
    try a.move("heroes/family/luna.json", "heroes/luna.json")
    try a.edit("heroes/luna.json", "7", "8")
    let report = try await a.sync()
    #expect(report.failed.isEmpty)
    #expect(try a.states() == [:])
    #expect(try a.paths("heroes").filter { $0.contains(".sync") } == ["heroes/.sync/luna.json"])
    #expect(try world.records(.heroes).count == 1)
  }

  @Test func recordThatDidNotGetItsContentIsTakenInAfterAll() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try world.patch("heroes", id, ["height": "tall"])
    try await die(a) { try !Journal(a.library).unfinished.isEmpty }
    #expect(try a.value("heroes/luna.json")["height"] == nil)
    try a.edit("heroes/luna.json", "7", "8")
    try await a.sync()
    #expect(try a.value("heroes/luna.json")["height"] == "tall")
    #expect(try world.records(.heroes)["Luna"]?["age"] == 8)
  }

  @Test func diskThatFailsKeepsTheEntryOpen() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try world.patch("stories", a.sidecar("stories/first-snow").id, ["playCount": 3])
    // The sidecar's folder is in the way once the record has been written.
    let stops = try StopPoints(a.root)
    let text = try a.read("stories/first-snow.json")
    for call in 1...200 {
      stops.arm()
      let isDone = Box(false)
      stops.interrupt(at: call) {
        guard let now = try? a.read("stories/first-snow.json"), now != text else { return }
        isDone.value = true
        stops.arm(1)
      }
      _ = try? await a.attempt(.pull)
      if isDone.value { break }
    }
    stops.arm()
    let report = try await a.sync()
    #expect(report.updated.isEmpty)
    #expect(try a.value("stories/first-snow.json")["playCount"] == 3)
    #expect(try a.states() == [:])
  }

  @Test func sidecarOfAFolderThatWentIsNoObstacle() async throws {
    let world = try TestWorld()
    let a = try world.library("a")
    try a.write("heroes/family/luna.json", Samples.luna)
    try await a.sync()
    try world.delete("heroes", a.sidecar("heroes/family/luna").id)
    try await die(a) { !a.exists("heroes/family/luna.json") }
    try FileSystem.removeTree(a.path("heroes/family"))
    try await a.sync()
    #expect(try a.states() == [:])
  }

  /// A crash between the sidecars of a group and the journal's last word, and a server that has
  /// forgotten the keys, as the embedded one has after it was loaded from the sidecars.
  @Test func writeWhoseAnswerWasTakenInIsNotSentAgain() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let luna = RecordRef(kind: .heroes, name: "luna")
    let sidecar = try a.sidecar("heroes/luna")
    let writes = [
      RemoteWrite(
        operation: .create, kind: .heroes, idempotencyKey: "forgotten", body: sidecar.base.wire),
      RemoteWrite(
        operation: .update, kind: .heroes, id: sidecar.id, revision: "2020-01-01T00:00:00.000Z",
        idempotencyKey: "forgotten too", body: ["age": 99]),
    ]
    let now = TimeSource.system.now()
    _ = try Journal(a.library).begin(
      writes.map {
        UnconfirmedWrite(ref: luna, place: luna, write: $0, listedAt: now, sentAt: now)
      })
    _ = world.takeRequests()
    #expect(try await a.sync().isQuiet)
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try world.records(.heroes).count == 1)
    #expect(try Journal(a.library).unfinished.isEmpty)
  }
}
