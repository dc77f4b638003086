import Foundation
import JSONText
import StoryServer
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct GenerationTests {
  /// A server with an engine that does everything at once.
  private func server(
    folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(),
    _ configure: (inout ServerOptions) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(folder: folder, clock: clock) { options in
      options.generation.engine = TestEngine()
      configure(&options)
    }
  }

  @Test func aHeroGetsAnAvatar() throws {
    let server = try self.server()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let path = "/api/heroes/\(hero.id)"
    let made = try client.send("POST", "\(path)/avatar", ["prompt": "with a hat"])
    #expect(made.status == 200)
    #expect(made.data?["heroId"]?.string == hero.id)
    let url = try #require(made.data?["avatarUrl"]?.string)
    let changed = try #require(try client.send("GET", path).data)
    #expect(changed["avatarUrl"]?.string == url)
    #expect(changed["avatarGenerationId"] == made.data?["generationId"])
    #expect(changed.updatedAt > hero.updatedAt)
    let listed = try client.send("GET", "/api/heroes?updatedAfter=\(changed.updatedAt)")
    #expect(listed.json?["data"]?.array?.count == 1)
    let file = try client.send("GET", url)
    #expect(file.status == 200)
    #expect(file["content-type"] == "image/png")
    #expect(file.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // One that is made again takes the other's place.
    let again = try #require(
      try client.send("POST", "\(path)/avatar").data?["avatarUrl"]?.string)
    #expect(again != url)
    #expect(try client.send("GET", url).status == 404)
    #expect(try client.send("GET", again).status == 200)
    #expect(try client.send("DELETE", path).status == 200)
    #expect(try client.send("GET", again).status == 404)
    #expect(try client.send("POST", "\(path)/avatar").status == 404)
  }

  @Test func aStoryIsWrittenReadAndDrawn() throws {
    let server = try self.server()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let wish: JSONValue = [
      "heroId": .string(hero.id), "eventType": "bedtime", "language": "en", "generateAudio": true,
      "generateIllustrations": true,
    ]
    let made = try client.send("POST", "/api/stories", wish)
    #expect(made.status == 201)
    let story = try #require(made.data)
    #expect(made["etag"] == "\"\(story.updatedAt)\"")
    #expect(story["content"]?.string?.contains("Luna") == true)
    #expect(story["eventType"] == "bedtime")
    #expect(story["audioGenerationStatus"] == "completed")
    let audio = try client.send("GET", try #require(story["audioUrl"]?.string))
    #expect(audio["content-type"] == "audio/wav")
    #expect(audio.body.starts(with: Array("RIFF".utf8)))
    let path = "/api/stories/\(story.id)"
    let done = try untilDone(client, path)
    #expect(done["status"] == "completed")
    #expect(done["progress"] == 100)
    #expect(done["completed"] == done["total"])
    let pictures = try #require(
      try client.send("GET", "\(path)/illustrations").json?["data"]?.array)
    #expect(pictures.count == integer(done["total"]))
    for picture in pictures {
      #expect(picture["storyId"]?.string == story.id)
      #expect(picture["isPlaceholder"] == true)
      let file = try client.send("GET", try #require(picture["imageUrl"]?.string))
      #expect(file["content-type"] == "image/png")
    }
    let whole = try #require(
      try client.send("GET", "\(path)?includeIllustrations=true").data)
    #expect(whole["illustrations"] == .array(pictures))
    #expect(whole["illustrationStatus"] == "completed")
    #expect(integer(whole["illustrationCount"]) == pictures.count)
    #expect(try client.send("DELETE", path).status == 200)
    for url in pictures.compactMap({ $0["imageUrl"]?.string }) {
      #expect(try client.send("GET", url).status == 404)
    }
    #expect(try client.send("GET", "\(path)/illustrations/status").status == 404)
  }

  @Test func anotherTextIsNotWhatWasRead() throws {
    let server = try self.server()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let story = try client.createStory("Snow", hero: hero.id)
    let path = "/api/stories/\(story.id)"
    #expect(try client.send("GET", "\(path)/audio").data?["status"] == "pending")
    let made = try client.send("POST", "\(path)/audio", ["language": "en", "voice": "nova"])
    #expect(made.status == 200)
    #expect(made.data?["voice"] == "nova")
    let url = try #require(made.data?["audioUrl"]?.string)
    #expect(try client.send("GET", "\(path)/audio").data?["status"] == "completed")
    #expect(try client.send("POST", "\(path)/audio").data?["audioUrl"]?.string == url)
    #expect(try client.send("PATCH", path, ["title": "Ice"]).data?["audioUrl"]?.string == url)
    let changed = try #require(try client.send("PATCH", path, ["content": "Twice."]).data)
    #expect(changed["audioUrl"] == JSONValue.null)
    #expect(changed["audioDuration"] == JSONValue.null)
    #expect(changed["audioGenerationStatus"] == "pending")
    #expect(try client.send("GET", url).status == 404)
  }

  @Test func aKeyStandsForOneThingMade() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try self.server(folder: folder)
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    let story = try client.createStory("Snow", hero: hero.id)
    let requests: [(String, JSONValue?)] = [
      ("/api/heroes/\(hero.id)/avatar", ["prompt": "p"]),
      ("/api/stories", ["heroId": .string(hero.id), "eventType": "birthday"]),
      ("/api/stories/\(story.id)/audio", ["language": "en"]),
      ("/api/stories/\(story.id)/illustrations", nil),
    ]
    var answers: [RawResponse] = []
    for (path, body) in requests {
      answers.append(
        try client.send("POST", path, body, headers: ["Idempotency-Key": path]))
    }
    #expect(answers.map(\.status) == [200, 201, 200, 202])
    for _ in 0..<2 {
      for ((path, body), first) in zip(requests, answers) {
        let again = try client.send("POST", path, body, headers: ["Idempotency-Key": path])
        #expect(again.status == first.status)
        #expect(again.body == first.body)
        #expect(again["idempotent-replayed"] == "true")
        let other = try client.send(
          "POST", path, ["heroId": .string(hero.id), "x": 1], headers: ["Idempotency-Key": path])
        #expect(other.status == 422)
      }
      server = nil
      server = try self.server(folder: folder)
      client = try #require(try server?.client())
    }
    #expect(try client.send("GET", "/api/stories").json?["pagination"]?["total"] == 2)
  }

  @Test func limitsHoldForAnHour() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    func start() throws -> TestServer {
      try self.server(folder: folder, clock: clock) { $0.generation.limits[.avatar] = 2 }
    }
    var server: TestServer? = try start()
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    let path = "/api/heroes/\(hero.id)/avatar"
    #expect(try client.send("POST", path).status == 200)
    clock.advance(milliseconds: 600_000)
    #expect(try client.send("POST", path).status == 200)
    server = nil
    server = try start()
    client = try #require(try server?.client())
    let refused = try client.send("POST", path)
    #expect(refused.status == 429)
    #expect(refused["retry-after"] == "3000")
    let usage = try #require(try client.send("GET", "/api/user/usage").data)
    #expect(usage["avatar_generation"]?["limit"] == 2)
    #expect(usage["avatar_generation"]?["remaining"] == 0)
    #expect(usage["avatar_generation"]?["resetAt"] == "2026-11-20T11:00:00.000Z")
    #expect(usage["story_generation"]?["remaining"] == usage["story_generation"]?["limit"])
    clock.advance(milliseconds: 3_000_000)
    #expect(try client.send("POST", path).status == 200)
  }

  @Test(arguments: [
    (fails: ["*"], status: "failed"), (fails: ["2"], status: "partial"),
  ])
  func picturesFailOnRequest(fails: [String], status: String) throws {
    let server = try self.server()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let text = "One.\n\nTwo.\n\nThree."
    let story = try #require(
      try client.send(
        "POST", "/api/stories", TestClient.story("Snow", hero: hero.id, content: text)
      ).data)
    let path = "/api/stories/\(story.id)"
    let faults = fails.map {
      server.server.addFault(
        FaultRule(
          .answer(status: 500, body: Array("Out of paint.".utf8)), method: FaultRule.work,
          path: "/illustrations/\(story.id)/\($0)"))
    }
    let asked = try client.send("POST", "\(path)/illustrations", [:])
    #expect(asked.status == 202)
    #expect(asked.data?["status"] == "pending")
    #expect(asked.data?["total"] == 3)
    let done = try untilDone(client, path)
    #expect(done["status"]?.string == status)
    let second = done["illustrations"]?.array?[1]
    #expect(second?["status"] == "failed")
    #expect(second?["error"] == "Out of paint.")
    #expect(second?["hasImage"] == false)
    #expect(try client.send("GET", path).data?["illustrationStatus"]?.string == status)
    // Asked again, only what failed is made.
    for fault in faults { server.server.removeFault(fault) }
    let before = try client.send("GET", "\(path)/illustrations").json?["data"]?.array
    #expect(try client.send("POST", "\(path)/illustrations", [:]).status == 202)
    #expect(try untilDone(client, path)["status"] == "completed")
    let after = try client.send("GET", "\(path)/illustrations").json?["data"]?.array
    #expect(before?.map(\.id) == after?.map(\.id))
    if status == "partial" { #expect(before?[0] == after?[0]) }
  }

  @Test func workGoesOnAfterAStart() async throws {
    let folder = try TemporaryFolder()
    let (drawing, begin) = AsyncStream.makeStream(of: Void.self)
    var engine = TestEngine()
    engine.drawing = { (_) async throws(EngineError) in
      begin.yield()
      // Until the server is stopped.
      do { try await Task.sleep(for: .seconds(3_600)) } catch { throw .cancelled }
      throw .empty
    }
    var server: TestServer? = try self.server(folder: folder) { [engine] in
      $0.generation.engine = engine
    }
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    let story = try client.createStory("Snow", hero: hero.id)
    let path = "/api/stories/\(story.id)"
    #expect(try client.send("POST", "\(path)/illustrations", [:]).status == 202)
    for await _ in drawing { break }
    // What was being drawn when the server was stopped has not failed.
    server = nil
    server = try self.server(folder: folder) { $0.generation.drawsIllustrations = false }
    client = try #require(try server?.client())
    let status = try client.send("GET", "\(path)/illustrations/status").data
    #expect(status?["failed"] == 0 && status?["status"] == "processing")
    server = nil
    server = try self.server(folder: folder)
    client = try #require(try server?.client())
    #expect(try untilDone(client, path)["status"] == "completed")
  }

  @Test func filesComeInParts() throws {
    let server = try self.server()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let url = try #require(
      try client.send("POST", "/api/heroes/\(hero.id)/avatar").data?["avatarUrl"]?.string)
    let whole = try client.send("GET", url)
    let tag = try #require(whole["etag"])
    let size = whole.body.count
    #expect(whole["accept-ranges"] == "bytes")
    let head = try client.send("HEAD", url)
    #expect(head["content-length"] == String(size))
    let rows: [(range: String, status: Int, part: Range<Int>?)] = [
      ("bytes=0-9", 206, 0..<10), ("bytes=10-", 206, 10..<size),
      ("bytes=-5", 206, (size - 5)..<size), ("bytes=5-99999999999999999999", 206, 5..<size),
      ("bytes=\(size)-", 416, nil), ("bytes=-0", 416, nil), ("bytes=9-3", 200, 0..<size),
      ("bytes=0-1,4-5", 200, 0..<size), ("lines=0-1", 200, 0..<size), ("bytes=x-", 200, 0..<size),
    ]
    for row in rows {
      let answer = try client.send("GET", url, headers: ["Range": row.range])
      #expect(answer.status == row.status, "\(row.range)")
      if let part = row.part { #expect(answer.body == Array(whole.body[part]), "\(row.range)") }
      if row.status == 206, let part = row.part {
        #expect(
          answer["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
      }
      if row.status == 416 { #expect(answer["content-range"] == "bytes */\(size)") }
    }
    let same = try client.send(
      "GET", url, headers: ["Range": "bytes=0-3", "If-Range": tag])
    #expect(same.status == 206)
    let other = try client.send(
      "GET", url, headers: ["Range": "bytes=0-3", "If-Range": "\"other\""])
    #expect(other.status == 200)
    #expect(try client.send("GET", url, headers: ["If-None-Match": tag]).status == 304)
    let stranger = try server.client(email: "bob@example.org")
    #expect(try stranger.send("GET", url).status == 404)
    #expect(try server.stranger().send("GET", url).status == 401)
  }

  @Test func badWishesAreRefused() throws {
    let server = try self.server()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let rows: [(JSONValue, String)] = [
      ([:], "heroId"), (["heroId": "none"], "heroId"),
      (["heroId": .string(hero.id), "eventType": "party"], "eventType"),
      (["heroId": .string(hero.id), "customEventId": "none"], "customEventId"),
      (["heroId": .string(hero.id), "language": "la"], "language"),
      (["heroId": .string(hero.id), "generateAudio": "yes"], "generateAudio"),
      (["heroId": .string(hero.id), "title": 7], "title"),
    ]
    for (body, field) in rows {
      let answer = try client.send("POST", "/api/stories", body)
      #expect(answer.status == 400, "\(field)")
      #expect(answer.json?["error"]?["details"]?[field] != nil, "\(field)")
    }
    #expect(try client.send("GET", "/api/stories").json?["pagination"]?["total"] == 0)
    let event = try #require(
      try client.send(
        "POST", "/api/custom-events", ["title": "The Tooth", "promptSeed": "it fell out"]
      ).data)
    let made = try client.send(
      "POST", "/api/stories", ["heroId": .string(hero.id), "customEventId": .string(event.id)])
    // A placeholder recites no prompt.
    #expect(made.data?["content"]?.string?.contains("ooth") == false)
    #expect(made.data?["customEventId"]?.string == event.id)
    #expect(
      try client.send("GET", "/api/custom-events/\(event.id)").data?["usageCount"] == 1)
  }

  @Test func anEventIsCountedAsItIsWhenItsStoryIsThere() throws {
    let meanwhile = Box<@Sendable () -> Void>({})
    let server = try self.server { options in
      var engine = TestEngine()
      engine.writing = { (request) async throws(EngineError) in
        meanwhile.value()
        return try await Placeholder().write(request)
      }
      options.generation.engine = engine
    }
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let event = try #require(
      try client.send(
        "POST", "/api/custom-events", ["title": "The Tooth", "promptSeed": "it fell out"]
      ).data)
    let path = "/api/custom-events/\(event.id)"
    let wish: JSONValue = ["heroId": .string(hero.id), "customEventId": .string(event.id)]
    meanwhile.value = { [server = server.server] in
      meanwhile.value = {}
      _ = try? server.perform("POST", "/api/stories", body: wish, as: TestServer.email)
    }
    #expect(try client.send("POST", "/api/stories", wish).status < 300)
    #expect(try client.send("GET", path).data?["usageCount"] == 2)
  }

  @Test func filesThatWereLostAreMadeAgain() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try self.server(folder: folder)
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    let url = try #require(
      try client.send("POST", "/api/heroes/\(hero.id)/avatar").data?["avatarUrl"]?.string)
    let before = try client.send("GET", url).body
    server = nil
    try FileManager.default.removeItem(atPath: folder.path + "/data/media")
    server = try self.server(folder: folder)
    client = try #require(try server?.client())
    let again = try client.send("GET", url)
    #expect(again.status == 200)
    #expect(!again.body.isEmpty && !before.isEmpty)
    let other = url.replacing(/[0-9a-f]{16}\.png/, with: "0123456789abcdef.png")
    #expect(try client.send("GET", other).status == 404)
  }

  @Test func recordsThatAreTakenOverKeepTheirPictures() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try self.server(folder: folder)
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    let (kept, gone) = (
      try client.createStory("Snow", hero: hero.id), try client.createStory("Ice", hero: hero.id)
    )
    for story in [kept, gone] {
      let path = "/api/stories/\(story.id)"
      #expect(try client.send("POST", "\(path)/illustrations").status == 202)
      _ = try untilDone(client, path)
    }
    let pictures = try client.send("GET", "/api/stories/\(kept.id)/illustrations").json
    let lost = try client.send("GET", "/api/stories/\(gone.id)/illustrations").json?["data"]?.array
    var records = [hero, kept].map { record in
      ImportedRecord(
        kind: record["title"] == nil ? .heroes : .stories, id: record.id,
        updatedAt: record.updatedAt, json: record.compactBytes)
    }
    // A library may say of a story that its pictures are being made.
    records.append(
      ImportedRecord(
        kind: .stories, id: "waiting", updatedAt: kept.updatedAt,
        json: JSONValue.object([
          "title": "Wait", "content": "One.\n\nTwo.", "heroId": .string(hero.id),
          "illustrationStatus": "processing",
        ]).compactBytes))
    server = nil
    var options = ServerOptions(dataFolder: folder.path + "/data")
    let clock = ManualClock()
    options.clock = { clock.now }
    do {
      let importing = try StoryServer(options: options)
      #expect(try importing.replaceRecords(of: TestServer.email, with: records) == [])
      importing.stop()
    }
    server = try self.server(folder: folder)
    client = try #require(try server?.client())
    #expect(try client.send("GET", "/api/stories/\(kept.id)/illustrations").json == pictures)
    // Another import may bring their story back.
    for url in lost?.compactMap({ $0["imageUrl"]?.string }) ?? [] {
      #expect(try client.send("GET", url).status == 200)
    }
    #expect(try untilDone(client, "/api/stories/waiting")["status"] == "completed")
  }

  private func integer(_ value: JSONValue?) -> Int? {
    if case .number(let number)? = value { number.integer } else { nil }
  }

  /// Asks for the state of a story's pictures until all are made or failed.
  private func untilDone(_ client: TestClient, _ path: String) throws -> JSONValue {
    for _ in 0..<10_000 {
      let status = try #require(try client.send("GET", "\(path)/illustrations/status").data)
      let record = try client.send("GET", path).data
      let open: Set<String> = ["pending", "processing"]
      if !open.contains(status["status"]?.string ?? ""),
        !open.contains(record?["illustrationStatus"]?.string ?? "")
      {
        return status
      }
    }
    Issue.record("the pictures are never done")
    return nil
  }
}
