import TestSupport
import Testing

@testable import StoryAPI

@Suite(.inTurn) struct RedirectTests {
  private func request(
    _ url: String, method: HTTPMethod = .get, body: String = ""
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, url: url,
      headers: ["Authorization": "Bearer secret-token", "Accept": "application/json"],
      body: Array(body.utf8), timeout: patience)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `another origin gets no token`(_ status: Int) async throws {
    let other = try ScriptedServer { _, _ in .answer(200, #"{"data":1}"#) }
    let target = "\(other.url)/elsewhere"
    let first = try ScriptedServer { _, _ in .answer(status, headers: ["Location": target]) }
    let answer = try await URLSessionTransport().send(request("\(first.url)/api/heroes"))
    #expect(answer.status == 200)
    #expect(answer.url == target)
    #expect(first.requests.map { $0.headers["authorization"] } == ["Bearer secret-token"])
    #expect(other.requests.count == 1)
    #expect(other.requests[0].headers["authorization"] == nil)
    #expect(other.requests[0].headers["accept"] == "application/json")
  }

  @Test func `another port of the same host gets no token on the way back either`() async throws {
    let back = Box<String>("")
    let other = try ScriptedServer { _, _ in .answer(302, headers: ["Location": back.value]) }
    let first = try ScriptedServer { request, _ in
      request.target == "/start"
        ? .answer(302, headers: ["Location": "\(other.url)/bounce"]) : .answer(200, "{}")
    }
    back.value = "\(first.url)/chosen-by-other"
    _ = try await URLSessionTransport().send(request("\(first.url)/start"))
    #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    #expect(first.requests.map(\.target) == ["/start", "/chosen-by-other"])
    #expect(first.requests.last?.headers["authorization"] == nil)
  }

  @Test func `the own origin keeps the token`() async throws {
    let server = try ScriptedServer { request, _ in
      request.target == "/a" ? .answer(302, headers: ["Location": "/b"]) : .answer(200, "{}")
    }
    _ = try await URLSessionTransport().send(request("\(server.url)/a"))
    #expect(server.requests.map(\.target) == ["/a", "/b"])
    #expect(server.requests[1].headers["authorization"] == "Bearer secret-token")
  }

  @Test(arguments: [307, 308])
  func `a body goes on within its origin, method and all`(_ status: Int) async throws {
    let server = try ScriptedServer { request, _ in
      request.target == "/a" ? .answer(status, headers: ["Location": "/b"]) : .answer(201, "{}")
    }
    let answer = try await URLSessionTransport().send(
      request("\(server.url)/a", method: .post, body: #"{"x":1}"#))
    #expect(answer.status == 201)
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.map(\.text) == [#"{"x":1}"#, #"{"x":1}"#])
  }

  @Test(arguments: [HTTPMethod.post, .patch, .delete], [301, 302, 303, 307, 308])
  func `a body never goes to another origin`(_ method: HTTPMethod, _ status: Int) async throws {
    let other = try ScriptedServer { _, _ in .answer(200, "{}") }
    let first = try ScriptedServer { _, _ in .answer(status, headers: ["Location": other.url]) }
    await #expect(throws: TransportError.network(.redirectRefused(target: other.url))) {
      try await URLSessionTransport().send(
        request(first.url, method: method, body: #"{"password":"x"}"#))
    }
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: [301, 302, 303])
  func `a write does not become a read`(_ status: Int) async throws {
    let server = try ScriptedServer { _, _ in .answer(status, headers: ["Location": "/b"]) }
    await #expect(throws: TransportError.network(.redirectRefused(target: server.url))) {
      try await URLSessionTransport().send(request("\(server.url)/a", method: .post, body: "{}"))
    }
    #expect(server.requests.count == 1)
  }

  @Test func `loops end`() async throws {
    let server = try ScriptedServer { request, _ in
      .answer(302, headers: ["Location": request.target == "/a" ? "/b" : "/a"])
    }
    await #expect(throws: TransportError.network(.redirectLoop)) {
      try await URLSessionTransport().send(request("\(server.url)/a"))
    }
    #expect(server.requests.count == 2)
  }

  @Test func `chains without end do`() async throws {
    let server = try ScriptedServer { _, number in
      .answer(302, headers: ["Location": "/\(number)"])
    }
    await #expect(throws: TransportError.network(.redirectLoop)) {
      try await URLSessionTransport().send(request("\(server.url)/a"))
    }
    #expect(server.requests.count == 6)
  }

  @Test(arguments: [
    "http://stories.example/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://me@127.0.0.1:9/",
  ]) func `nothing leads to plain http elsewhere or to another scheme`(_ target: String)
    async throws
  {
    let server = try ScriptedServer { _, _ in .answer(302, headers: ["Location": target]) }
    await #expect {
      try await URLSessionTransport().send(request("\(server.url)/a"))
    } throws: { error in
      guard case .network(let failure) = error as? TransportError else { return false }
      if case .redirectRefused = failure { return true }
      return false
    }
    #expect(server.requests.count == 1)
  }
}

@Suite(.inTurn) struct RedirectRuleTests {
  @Test(arguments: [
    ("https to http", "https://a.example/x", "http://a.example/x", false),
    ("https to loopback http", "https://a.example/x", "http://127.0.0.1/x", false),
    ("https to https elsewhere", "https://a.example/x", "https://b.example/x", true),
    ("http to its own https", "http://127.0.0.1/x", "https://127.0.0.1/x", true),
    ("http allowed by the user to another plain host", "http://nas/x", "http://b.example/x", false),
  ]) func `schemes`(_ name: String, _ from: String, _ to: String, _ follows: Bool) {
    let request = HTTPRequest(method: .get, url: from, headers: ["authorization": "Bearer x"])
    do {
      let headers = try RedirectRule.headers(request, status: 302, target: to, visited: [from])
      #expect(follows)
      #expect(headers["Authorization"] == nil)
    } catch {
      #expect(!follows)
      #expect(error == .redirectRefused(target: String(to.dropLast(2))))
    }
  }
}
