import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct LibraryEditorTests {
  private func filled(_ world: TestWorld) throws -> TestLibrary {
    try Samples.filled(world, story: "2026/first-snow")
  }

  private func ref(_ text: String) throws -> RecordRef { try #require(RecordRef(text)) }

  @Test func moveTakesTheSidecarAndRewritesReferences() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    let id = try a.sidecar("heroes/luna").id
    let rewritten = try LibraryEditor(a.library).move(
      ref("heroes/luna"), to: ref("heroes/family/moon"))
    #expect(rewritten == [try ref("stories/2026/first-snow")])
    #expect(try a.sidecar("heroes/family/moon").id == id)
    #expect(try a.value("stories/2026/first-snow.json")["hero"] == "family/moon")
    #expect(
      try a.read("stories/2026/first-snow.json")
        == Samples.snow.replacing("\"luna\"", with: "\"family/moon\""))
    #expect(try a.sidecar("stories/2026/first-snow").refs["hero"] == "family/moon")
    #expect(try a.states() == [:])
    _ = world.takeRequests()
    #expect(try await a.sync().isQuiet)
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
  }

  @Test func `updates at the same time all stay`() async throws {
    let world = try TestWorld()
    let library = try filled(world).library
    defer { withExtendedLifetime(world) {} }
    let luna = try ref("heroes/luna")
    let failed = try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          (0..<20).filter { number in
            let update = Result {
              try LibraryEditor(library).update(luna) { $0["\(writer)-\(number)"] = true }
            }
            if case .success = update { return false }
            return true
          }.map { "\(writer)-\($0)" }
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(failed.count < 40, "most succeed")
    let members = try #require(JSONValue(parsing: library.read(luna.path)).object)
    for writer in 0..<4 {
      for number in 0..<20 {
        let name = "\(writer)-\(number)"
        #expect((members[name] == nil) == failed.contains(name), "\(name)")
      }
    }
    #expect(try Scanner(library).scan().entries.count { $0.ref.kind == .heroes } == 1)
  }

  @Test func renameOfAHeroByHandKeepsItsStories() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    try a.move("heroes/luna.json", "heroes/moon.json")
    #expect(try a.states() == ["heroes/moon": .synced])
    _ = world.takeRequests()
    try await a.sync()
    #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
    #expect(try a.value("stories/2026/first-snow.json")["hero"] == "moon")
    #expect(try a.states() == [:])
  }

  @Test func removingNothingLeavesNoRun() throws {
    let world = try TestWorld()
    let a = try filled(world)
    let before = try RunHistory(a.library).runs().count
    #expect(try LibraryEditor(a.library).remove([]).isEmpty)
    #expect(try RunHistory(a.library).runs().count == before)
  }

  @Test func moveRefusesATakenNameAndAnotherKind() throws {
    let world = try TestWorld()
    let a = try filled(world)
    try a.write("heroes/pip.json", Samples.luna)
    let editor = LibraryEditor(try a.library)
    #expect(throws: EditError.exists(try ref("heroes/pip"))) {
      try editor.move(ref("heroes/luna"), to: ref("heroes/pip"))
    }
    #expect(throws: EditError.otherKind(try ref("heroes/luna"), .events)) {
      try editor.move(ref("heroes/luna"), to: ref("events/luna"))
    }
    #expect(
      throws: EditError.noSuchRecord(try ref("heroes/lunna"), nearest: try ref("heroes/luna"))
    ) {
      try editor.move(ref("heroes/lunna"), to: ref("heroes/x"))
    }
  }

  @Test func `a record is moved only to where a scan looks`() throws {
    let world = try TestWorld()
    let a = try filled(world)
    let (luna, editor, before) = (
      try ref("heroes/luna"), LibraryEditor(try a.library), try a.tracked()
    )
    let deep = String(repeating: "d/", count: 33)
    for name in [
      ".sync/moon", ".moon", "/moon", "a//moon", "../moon", "moon.json/a", deep + "moon",
      "moon.json",
    ] {
      #expect("\(name)") {
        try editor.move(luna, to: RecordRef(kind: .heroes, name: name))
      } throws: {
        ($0 as? Problem)?.code == .name
      }
    }
    #expect(try a.tracked() == before)
  }

  @Test func `a record does not take a name that differs only by the case of a folder`() throws {
    let world = try TestWorld()
    let a = try filled(world)
    try a.write("heroes/fall/pip.json", Samples.luna)
    let (twin, editor) = (try ref("heroes/Fall/pip"), LibraryEditor(try a.library))
    #expect(throws: EditError.exists(twin)) { try editor.move(ref("heroes/luna"), to: twin) }
    try editor.move(ref("heroes/fall/pip"), to: twin)
    #expect(a.exists("heroes/Fall/pip.json"))
  }

  @Test func removeIsStatedSentAndUndone() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    let editor = LibraryEditor(try a.library)
    #expect(
      throws: EditError.stillNamed(
        try ref("heroes/luna"), by: [try ref("stories/2026/first-snow")])
    ) {
      try editor.remove(ref("heroes/luna"))
    }
    try editor.remove(ref("stories/2026/first-snow"))
    #expect(try a.sidecar("stories/2026/first-snow").isDeleteStated)
    #expect(try a.states() == ["stories/2026/first-snow": .pendingDelete])
    let undone = try RunHistory(a.library).undo()
    #expect(undone.restored == [try ref("stories/2026/first-snow")])
    #expect(try a.read("stories/2026/first-snow.json") == Samples.snow)
    #expect(try a.states() == [:])
    try editor.remove(ref("stories/2026/first-snow"))
    try await a.sync(.push)
    #expect(try world.records(.stories).isEmpty)
    #expect(!a.exists("stories/2026/.sync/first-snow.json"))
  }

  @Test func severalGoTogetherOrNotAtAll() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try a.write("heroes/pip.json", Samples.luna.replacing("Luna", with: "Pip"))
    try a.write("heroes/zoe.json", Samples.luna.replacing("Luna", with: "Zoe"))
    try await a.sync()
    let editor = LibraryEditor(try a.library)
    let story = try ref("stories/2026/first-snow")
    let refs = try [
      ref("heroes/luna"), ref("events/lost-tooth"), story, ref("heroes/pip"), ref("heroes/zoe"),
    ]
    #expect(throws: EditError.stillNamed(refs[0], by: [story])) {
      try editor.remove(Array(refs.prefix(2)))
    }
    #expect(try a.states() == [:])
    #expect(try editor.remove(refs, isDryRun: true).isEmpty)
    #expect(try a.states() == [:])
    #expect(try editor.remove(refs).isEmpty)
    #expect(try a.states().values.allSatisfy { $0 == .pendingDelete })
    let history = RunHistory(try a.library)
    #expect(
      try history.runs().first?.command
        == "rm heroes/luna events/lost-tooth stories/2026/first-snow and 2 more")
    #expect(try history.undo().restored.count == 5)
    #expect(try a.states() == [:])
  }

  @Test func aRecordThatComesBackIsNotMeantToGoAnyMore() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    let story = try ref("stories/2026/first-snow")
    try LibraryEditor(a.library).remove(story)
    _ = try RunHistory(a.library).undo()
    #expect(try !a.sidecar("stories/2026/first-snow").isDeleteStated)
  }

  /// No sidecar has its name yet.
  @Test func aRecordThatWasRenamedByHandGoesForGood() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    try a.move("stories/2026/first-snow.json", "stories/snow.json")
    try LibraryEditor(a.library).remove(ref("stories/snow"))
    #expect(try a.sidecar("stories/2026/first-snow").isDeleteStated)
    #expect(try await a.sync().deleted.count == 1)
    #expect(try world.records(.stories).isEmpty)
  }

  @Test func aNameWhoseSidecarIsLeftIsTaken() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try a.write("heroes/pip.json", Samples.luna.replacing("Luna", with: "Pip"))
    try await a.sync()
    let id = try a.sidecar("heroes/pip").id
    try a.remove("heroes/pip.json")
    #expect(throws: EditError.exists(try ref("heroes/pip"))) {
      try LibraryEditor(a.library).move(ref("heroes/luna"), to: ref("heroes/pip"))
    }
    #expect(try a.sidecar("heroes/pip").id == id)
  }

  @Test func aRecordWithoutASidecarThatCanBeReadStays() async throws {
    let world = try TestWorld()
    let a = try filled(world)
    try await a.sync()
    try a.write("stories/2026/.sync/first-snow.json", "{")
    #expect(throws: Problem.self) {
      try LibraryEditor(a.library).remove(ref("stories/2026/first-snow"))
    }
    #expect(a.exists("stories/2026/first-snow.json"))
  }

  /// Either form of the name finds the same entry, which may be that of the other file.
  @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}")])
  func twoFilesThatDifferInUnicodeFormAreLeftAlone(synced: String, twin: String) async throws {
    let world = try TestWorld()
    let a = try Samples.filled(world, story: synced)
    try await a.sync()
    let other = Samples.snow.replacing("The First Snow", with: "Another Snow")
    try a.write("stories/\(twin).json", other)
    let editor = LibraryEditor(try a.library)
    for ref in [synced, twin].map({ RecordRef(kind: .stories, name: $0) }) {
      #expect(throws: Problem.self) { try editor.remove(ref) }
      #expect(throws: Problem.self) { try editor.remove([ref]) }
      #expect(throws: Problem.self) {
        try editor.move(ref, to: RecordRef(kind: .stories, name: "snow"))
      }
      let restored = try RunHistory(a.library).restore([ref], scan: a.scan())
      #expect(restored.skipped.map { ($0.error as? Problem)?.code } == [.nameCollision])
    }
    #expect(try a.read("stories/\(synced).json") == Samples.snow)
    #expect(try a.read("stories/\(twin).json") == other)
  }

  /// Adds a story that no sidecar knows yet.
  private func addStory(_ name: String, hero: String, to library: TestLibrary) throws {
    try library.write(
      "stories/\(name).json", #"{"title": "\#(name)", "hero": "\#(hero)", "content": ["x"]}"#)
  }

  @Test func moveAfterARenameByHandRewritesBothFormerNames() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let id = try a.sidecar("heroes/luna").id
    try addStory("first-name", hero: "luna", to: a)
    try a.move("heroes/luna.json", "heroes/family/moon.json")
    try addStory("second-name", hero: "family/moon", to: a)
    let rewritten = try LibraryEditor(a.library).move(
      ref("heroes/family/moon"), to: ref("heroes/star"))
    #expect(rewritten.map(\.name) == ["first-name", "first-snow", "second-name"])
    for story in rewritten { #expect(try a.value(story.path)["hero"] == "star") }
    #expect(try a.sidecar("heroes/star").id == id)
    #expect(try a.paths("heroes") == ["heroes/.sync/star.json", "heroes/star.json"])
    #expect(try await a.sync().created.map(\.name) == ["first-name", "second-name"])
  }

  @Test(.enabled(if: StopPoints.areAvailable), arguments: ["luna", "hand"])
  func moveThatDiesAnywhereIsFinishedByTheNextSync(_ former: String) async throws {
    for call in 1...200 {
      let world = try TestWorld()
      let a = try await Samples.synced(world)
      let id = try a.sidecar("heroes/luna").id
      let (old, new) = (
        RecordRef(kind: .heroes, name: former), RecordRef(kind: .heroes, name: "m/l")
      )
      if former != "luna" {
        try addStory("first-name", hero: "luna", to: a)
        try a.move("heroes/luna.json", old.path)
        try addStory("second-name", hero: former, to: a)
      }
      let stops = try StopPoints(a.root)
      stops.arm(call)
      _ = try? LibraryEditor(a.library).move(old, to: new)
      let isDone = !stops.isStopped
      stops.arm()
      let isMoved = a.exists("heroes/m/l.json")
      let report = try await a.sync()
      #expect(report.failed.isEmpty, "died at change \(call)")
      let name = isMoved ? "m/l" : former
      for story in try a.scan().entries where story.ref.kind == .stories {
        #expect(try a.value(story.ref.path)["hero"] == .string(name), "\(call)")
      }
      #expect(try a.sidecar("stories/first-snow").refs["hero"] == .string(name), "\(call)")
      #expect(try a.sidecar("heroes/\(name)").id == id)
      #expect(try a.states() == [:], "died at change \(call)")
      if isDone { return }
    }
    Issue.record("a move makes more changes than that")
  }
}
