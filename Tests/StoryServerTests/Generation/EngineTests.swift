import JSONText
import StoryServer
import Synchronization
import TestSupport
import Testing

/// What the server asks of an engine, and what becomes of its answers and failures.
@Suite(.inTurn) struct EngineTests {
  private let folder: TemporaryFolder
  /// The servers of the test, which go with it.
  private let servers = Box<[TestServer]>([])

  init() throws { folder = try TemporaryFolder() }

  private func client(of engine: TestEngine) throws -> TestClient {
    let server = try TestServer { $0.generation.engine = engine }
    servers.value.append(server)
    return try server.client()
  }

  private static let story = WrittenStory(
    title: "The Lighthouse", paragraphs: ["One.", "Two.", "Three."],
    scenes: [
      .init(paragraph: 3, description: "Luna waves"), .init(paragraph: 1, description: "The sea"),
    ])

  /// Every failure that an engine can have.
  static let failures: [EngineError] = [
    .notSet(.text), .unreachable("refused"), .timedOut(seconds: 9), .badKey, .busy(retryAfter: 90),
    .busy(retryAfter: nil), .quotaExceeded, .refused("no"), .failed(status: 500, message: "broken"),
    .empty, .truncated, .wrongLanguage(wanted: "en", found: "es"), .unusable("no JSON"),
    .program("piper is not installed"), .prompt("story.txt:3"),
  ]

  @Test(arguments: failures)
  func `a failure is answered with its reason, and nothing is stored`(_ failure: EngineError) throws
  {
    var engine = TestEngine()
    engine.writing = { (_) async throws(EngineError) in throw failure }
    engine.drawing = { (_) async throws(EngineError) in throw failure }
    engine.speaking = { (_) async throws(EngineError) in throw failure }
    let client = try client(of: engine)
    let hero = try client.createHero("Luna")
    let own = try client.createStory("Snow", hero: hero.id)
    let key = ["Idempotency-Key": "k"]
    for path in ["stories", "heroes/\(hero.id)/avatar", "stories/\(own.id)/audio"] {
      let answer = try client.send(
        "POST", "/api/\(path)", ["heroId": .string(hero.id)], headers: key)
      #expect(answer.status == 424, "\(path)")
      #expect(answer.json?["error"]?["code"]?.string == failure.code)
      #expect(answer.json?["error"]?["message"]?.string == failure.message)
    }
    #expect(try client.send("GET", "/api/stories").json?["pagination"]?["total"] == 1)
    #expect(try client.send("GET", "/api/heroes/\(hero.id)").data?["avatarUrl"] == JSONValue.null)
    let audio = try client.send("GET", "/api/stories/\(own.id)/audio").data
    #expect(audio?["status"] == "failed" && audio?["error"]?.string == failure.message)
    // What failed counts for nothing.
    let usage = try client.send("GET", "/api/user/usage").data
    for what in ["story", "avatar", "audio"] {
      let use = usage?["\(what)_generation"]
      #expect(use?["remaining"] == use?["limit"])
    }
    #expect(try client.send("POST", "/api/stories/\(own.id)/illustrations").status == 202)
    let status = try untilDone(client, own.id)
    #expect(status["status"] == "failed")
    #expect(status["illustrations"]?.array?.first?["error"]?.string == failure.message)
  }

  @Test func `what failed is made by the same request`() throws {
    let calls = Box(0)
    var engine = TestEngine()
    engine.speaking = { (_) async throws(EngineError) in
      calls.value += 1
      guard calls.value > 1 else { throw .quotaExceeded }
      return Narration(bytes: SampleSound.wav(), voice: "v")
    }
    let client = try client(of: engine)
    let hero = try client.createHero("Luna")
    let story = try client.createStory("Snow", hero: hero.id)
    let path = "/api/stories/\(story.id)/audio"
    #expect(try client.send("POST", path, headers: ["Idempotency-Key": "k"]).status == 424)
    #expect(try client.send("POST", path, headers: ["Idempotency-Key": "k"]).status == 200)
    let audio = try #require(try client.send("GET", path).data)
    #expect(audio["status"] == "completed" && audio["error"] == nil)
  }

  @Test func `a story is kept though nobody could read it aloud`() throws {
    var engine = TestEngine()
    engine.writing = { (_) async throws(EngineError) in Self.story }
    engine.speaking = { (_) async throws(EngineError) in throw .badKey }
    let client = try client(of: engine)
    let hero = try client.createHero("Luna")
    let made = try client.send(
      "POST", "/api/stories", ["heroId": .string(hero.id), "generateAudio": true])
    #expect(made.status == 201)
    #expect(made.data?["content"] == "One.\n\nTwo.\n\nThree.")
    #expect(made.data?["audioGenerationStatus"] == "failed")
    #expect(made.data?["audioError"]?.string == EngineError.badKey.message)
    #expect(made.data?["isPlaceholder"] == nil)
  }

  @Test func `an engine that asks for a moment gets it`() throws {
    let calls = Box(0)
    var engine = TestEngine()
    engine.writing = { (_) async throws(EngineError) in
      calls.value += 1
      guard calls.value == 3 else { throw .busy(retryAfter: 0) }
      return Self.story
    }
    let client = try client(of: engine)
    let hero = try client.createHero("Luna")
    #expect(try client.send("POST", "/api/stories", ["heroId": .string(hero.id)]).status == 201)
    #expect(calls.value == 3)
  }

  @Test func `a stop cancels what an engine does, and nothing is stored`() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    var engine = TestEngine()
    engine.writing = { (_) async throws(EngineError) in
      begin.yield()
      do { try await Task.sleep(for: .seconds(3_600)) } catch { throw .cancelled }
      throw .empty
    }
    let server = try TestServer(folder: folder) { [engine] in $0.generation.engine = engine }
    let client = try server.client()
    let hero = try client.createHero("Luna")
    client.connection.send(
      client.request("POST", "/api/stories", ["heroId": .string(hero.id)]))
    for await _ in begun { break }
    server.server.stop()
    #expect(try client.connection.receive(toHead: false).status == 503)
    let again = try TestServer(folder: folder)
    let stories = try again.client().send("GET", "/api/stories").json
    #expect(stories?["pagination"]?["total"] == 0)
  }

  @Test func `what is asked for comes from the records`() throws {
    let asked = Box<StoryRequest?>(nil)
    let drawn = Box<[PictureRequest]>([])
    let read = Box<SpeechRequest?>(nil)
    var engine = TestEngine()
    engine.writing = { (request) async throws(EngineError) in
      asked.value = request
      return Self.story
    }
    engine.drawing = { (request) async throws(EngineError) in
      drawn.value.append(request)
      return DrawnPicture(bytes: ScriptedEngine.picture)
    }
    engine.speaking = { (request) async throws(EngineError) in
      read.value = request
      return Narration(bytes: SampleSound.mp3(frames: 10), voice: "nova")
    }
    let client = try client(of: engine)
    let hero = try #require(
      try client.send(
        "POST", "/api/heroes",
        [
          "name": "Rolo", "age": 3, "traits": ["slow"], "specialAbility": "climbs walls",
          "appearance": "a snail with a blue shell", "eyeColor": "green",
        ]
      ).data)
    let event = try #require(
      try client.send(
        "POST", "/api/custom-events",
        [
          "title": "Rain", "promptSeed": "it rains", "tone": "playful", "keywords": ["puddle"],
          "ageRange": "3-5",
        ]
      ).data)
    _ = try client.createStory("An Earlier One", hero: hero.id)
    let made = try client.send(
      "POST", "/api/stories",
      [
        "heroId": .string(hero.id), "customEventId": .string(event.id), "language": "fr",
        "generateAudio": true, "generateIllustrations": true,
      ])
    let story = try #require(made.data)
    let sheet = StoryHero(
      name: "Rolo", age: 3, traits: ["slow"], abilities: ["climbs walls"],
      looks: ["a snail with a blue shell", "eyes: green"])
    var request = StoryRequest(
      hero: sheet,
      event: .custom(
        .init(
          title: "Rain", prompt: "it rains", tone: "playful", keywords: ["puddle"],
          ageRange: "3-5")), language: "fr")
    request.earlierTitles = ["An Earlier One"]
    #expect(asked.value == request)
    #expect(read.value?.paragraphs == ["The Lighthouse", "One.", "Two.", "Three."])
    #expect(read.value?.language == "fr")
    #expect(story["audioUrl"]?.string?.hasSuffix(".mp3") == true)
    #expect(story["audioDuration"] == number("0.3"))
    let audio = try client.send("GET", try #require(story["audioUrl"]?.string))
    #expect(audio["content-type"] == "audio/mpeg")
    _ = try untilDone(client, story.id)
    // In the story's order, with the hero's looks each time.
    #expect(
      drawn.value.map(\.subject) == [
        .scene("The sea", story: "The Lighthouse"), .scene("Luna waves", story: "The Lighthouse"),
      ])
    #expect(drawn.value.allSatisfy { $0.hero == sheet })
    let avatar = try client.send(
      "POST", "/api/heroes/\(hero.id)/avatar", ["prompt": "in the rain"])
    #expect(avatar.status == 200)
    #expect(drawn.value.last?.subject == .avatar(wish: "in the rain"))
    // Another text has other scenes.
    let changed = try client.send(
      "PATCH", "/api/stories/\(story.id)", ["content": "Mine."])
    #expect(changed.data?["scenes"] == nil)
  }

  @Test(
    arguments: [
      ("", "One.", "engineUnusable", "it has no title"),
      (String(repeating: "T", count: 501), "One.", "engineUnusable", "its title is too long"),
      ("T", " ", "engineEmpty", nil),
    ] as [(String, String, String, String?)])
  func `half a story is none`(
    title: String, text: String, code: String, reason: String?
  ) throws {
    let story = WrittenStory(title: title, paragraphs: [text])
    var engine = TestEngine()
    engine.writing = { (_) async throws(EngineError) in story }
    let client = try client(of: engine)
    let hero = try client.createHero("Luna")
    let made = try client.send("POST", "/api/stories", ["heroId": .string(hero.id)])
    #expect(made.status == 424 && made.json?["error"]?["code"]?.string == code)
    if let reason {
      #expect(made.json?["error"]?["message"]?.string?.contains(reason) == true)
    }
  }

  @Test func `what is no picture or no sound is not kept`() throws {
    var engine = TestEngine()
    engine.drawing = { (_) async throws(EngineError) in DrawnPicture(bytes: Array("<svg/>".utf8)) }
    engine.speaking = { (_) async throws(EngineError) in
      Narration(bytes: Array("OggS".utf8), voice: "v")
    }
    let client = try client(of: engine)
    let hero = try client.createHero("Luna")
    let story = try client.createStory("Snow", hero: hero.id)
    for path in ["heroes/\(hero.id)/avatar", "stories/\(story.id)/audio"] {
      let answer = try client.send("POST", "/api/\(path)")
      #expect(answer.json?["error"]?["code"] == "engineUnusable", "\(path)")
    }
  }

  /// Asks for the state of a story's pictures until all are made or failed.
  private func untilDone(_ client: TestClient, _ story: String) throws -> JSONValue {
    for _ in 0..<10_000 {
      let status = try #require(
        try client.send("GET", "/api/stories/\(story)/illustrations/status").data)
      if !["pending", "processing"].contains(status["status"]?.string) { return status }
    }
    Issue.record("the pictures are never done")
    return nil
  }
}

/// A value that several threads share.
private final class Box<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
