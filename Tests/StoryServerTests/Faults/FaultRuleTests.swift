import JSONText
import StoryServer
import Synchronization
import TestSupport
import Testing

@Suite struct FaultRuleTests {
  private func names(_ server: TestServer) throws -> [String] {
    try server.server.records(.heroes, of: TestServer.email).compactMap {
      $0.value?["name"]?.string
    }
  }

  @Test func dropsBeforeHandling() throws {
    let server = try TestServer()
    let client = try server.client()
    server.server.addFault(FaultRule(.dropBeforeHandling, method: "POST", number: 1))
    #expect(throws: RawClient.Failure.closed(after: [])) {
      try client.send("POST", "/api/heroes", TestClient.hero("Luna"))
    }
    #expect(try names(server) == [])
    #expect(server.server.requestLog.last?.status == nil)
    _ = try server.client().createHero("Max")
    #expect(try names(server) == ["Max"])
  }

  @Test func dropsAfterHandling() throws {
    let server = try TestServer()
    let client = try server.client()
    server.server.addFault(FaultRule(.dropAfterHandling, path: "/api/heroes", number: 2))
    _ = try client.createHero("First")
    #expect(throws: RawClient.Failure.closed(after: [])) {
      try client.send("POST", "/api/heroes", TestClient.hero("Second"))
    }
    #expect(try names(server).sorted() == ["First", "Second"])
  }

  @Test func answersSomethingElse() throws {
    let server = try TestServer()
    let client = try server.client()
    let id = server.server.addFault(
      FaultRule(
        .answer(status: 429, headers: ["Retry-After": "7"], body: Array("{}".utf8)),
        path: "/api/h*s", numbers: 2...3))
    _ = try client.createHero("First")
    for _ in 0..<2 {
      let response = try client.send("POST", "/api/heroes", TestClient.hero("No"))
      #expect(response.status == 429)
      #expect(response["retry-after"] == "7")
      #expect(response.text == "{}")
    }
    _ = try client.createHero("Last")
    #expect(try names(server).sorted() == ["First", "Last"])
    #expect(server.server.faultMatches(id) == 4)
    server.server.removeFault(id)
    #expect(server.server.faultMatches(id) == nil)
  }

  @Test func answersSomethingElseAfterHandling() throws {
    let server = try TestServer()
    let client = try server.client()
    server.server.addFault(
      FaultRule(.answerAfterHandling(status: 500, body: Array("<html>".utf8)), number: 1))
    let response = try client.send("POST", "/api/heroes", TestClient.hero("Luna"))
    #expect(response.status == 500)
    #expect(response.text == "<html>")
    #expect(try names(server) == ["Luna"])
  }

  @Test func cutsOffAndReplacesBodies() throws {
    let server = try TestServer()
    let client = try server.client()
    let whole = try client.send("GET", "/api/health")
    server.server.addFault(FaultRule(.truncateBody(after: 10), number: 1))
    #expect(throws: RawClient.Failure.closed(after: Array(whole.body.prefix(10)))) {
      try client.send("GET", "/api/health")
    }
    server.server.removeFaults()
    server.server.addFault(FaultRule(.replaceBody(Array("{\"data\":[".utf8))))
    let wrong = try server.client().send("GET", "/api/health")
    #expect(wrong.status == 200)
    #expect(wrong.text == "{\"data\":[")
  }

  @Test func delaysEndWithTheServer() throws {
    let server = try TestServer()
    let client = try server.client()
    let entered = Mutex(false)
    server.server.addFault(FaultRule(.before { _ in entered.withLock { $0 = true } }))
    server.server.addFault(FaultRule(.delay(milliseconds: 600_000)))
    client.connection.send(client.request("POST", "/api/heroes", TestClient.hero("Luna")))
    waitUntil { entered.withLock { $0 } }
    server.server.stop()
    #expect(try client.connection.receive().status == 201)
  }

  @Test func codeRunsBeforeAndAfterARequest() throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let path = "/api/heroes/\(hero.id)"
    let seen = Mutex<[String]>([])
    // Someone else changes the record just before our change arrives.
    let other = server.server
    server.server.addFault(
      FaultRule(
        .before { request in
          seen.withLock { $0.append("before \(request.method) \(request.path)") }
          let answer = try? other.perform(
            "PATCH", request.target, body: ["age": 99], as: TestServer.email)
          seen.withLock { $0.append("\(answer?.status ?? 0)") }
        }, method: "PATCH", path: "/api/heroes/*", number: 1))
    server.server.addFault(
      FaultRule(
        .after { request in seen.withLock { $0.append("after \(request.number)") } },
        method: "PATCH"))
    let response = try client.send(
      "PATCH", path, ["age": 8], headers: ["If-Match": "\"\(hero.updatedAt)\""])
    #expect(response.status == 412)
    #expect(response.json?["data"]?["age"] == 99)
    #expect(seen.withLock { $0 } == ["before PATCH \(path)", "200", "after 2"])
  }

  @Test func aConditionChooses() throws {
    let server = try TestServer()
    let client = try server.client()
    server.server.addFault(
      FaultRule(.answer(status: 503), condition: { $0.idempotencyKey == "bad" }))
    _ = try client.createHero("Luna", headers: ["Idempotency-Key": "good"])
    let response = try client.send(
      "POST", "/api/heroes", TestClient.hero("Max"), headers: ["Idempotency-Key": "bad"])
    #expect(response.status == 503)
  }

  struct Pattern: CustomTestStringConvertible {
    var pattern: String
    var path: String
    var matches: Bool
    var testDescription: String { "\(pattern) \(path)" }
  }

  @Test(arguments: [
    Pattern(pattern: "/api/heroes", path: "/api/heroes", matches: true),
    Pattern(pattern: "/api/heroes", path: "/api/heroes?limit=1", matches: true),
    Pattern(pattern: "/api/heroes", path: "/api/heroes/x", matches: false),
    Pattern(pattern: "/api/heroes*", path: "/api/heroes/x", matches: true),
    Pattern(pattern: "*", path: "/", matches: true),
    Pattern(pattern: "*/x", path: "/api/heroes/x", matches: true),
    Pattern(pattern: "/api/*/x*y", path: "/api/heroes/x/x/xy", matches: true),
    Pattern(pattern: "/api/*/x*y", path: "/api/heroes/x/x/xyz", matches: false),
    Pattern(pattern: "", path: "/api", matches: false),
    Pattern(pattern: "**", path: "/api", matches: true),
  ])
  func patterns(_ example: Pattern) throws {
    let server = try TestServer()
    server.server.addFault(FaultRule(.answer(status: 502), path: example.pattern))
    let status = try server.stranger().send("GET", example.path).status
    #expect((status == 502) == example.matches)
  }

  // MARK: The log

  @Test func logsRequests() throws {
    let server = try TestServer { $0.requestLogSize = 3 }
    let client = try server.client()
    let hero = try client.createHero("Luna", headers: ["Idempotency-Key": "k"])
    let answer = try client.send("GET", "/api/heroes?limit=1")
    try client.send(
      "PATCH", "/api/heroes/\(hero.id)", ["age": 1], headers: ["If-Match": "\"x\""])
    let log = server.server.requestLog
    #expect(log.map(\.number) == [1, 2, 3])
    #expect(log.map(\.method) == ["POST", "GET", "PATCH"])
    #expect(log.map(\.target)[1] == "/api/heroes?limit=1")
    #expect(log[1].path == "/api/heroes")
    #expect(log.map(\.status) == [201, 200, 412])
    #expect(log.map(\.idempotencyKey) == ["k", nil, nil])
    #expect(log.map(\.ifMatch) == [nil, nil, "\"x\""])
    #expect(log[0].bodySize == TestClient.hero("Luna").compactBytes.count)
    #expect(log[1].answerSize == answer.body.count)
    for _ in 0..<4 { try client.send("GET", "/api/health") }
    #expect(server.server.requestLog.map(\.number) == [5, 6, 7])
    #expect(server.server.requestCount == 7)
    server.server.clearRequestLog()
    #expect(server.server.requestLog == [])
    #expect(server.server.requestCount == 0)
    try client.send("GET", "/api/health")
    #expect(server.server.requestLog.map(\.number) == [1])
    let silent = try TestServer { $0.requestLogSize = 0 }
    #expect(try silent.stranger().send("GET", "/api/health").status == 200)
    #expect(silent.server.requestLog == [])
    #expect(silent.server.requestCount == 1)
  }
}
