import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

/// Requests that were changed at random: whatever comes, the server goes on.
@Suite struct HostileRequestTests {
  private static let pieces = [
    "\0", "\r", "\n", "\r\n", "\r\n\r\n", " ", "\t", ":", ",", ";", "%", "%00", "%ff", "%2e%2e%2f",
    "-1", "0", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e308",
    "Content-Length: 0\r\n", "Content-Length: 18446744073709551615\r\n",
    "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n",
    "Range: bytes=9223372036854775807-9223372036854775807\r\n", "Range: bytes=-0\r\n",
    "If-Match: \"\r\n", "If-None-Match: *\r\n", "Origin: null\r\n", "Host: [\r\n",
    "Idempotency-Key: \u{7F}\r\n", "X-Forwarded-Proto: https\r\n", "Bearer  ", "\"\\ud800\"", "{",
    "[",
    "null", "\u{FEFF}", "é", "ffffffffffffffff\r\n",
  ].map { Array($0.utf8) }

  /// Well-formed requests that reach every part of the server.
  private static func requests(_ client: TestClient, hero: String, story: String) -> [[UInt8]] {
    let chunked = client.request(
      "POST", "/api/heroes",
      headers: ["Content-Type": "application/json", "Transfer-Encoding": "chunked"])
    return [
      client.request("GET", "/api/heroes?limit=10&offset=0&updatedAfter=2026-11-20T10:00:00.000Z"),
      client.request("GET", "/api/stories?heroId=\(hero)&includeDeleted=true&cursor=x"),
      client.request(
        "POST", "/api/heroes", TestClient.hero("Luna"), headers: ["Idempotency-Key": "k"]),
      client.request("PATCH", "/api/heroes/\(hero)", ["age": 8], headers: ["If-Match": "\"x\""]),
      client.request("DELETE", "/api/heroes/\(hero)x"),
      client.request("POST", "/api/stories", ["heroId": .string(hero), "language": "en"]),
      client.request("POST", "/api/stories/\(story)/audio", ["voice": "x", "regenerate": true]),
      client.request("GET", "/api/stories/\(story)/illustrations/status"),
      client.request("POST", "/api/auth/sign-in", ["email": "a@b", "password": "long enough"]),
      client.request("POST", "/api/auth/sign-up", ["email": "a@b", "password": "short"]),
      client.request("POST", "/api/auth/session/refresh", ["refreshToken": "x"]),
      client.request(
        "POST", "/api/batch",
        ["operations": [["method": "update", "kind": "heroes", "id": .string(hero), "data": [:]]]]),
      client.request("GET", "/api/user/usage") + client.request("GET", "/api/health"),
      chunked
        + "10;a=b\r\n{\"name\":\"Luna\",\r\n1a\r\n\"age\":7,\"traits\":[\"brave\"]}\r\n0\r\nA: b\r\n\r\n",
    ].map { Array($0.utf8) }
  }

  @Test func `requests that were changed at random stop nothing`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let server = try TestServer()
    let owner = try server.client()
    let hero = try owner.createHero("Luna").id
    let story = try owner.createStory("Snow", hero: hero).id
    let requests = Self.requests(owner, hero: hero, story: story)
    for round in 0..<600 {
      var bytes = requests[Int.random(in: requests.indices, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1:
          let piece = Self.pieces[Int.random(in: Self.pieces.indices, using: &random)]
          bytes.insert(contentsOf: piece, at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 4))
        case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
        default:
          let piece = Self.pieces[Int.random(in: Self.pieces.indices, using: &random)]
          bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let client = try RawClient(port: server.server.port)
      client.send(bytes)
      client.finishSending()
      // Every answer is one; then the connection is over.
      while true {
        do {
          let answer = try client.receive()
          #expect((100..<600).contains(answer.status), "seed \(seed), round \(round)")
          #expect(
            answer.status != 500,
            "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
        } catch RawClient.Failure.closed {
          break
        }
      }
    }
    #expect(try server.stranger().send("GET", "/api/health").status == 200, "seed \(seed)")
    #expect(
      try server.client().send("GET", "/api/heroes/\(hero)").status == 200, "seed \(seed)")
  }
}
