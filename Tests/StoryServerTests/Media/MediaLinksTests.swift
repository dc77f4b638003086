import StoryLibrary
import Testing

@testable import StoryServer

@Suite struct MediaLinksTests {
  private static func links(now: Int64 = 1_000, secret: String = "a") -> MediaLinks {
    MediaLinks(
      origin: "http://h:1", now: now, lifetime: 500, key: SHA256.digest(secret),
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      })
  }

  private static func target(_ url: String) throws -> HTTPTarget {
    try #require(HTTPTarget(String(url.dropFirst("http://h:1".count))))
  }

  @Test func `a signed path is admitted until it expires`() throws {
    let url = Self.links().signed("/api/media/a.png")
    #expect(url.hasPrefix("http://h:1/api/media/a.png?"))
    let target = try Self.target(url)
    #expect(Self.links().admits(target))
    #expect(Self.links(now: 1_499).admits(target))
    #expect(!Self.links(now: 1_500).admits(target))
    #expect(!Self.links(secret: "b").admits(target))
  }

  @Test func `each URL is another one`() {
    let urls = Set((0..<20).map { _ in Self.links().signed("/m") })
    #expect(urls.count == 20)
  }

  @Test(
    arguments: [
      ("/m?", "/n?"), ("expires=1500", "expires=9500"), ("nonce=", "nonce=0"),
      ("signature=", "signature=0"), ("&signature", "&x"), ("expires", "x"), ("&nonce", "&x"),
    ])
  func `what was changed is not admitted`(_ old: String, _ new: String) throws {
    let url = Self.links().signed("/m")
    let range = try #require(url.firstRange(of: old))
    let changed = url.replacingCharacters(in: range, with: new)
    #expect(!Self.links().admits(try Self.target(changed)))
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with new: String) -> String {
    self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}
