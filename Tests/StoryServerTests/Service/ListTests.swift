import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct ListTests {
  private func ids(_ response: RawResponse) -> [String] { response.data?.array?.map(\.id) ?? [] }

  private func next(_ response: RawResponse) -> String? {
    response.json?["pagination"]?["next"]?.string
  }

  @Test func pagesByOffset() throws {
    let server = try TestServer()
    let client = try server.client()
    for number in 0..<7 { _ = try client.createHero("\(number)") }
    let all = ids(try client.send("GET", "/api/heroes"))
    #expect(all.count == 7)
    var seen: [String] = []
    for offset in stride(from: 0, to: 9, by: 3) {
      let page = try client.send("GET", "/api/heroes?limit=3&offset=\(offset)")
      seen += ids(page)
      #expect(page.json?["pagination"]?["total"] == 7)
      #expect(page.json?["pagination"]?["limit"] == 3)
      #expect(page.json?["pagination"]?["offset"] == .number(JSONNumber(offset)))
      #expect(page.json?["pagination"]?["hasMore"] == .bool(offset + 3 < 7))
    }
    #expect(seen == all)
    #expect(ids(try client.send("GET", "/api/heroes?offset=100")) == [])
  }

  @Test func theDefaultIsFiftyAPage() throws {
    let server = try TestServer()
    let client = try server.client()
    for number in 0..<51 { _ = try client.createHero("\(number)") }
    let page = try client.send("GET", "/api/heroes")
    #expect(ids(page).count == 50)
    #expect(page.json?["pagination"]?["limit"] == 50)
    #expect(next(page) != nil)
  }

  @Test func followsCursorsToTheEnd() throws {
    let server = try TestServer()
    let client = try server.client()
    // All of one millisecond: the order is by id.
    for number in 0..<10 { _ = try client.createHero("\(number)") }
    var seen: [String] = []
    var target = "/api/heroes?limit=3"
    while true {
      let page = try client.send("GET", target)
      seen += ids(page)
      guard let cursor = next(page) else {
        #expect(page.json?["pagination"]?["next"] == .null)
        #expect(page.json?["pagination"]?["hasMore"] == false)
        break
      }
      target = "/api/heroes?limit=3&cursor=\(cursor)"
    }
    #expect(seen.count == 10)
    let exact = try client.send("GET", "/api/heroes?limit=10")
    #expect(seen == ids(exact))
    #expect(next(exact) == nil, "a full last page has no next")
  }

  /// Whatever changes while a client pages, it sees every record in its last form.
  @Test(arguments: [11, 12, 13] as [UInt64])
  func pagingUnderChangeMissesNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let server = try TestServer()
    let client = try server.client()
    var ids: [String] = []
    for number in 0..<30 { ids.append(try client.createHero("\(number)").id) }
    var seen: [String: JSONValue] = [:]
    var target = "/api/heroes?limit=4&includeDeleted=true"
    var pages = 0
    while true {
      let page = try client.send("GET", target)
      for record in page.data?.array ?? [] { seen[record.id] = record }
      guard let cursor = next(page) else { break }
      target = "/api/heroes?limit=4&includeDeleted=true&cursor=\(cursor)"
      pages += 1
      guard pages < 60 else { continue }
      if Bool.random(using: &random) { server.clock.advance(milliseconds: 1) }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let id = try #require(ids.randomElement(using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ids.append(try client.createHero("new").id)
        case 1: try client.send("DELETE", "/api/heroes/\(id)")
        default:
          let age = JSONValue.number(JSONNumber(Int.random(in: 0...100, using: &random)))
          try client.send("PATCH", "/api/heroes/\(id)", ["age": age])
        }
      }
    }
    let stored = try server.server.records(.heroes, of: TestServer.email)
    #expect(seen.count == stored.count)
    for record in stored { #expect(seen[record.id] == record.value, "seed \(seed)") }
  }

  @Test func updatedAfterIsAtOrAfter() throws {
    let server = try TestServer()
    let client = try server.client()
    var heroes: [JSONValue] = []
    for number in 0..<4 {
      heroes.append(try client.createHero("\(number)"))
      server.clock.advance(milliseconds: 10)
    }
    func list(_ date: String) throws -> RawResponse {
      try client.send("GET", "/api/heroes?updatedAfter=\(date)")
    }
    let page = try list(heroes[2].updatedAt)
    #expect(ids(page) == heroes[2...].map(\.id))
    #expect(page.json?["pagination"]?["total"] == 2)
    #expect(ids(try list("2026-11-20T10:00:00.020001Z")) == [heroes[3].id])
    #expect(ids(try list("2026-11-20T12:00:00.020%2B02:00")) == heroes[2...].map(\.id))
    #expect(ids(try list("2026-11-20T12:00:00.020+0200")) == heroes[2...].map(\.id))
    #expect(ids(try list("1970-01-01T00:00:00Z")).count == 4)
    #expect(ids(try list("2027-01-01T00:00:00Z")) == [])
    let first = try client.send(
      "GET", "/api/heroes?limit=1&updatedAfter=\(heroes[1].updatedAt)")
    #expect(ids(first) == [heroes[1].id])
    #expect(first.json?["pagination"]?["total"] == 3, "the cursor is no filter")
    let second = try client.send(
      "GET",
      "/api/heroes?limit=1&updatedAfter=\(heroes[1].updatedAt)&cursor=\(next(first) ?? "")")
    #expect(ids(second) == [heroes[2].id])
    #expect(second.json?["pagination"]?["total"] == 3)
  }

  @Test func filtersStoriesByHero() throws {
    let server = try TestServer()
    let client = try server.client()
    let (luna, max) = (try client.createHero("Luna"), try client.createHero("Max"))
    var expected: [String] = []
    for number in 0..<6 {
      let hero = number % 2 == 0 ? luna : max
      let story = try client.createStory("\(number)", hero: hero.id)
      server.clock.advance(milliseconds: 1)
      if number % 2 == 0 { expected.append(story.id) }
    }
    let first = try client.send("GET", "/api/stories?limit=2&heroId=\(luna.id)")
    #expect(ids(first) == Array(expected[..<2]))
    #expect(first.json?["pagination"]?["total"] == 3)
    let second = try client.send(
      "GET", "/api/stories?limit=2&heroId=\(luna.id)&cursor=\(next(first) ?? "")")
    #expect(ids(second) == [expected[2]])
    #expect(next(second) == nil)
    #expect(ids(try client.send("GET", "/api/stories?heroId=none")) == [])
    #expect(ids(try client.send("GET", "/api/heroes?heroId=none")).count == 2, "stories only")
  }

  @Test func tombstonesStandInTheOrderAndDoNotCount() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let client = try #require(try server?.client())
    var heroes: [JSONValue] = []
    for number in 0..<3 { heroes.append(try client.createHero("\(number)")) }
    try client.send("DELETE", "/api/heroes/\(heroes[1].id)")
    _ = try client.send("GET", "/api/heroes?includeDeleted=true")
    try client.send("PATCH", "/api/heroes/\(heroes[0].id)", ["age": 9])
    let expected = [heroes[2].id, heroes[1].id, heroes[0].id]
    let page = try client.send("GET", "/api/heroes?includeDeleted=true")
    #expect(ids(page) == expected)
    #expect(page.json?["pagination"]?["total"] == 2)
    #expect(ids(try client.send("GET", "/api/heroes")) == [heroes[2].id, heroes[0].id])
    #expect(ids(try client.send("GET", "/api/heroes?includeDeleted=false")).count == 2)
    server?.clock.advance(days: 3000)
    server = nil
    let again = try TestServer(folder: folder)
    let later = try again.client().send("GET", "/api/heroes?includeDeleted=true")
    #expect(later.data == page.data, "tombstones are kept for ever")
  }

  @Test(arguments: [
    "limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=1.5", "limit=5&limit=6",
    "offset=-1", "offset=x", "offset=99999999999999999999", "updatedAfter=yesterday",
    "updatedAfter=2026-11-20", "updatedAfter=", "includeDeleted=yes", "includeDeleted=",
    "cursor=", "cursor=x", "cursor=1.", "cursor=.x", "cursor=1.x&offset=2",
  ])
  func refusesParameters(query: String) throws {
    let server = try TestServer()
    let response = try server.client().send("GET", "/api/stories?\(query)")
    #expect(response.status == 400)
    #expect(response.json?["error"]?["details"]?.object?.count == 1)
  }

  @Test func unknownParametersAreIgnored() throws {
    let server = try TestServer()
    #expect(try server.client().send("GET", "/api/heroes?sort=name&x").status == 200)
  }
}
