import JSONText
import StoryServer
import Testing

/// A server without a feature behaves as if it had never heard of it.
@Suite struct FeatureTests {
  private func server(without features: Set<ServerFeature>) throws -> TestServer {
    try TestServer { $0.features.subtract(features) }
  }

  @Test func healthTellsWhatThereIs() throws {
    let full = try TestServer { $0.version = "1.2.3" }
    let response = try full.stranger().send("GET", "/api/health")
    #expect(
      response.data == [
        "status": "healthy", "version": "1.2.3",
        "features": ["etag", "idempotency", "batch", "tombstones", "cursor"],
        "limits": ["page": 100, "batch": 100],
      ])
    let bare = try server(without: Set(ServerFeature.allCases))
    #expect(
      try bare.stranger().send("GET", "/api/health").data == [
        "status": "healthy", "version": "1", "limits": ["page": 100],
      ])
    let one = try server(without: [.etag, .tombstones])
    #expect(
      try one.stranger().send("GET", "/api/health").data?["features"]
        == ["idempotency", "batch", "cursor"])
  }

  @Test func withoutETag() throws {
    let server = try server(without: [.etag])
    let client = try server.client()
    let created = try client.send("POST", "/api/heroes", TestClient.hero("Luna"))
    #expect(created["etag"] == nil)
    let path = "/api/heroes/\(created.data?.id ?? "")"
    let read = try client.send("GET", path, headers: ["If-None-Match": "*"])
    #expect(read.status == 200)
    #expect(read["etag"] == nil)
    let stale = ["If-Match": "\"stale\""]
    #expect(try client.send("PATCH", path, ["age": 8], headers: stale).status == 200)
    let batch = try client.send(
      "POST", "/api/batch",
      [
        "operations": [
          [
            "method": "update", "kind": "heroes", "id": .string(created.data?.id ?? ""),
            "ifMatch": "stale", "data": ["age": 9],
          ]
        ]
      ])
    #expect(batch.data?["results"]?.array?.first?["status"] == 200)
    #expect(try client.send("DELETE", path, headers: stale).status == 200)
  }

  @Test func withoutIdempotency() throws {
    let server = try server(without: [.idempotency])
    let client = try server.client()
    let key = ["Idempotency-Key": "k"]
    let first = try client.createHero("Luna", headers: key)
    let second = try client.createHero("Luna", headers: key)
    #expect(first.id != second.id)
    #expect(
      try client.send("POST", "/api/heroes", TestClient.hero("Max"), headers: key).status == 201)
    let operation: JSONValue = [
      "method": "create", "kind": "heroes", "idempotencyKey": "k", "data": TestClient.hero("A"),
    ]
    let batch = try client.send("POST", "/api/batch", ["operations": [operation, operation]])
    let ids = batch.data?["results"]?.array?.compactMap { $0["data"]?.id } ?? []
    #expect(Set(ids).count == 2)
  }

  @Test func withoutBatch() throws {
    let server = try server(without: [.batch])
    let client = try server.client()
    #expect(try client.send("POST", "/api/batch", ["operations": []]).status == 404)
  }

  @Test func withoutTombstones() throws {
    let server = try server(without: [.tombstones])
    let client = try server.client()
    let hero = try client.createHero("Luna")
    try client.send("DELETE", "/api/heroes/\(hero.id)")
    #expect(try client.send("GET", "/api/heroes?includeDeleted=true").data == [])
    #expect(try client.send("GET", "/api/heroes?includeDeleted=nonsense").status == 200)
    #expect(try client.send("GET", "/api/heroes/\(hero.id)").status == 404)
  }

  @Test func withoutCursor() throws {
    let server = try server(without: [.cursor])
    let client = try server.client()
    for number in 0..<3 { _ = try client.createHero("\(number)") }
    let page = try client.send("GET", "/api/heroes?limit=2&cursor=nonsense")
    #expect(page.status == 200)
    #expect(
      page.json?["pagination"] == ["total": 3, "limit": 2, "all": 3, "offset": 0, "hasMore": true])
    #expect(try client.send("GET", "/api/heroes?limit=2&offset=2").data?.array?.count == 1)
  }
}
