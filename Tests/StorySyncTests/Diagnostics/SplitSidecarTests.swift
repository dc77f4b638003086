import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@testable import stories

/// A sidecar in which git left two ids says of neither that it is the record's: until somebody decides,
/// nothing is sent in its name and neither record is taken for a new one.
@Suite(.inTurn) struct SplitSidecarTests {
  /// A synced library whose record's sidecar has markers around another record's id, which only the
  /// server has, and its own.
  private struct Split {
    let world: TestWorld
    let a: TestLibrary
    let ref: RecordRef
    /// The record's id, which stands second.
    let own: String
    /// The other's id, which stands first.
    let other: String
    let before: [String: [UInt8]]

    /// - Parameter isHere: whether the other record is one of the library as well.
    init(
      _ world: TestWorld, _ name: String, isHere: Bool = false,
      _ body: (TestLibrary) throws -> JSONValue
    ) async throws {
      self.world = world
      ref = try #require(RecordRef(name))
      a = try await Samples.synced(world)
      own = try a.sidecar(name).id
      let text = try a.read(ref.sidecarPath)
      let kind = try #require(RecordKind(rawValue: ref.kind.schema.wirePath))
      let names = Set(try world.records(kind).keys)
      try world.create(ref.kind.schema.wirePath, body(a))
      let made = try #require(try world.records(kind).first { !names.contains($0.key) }?.value)
      other = try #require(made["id"]?.string)
      let version = try #require(made["updatedAt"]?.string)
      if isHere { try await a.sync() }
      let ours = text.replacing(own, with: other)
        .replacing(try a.sidecar(name).updatedAt, with: version)
      try a.write(ref.sidecarPath, "<<<<<<< HEAD\n\(ours)=======\n\(text)>>>>>>> branch\n")
      before = try a.tracked()
    }

    /// Looks and syncs before anybody decided.
    func checkUndecided() async throws {
      #expect(try a.states() == [ref.description: .unreadable])
      for _ in 1...2 {
        let report = try await a.sync()
        #expect(report.failed.map(\.ref) == [ref])
        #expect(report.updated.isEmpty && report.created.isEmpty && report.deleted.isEmpty)
        #expect(report.receivedNew.isEmpty)
        #expect(try a.tracked() == before)
      }
    }
  }

  private static func hero(_ world: TestWorld, isHere: Bool = false) async throws -> Split {
    try await Split(world, "heroes/luna", isHere: isHere) { _ in
      ["name": "Mira", "age": 9, "traits": ["calm"]]
    }
  }

  @Test(arguments: ServerAPI.allCases)
  func `a hero that stories name, theirs`(_ api: ServerAPI) async throws {
    let world = try TestWorld(api)
    let split = try await Self.hero(world)
    let a = split.a
    try await split.checkUndecided()
    try ConflictResolver(a.library).resolve(split.ref, .server)
    #expect(try a.states() == [:])
    let report = try await a.sync()
    #expect(report.failed.isEmpty && report.updated.isEmpty && report.created.isEmpty)
    // The other one is a record of its own now.
    #expect(report.receivedNew.count == 1)
    #expect(try a.states() == [:])
    #expect(try a.sidecar("heroes/luna").id == split.own)
    #expect(try world.records(.stories).values.map { $0["heroId"]?.string } == [split.own])
    #expect(try await a.sync().isQuiet)
  }

  @Test(arguments: ServerAPI.allCases)
  func `a hero that stories name, ours`(_ api: ServerAPI) async throws {
    let world = try TestWorld(api)
    let split = try await Self.hero(world)
    let a = split.a
    try await split.checkUndecided()
    try ConflictResolver(a.library).resolve(split.ref, .local)
    // Nothing here is known of the story's hero until it comes again.
    #expect(try a.states() == ["stories/first-snow": .pendingUpdate])
    let report = try await a.sync()
    #expect(report.failed.isEmpty && report.created.isEmpty)
    #expect(report.receivedNew.count == 1)
    #expect(try a.sidecar("heroes/luna").id == split.other)
    // The pull gives the story's hero a new name, and the reference follows it: whose name the old one
    // is now has nothing to do with the story.
    let own = try #require(try a.scan().entry(id: split.own, of: .heroes))
    #expect(try a.states() == [:])
    try await a.sync()
    #expect(try a.value("stories/first-snow.json")["hero"]?.string == own.ref.name)
    #expect(try world.records(.stories).values.map { $0["heroId"]?.string } == [split.own])
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
    #expect(!(try a.states().values.contains(.duplicateId)))
  }

  @Test(arguments: ServerAPI.allCases, [ConflictResolver.Choice.local, .server])
  func `a story`(_ api: ServerAPI, _ choice: ConflictResolver.Choice) async throws {
    let world = try TestWorld(api)
    let split = try await Split(world, "stories/first-snow") { a in
      [
        "title": "More snow", "content": "It snowed again.",
        "heroId": .string(try a.sidecar("heroes/luna").id),
      ]
    }
    let a = split.a
    try await split.checkUndecided()
    try ConflictResolver(a.library).resolve(split.ref, choice)
    let report = try await a.sync()
    #expect(report.failed.isEmpty && report.created.isEmpty)
    #expect(report.receivedNew.count == 1)
    let (taken, left) =
      choice == .server ? (split.own, split.other) : (split.other, split.own)
    #expect(try a.sidecar("stories/first-snow").id == taken)
    #expect(try a.scan().entry(id: left, of: .stories) != nil)
    #expect(!(try a.states().values.contains(.duplicateId)))
    #expect(try world.records(.stories).count == 2)
  }

  @Test func `a hero whose other id is another record here`() async throws {
    let world = try TestWorld()
    let split = try await Self.hero(world, isHere: true)
    let a = split.a
    try await split.checkUndecided()
    try ConflictResolver(a.library).resolve(split.ref, .server)
    #expect(try a.states() == [:])
    #expect(try await a.sync().isQuiet)
    #expect(try world.records(.heroes).count == 2)
  }

  @Test func `sides that cannot be told apart stay, and resolve says what to do`() async throws {
    let world = try TestWorld()
    let split = try await Self.hero(world)
    let a = split.a
    let text = try a.read(split.ref.sidecarPath)
    try a.write(split.ref.sidecarPath, text.replacing("=======\n", with: ""))
    #expect(try await a.sync().failed.map(\.ref) == [split.ref])
    #expect(try a.read(split.ref.sidecarPath) == text.replacing("=======\n", with: ""))
    let problem = try #require(throws: Problem.self) {
      try ConflictResolver(a.library).resolve(split.ref, .server)
    }
    #expect(problem.advice?.contains("git checkout --ours -- heroes/.sync/luna.json") == true)
  }

  @Test func `a record that is moved takes its sidecar along`() async throws {
    let world = try TestWorld()
    let split = try await Self.hero(world)
    let a = split.a
    try LibraryEditor(a.library).move(split.ref, to: RecordRef(kind: .heroes, name: "moon"))
    #expect(!a.exists(split.ref.sidecarPath))
    let scan = try a.scan()
    #expect(scan.isNamed(split.own, of: .heroes) && scan.isNamed(split.other, of: .heroes))
    #expect(try await a.sync().receivedNew.isEmpty)
  }
}
