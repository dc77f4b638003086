import JSONText
import StoryServer
import Testing

/// A name that leads here is not yet this server's name: a page in a browser may have had its own name
/// point to this machine (DNS rebinding), or send requests here without reading the answers (CSRF).
@Suite struct HostTests {
  private static func health(_ host: String) -> String {
    "GET /api/health HTTP/1.1\r\nHost: \(host)\r\n\r\n"
  }

  private func status(of request: String, _ server: TestServer) throws -> RawResponse {
    let client = try RawClient(port: server.server.port)
    client.send(request)
    return try client.receive()
  }

  @Test(
    arguments: [
      ("localhost", 200), ("LocalHost:8420", 200), ("localhost:1", 200), ("127.0.0.1", 200),
      ("127.0.0.1:8420", 200), ("127.8.9.1", 200), ("[::1]", 200), ("[::1]:8420", 200),
      ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
      ("evil.example:8420", 421), ("192.168.1.5", 421), ("127.0.0.256", 421), ("0.0.0.0", 421),
      ("", 421), ("[::1", 421), ("::1", 421), ("localhost:", 421), ("localhost:x", 421),
      ("localhost@evil.example", 421), ("evil.example, localhost", 421), ("[::1]evil", 421),
    ], ServerAPI.allCases)
  func `only names of this server are answered`(
    _ example: (host: String, status: Int), _ api: ServerAPI
  ) throws {
    let server = try TestServer { $0.api = api }
    let base = api == .v0 ? "/api" : "/api/v1"
    let answer = try status(
      of: "GET \(base)/health HTTP/1.1\r\nHost: \(example.host)\r\n\r\n", server)
    #expect(answer.status == example.status)
    if example.status == 421 { #expect(answer.text.contains("public URL")) }
  }

  struct OriginCase: CustomTestStringConvertible {
    var origin: String
    var host = "localhost:8420"
    var isProxied = false
    var status = 403
    var testDescription: String { "\(origin) at \(host)" }
  }

  @Test(
    arguments: [
      OriginCase(origin: "http://localhost:8420", status: 201),
      OriginCase(origin: "HTTP://LOCALHOST:8420", status: 201),
      OriginCase(origin: "http://localhost", host: "localhost:80", status: 201),
      OriginCase(origin: "http://127.0.0.1:8420", host: "127.0.0.1:8420", status: 201),
      OriginCase(origin: "https://localhost:8420", isProxied: true, status: 201),
      OriginCase(origin: "https://localhost", host: "localhost", isProxied: true, status: 201),
      OriginCase(origin: "http://localhost:3000"), OriginCase(origin: "http://127.0.0.1:8420"),
      OriginCase(origin: "https://localhost:8420"), OriginCase(origin: "null"),
      OriginCase(origin: "http://evil.example"), OriginCase(origin: "http://localhost:8420/x"),
      OriginCase(origin: "http://localhost:8420.evil.example"), OriginCase(origin: ""),
    ], ["POST", "PATCH", "DELETE", "sign-in", "sign-up", "sign-out", "refresh", "batch"])
  func `a page of another origin changes nothing`(
    _ example: OriginCase, _ what: String
  ) throws {
    let server = try TestServer()
    let client = try server.client()
    let hero = try client.createHero("Luna")
    let (method, path, body): (String, String, JSONValue?) =
      switch what {
      case "POST": ("POST", "/api/heroes", TestClient.hero("Max"))
      case "PATCH": ("PATCH", "/api/heroes/\(hero.id)", ["age": 9])
      case "DELETE": ("DELETE", "/api/heroes/\(hero.id)", nil)
      case "batch": ("POST", "/api/batch", ["operations": []])
      case "sign-out": ("POST", "/api/auth/sign-out", nil)
      case "refresh": ("POST", "/api/auth/session/refresh", ["refreshToken": "x"])
      default: ("POST", "/api/auth/\(what)", ["email": "x@y", "password": "long enough"])
      }
    var headers = ["Origin": example.origin]
    if example.isProxied { headers["X-Forwarded-Proto"] = "https" }
    let request = client.request(method, path, body, headers: headers)
      .replacing("Host: localhost\r\n", with: "Host: \(example.host)\r\n")
    client.connection.send(request)
    let answer = try client.connection.receive()
    if example.status == 403 {
      #expect(answer.status == 403)
      #expect(answer.errorCode == "invalidOrigin")
      #expect(try client.send("GET", "/api/heroes").json?["pagination"]?["total"] == 1)
    } else {
      #expect(answer.status != 403)
    }
    let read = try client.send("GET", "/api/heroes/\(hero.id)", headers: headers)
    #expect(read.status != 403, "reading changes nothing, and no page sees the answer")
  }
}
