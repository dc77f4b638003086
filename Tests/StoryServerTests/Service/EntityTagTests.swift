import JSONText
import StoryServer
import Testing

@Suite struct EntityTagTests {
  @Test func answersCarryTheVersion() throws {
    let server = try TestServer()
    let client = try server.client()
    let created = try client.send("POST", "/api/heroes", TestClient.hero("Luna"))
    let path = "/api/heroes/\(created.data?.id ?? "")"
    #expect(created["etag"] == "\"\(created.data?.updatedAt ?? "")\"")
    #expect(try client.send("GET", path)["etag"] == created["etag"])
    let changed = try client.send("PATCH", path, ["age": 8])
    #expect(changed["etag"] == "\"\(changed.data?.updatedAt ?? "")\"")
    #expect(changed["etag"] != created["etag"])
    #expect(try client.send("GET", "/api/heroes")["etag"] == nil)
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    /// `NEW` and `OLD` stand for the versions without quotes.
    var field: String
    var matches: Bool
    var testDescription: String { name }
  }

  static let ifMatch: [Case] = [
    Case(name: "current", field: "\"NEW\"", matches: true),
    Case(name: "stale", field: "\"OLD\"", matches: false),
    Case(name: "any", field: "*", matches: true),
    Case(name: "list with the current one", field: "\"OLD\" ,\t\"NEW\"", matches: true),
    Case(name: "list without it", field: "\"OLD\", \"x\"", matches: false),
    Case(name: "weak", field: "W/\"NEW\"", matches: false),
    Case(name: "without quotes", field: "NEW", matches: true),
    Case(name: "stale without quotes", field: "OLD", matches: false),
    Case(name: "empty", field: "\"\"", matches: false),
    Case(name: "in part", field: "\"NE", matches: false),
  ]

  @Test("If-Match on PATCH, on DELETE and in a batch", arguments: ifMatch)
  func preconditions(_ example: Case) throws {
    let server = try TestServer()
    let client = try server.client()
    for method in ["PATCH", "DELETE", "update", "delete"] {
      let old = try client.createHero("Luna")
      let path = "/api/heroes/\(old.id)"
      let new = try #require(try client.send("PATCH", path, ["age": 8]).data)
      let field = example.field.replacing("NEW", with: new.updatedAt)
        .replacing("OLD", with: old.updatedAt)
      let answer: JSONValue
      if method == method.uppercased() {
        let response = try client.send(
          method, path, method == "PATCH" ? ["age": 9] : nil, headers: ["If-Match": field])
        answer = .object(
          JSONObject(
            [(key: "status", value: JSONValue.number(JSONNumber(response.status)))]
              + (response.json?.object?.members.map { (key: $0.key, value: $0.value) } ?? [])))
      } else {
        let batch = try client.send(
          "POST", "/api/batch",
          [
            "operations": [
              [
                "method": .string(method), "kind": "heroes", "id": .string(old.id),
                "ifMatch": .string(field), "data": ["age": 9],
              ]
            ]
          ])
        answer = try #require(batch.data?["results"]?.array?.first)
      }
      if example.matches {
        #expect(answer["status"] == 200, "\(method)")
      } else {
        #expect(answer["status"] == 412, "\(method)")
        #expect(answer["error"]?["code"] == "preconditionFailed")
        #expect(answer["data"] == new, "the current record")
        #expect(try client.send("GET", path).data == new)
      }
    }
  }

  @Test func aMissingRecordIsNotFoundWhateverTheCondition() throws {
    let server = try TestServer()
    let client = try server.client()
    let headers = ["If-Match": "\"x\""]
    #expect(
      try client.send("PATCH", "/api/heroes/none", ["age": 1], headers: headers).status == 404)
    #expect(try client.send("DELETE", "/api/heroes/none", headers: headers).status == 404)
  }

  @Test func unchangedRecordsAreNotSentAgain() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let path = "/api/heroes/\(hero.id)"
    for field in [
      "\"\(hero.updatedAt)\"", "W/\"\(hero.updatedAt)\"", "*", "\"x\", \"\(hero.updatedAt)\"",
    ] {
      for method in ["GET", "HEAD"] {
        let response = try client.send(method, path, headers: ["If-None-Match": field])
        #expect(response.status == 304)
        #expect(response["etag"] == "\"\(hero.updatedAt)\"")
        #expect(response.body.isEmpty)
      }
    }
    #expect(try client.send("GET", path, headers: ["If-None-Match": "\"x\""]).status == 200)
  }
}
