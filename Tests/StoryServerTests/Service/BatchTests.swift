import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct BatchTests {
  private func batch(
    _ client: TestClient, _ operations: [JSONValue], headers: [String: String] = [:]
  ) throws -> [JSONValue] {
    let response = try client.send(
      "POST", "/api/batch", ["operations": .array(operations)], headers: headers)
    #expect(response.status == 200)
    return try #require(response.data?["results"]?.array)
  }

  @Test func eachOperationStandsAloneAndKeepsItsPlace() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let results = try batch(
      client,
      [
        ["method": "create", "kind": "heroes", "data": TestClient.hero("Max")],
        ["method": "create", "kind": "heroes", "data": ["name": "No age"]],
        ["method": "create", "kind": "stories", "data": TestClient.story("S", hero: hero.id)],
        [
          "method": "update", "kind": "heroes", "id": .string(hero.id),
          "ifMatch": .string("\"\(hero.updatedAt)\""), "data": ["age": 8],
        ],
        [
          "method": "update", "kind": "heroes", "id": .string(hero.id),
          "ifMatch": .string("\"\(hero.updatedAt)\""), "data": ["age": 9],
        ],
        ["method": "delete", "kind": "heroes", "id": "none"],
        ["method": "upsert", "kind": "heroes"], ["method": "create", "kind": "dragons"],
        ["method": "update", "kind": "heroes", "data": [:]],
        ["method": "create", "kind": "heroes", "data": []], 5,
        [
          "method": "create", "kind": "stories",
          "data": ["title": "T", "heroId": .string(hero.id)],
        ],
        ["method": "delete", "kind": "heroes", "id": .string(hero.id)],
      ])
    #expect(
      results.compactMap { $0["status"]?.integer } == [
        201, 400, 201, 200, 412, 404, 400, 400, 400, 400, 400, 400, 200,
      ])
    #expect(results[0]["data"]?["name"] == "Max")
    #expect(results[1]["error"]?["details"]?["age"] != nil)
    #expect(results[3]["data"]?["age"] == 8)
    #expect(results[4]["data"] == results[3]["data"], "the current record")
    #expect(results[12]["data"] == ["id": .string(hero.id)])
    #expect(try client.send("GET", "/api/stories").data == [], "its story went with the hero")
  }

  @Test func takesAHundredAndNoMore() throws {
    let server = try TestServer()
    let client = try server.client()
    func operations(_ count: Int) -> [JSONValue] {
      (0..<count).map {
        ["method": "create", "kind": "heroes", "data": TestClient.hero("\($0)")]
      }
    }
    #expect(try batch(client, operations(100)).count == 100)
    #expect(try batch(client, []).isEmpty)
    let response = try client.send(
      "POST", "/api/batch", ["operations": .array(operations(101))])
    #expect(response.status == 400)
    #expect(try client.send("POST", "/api/batch", [:]).status == 400)
    #expect(try client.send("POST", "/api/batch", ["operations": [:]]).status == 400)
    let page = try client.send("GET", "/api/heroes?limit=100")
    #expect(page.json?["pagination"]?["total"] == 100)
  }

  @Test func keysMakeOperationsSafeToRepeat() throws {
    let server = try TestServer()
    let client = try server.client()
    let operations: [JSONValue] = [
      [
        "method": "create", "kind": "heroes", "idempotencyKey": "a", "data": TestClient.hero("A"),
      ],
      ["method": "create", "kind": "heroes", "idempotencyKey": "b", "data": ["name": "bad"]],
    ]
    let first = try batch(client, operations)
    let again = try batch(client, operations)
    #expect(first == again)
    // The same write alone has the same key.
    let alone = try client.send(
      "POST", "/api/heroes", TestClient.hero("A"), headers: ["Idempotency-Key": "a"])
    #expect(alone.data == first[0]["data"])
    let fixed = try batch(
      client,
      [
        [
          "method": "create", "kind": "heroes", "idempotencyKey": "b", "data": TestClient.hero("B"),
        ],
        [
          "method": "create", "kind": "heroes", "idempotencyKey": "a", "data": TestClient.hero("X"),
        ],
        ["method": "create", "kind": "heroes", "idempotencyKey": "", "data": TestClient.hero("X")],
      ])
    #expect(
      fixed.compactMap { $0["status"]?.integer } == [201, 422, 400],
      "a failure is not remembered, an answer is")
    #expect(try client.send("GET", "/api/heroes").json?["pagination"]?["total"] == 2)
  }

  @Test func aKeyOnTheBatchIsOneForEachOperation() throws {
    let server = try TestServer()
    let client = try server.client()
    let operations: [JSONValue] = [
      ["method": "create", "kind": "heroes", "data": TestClient.hero("A")],
      ["method": "create", "kind": "heroes", "data": TestClient.hero("A")],
    ]
    let key = ["Idempotency-Key": "whole"]
    let first = try batch(client, operations, headers: key)
    #expect(first[0]["data"]?.id != first[1]["data"]?.id)
    #expect(try batch(client, operations, headers: key) == first)
  }

  @Test func noTwoRecordsOfABatchShareAVersion() throws {
    let server = try TestServer()
    let client = try server.client()
    let operations = (0..<20).map { number -> JSONValue in
      ["method": "create", "kind": "heroes", "data": TestClient.hero("\(number)")]
    }
    #expect(
      try client.send("POST", "/api/batch", ["operations": .array(operations)]).status == 200)
    let listed = try #require(try client.send("GET", "/api/heroes").json?["data"]?.array)
    let versions = listed.map(\.updatedAt)
    #expect(Set(versions).count == 20)
    #expect(versions == versions.sorted())
    // Whoever has seen the last of them is given that one again, and no other.
    let idle = try client.send("GET", "/api/heroes?updatedAfter=\(versions[19])")
    #expect(idle.json?["data"]?.array?.map(\.id) == [listed[19].id])
  }

  @Test func whatGoesTogetherHasTimesOfItsOwn() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    var client = try #require(try server?.client())
    let hero = try client.createHero("Luna")
    for number in 0..<3 { _ = try client.createStory("\(number)", hero: hero.id) }
    #expect(try client.send("DELETE", "/api/heroes/\(hero.id)").status == 200)
    let before = try client.send("GET", "/api/stories?includeDeleted=true").json?["data"]
    #expect(Set(before?.array?.map(\.updatedAt) ?? []).count == 3)
    server = nil
    server = try TestServer(folder: folder)
    client = try #require(try server?.client())
    #expect(try client.send("GET", "/api/stories?includeDeleted=true").json?["data"] == before)
  }
}
