import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

@Suite(.inTurn) struct RepositoryTests {
  let world: TestWorld
  let library: TestLibrary

  init() throws {
    world = try TestWorld()
    library = try world.library("mine")
  }

  func repositories(_ transport: (any Transport)? = nil) throws -> Repositories {
    try world.repositories(of: library, transport: transport)
  }

  private var gone: SocketTransport { SocketTransport(port: world.server.port) { true } }

  @Test func `a record is written at once and the server learns at the next sync`() async throws {
    let repositories = try repositories()
    var luna = Hero(name: "Luna", age: 7, traits: ["brave"])
    luna.specialAbility = "talks to stars"
    let made = try repositories.heroes.create(luna)
    #expect(made.ref.description == "heroes/luna" && made.state == .pendingCreate)
    #expect(
      try library.read("heroes/luna.json") == """
        {
          "name": "Luna",
          "age": 7,
          "traits": ["brave"],
          "specialAbility": "talks to stars"
        }

        """)
    #expect(try world.records(.heroes).isEmpty)
    try await repositories.sync()
    #expect(try world.records(.heroes).keys.sorted() == ["Luna"])
    let synced = try await repositories.heroes.fetch("luna").value
    #expect(synced.state == .synced && synced.stored.id != nil)
  }

  @Test func `an update leaves what it does not touch`() throws {
    try library.write(
      "heroes/luna.json", "{ \"age\" : 7,\t\"name\":\"Luna\", \"traits\":[\"brave\"],\"x\":1}")
    let repositories = try repositories()
    try repositories.heroes.update("luna") { $0.age += 1 }
    #expect(
      try library.read("heroes/luna.json")
        == "{ \"age\" : 8,\t\"name\":\"Luna\", \"traits\":[\"brave\"],\"x\":1}")
    try repositories.heroes.update("luna") { $0.specialAbility = nil }
    #expect(throws: EditError.self) { try repositories.heroes.update("lunna") { $0.age = 3 } }
  }

  /// A hero's member that its getter does not return whole, in the form of a file.
  @Test(arguments: [
    ("traits", #"["brave", 5, null]"#), ("traits", #""brave""#), ("age", #""eleven""#),
    ("age", "7.5"), ("age", "1e400"), ("specialAbility", #"["flies", 5]"#), ("name", "5"),
  ])
  func `an edit of a value that cannot be read is refused`(_ key: String, _ value: String) throws {
    var members = ["name": #""Luna""#, "age": "7", "traits": #"["brave"]"#]
    members[key] = value
    let text = members.map { "\"\($0)\": \($1)" }.sorted().joined(separator: ", ")
    try library.write("heroes/luna.json", "{\(text)}\n")
    let before = try library.tracked()
    let heroes = try repositories().heroes
    #expect {
      try heroes.update("luna") { hero in
        switch key {
        case "traits": hero.traits.append("new")
        case "age": hero.age += 4
        case "name": hero.name += "Star"
        default: hero.specialAbility = (hero.specialAbility ?? "") + "sings"
        }
      }
    } throws: {
      let code = ($0 as? Problem)?.code
      return ($0 as? Problem)?.file == "heroes/luna.json" && (code == .type || code == .range)
    }
    #expect(try library.tracked() == before)
  }

  @Test func `an edit of a text keeps its form, or is refused if it is not text`() throws {
    try library.write("heroes/luna.json", #"{"name":"Luna","age":7,"traits":["brave"]}"#)
    func text(_ content: String) -> String {
      #"{"title": "Snow", "hero": "luna", "content": \#(content)}"#
    }
    let stories = try repositories().stories
    try library.write("stories/snow.json", text(#""It came.\nIt went.""#))
    try stories.update("snow") { $0.content += "\nThe end." }
    #expect(try library.read("stories/snow.json") == text(#""It came.\nIt went.\nThe end.""#))
    let broken = text(#"["One", ["note"], 1918, "Three"]"#)
    try library.write("stories/snow.json", broken)
    #expect(throws: Problem.self) { try stories.update("snow") { $0.content += "\nThe end." } }
    #expect(try library.read("stories/snow.json") == broken)
  }

  @Test func `several special abilities are one text`() throws {
    let text = #"{"name":"Luna","age":7,"traits":["brave"],"specialAbility":["flies","sings"]}"#
    try library.write("heroes/luna.json", text)
    let heroes = try repositories().heroes
    try heroes.update("luna") { $0.specialAbility = $0.specialAbility }
    #expect(try library.read("heroes/luna.json") == text)
    let luna = try heroes.update("luna") { hero in
      hero.specialAbility = hero.specialAbility.map { $0 + ", swims" }
    }
    #expect(luna.specialAbility == "flies, sings, swims")
    try library.write("heroes/luna.json", text)
    try heroes.update("luna") { $0.specialAbility = nil }
    #expect(try library.value("heroes/luna.json")["specialAbility"] == nil)
  }

  @Test func `an updated record is the one that a read returns`() async throws {
    let scripted = try ScriptedLibrary { _, _ in .answer(500, "{}") }
    try scripted.addLuna(avatar: "/media/a.png")
    try scripted.addSnow()
    let repositories = try scripted.repositories()
    let (heroes, stories) = (repositories.heroes, repositories.stories)
    let luna = try heroes.update("luna") { luna in
      #expect(luna.stored.id == "h1" && luna.hasAvatar && luna.state == .synced)
    }
    #expect(luna.stored.id == "h1" && luna.hasAvatar && luna.state == .synced)
    let older = try heroes.update("luna") { $0.age += 1 }
    #expect(older.state == .pendingUpdate && older.hasAvatar)
    #expect(try await heroes.fetch("luna", policy: .cacheOnly).value == older)
    _ = try heroes.create(Hero(name: "Otto", age: 4, traits: ["calm"]))
    #expect(try heroes.update("otto") { $0.age = 5 }.state == .pendingCreate)
    #expect(try stories.update("snow") { $0.hero = "otto" }.state == .pendingUpdate)
    #expect(try stories.update("snow") { $0.hero = "luna" }.state == .synced)
    _ = try stories.create(Story(title: "Rain", hero: "luna", content: ""))
    #expect(try stories.update("rain") { $0.title = "The Rain" }.state == .draft)
    #expect(try stories.update("rain") { $0.content = "It fell." }.state == .pendingCreate)
  }

  @Test func `what no record may say is not written`() throws {
    let repositories = try repositories()
    #expect(throws: Problem.self) {
      try repositories.heroes.create(Hero(name: "Luna", age: 99, traits: ["brave"]))
    }
    #expect(throws: Problem.self) {
      try repositories.stories.create(Story(title: "Snow", hero: "nobody", content: "It came."))
    }
    #expect(try library.scan().entries.isEmpty)
  }

  @Test func `a name that is taken gets a number`() throws {
    let repositories = try repositories()
    let hero = Hero(name: "Luna", age: 7, traits: ["brave"])
    #expect(try repositories.heroes.create(hero).ref.name == "luna")
    #expect(try repositories.heroes.create(hero).ref.name == "luna-2")
  }

  /// Folders that no scan reads, or one that would take the place of a record.
  @Test(arguments: [".hidden", ".sync/luna", "/etc/passwd", "a//b", "..", ".", "luna.json"])
  func `nothing is created where no scan looks`(_ folder: String) throws {
    let before = try library.tracked()
    let event = CustomEvent(title: "Lost Tooth", promptSeed: "A tooth.", folder: folder)
    let (ref, repositories) = (event.ref, try repositories())
    #expect {
      try repositories.events.create(event)
    } throws: {
      ($0 as? Problem)?.code == .name && ($0 as? Problem)?.file == ref.path
    }
    #expect(try library.tracked() == before)
    #expect(try FileSystem.list(library.path("events")).isEmpty)
  }

  @Test func `nothing is written to a library inside`() async throws {
    _ = try Library.create(
      at: library.path("events/old"), configuration: LibraryConfiguration(server: .embedded))
    try library.write("events/old/tooth.json", #"{"title":"Tooth","promptSeed":"A tooth."}"#)
    try library.write("events/shoe.json", #"{"title":"Shoe","promptSeed":"A shoe."}"#)
    let (before, repositories) = (try library.tracked(), try repositories())
    func isRefused(_ write: () throws -> Void) {
      #expect {
        try write()
      } throws: {
        ($0 as? Problem)?.code == .otherLibrary && ($0 as? Problem)?.file == "events/old"
      }
    }
    for folder in ["old", "old/deeper"] {
      let event = CustomEvent(title: "Lost Tooth", promptSeed: "A tooth.", folder: folder)
      isRefused { _ = try repositories.events.create(event) }
      isRefused {
        let shoe = RecordRef(kind: .events, name: "shoe")
        try LibraryEditor(library.library).move(shoe, to: event.ref)
      }
    }
    isRefused { try repositories.events.update("old/tooth") { $0.title = "Teeth" } }
    await #expect(throws: EditError.self) { try await repositories.events.delete("old/tooth") }
    #expect(try library.tracked() == before)
  }

  @Test func `a program notices that a newer one has taken over the library`() async throws {
    try library.write("heroes/nora.json", #"{"name":"Nora","age":6,"traits":["calm"]}"#)
    let repositories = try repositories()
    try await repositories.sync()
    try library.edit("library.json", "\"version\": 1", "\"version\": 2")
    let before = try library.tracked()
    let error = LibraryError.newerVersion(2)
    #expect(throws: error) {
      try repositories.heroes.create(Hero(name: "Luna", age: 7, traits: ["brave"]))
    }
    #expect(throws: error) { try repositories.heroes.update("nora") { $0.age = 7 } }
    await #expect(throws: error) { try await repositories.heroes.delete("nora") }
    await #expect(throws: error) { try await repositories.sync() }
    await #expect(throws: error) {
      try await repositories.illustrations.fetchAll(policy: .networkOnly)
    }
    #expect(try library.tracked() == before)
  }

  @Test func `a record is created as deep as a scan looks`() throws {
    func event(_ count: Int) -> CustomEvent {
      let folder = Array(repeating: "d", count: count).joined(separator: "/")
      return CustomEvent(title: "Lost Tooth", promptSeed: "A tooth.", folder: folder)
    }
    let repositories = try repositories()
    let deepest = try repositories.events.create(event(32)).ref
    #expect(try library.scan().entries.map(\.ref) == [deepest])
    #expect {
      try repositories.events.create(event(33))
    } throws: {
      ($0 as? Problem)?.code == .name
    }
    #expect(try library.scan().problems.isEmpty)
  }

  @Test func `a sidecar is not a record`() async throws {
    let repositories = try repositories()
    _ = try repositories.heroes.create(Hero(name: "Luna", age: 7, traits: ["brave"]))
    _ = try repositories.stories.create(Story(title: "Snow", hero: "luna", content: "It came."))
    try await repositories.sync()
    let before = try library.tracked()
    for name in [".sync/snow", "/snow", "../stories/snow"] {
      await #expect(throws: EditError.self) { try await repositories.stories.delete(name) }
      #expect(throws: Problem.self) { try repositories.stories.update(name) { _ in } }
    }
    #expect(try library.tracked() == before)
  }

  @Test(arguments: [("fall", "Fall"), ("\u{C9}mil", "E\u{301}mil")])
  func `a name is taken by one in a folder that some systems treat as the same`(
    _ folder: String, _ other: String
  ) throws {
    let repositories = try repositories()
    func event(_ folder: String) -> CustomEvent {
      CustomEvent(title: "Lost Tooth", promptSeed: "A tooth.", folder: folder)
    }
    _ = try repositories.events.create(event(folder + "/a"))
    let twin = event(other + "/A")
    #expect(throws: EditError.exists(twin.ref)) {
      try LibraryEditor(library.library).create(twin.ref, members: twin.stored.members)
    }
    #expect(try repositories.events.create(twin).ref.name == "\(other)/A/lost-tooth-2")
    #expect(try !library.scan().problems.contains { $0.code == .nameCollision })
  }

  @Test func `a delete is stated and reaches the server`() async throws {
    let repositories = try repositories()
    _ = try repositories.events.create(CustomEvent(title: "Lost Tooth", promptSeed: "A tooth."))
    try await repositories.sync()
    try await repositories.events.delete("lost-tooth")
    #expect(!library.exists("events/lost-tooth.json"))
    try await repositories.sync()
    #expect(try world.records(.customEvents).isEmpty)
  }

  @Test func `a delete is kept in a run, with or without a sidecar`() async throws {
    let repositories = try repositories()
    let luna = try repositories.heroes.create(Hero(name: "Luna", age: 7, traits: ["brave"]))
    _ = try repositories.stories.create(
      Story(title: "Snow", hero: luna.ref.name, content: "It came."))
    try await repositories.sync()
    _ = try repositories.stories.create(
      Story(title: "Rain", hero: luna.ref.name, content: "It fell."))
    try await repositories.stories.delete("snow")
    try await repositories.stories.delete("rain")
    #expect(try library.sidecar("stories/snow").isDeleteStated)
    #expect(try library.states()["stories/rain"] == nil)
    let history = RunHistory(try library.library)
    #expect(try history.runs().prefix(2).map(\.command) == ["rm stories/rain", "rm stories/snow"])
    await #expect(throws: EditError.self) { try await repositories.stories.delete("snwo") }
  }

  /// Whether the index knows the story, and whether it does so still after an edit.
  @Test(arguments: [false, true], [false, true])
  func `a hero that a story names is not deleted`(_ isKnown: Bool, _ isEdited: Bool) async throws {
    let repositories = try repositories()
    for name in ["Luna", "Nora"] {
      _ = try repositories.heroes.create(Hero(name: name, age: 7, traits: ["brave"]))
    }
    _ = try repositories.stories.create(Story(title: "Snow", hero: "luna", content: "It came."))
    if isKnown {
      for path in ["stories/snow.json", "heroes/luna.json", "heroes/nora.json"] {
        try FileSystem.setModified(library.path(path), 1_700_000_000_000_000_000)
      }
      for _ in 0..<2 { _ = try library.scan() }
    }
    if isEdited { try repositories.stories.update("snow") { $0.hero = "nora" } }
    let (named, free) = isEdited ? ("nora", "luna") : ("luna", "nora")
    let story = RecordRef(kind: .stories, name: "snow")
    let hero = RecordRef(kind: .heroes, name: named)
    await #expect(throws: EditError.stillNamed(hero, by: [story])) {
      try await repositories.heroes.delete(named)
    }
    try await repositories.heroes.delete(free)
    #expect(!library.exists("heroes/\(free).json"))
  }

  @Test func `a failure is the record's state`() async throws {
    let repositories = try repositories()
    _ = try repositories.heroes.create(Hero(name: "Luna", age: 7, traits: ["brave"]))
    let body = #"{"error":{"code":"validation","message":"no"}}"#
    world.server.addFault(
      FaultRule(
        .replaceBody(
          Array(
            #"{"data":{"results":[{"status":400,"error":{"code":"validation","message":"too young"}}]}}"#
              .utf8)),
        path: "/api/batch"))
    world.server.addFault(
      FaultRule(.answer(status: 400, body: Array(body.utf8)), method: "POST", path: "/api/heroes"))
    try await repositories.sync()
    let luna = try await repositories.heroes.fetch("luna", policy: .cacheOnly).value
    #expect(luna.failure != nil && luna.name == "Luna")
  }

  /// Which policies ask the server, with something held and without, and what they do without it.
  @Test(arguments: CachePolicy.allCases)
  func `each policy asks where it says`(_ policy: CachePolicy) async throws {
    let other = try world.library("yours")
    try other.write("heroes/nora.json", #"{"name":"Nora","age":6,"traits":["brave"]}"#)
    try await other.sync()
    world.server.clearRequestLog()
    let empty = try repositories()
    switch policy {
    case .cacheOnly:
      #expect(try await empty.heroes.fetchAll(policy: policy).value.isEmpty)
      #expect(world.server.requestCount == 0)
      await #expect(throws: EditError.self) {
        try await empty.heroes.fetch("nora", policy: policy)
      }
    default:
      #expect(try await empty.heroes.fetchAll(policy: policy).value.map(\.name) == ["Nora"])
      #expect(world.server.requestCount > 0)
    }
    try await library.sync(.pull)
    world.server.clearRequestLog()
    let held = try await repositories().heroes.fetch("nora", policy: policy)
    #expect(held.value.age == 6)
    if policy == .cacheAndNetwork {
      #expect(try await held.refresh?.value.age == 6)
    }
    let asks = policy != .cacheOnly && policy != .cacheFirst
    #expect((world.server.requestCount > 0) == asks)
    // Without a network.
    let cut = try repositories(gone)
    switch policy {
    case .networkOnly:
      await #expect(throws: APIError.self) { try await cut.heroes.fetch("nora", policy: policy) }
    case .networkFirst:
      let old = try await cut.heroes.fetch("nora", policy: policy)
      #expect(old.failure == .network(.refused) && old.age != nil)
    default:
      #expect(try await cut.heroes.fetch("nora", policy: policy).value.name == "Nora")
    }
  }

  @Test func `the profile is asked for and can be renamed`() async throws {
    let repositories = try repositories()
    #expect(try await repositories.user.profile().value.email == TestWorld.account)
    #expect(try await repositories.user.rename(to: "Max").name == "Max")
  }
}
