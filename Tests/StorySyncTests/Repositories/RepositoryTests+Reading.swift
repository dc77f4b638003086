import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

/// What a read says of records that cannot be read or written.
extension RepositoryTests {
  private enum Damage: CaseIterable, Sendable {
    case cutOff, markers, empty, folder, link
  }

  private func damage(_ path: String, _ damage: Damage) throws {
    switch damage {
    case .cutOff: try library.write(path, #"{"name": "Luna", "age": "#)
    case .markers: try library.write(path, "<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b\n")
    case .empty: try library.write(path, "")
    case .folder: try FileSystem.makeFolder(library.path(path))
    case .link:
      try FileSystem.makeFolder(Path.parent(library.path(path)))
      try TestFiles.link(at: library.path(path), to: "/etc/hostname")
    }
  }

  @Test(arguments: Damage.allCases)
  private func `an unreadable record is reported as that, without a network`(
    _ damage: Damage
  ) async throws {
    try self.damage("heroes/luna.json", damage)
    let gone = try repositories(SocketTransport(port: world.server.port) { true })
    for policy in [CachePolicy.cacheOnly, .cacheFirst, .networkFirst, .cacheAndNetwork] {
      let problem = await #expect(throws: Problem.self) {
        try await gone.heroes.fetch("luna", policy: policy)
      }
      #expect(problem?.file == "heroes/luna.json")
    }
    await #expect(throws: Problem.self) {
      try await repositories().heroes.fetch("luna", policy: .networkOnly)
    }
    #expect(try await gone.heroes.fetchAll(policy: .cacheOnly).value.isEmpty)
  }

  @Test(arguments: [CachePolicy.networkOnly, .networkFirst, .cacheFirst, .cacheAndNetwork])
  func `an empty list is a value once the server has answered`(_ policy: CachePolicy) async throws {
    #expect(try await repositories().illustrations.fetchAll(policy: policy).value.isEmpty)
    #expect(try await repositories().events.fetchAll(policy: policy).value.isEmpty)
  }

  @Test(.enabled(if: StopPoints.areAvailable))
  func `a new record that cannot be written is no missing one`() async throws {
    try world.create("custom-events", ["title": "Lost Tooth", "promptSeed": "A tooth is lost."])
    let disk = try StopPoints(library.path("events"))
    disk.stop()
    let repositories = try repositories()
    await #expect(throws: FileError.self) {
      try await repositories.events.fetch("lost-tooth", policy: .networkOnly)
    }
    await #expect(throws: FileError.self) {
      try await repositories.events.fetchAll(policy: .networkOnly)
    }
    // The other kinds are not affected.
    #expect(try await repositories.heroes.fetchAll(policy: .networkOnly).value.isEmpty)
  }

  @Test(.enabled(if: StopPoints.areAvailable))
  func `a record that cannot be replaced is not passed off as the server's`() async throws {
    try library.write("heroes/nora.json", #"{"name":"Nora","age":6,"traits":["calm"]}"#)
    try await library.sync()
    try world.patch("heroes", world.id(.heroes, "Nora"), ["age": 8])
    let disk = try StopPoints(library.path("heroes"))
    disk.stop()
    await #expect(throws: FileError.self) {
      try await repositories().heroes.fetch("nora", policy: .networkOnly)
    }
    #expect(try await repositories().heroes.fetch("nora").value.age == 6)
  }

  @Test func `a refresh says that the server's record is gone, as a read of the server does`()
    async throws
  {
    try library.write("heroes/nora.json", #"{"name":"Nora","age":6,"traits":["calm"]}"#)
    try await library.sync()
    try world.delete("heroes", world.id(.heroes, "Nora"))
    let repositories = try repositories()
    let held = try await repositories.heroes.fetch("nora", policy: .cacheAndNetwork)
    #expect(held.value.age == 6)
    let gone = EditError.noSuchRecord(held.value.ref, nearest: nil)
    await #expect(throws: gone) { try await held.refresh?.value }
    for policy in [CachePolicy.networkOnly, .networkFirst, .cacheFirst, .cacheOnly] {
      await #expect(throws: gone) { try await repositories.heroes.fetch("nora", policy: policy) }
    }
  }

  @Test func `each record has its failure`() async throws {
    try library.write(".stories/failures.json", #"{"heroes/h1":{"message":"no"}}"#)
    for number in 0..<3 {
      try library.write(
        "heroes/h\(number).json", #"{"name":"H\#(number)","age":7,"traits":["brave"]}"#)
    }
    let heroes = try await repositories().heroes.fetchAll(policy: .cacheOnly).value
    #expect(heroes.map { $0.failure?.message } == [nil, "no", nil])
  }
}
