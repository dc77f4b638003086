import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct IdempotencyTests {
  private let key = ["Idempotency-Key": "k-1"]

  @Test func theFirstAnswerIsGivenAgain() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var server: TestServer? = try TestServer(folder: folder, clock: clock)
    var client = try #require(try server?.client())
    let body = TestClient.hero("Luna")
    let first = try client.send("POST", "/api/heroes", body, headers: key)
    #expect(first["idempotent-replayed"] == nil)

    func expectReplay(_ when: Comment) throws {
      let again = try client.send("POST", "/api/heroes", body, headers: key)
      #expect(again.status == 201, when)
      #expect(again.body == first.body, when)
      #expect(again["etag"] == first["etag"], when)
      #expect(again["idempotent-replayed"] == "true", when)
    }

    try expectReplay("at once")
    let path = "/api/heroes/\(first.data?.id ?? "")"
    #expect(try client.send("PATCH", path, ["age": 50]).status == 200)
    try expectReplay("after a change")
    server = nil
    server = try TestServer(folder: folder, clock: clock)
    client = try #require(try server?.client())
    try expectReplay("after a restart")
    #expect(try client.send("DELETE", path).status == 200)
    try expectReplay("after a delete")
    clock.advance(days: 6)
    server = nil
    server = try TestServer(folder: folder, clock: clock)
    client = try #require(try server?.client())
    try expectReplay("after six days and another restart")
    #expect(try client.send("GET", "/api/heroes").json?["pagination"]?["total"] == 0)
  }

  @Test func changesAndDeletesAreRememberedToo() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    let path = "/api/heroes/\(hero.id)"
    let tag = ["If-Match": "\"\(hero.updatedAt)\""]
    let change = tag.merging(["Idempotency-Key": "change"]) { $1 }
    let changed = try client.send("PATCH", path, ["age": 8], headers: change)
    #expect(try client.send("PATCH", path, ["age": 9]).status == 200)
    let again = try client.send("PATCH", path, ["age": 8], headers: change)
    #expect(again.status == 200, "its If-Match is stale by now")
    #expect(again.body == changed.body)
    let nothing = ["Idempotency-Key": "nothing"]
    let unchanged = try client.send("PATCH", path, ["age": 9], headers: nothing)
    #expect(try client.send("PATCH", path, ["age": 10]).status == 200)
    #expect(
      try client.send("PATCH", path, ["age": 9], headers: nothing).body == unchanged.body,
      "an answer that changed nothing is an answer")
    let delete = ["Idempotency-Key": "delete"]
    let deleted = try client.send("DELETE", path, headers: delete)
    #expect(deleted.status == 200)
    server = nil
    server = try TestServer(folder: folder)
    client = try #require(try server?.client())
    let gone = try client.send("DELETE", path, headers: delete)
    #expect(gone.status == 200)
    #expect(gone.body == deleted.body)
    #expect(try client.send("DELETE", path, headers: ["Idempotency-Key": "other"]).status == 404)
    #expect(try client.send("PATCH", path, ["age": 8], headers: change).body == changed.body)
  }

  @Test func aKeyStandsForOneRequest() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna", headers: key)
    let path = "/api/heroes/\(hero.id)"
    let others: [(String, String, JSONValue?)] = [
      ("POST", "/api/heroes", TestClient.hero("Max")), ("PATCH", path, TestClient.hero("Luna")),
      ("DELETE", path, nil), ("POST", "/api/custom-events", TestClient.hero("Luna")),
      ("POST", "/api/heroes", ["name": "bad"]),
    ]
    for (method, path, body) in others {
      let response = try client.send(method, path, body, headers: key)
      #expect(response.status == 422, "\(method) \(path)")
      #expect(response.errorCode == "idempotencyKeyReused")
    }
    #expect(try client.send("GET", path).data == hero)
  }

  @Test func failuresAreNotRemembered() throws {
    let server = try TestServer()
    let client = try server.client()
    #expect(try client.send("POST", "/api/heroes", ["name": "x"], headers: key).status == 400)
    #expect(
      try client.send("POST", "/api/heroes", TestClient.hero("Luna"), headers: key).status == 201)
    let later = ["Idempotency-Key": "later"]
    #expect(try client.send("DELETE", "/api/heroes/none", headers: later).status == 404)
    #expect(try client.send("DELETE", "/api/heroes/none", headers: later).status == 404)
  }

  @Test func keysAreForgottenAfterAWeekAtTheEarliest() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var server: TestServer? = try TestServer(folder: folder, clock: clock)
    let client = try #require(try server?.client())
    let hero = try client.createHero("Luna", headers: key)
    clock.advance(days: 8)
    server = nil
    let again = try TestServer(folder: folder, clock: clock)
    let other = try again.client().createHero("Luna", headers: key)
    #expect(other.id != hero.id)
  }
}
