import JSONText
import StoryServer
import TestSupport
import Testing

/// What is made, in the second form of the contract: no keys, and addresses that are signed anew at
/// each read and hold for a while.
@Suite struct GenerationV1Tests {
  private let server: TestServer
  private let client: TestClient

  init() throws {
    server = try TestServer { options in
      options.api = .v1
      options.generation.engine = TestEngine()
      options.generation.limits[.avatar] = 2
      options.mediaLifetime = 60_000
    }
    client = try server.client()
  }

  private func hero() throws -> JSONValue {
    try #require(try client.send("POST", "/api/v1/heroes", TestClient.hero("Luna")).data)
  }

  /// What a whole URL of this server asks for.
  private func target(_ url: JSONValue?) throws -> String {
    let url = try #require(url?.string)
    let slash = try #require(url.dropFirst("http://".count).firstIndex(of: "/"))
    return String(url[slash...])
  }

  @Test func `an avatar's address holds for a while, for whoever has it`() throws {
    let path = "/api/v1/heroes/\(try hero().id)"
    let made = try client.send("POST", "\(path)/avatar", ["prompt": "with a hat"])
    #expect(made.status == 200 && made.json?["message"] != nil)
    let first = try target(made.data?["avatarUrl"])
    let second = try target(try client.send("GET", path).data?["avatarUrl"])
    let listed = try client.send("GET", "/api/v1/heroes").json?["data"]?["heroes"]?.array?.first
    let third = try target(listed?["avatarUrl"])
    #expect(Set([first, second, third]).count == 3)
    let stranger = try server.stranger()
    for url in [first, second, third] {
      let file = try stranger.send("GET", url)
      #expect(file.status == 200 && file["content-type"] == "image/png")
    }
    let bare = String(first.prefix { $0 != "?" })
    #expect(try stranger.send("GET", bare).status == 403)
    #expect(try client.send("GET", bare).status == 403)
    server.clock.advance(milliseconds: 60_000)
    #expect(try client.send("GET", first).status == 403)
    let fresh = try target(try client.send("GET", path).data?["avatarUrl"])
    #expect(try stranger.send("GET", fresh).status == 200)
  }

  @Test func `a story is written, read and drawn, whatever text is sent along`() throws {
    let made = try client.send(
      "POST", "/api/v1/stories",
      [
        "heroId": .string(try hero().id), "eventType": "bedtime", "language": "en",
        "generateAudio": true, "generateIllustrations": true, "content": "Mine.",
      ])
    #expect(made.status == 201)
    let story = try #require(made.data)
    #expect(story["content"] != "Mine.")
    let path = "/api/v1/stories/\(story.id)"
    var status: JSONValue = nil
    for _ in 0..<10_000 {
      status = try #require(try client.send("GET", "\(path)/illustrations/status").data)
      let word = try client.send("GET", path).data?["illustrationStatus"]
      if status["status"] == "completed", word == "completed" { break }
    }
    #expect(status["status"] == "completed" && status["progress"] == 100)
    let whole = try #require(try client.send("GET", "\(path)?includeIllustrations=true").data)
    let pictures = try #require(whole["illustrations"]?.array)
    #expect(!pictures.isEmpty)
    let stranger = try server.stranger()
    for url in pictures.map({ $0["imageUrl"] }) + [whole["audioUrl"]] {
      #expect(try stranger.send("GET", target(url)).status == 200)
    }
    let audio = try #require(try client.send("GET", "\(path)/audio").data)
    #expect(audio["status"] == "completed")
    #expect(try target(audio["audioUrl"]) != target(whole["audioUrl"]))
    // Another text is not what was read.
    let changed = try #require(try client.send("PATCH", path, ["content": "Twice."]).data)
    #expect(changed["audioUrl"] == JSONValue.null && changed["audioGenerationStatus"] == "pending")
    #expect(try client.send("POST", "\(path)/audio", ["language": "en"]).status == 200)
    #expect(try client.send("POST", "\(path)/illustrations").status == 202)
  }

  @Test func `a key stands for nothing, and a limit names no time`() throws {
    let path = "/api/v1/heroes/\(try hero().id)/avatar"
    let key = ["Idempotency-Key": "k"]
    let first = try client.send("POST", path, headers: key)
    let second = try client.send("POST", path, headers: key)
    #expect(first.status == 200 && second.status == 200)
    #expect(first.data?["generationId"] != second.data?["generationId"])
    let usage = try #require(try client.send("GET", "/api/v1/user/usage").data)
    #expect(usage["avatar_generation"]?["remaining"] == 0)
    #expect(usage["avatar_generation"]?["resetAt"] == "2026-11-20T11:00:00.000Z")
    let refused = try client.send("POST", path, headers: key)
    #expect(refused.status == 429 && refused.json?["error"] == "RateLimitError")
    #expect(refused["retry-after"] == nil && refused["x-ratelimit-reset"] == nil)
  }

  @Test func `another account's records are not drawn`() throws {
    let path = "/api/v1/heroes/\(try hero().id)/avatar"
    let other = try server.client(email: "bob@example.org")
    #expect(try other.send("POST", path).status == 403)
    #expect(try other.send("POST", "/api/v1/stories/none/audio").status == 404)
  }
}
