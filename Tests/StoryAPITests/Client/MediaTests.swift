import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@Suite(.inTurn) struct MediaTests {
  @Test(arguments: [
    ("https://media.example/a.png?sig=1", "https://media.example/a.png?sig=1", false),
    ("https://stories.example/media/a.png", "https://stories.example/media/a.png", true),
    ("/media/a.png?x=1", "https://stories.example/media/a.png?x=1", true),
    ("HTTPS://STORIES.EXAMPLE:443/a", "HTTPS://STORIES.EXAMPLE:443/a", true),
    ("https://stories.example:444/a", "https://stories.example:444/a", false),
  ]) func `https and the server itself`(_ text: String, _ url: String, _ isOnServer: Bool) throws {
    let server = try ServerAddress("https://stories.example")
    let address = try #require(MediaAddress(text, on: server))
    #expect(address.url.value == url)
    #expect(address.isOnServer == isOnServer)
    #expect(!"\(address)".contains("?"))
  }

  @Test(arguments: [
    "http://stories.example/a", "http://media.example/a", "http://127.0.0.1/a",
    "file:///etc/passwd",
    "ftp://media.example/a", "data:image/png;base64,AAAA", "javascript:alert(1)",
    "//media.example/a",
    "a.png", "", "https://", "https://me:pw@media.example/a", "https://media.example/a\r\nX: 1",
    "https://media.example\\@evil.example/a", "/\\evil.example/a",
  ]) func `nothing else`(_ text: String) throws {
    #expect(MediaAddress(text, on: try ServerAddress("https://stories.example")) == nil)
  }

  @Test func `plain http on loopback is fetched from that server alone`() throws {
    let server = try ServerAddress("http://127.0.0.1:8080")
    #expect(MediaAddress("/a", on: server)?.isOnServer == true)
    #expect(MediaAddress("http://127.0.0.1:8080/a", on: server)?.isOnServer == true)
    #expect(MediaAddress("http://127.0.0.1:8081/a", on: server) == nil)
  }

  @Test func `pictures have addresses of their own`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(
        200,
        #"{"data":[{"id":"a","updatedAt":"2026-01-01T00:00:00Z","imageUrl":"/a.png?sig=1"},{"id":"b","updatedAt":"2026-01-01T00:00:00Z","imageUrl":null},{"id":"c","updatedAt":"2026-01-01T00:00:00Z","imageUrl":"ftp://x/c"}]}"#
      )
    }
    let sources = try await APIClient(server).illustrationSources(storyID: "s")
    #expect(sources.map(\.record.id) == ["a", "b", "c"])
    #expect(sources[0].address?.url.value == "\(server.url)/a.png?sig=1")
    #expect(sources[0].record.server["imageUrl"] == "/a.png")
    #expect(sources[1].address == nil && sources[2].address == nil)
  }

  @Test func `the token goes along to the server itself alone`() async throws {
    let server = try ScriptedServer { _, _ in
      .answer(
        200,
        #"{"data":{"id":"h","name":"L","age":7,"traits":["b"],"updatedAt":"2026-01-01T00:00:00Z","avatarUrl":"https://media.example/a.png?sig=1","x":null}}"#
      )
    }
    let client = try APIClient(server)
    let away = try #require(
      try await client.mediaSource(of: .heroes, id: "h", member: "avatarUrl").address)
    #expect(away.url.value == "https://media.example/a.png?sig=1")
    #expect(try await client.mediaRequest(away).headers["Authorization"] == nil)
    let here = try #require(MediaAddress("/media/a.png", on: client.server))
    #expect(try await client.mediaRequest(here).headers["Authorization"] == "Bearer secret-token")
    let other = try await client.mediaSource(of: .heroes, id: "h", member: "x")
    #expect(other.address == nil)
    await client.use(nil)
    await #expect(throws: APIError.unauthorized(.notSignedIn)) {
      try await client.mediaRequest(here)
    }
    #expect(try await client.mediaRequest(away).url == "https://media.example/a.png?sig=1")
  }
}
