import Testing

@testable import StoryAPI

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("https://stories.example", "https://stories.example", false),
    ("https://stories.example/", "https://stories.example", false),
    ("HTTPS://Stories.Example:443", "https://stories.example", false),
    ("https://stories.example:8443", "https://stories.example:8443", false),
    ("http://localhost:8080", "http://localhost:8080", true),
    ("http://127.0.0.1", "http://127.0.0.1", true),
    ("http://127.8.9.255:81/", "http://127.8.9.255:81", true),
    ("http://[::1]:9", "http://[::1]:9", true),
    ("https://[2001:db8::1]", "https://[2001:db8::1]", false),
  ]) func `takes https and loopback`(_ text: String, _ origin: String, _ loopback: Bool) throws {
    let address = try ServerAddress(text)
    #expect(address.origin == origin)
    #expect(address.text == origin)
    #expect(address.isLoopback == loopback)
    #expect(try ServerAddress(address.text) == address)
  }

  @Test(
    arguments: [
      ("", .scheme("")), ("stories.example", .scheme("stories.example")),
      ("ftp://stories.example", .scheme("ftp://stories.example")),
      ("https://", .host("https://")), ("https://sto ries", .host("https://sto ries")),
      ("https://störies.example", .host("https://störies.example")),
      ("https://[::1", .host("https://[::1")), ("https://[::1]x", .host("https://[::1]x")),
      ("https://[zz]", .host("https://[zz]")),
      ("https://a:0", .port("https://a:0")), ("https://a:65536", .port("https://a:65536")),
      ("https://a:1x", .port("https://a:1x")), ("https://a:-1", .port("https://a:-1")),
      ("https://me:pw@stories.example", .userInfo), ("https://a/api", .path("https://a/api")),
      ("https://a?b", .path("https://a?b")), ("https://a#b", .path("https://a#b")),
      ("https://a\\b", .path("https://a\\b")),
      ("http://stories.example", .plainHTTP(origin: "http://stories.example")),
      ("http://127.0.0.1.evil.example", .plainHTTP(origin: "http://127.0.0.1.evil.example")),
      ("http://localhost.evil.example", .plainHTTP(origin: "http://localhost.evil.example")),
      ("http://127.1", .plainHTTP(origin: "http://127.1")),
      ("http://2130706433", .plainHTTP(origin: "http://2130706433")),
      ("http://0x7f.0.0.1", .plainHTTP(origin: "http://0x7f.0.0.1")),
      ("http://127.0.0.256", .plainHTTP(origin: "http://127.0.0.256")),
      ("http://0.0.0.0", .plainHTTP(origin: "http://0.0.0.0")),
    ] as [(String, ServerAddress.Problem)])
  func `refuses everything else`(_ text: String, _ problem: ServerAddress.Problem) {
    #expect(throws: problem) { try ServerAddress(text) }
  }

  @Test(
    arguments: [
      ("https://a/v1", "/v1", "/v1", nil), ("https://a/v1/", "/v1", "/v1", nil),
      ("https://a/v1/buckets/family", "/v1/buckets/family", "/v1", "family"),
      ("https://a/x/y/v1/buckets/b_1-C/", "/x/y/v1/buckets/b_1-C", "/x/y/v1", "b_1-C"),
      ("https://a", "", "/v1", nil),
    ] as [(String, String, String, String?)])
  func `a Kinto has a path`(
    _ text: String, _ path: String, _ service: String, _ bucket: String?
  ) throws {
    let address = try ServerAddress(text)
    #expect(address.path == path && address.service == service && address.bucket == bucket)
    #expect(address.origin == "https://a" && address.text == "https://a" + path)
    #expect(try ServerAddress(address.text) == address)
  }

  @Test(arguments: [
    "https://a/v2", "https://a/v1/buckets", "https://a/v1/buckets/", "https://a/v1//buckets/b",
    "https://a//v1", "https://a/v1/buckets/b/collections/heroes", "https://a/v1/buckets/b%20c",
    "https://a/v1?x", "https://a/v1#x", "https://a/../v1", "https://a/buckets/family",
  ]) func `other paths lead to no server`(_ text: String) {
    #expect(throws: ServerAddress.Problem.path(text)) { try ServerAddress(text) }
  }

  @Test func `plain http needs this user's word`() throws {
    let address = try ServerAddress("http://nas.local:80", allowsPlainHTTP: true)
    #expect(address.origin == "http://nas.local")
    #expect(!address.isLoopback && !address.isSecure)
  }
}
