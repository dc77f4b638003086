import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
@testable import StorySyncTests
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct GenerationTests {
  private typealias Reply = ScriptedServer.Reply
  private typealias Request = ScriptedServer.Request

  private static let story =
    #"{"id":"s9","title":"The Night Train","content":"It left.\n\nLuna slept.","heroId":"h1","eventType":"bedtime","language":"en","isFavorite":false,"playCount":0,"createdAt":"2026-11-21T10:00:00.000Z","updatedAt":"2026-11-21T10:00:00.000Z"}"#

  private static func health(_ features: String = #""idempotency""#) -> Reply {
    .answer(
      200,
      #"{"data":{"status":"healthy","version":"1","features":[\#(features)],"limits":{"page":100,"batch":100}}}"#
    )
  }

  private static func list(_ items: String, total: Int) -> Reply {
    .answer(
      200,
      #"{"data":[\#(items)],"pagination":{"total":\#(total),"limit":100,"offset":0,"hasMore":false}}"#
    )
  }

  private static func status(
    _ state: String, done: Int, failed: Int = 0, total: Int = 3
  ) -> Reply {
    let items = (1...total).map { place -> String in
      let word = place <= done ? "completed" : place <= done + failed ? "failed" : "pending"
      let error = word == "failed" ? #""too dark""# : "null"
      return
        #"{"id":"p\#(place)","displayOrder":\#(place),"status":"\#(word)","error":\#(error),"hasImage":\#(word == "completed")}"#
    }.joined(separator: ",")
    return .answer(
      200,
      #"{"data":{"status":"\#(state)","progress":0,"total":\#(total),"completed":\#(done),"processing":0,"failed":\#(failed),"pending":\#(total - done - failed),"illustrations":[\#(items)]}}"#
    )
  }

  private func steps(_ generation: Generation) async throws -> [GenerationStep] {
    var steps: [GenerationStep] = []
    for try await step in generation { steps.append(step) }
    return steps
  }

  @Test(arguments: [".sync", "book.json", Array(repeating: "d", count: 33).joined(separator: "/")])
  func `no story is made for a folder that no scan looks at`(_ folder: String) async throws {
    let world = try ScriptedLibrary { _, _ in Self.health() }
    try world.addLuna()
    let repositories = try world.repositories()
    let problem = await #expect(throws: Problem.self) {
      _ = try await repositories.stories.generate(StoryWish(hero: "luna", folder: folder)).result()
    }
    #expect(problem?.code == .name)
    #expect(!world.server.requests.contains { $0.method == "POST" })
  }

  @Test func `pictures that failed are requested with a new key`() async throws {
    let world = try drawing([Self.status("failed", done: 0, failed: 3)])
    let generation = try world.repositories().stories.generateIllustrations("snow")
    for _ in 0..<2 { #expect(try await generation.result().hasFailed) }
    let keys = world.server.requests.filter { $0.method == "POST" }
      .compactMap { $0.headers["idempotency-key"] }
    #expect(keys.count == 2 && Set(keys).count == 2, "\(keys)")
  }

  @Test func `a story becomes a record with its sidecar`() async throws {
    let world = try ScriptedLibrary { request, _ in
      request.method == "POST"
        ? .answer(201, #"{"data":\#(Self.story)}"#) : Self.health()
    }
    try world.addLuna()
    let repositories = try world.repositories()
    let steps = try await steps(repositories.stories.generate(StoryWish(hero: "luna")))
    let ref = RecordRef(kind: .stories, name: "the-night-train")
    #expect(steps == [.working, .recorded(ref), .finished(GenerationResult(ref: ref))])
    #expect(
      try world.read("stories/the-night-train.json").contains(#""hero": "luna""#))
    #expect(try world.sidecar("stories/the-night-train").id == "s9")
    let post = try #require(world.server.requests.last { $0.method == "POST" })
    #expect(post.target == "/api/stories")
    #expect(post.headers["idempotency-key"]?.count == 32)
    #expect(
      try JSONValue(parsing: post.body) == [
        "heroId": "h1", "eventType": "bedtime", "language": "en", "generateAudio": false,
        "generateIllustrations": false,
      ])
    #expect(try Scanner(world.library).scan().entries.allSatisfy { $0.state == .synced })
  }

  @Test func `a lost answer is asked for again with the same key where that is safe`() async throws
  {
    let posts = Box(0)
    let world = try ScriptedLibrary { request, _ in
      guard request.method == "POST" else { return Self.health() }
      posts.value += 1
      return posts.value == 1 ? .drop : .answer(201, #"{"data":\#(Self.story)}"#)
    }
    try world.addLuna()
    _ = try await world.repositories().stories.generate(StoryWish(hero: "luna")).result()
    let keys = world.server.requests.filter { $0.method == "POST" }.map {
      $0.headers["idempotency-key"]
    }
    #expect(keys.count == 2 && Set(keys).count == 1)
  }

  @Test func `elsewhere a lost answer is looked up and never asked for twice`() async throws {
    let listings = Box(0)
    let old = Self.story.replacing("s9", with: "s1")
    let world = try ScriptedLibrary { request, _ in
      if request.method == "POST" { return .drop }
      if request.target.hasPrefix("/api/health") { return Self.health("") }
      guard request.target.hasPrefix("/api/stories") else { return .answer(404, "{}") }
      listings.value += 1
      // Before the order, then while the server writes, then when it is done.
      return listings.value < 4
        ? Self.list(old, total: 1) : Self.list(Self.story + "," + old, total: 2)
    }
    try world.addLuna()
    let steps = try await steps(
      world.repositories().stories.generate(StoryWish(hero: "luna")))
    #expect(steps.prefix(2) == [.working, .lookingUp])
    #expect(try world.sidecar("stories/the-night-train").id == "s9")
    #expect(world.server.requests.filter { $0.method == "POST" }.count == 1)
    #expect(world.server.requests.contains { $0.target.contains("heroId=h1") })
  }

  @Test func `a lost answer that nothing came of is told, and not asked for twice`() async throws {
    let world = try ScriptedLibrary { request, _ in
      if request.method == "POST" { return .drop }
      return request.target.hasPrefix("/api/health") ? Self.health("") : Self.list("", total: 0)
    }
    try world.addLuna()
    await #expect(throws: GenerationError.answerLost) {
      try await world.repositories().stories.generate(StoryWish(hero: "luna")).result()
    }
    #expect(world.server.requests.filter { $0.method == "POST" }.count == 1)
    // The time that a story may take, and not more.
    let waited = world.clock.slept.reduce(.zero, +)
    #expect(waited > .seconds(160) && waited <= .seconds(180))
  }

  /// A story whose pictures get on by one with each question.
  private func drawing(_ answers: [Reply]) throws -> ScriptedLibrary {
    let asked = Box(0)
    let world = try ScriptedLibrary { request, _ in
      switch request.target {
      case "/api/stories/s1/illustrations/status":
        asked.value += 1
        return answers[min(asked.value, answers.count) - 1]
      case "/api/stories/s1/illustrations":
        return request.method == "POST"
          ? .answer(202, #"{"data":{}}"#) : .answer(200, #"{"data":[]}"#)
      case "/api/stories/s1":
        return .answer(
          200,
          #"{"data":{"id":"s1","title":"Snow","content":"It came.","heroId":"h1","language":"en","illustrationStatus":"completed","illustrationCount":3,"updatedAt":"2026-11-21T10:00:00.000Z"}}"#
        )
      default: return Self.health()
      }
    }
    try world.addLuna()
    try world.addSnow()
    return world
  }

  @Test func `pictures are asked for with growing waits`() async throws {
    let world = try drawing(
      [Self.status("none", done: 0)]
        + (0..<3).flatMap { done in
          [Reply](repeating: Self.status("processing", done: done), count: 3)
        }
        + [Self.status("completed", done: 3)])
    let result = try await world.repositories().stories.generateIllustrations("snow").result()
    #expect(result.pictures?.completed == 3 && !result.hasFailed && !result.isStillUnderWay)
    #expect(world.clock.slept.first == .seconds(1))
    #expect(world.clock.slept.last == .seconds(10))
    #expect(zip(world.clock.slept, world.clock.slept.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(try world.sidecar("stories/snow").server["illustrationStatus"] == "completed")
  }

  @Test func `pictures that could not be made are told one by one`() async throws {
    let world = try drawing([
      Self.status("none", done: 0), Self.status("processing", done: 1),
      Self.status("partial", done: 2, failed: 1),
    ])
    let result = try await world.repositories().stories.generateIllustrations("snow").result()
    #expect(result.hasFailed)
    #expect(result.pictures?.items.last?.error == "too dark")
  }

  @Test func `pictures that are under way are joined, not asked for again`() async throws {
    let world = try drawing([
      Self.status("processing", done: 1), Self.status("completed", done: 3),
    ])
    _ = try await world.repositories().stories.generateIllustrations("snow").result()
    #expect(!world.server.requests.contains { $0.method == "POST" })
  }

  @Test func `the time to wait ends`() async throws {
    let world = try drawing([Self.status("processing", done: 1)])
    var options = GenerationOptions()
    options.polling.limit = .seconds(30)
    let result = try await world.repositories().stories
      .generateIllustrations("snow", options).result()
    #expect(result.isStillUnderWay && !result.hasFailed)
    #expect(world.clock.slept.reduce(.zero, +) <= .seconds(30))
  }

  @Test func `what is there is not made again`() async throws {
    let world = try ScriptedLibrary { _, _ in .answer(500, "{}") }
    try world.addLuna(avatar: "/media/a.png")
    let result = try await world.repositories().heroes.generateAvatar("luna").result()
    #expect(result.existed && world.server.requests.isEmpty)
  }

  @Test func `a record that the server lacks is not sent where that is forbidden`() async throws {
    let world = try ScriptedLibrary { _, _ in Self.health() }
    _ = try world.repositories().heroes.create(Hero(name: "Otto", age: 4, traits: ["calm"]))
    var options = GenerationOptions()
    options.pushes = false
    await #expect(
      throws: GenerationError.notOnServer(RecordRef(kind: .heroes, name: "otto"))
    ) {
      try await world.repositories().heroes.generateAvatar("otto", prompt: nil, options).result()
    }
    #expect(world.server.requests.isEmpty)
  }
}
