import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport
import Testing

@testable import StorySync

@testable import stories

/// Two libraries on one server, over real files and a real socket.
@Suite(.inTurn) struct PushAndPullTests {
  private func filled(_ world: TestWorld) throws -> TestLibrary {
    try Samples.filled(world, story: "2026/first-snow")
  }

  @Test("a sync with no changes scans once, one with changes once more")
  func scansOnce() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    // Each scan asks once about a file that git keeps out of the working tree.
    let kept = "events/lost-tooth.json"
    try a.remove(kept)
    let scans = Box(0)
    var synchronizer = try a.synchronizer()
    synchronizer.scanner.notCheckedOut = { (_) throws(LibraryError) in
      scans.change { $0 += 1 }
      return [kept]
    }
    _ = try await synchronizer.run(SyncOptions())
    scans.value = 0
    #expect(try await synchronizer.run(SyncOptions()).isQuiet)
    #expect(scans.value == 1)
    try a.edit("heroes/luna.json", "7", "8")
    #expect(try await synchronizer.run(SyncOptions()).updated.count == 1)
    #expect(scans.value == 3)
  }

  @Test("every answer is progress", arguments: [true, false])
  func tellsHowManyAreAnswered(inBatches: Bool) async throws {
    let world = try TestWorld { if !inBatches { $0.features.remove(.batch) } }
    try world.setLimits(page: 100, batch: 10)
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    for number in 0..<25 {
      try a.write(
        "stories/s\(number).json",
        #"{"title": "T\#(number)", "hero": "luna", "content": ["Once."]}"#)
    }
    // One that is not sent counts as well, in the end.
    try a.write("stories/s7.json", "{\"title\": 7}")
    let told = Mutex<[Int]>([])
    var options = SyncOptions()
    options.direction = .push
    let report = try await a.synchronizer().run(options) { progress in
      if case .sending(let done, let total) = progress, total > 1 {
        told.withLock { $0.append(done) }
      }
    }
    #expect(report.created.count == 25)
    let numbers = told.withLock(\.self)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(numbers.count >= (inBatches ? 4 : 25), "\(numbers)")
    #expect(numbers.first == 1)
  }

  @Test(arguments: ContractServer.allCases)
  func pushesInTheOrderOfReferencesAndThenNothing(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    let first = try await a.sync(.push)
    #expect(
      first.created.map(\.description) == [
        "heroes/luna", "events/lost-tooth", "stories/2026/first-snow",
      ])
    #expect(first.failed.isEmpty)
    #expect(try a.states() == [:])
    let story = try #require(try world.records(.stories)["The First Snow"])
    let hero = try #require(try world.records(.heroes)["Luna"])
    #expect(story["heroId"] == hero["id"])
    #expect(
      story["content"]
        == "Luna woke up and the window was white.\n\n\"It came at night,\" whispered the cat.")
    #expect(try a.read("stories/2026/first-snow.json") == Samples.snow)

    let before = try a.tracked()
    _ = world.takeRequests()
    let second = try await a.sync(.push)
    #expect(second.isQuiet)
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try a.tracked() == before)
  }

  @Test(arguments: ContractServer.allCases)
  func pullsIntoAnEmptyLibraryAndBothAreEqual(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let b = try world.library("b")
    let report = try await b.sync(.pull)
    #expect(
      report.receivedNew.map(\.description) == [
        "heroes/luna", "events/the-lost-tooth", "stories/the-first-snow",
      ])
    #expect(try b.states() == [:])
    #expect(try b.read("heroes/luna.json") == Samples.luna)
    #expect(try b.value("stories/the-first-snow.json")["hero"] == "luna")
    #expect(try b.value("stories/the-first-snow.json")["event"] == "the-lost-tooth")
    let before = try b.tracked()
    #expect(try await b.sync().isQuiet)
    #expect(try b.tracked() == before)
  }

  @Test(arguments: ContractServer.allCases)
  func sendsOnlyTheFieldThatWasEditedByHand(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try world.library("a")
    let text =
      "{\r\n    \"note\": {\"mine\": 1.0},\r\n    \"age\": 7.0,\r\n    \"name\": \"Lun\\u0061\",\r\n"
      + "    \"traits\": [ \"brave\" ]\r\n}"
    try a.write("heroes/luna.json", text)
    try await a.sync()
    #expect(try a.read("heroes/luna.json") == text)
    try a.edit("heroes/luna.json", "7.0", "8.0")
    _ = world.takeRequests()
    let report = try await a.sync(.push)
    #expect(report.updated.map(\.fields) == [["age"]])
    let writes = world.takeRequests().filter { !$0.isRead }
    #expect(writes.map(\.method) == [world.method(of: "PATCH")])
    // In a batch it is one of the requests.
    if !server.isKinto {
      #expect(writes.first?.ifMatch != nil)
      #expect(writes.first?.bodySize == "{\"age\":8.0}".utf8.count)
    }

    // Another field comes back into that file: only its value's bytes change.
    let id = try a.sidecar("heroes/luna").id
    try world.patch("heroes", id, ["name": "Luna Maria", "height": "small"])
    try await a.sync(.pull)
    let expected =
      "{\r\n    \"note\": {\"mine\": 1.0},\r\n    \"age\": 8.0,\r\n    \"name\": \"Luna Maria\",\r\n"
      + "    \"traits\": [ \"brave\" ],\r\n    \"height\": \"small\"\r\n}"
    #expect(try a.read("heroes/luna.json") == expected)
    #expect(try a.states() == [:])
  }

  @Test(arguments: ContractServer.allCases)
  func editsOfDifferentFieldsOfOneRecordMerge(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let b = try world.library("b")
    try await b.sync()
    try a.edit("heroes/luna.json", "7", "8")
    try b.edit("heroes/luna.json", "\"brave\", ", "\"brave\", \"kind\", ")
    try a.edit("stories/2026/first-snow.json", "Luna woke up", "Luna sat up")
    try b.edit("stories/the-first-snow.json", "whispered", "purred")
    try await a.sync()
    let merged = try await b.sync()
    #expect(merged.conflicts.isEmpty)
    #expect(merged.merged.map(\.description) == ["heroes/luna", "stories/the-first-snow"])
    try await a.sync()
    for library in [a, b] {
      let hero = try library.value("heroes/luna.json")
      #expect(hero["age"] == 8)
      #expect(hero["traits"] == ["brave", "kind", "curious"])
    }
    let content = try #require(try a.value("stories/2026/first-snow.json")["content"])
    #expect(content == (try b.value("stories/the-first-snow.json")["content"]))
    #expect(
      content == [
        "Luna sat up and the window was white.", "", "\"It came at night,\" purred the cat.",
      ])
    for library in [a, b] {
      let before = try library.tracked()
      #expect(try await library.sync().isQuiet)
      #expect(try library.tracked() == before)
    }
  }

  @Test(arguments: ContractServer.allCases)
  func deletesTravelBothWays(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let b = try world.library("b")
    try await b.sync()
    try b.remove("stories/the-first-snow.json")
    let report = try await b.sync()
    #expect(report.deleted.map(\.description) == ["stories/the-first-snow"])
    #expect(!b.exists("stories/.sync/the-first-snow.json"))
    let received = try await a.sync()
    #expect(received.receivedDeletes.map(\.description) == ["stories/2026/first-snow"])
    #expect(!a.exists("stories/2026/first-snow.json"))
    #expect(!a.exists("stories/2026/.sync/first-snow.json"))
  }

  @Test(arguments: ContractServer.oneOfEach)
  func renameSendsNothingAndKeepsTheID(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let id = try a.sidecar("stories/2026/first-snow").id
    try a.move("stories/2026/first-snow.json", "stories/winter/snow.json")
    _ = world.takeRequests()
    let report = try await a.sync()
    #expect(report.renamed.map(\.to.description) == ["stories/winter/snow"])
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try a.sidecar("stories/winter/snow").id == id)
    #expect(!a.exists("stories/2026/.sync/first-snow.json"))
    #expect(try a.states() == [:])
  }

  @Test(arguments: ContractServer.single)
  func conflictIsRecordedForTheFieldAlone(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let id = try a.sidecar("stories/2026/first-snow").id
    try world.patch("stories", id, ["title": "Their Snow", "isFavorite": true])
    try a.edit("stories/2026/first-snow.json", "The First Snow", "My Snow")
    try a.edit("stories/2026/first-snow.json", "whispered", "purred")
    let report = try await a.sync()
    #expect(report.conflicts.map(\.fields) == [["title"]])
    let sidecar = try a.sidecar("stories/2026/first-snow")
    #expect(
      sidecar.conflict
        == .fields(
          updatedAt: try #require(firstConflictDate(sidecar)),
          [.init(wireKey: "title", base: "The First Snow", server: "Their Snow")]))
    // The other fields went on syncing, both ways.
    #expect(try a.value("stories/2026/first-snow.json")["isFavorite"] == true)
    #expect(try a.value("stories/2026/first-snow.json")["title"] == "My Snow")
    let there = try #require(try world.records(.stories)["Their Snow"])
    #expect(there["content"]?.string?.contains("purred") == true)
    let again = try await a.sync()
    #expect(again.conflicts.map(\.fields) == [["title"]])
    #expect(again.isQuiet)
  }

  /// What `HowASyncWorks` says of the names of pulled records.
  @Test func namesDependOnWhatAClonePulledBefore() async throws {
    let world = try TestWorld()
    let a = try world.library("a")
    try a.write("heroes/luna.json", Samples.luna)
    try await a.sync()
    let b = try world.library("b")
    try await b.sync(.pull)
    try world.delete("heroes", try a.sidecar("heroes/luna").id)
    // One clone pulls the delete alone; the others get it together with the new Luna.
    let c = try world.library("c")
    try await b.sync(.pull) { $0.maximumDeletes = 1 }
    for age in [4, 5] {
      try world.create(
        "heroes", ["name": "Luna", "age": .number(JSONNumber(age)), "traits": ["calm"]])
    }
    try await b.sync(.pull)
    try await c.sync(.pull)
    #expect(try b.paths("heroes") == c.paths("heroes"))
    #expect(try b.value("heroes/luna.json")["age"] == 4)
    let report = try await a.sync(.pull) { $0.maximumDeletes = 1 }
    #expect(report.receivedNew.count == 2)
    #expect(!a.exists("heroes/luna.json"))
    let names = try Set(a.paths("heroes")).subtracting(c.paths("heroes"))
    #expect(names.count == 2, "the older one has another name, with a sidecar of that name")
    // What was deleted can be had back at its old path.
    #expect(try RunHistory(a.library).undo().restored.map(\.description) == ["heroes/luna"])
    #expect(try a.read("heroes/luna.json") == Samples.luna)
  }

  @Test(arguments: [SyncOptions.Direction.both, .pull, .push])
  func conflictEndsOnceBothSidesSayTheSame(_ direction: SyncOptions.Direction) async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    let story = "stories/2026/first-snow"
    let id = try a.sidecar(story).id
    try world.patch("stories", id, ["title": "Their Snow", "content": "Theirs"])
    try a.edit("\(story).json", "The First Snow", "My Snow")
    try a.edit("\(story).json", "Luna woke up", "Luna got up")
    #expect(try await a.sync().conflicts.map(\.fields) == [["title", "content"]])
    try a.edit("\(story).json", "My Snow", "Their Snow")
    #expect(try await a.sync(direction).conflicts.map(\.fields) == [["content"]])
    #expect(try a.sidecar(story).conflictingKeys == ["content"])
    let text = try a.read("\(story).json")
    try a.write(
      "\(story).json",
      text.replacing(/"content": \[[^\]]*\]/, with: "\"content\": \"Theirs\""))
    let last = try await a.sync(direction)
    #expect(last.conflicts.isEmpty)
    #expect(try a.sidecar(story).conflict == nil)
    #expect(try a.states() == [:])
    // Later edits of the field are edits.
    try a.edit("\(story).json", "Their Snow", "Our Snow")
    #expect(try await a.sync().conflicts.isEmpty)
    #expect(try world.records(.stories)["Our Snow"] != nil)
  }

  private func firstConflictDate(_ sidecar: Sidecar) -> String? {
    if case .fields(let date, _)? = sidecar.conflict { date } else { nil }
  }

  @Test(arguments: ContractServer.oneOfEach)
  func editHereAndDeleteThereIsAConflict(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    try world.delete("custom-events", try a.sidecar("events/lost-tooth").id)
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    let report = try await a.sync()
    #expect(report.conflicts.map(\.ref.description) == ["events/lost-tooth"])
    #expect(try a.sidecar("events/lost-tooth").conflict == .deletedOnServer)
    #expect(try a.value("events/lost-tooth.json")["promptSeed"] == "A tooth is found.")
  }

  @Test(arguments: ContractServer.single)
  func equalRecordsAreAdoptedNotCreatedAgain(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let b = try world.library("b")
    for (path, bytes) in try a.tracked() where !path.contains(".sync") && path != "library.json" {
      try b.write(path, String(decoding: bytes, as: UTF8.self))
    }
    _ = world.takeRequests()
    let report = try await b.sync()
    #expect(report.adopted.count == 3)
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    #expect(try b.sidecar("heroes/luna").id == a.sidecar("heroes/luna").id)
  }

  @Test(arguments: ContractServer.single)
  func oneBadRecordStopsNoOther(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try a.write("heroes/broken.json", "{\"name\": \"X\",\n \"age\": }")
    try a.write("heroes/old.json", "{\"name\": \"Old\", \"age\": 99, \"traits\": [\"x\"]}")
    try a.write(
      "stories/lost.json", "{\"title\": \"Lost\", \"hero\": \"nobody\", \"content\": [\"x\"]}")
    try a.write(
      "stories/waits.json", "{\"title\": \"Waits\", \"hero\": \"old\", \"content\": [\"x\"]}")
    let report = try await a.sync()
    #expect(report.created.count == 3)
    #expect(
      Set(report.failed.map(\.ref.description)) == [
        "heroes/broken", "heroes/old", "stories/lost", "stories/waits",
      ])
    let broken = try #require(report.failed.first { $0.ref.name == "broken" }?.place)
    #expect(broken.position == TextPosition(line: 2, column: 9))
  }

  @Test(arguments: ContractServer.oneOfEach)
  func manyDeletesStopBeforeAnythingIsSent(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try world.library("a")
    for number in 0..<20 {
      try a.write(
        "heroes/h\(number).json", "{\"name\": \"H\(number)\", \"age\": 7, \"traits\": [\"x\"]}")
    }
    try await a.sync()
    for number in 0..<6 { try a.remove("heroes/h\(number).json") }
    _ = world.takeRequests()
    let stopped = try await a.sync()
    #expect(stopped.stops == [.deletes(kind: .heroes, onServer: true, count: 6, of: 20)])
    #expect(try await a.sync().stops.count == 1)
    #expect(world.takeRequests().allSatisfy { $0.isRead })
    let allowed = try await a.sync(.both) { $0.maximumDeletes = 6 }
    #expect(allowed.deleted.count == 6)
    #expect(try world.records(.heroes).count == 14)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func heroThatAStoryNamesIsNotDeleted(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    try a.remove("heroes/luna.json")
    let report = try await a.sync()
    #expect(
      report.stops == [
        .stillNamed(
          RecordRef(kind: .heroes, name: "luna"),
          by: [RecordRef(kind: .stories, name: "2026/first-snow")])
      ])
    #expect(try world.records(.heroes).count == 1)
  }

  @Test(arguments: ContractServer.oneOfEach)
  func anotherServerIsRefused(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try filled(world)
    try await a.sync()
    let other = try TestWorld(server)
    let moved = TestLibrary(root: a.root, world: other)
    let report = try await moved.sync()
    #expect(report.stops.count == 1)
    #expect(other.takeRequests().isEmpty)
  }

  @Test func anotherAccountOfTheServerIsRefusedInItsOwnWords() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    var synchronizer = try a.synchronizer()
    synchronizer.connect = { _ in
      Connection(
        client: try world.client(),
        identity: .init(server: world.server.url, account: "somebody@example.org"))
    }
    _ = world.takeRequests()
    let stop = try #require(try await synchronizer.run(SyncOptions()).stops.first)
    #expect(world.takeRequests().isEmpty)
    #expect(
      stop.message == "this library belongs to another account of \(world.server.url) than the one"
        + " that is signed in")
    #expect(stop.hint.contains("`stories sign-in`") && stop.hint.contains("`stories whoami`"))
  }

  @Test func whatWaitedInVainIsRememberedUntilItGoes() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try a.write("heroes/luna.json", Samples.luna.replacing("Luna", with: ""))
    let report = try await a.sync()
    #expect(
      report.failed.map(\.ref.description) == ["heroes/luna", "stories/2026/first-snow"])
    // What a file says of itself the next scan says again; that the story waited no file says.
    let failures = FailureStore(try a.library).failures
    #expect(failures.keys.map(\.description) == ["stories/2026/first-snow"])
    #expect(
      failures.values.first?.message == "waits for heroes/luna, which is not on the server")
    #expect(
      failures.values.first?.hint == "see why heroes/luna was not sent: stories status")
    try a.write("heroes/luna.json", Samples.luna)
    #expect(try await a.sync().failed.isEmpty)
    #expect(FailureStore(try a.library).failures.isEmpty)
  }

  /// While one group is written the next one is made ready, on another thread.
  @Test func severalGroupsCrossInBothDirections() async throws {
    let count = 2_050
    let world = try TestWorld()
    let a = try world.library("a")
    for number in 0..<count {
      try a.write(
        "heroes/h\(number).json", Samples.luna.replacingOccurrences(of: "Luna", with: "H\(number)"))
    }
    let sent = try await a.sync(.push)
    #expect(sent.created.count == count && sent.failed.isEmpty)
    let b = try world.library("b")
    let received = try await b.sync(.pull)
    #expect(received.receivedNew.count == count && received.failed.isEmpty)

    let edited = 1_050
    for number in 0..<edited { try a.edit("heroes/h\(number).json", ": 7", ": 8") }
    let changed = try await a.sync(.push)
    #expect(changed.updated.count == edited && changed.failed.isEmpty)
    let taken = try await b.sync(.pull)
    #expect(taken.receivedChanges.count == edited && taken.failed.isEmpty)
    for (library, report, sides) in [(a, changed, 1), (b, taken, 2)] {
      #expect(try library.states() == [:])
      #expect(try library.value("heroes/h1049.json")["age"] == 8)
      let saved = try SavedVersions(library.library, run: try #require(report.run))
      #expect(saved.versions.count == sides * edited)
      #expect(saved.after.count == edited)
      #expect(try FileSystem.read(library.path(".stories/journal")).isEmpty)
      #expect(try library.scan().staleFiles.isEmpty)
    }
  }

  @Test(arguments: ContractServer.single)
  func reportsWhatIsLeftForTheOtherDirection(_ server: ContractServer) async throws {
    let world = try TestWorld(server)
    let a = try await Samples.synced(world)
    #expect(try await a.sync(.push).remaining == 0)
    try world.patch("heroes", try a.sidecar("heroes/luna").id, ["age": 9])
    try world.create("heroes", ["name": "Otto", "age": 4, "traits": ["calm"]])
    let push = try await a.sync(.push)
    #expect(push.isQuiet && push.remaining == 2)
    try await a.sync(.pull)
    #expect(try await a.sync(.push).remaining == 0)
    try a.edit("events/lost-tooth.json", "lost and found", "found")
    try a.write("heroes/pip.json", Samples.luna.replacing("Luna", with: "Pip"))
    let pull = try await a.sync(.pull)
    #expect(pull.isQuiet && pull.remaining == 2)
    #expect(try await a.sync().remaining == 0)
    #expect(try await a.sync(.pull).remaining == 0)
  }
}
