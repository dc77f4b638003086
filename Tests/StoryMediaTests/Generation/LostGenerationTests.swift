import StoryAPI
import StoryLibrary
import StoryMedia
import StoryServer
import StorySync
@testable import StorySyncTests
import TestSupport
import Testing

/// Orders whose answer is lost, against the embedded server: one that knows keys is asked again with
/// the same one; one that does not is looked at, and never asked for the same thing twice.
@Suite(.inTurn) struct LostGenerationTests {
  enum Order: String, CaseIterable, Sendable {
    case story, avatar, audio, illustrations

    /// The path that it is sent to, behind the form's own beginning.
    var path: String {
      switch self {
      case .story: "/stories"
      case .avatar: "/heroes/*/avatar"
      case .audio, .illustrations: "/stories/*/\(rawValue)"
      }
    }
  }

  /// A synced library with a hero and a story, and its face for programs.
  ///
  /// - Parameter isPatient: whether time stands still, so that no wait for the server ever ends.
  private func world(
    _ api: ServerAPI, isPatient: Bool = true
  ) async throws -> (TestLibrary, Repositories) {
    let world = try TestWorld(api) {
      $0.generation.engine = TestEngine()
    }
    let library = try world.library("mine")
    try library.write(
      "heroes/luna.json", "{\"name\": \"Luna\", \"age\": 7, \"traits\": [\"brave\"]}\n")
    try library.write(
      "stories/snow.json", "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": \"It came.\"}\n")
    try await library.sync()
    _ = world.takeRequests()
    // Questions follow each other at once.
    var time = SteppingClock().source
    if isPatient {
      time.sleep = { _ in
        try Task.checkCancellation()
        await Task.yield()
      }
    }
    let repositories = Repositories(try library.library, time: time) { [time] _ in
      Connection(
        client: try world.client(time: time),
        identity: .init(server: world.server.url, account: TestWorld.account))
    }
    return (library, repositories)
  }

  private func give(_ order: Order, _ repositories: Repositories) async throws -> [GenerationStep] {
    let generation =
      switch order {
      case .story: repositories.stories.generate(StoryWish(hero: "luna"))
      case .avatar: repositories.heroes.generateAvatar("luna")
      case .audio: repositories.stories.generateAudio("snow")
      case .illustrations: repositories.stories.generateIllustrations("snow")
      }
    var steps: [GenerationStep] = []
    for try await step in generation { steps.append(step) }
    return steps
  }

  @Test(arguments: ServerAPI.allCases, Order.allCases)
  func `what was made is found`(_ api: ServerAPI, _ order: Order) async throws {
    let (library, repositories) = try await world(api)
    let world = library.world
    world.server.addFault(
      FaultRule(.dropAfterHandling, method: "POST", path: world.base + order.path, number: 1))
    let steps = try await give(order, repositories)
    #expect(steps.contains(.lookingUp) == (api == .v1))
    let orders = world.takeRequests().filter { $0.method == "POST" }
    #expect(orders.count == (api == .v0 ? 2 : 1))
    // Once, whichever way.
    let usage = try await world.client().usage(policy: .networkOnly).value
    let counts = usage.map { $0.limit - $0.remaining }.filter { $0 > 0 }
    #expect(counts == [1])
    #expect(try world.records(.stories).count == (order == .story ? 2 : 1))
    #expect(try library.states().isEmpty)
  }

  @Test func `a generation that is run again joins its request`() async throws {
    let (library, repositories) = try await world(.v0)
    let world = library.world
    let generation = repositories.stories.generate(StoryWish(hero: "luna"))
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let isCancelled = Box(false)
    world.server.addFault(
      FaultRule(
        .before { _ in
          arrival.yield()
          waitUntil { isCancelled.value }
        }, method: "POST", path: "\(world.base)/stories", number: 1))
    let cancelled = Task { try await generation.result() }
    for await _ in arrivals { break }
    cancelled.cancel()
    await #expect(throws: APIError.cancelled) { try await cancelled.value }
    isCancelled.value = true
    let made = try await generation.result()
    #expect(try await generation.result() == made)
    #expect(try world.records(.stories).count == 2)
    #expect(try library.states().isEmpty)
    // Another one makes another story.
    #expect(
      try await repositories.stories.generate(StoryWish(hero: "luna")).result().ref != made.ref)
  }

  @Test(arguments: Order.allCases)
  func `a generation has one key`(_ order: Order) async throws {
    let (library, repositories) = try await world(.v0)
    let world = library.world
    var options = StoryMedia.GenerationOptions()
    options.regenerates = true
    let generation =
      switch order {
      case .story: repositories.stories.generate(StoryWish(hero: "luna"))
      case .avatar: repositories.heroes.generateAvatar("luna", options)
      case .audio: repositories.stories.generateAudio("snow", options)
      case .illustrations: repositories.stories.generateIllustrations("snow", options)
      }
    for _ in 0..<2 { _ = try await generation.result() }
    let usage = try await world.client().usage(policy: .networkOnly).value
    #expect(usage.map { $0.limit - $0.remaining }.filter { $0 > 0 } == [1])
    #expect(try library.states().isEmpty)
  }

  @Test func `a rewriting that is run again takes the same text`() async throws {
    let (library, repositories) = try await world(.v0)
    let world = library.world
    let rewriting = repositories.stories.regenerate("snow")
    for _ in 0..<2 {
      await #expect(throws: GenerationError.placeholder(RecordRef(kind: .stories, name: "snow"))) {
        try await rewriting.result()
      }
    }
    let usage = try await world.client().usage(policy: .networkOnly).value
    #expect(usage.map { $0.limit - $0.remaining }.filter { $0 > 0 } == [1])
    #expect(try world.records(.stories).count == 1)
  }

  @Test(arguments: [Order.story, .avatar])
  func `what never came of it is told`(_ order: Order) async throws {
    let (library, repositories) = try await world(.v1, isPatient: false)
    let world = library.world
    world.server.addFault(
      FaultRule(.dropBeforeHandling, method: "POST", path: world.base + order.path))
    await #expect(throws: GenerationError.answerLost) { try await give(order, repositories) }
    #expect(world.takeRequests().filter { $0.method == "POST" }.count == 1)
    #expect(try library.states().isEmpty)
  }
}
