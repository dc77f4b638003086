import JSONText
import StoryServer
import TestSupport
import Testing

/// Accounts and sessions in the second form of the contract.
@Suite struct AccountV1Tests {
  private let server: TestServer
  private let client: TestClient

  private static let origin = ["Origin": "http://localhost"]
  private static let ada: JSONValue = [
    "email": "ada@example.org", "password": "correct horse", "name": "Ada",
  ]

  init() throws {
    server = try TestServer {
      $0.api = .v1
      $0.sessionLifetime = 7_000
    }
    client = try server.stranger()
  }

  private func signUp() throws -> String {
    let answer = try client.send("POST", "/api/auth/sign-up/email", Self.ada, headers: Self.origin)
    #expect(answer.status == 200)
    return try #require(answer.json?["token"]?.string)
  }

  private func session(_ token: String?) throws -> JSONValue? {
    client.token = token
    let answer = try client.send("GET", "/api/auth/get-session")
    #expect(answer.status == 200)
    return answer.json
  }

  @Test func `signing up and in`() throws {
    let made = try client.send("POST", "/api/auth/sign-up/email", Self.ada, headers: Self.origin)
    #expect(
      made.json?["user"]?["email"] == "ada@example.org" && made.json?["user"]?["name"] == "Ada")
    #expect(made["set-auth-token"] == made.json?["token"]?.string)
    #expect(made["cache-control"] == "no-store")
    let again = try client.send("POST", "/api/auth/sign-in/email", Self.ada, headers: Self.origin)
    #expect(again.status == 200 && again["set-auth-token"] != made["set-auth-token"])
    client.token = again["set-auth-token"]
    let profile = try client.send("GET", "/api/v1/user/profile")
    #expect(profile.data?["id"] == made.json?["user"]?["id"])
    #expect(try client.send("PATCH", "/api/v1/user/profile", ["name": "Countess"]).status == 200)
    #expect(try client.send("GET", "/api/v1/user/profile").data?["name"] == "Countess")
  }

  @Test(arguments: ["sign-up", "sign-in"])
  func `the origin must be the server's own`(_ verb: String) throws {
    for headers in [[:], ["Origin": "http://evil.example"], ["Origin": "localhost"]] {
      let answer = try client.send("POST", "/api/auth/\(verb)/email", Self.ada, headers: headers)
      #expect(answer.status == 403)
      #expect(answer.json?.object?.keys == ["message"])
    }
  }

  @Test func `refusals have a message alone`() throws {
    _ = try signUp()
    let taken = try client.send("POST", "/api/auth/sign-up/email", Self.ada, headers: Self.origin)
    #expect(taken.status == 422)
    let wrong = try client.send(
      "POST", "/api/auth/sign-in/email",
      ["email": "ada@example.org", "password": "wrong horse"], headers: Self.origin)
    #expect(wrong.status == 401)
    #expect(wrong.json == ["message": "Invalid email or password"])
    let nameless = try client.send(
      "POST", "/api/auth/sign-up/email", ["email": "x@example.org", "password": "correct horse"],
      headers: Self.origin)
    #expect(nameless.status == 400 && nameless.json?["message"] == "name: is missing")
  }

  @Test func `a session is told, and goes on while it is used`() throws {
    let token = try signUp()
    let first = try #require(try session(token))
    #expect(first["session"]?["token"] == .string(token))
    #expect(first["user"]?["name"] == "Ada")
    let end = try #require(first["session"]?["expiresAt"]?.string)
    server.clock.advance(milliseconds: 500)
    #expect(try session(token)?["session"]?["expiresAt"]?.string == end)
    for _ in 0..<4 {
      server.clock.advance(milliseconds: 5_000)
      #expect(try client.send("GET", "/api/v1/heroes").status == 200)
    }
    #expect(try #require(try session(token)?["session"]?["expiresAt"]?.string) > end)
    server.clock.advance(milliseconds: 7_001)
    #expect(try session(token) == .null)
    #expect(try client.send("GET", "/api/v1/heroes").status == 401)
  }

  @Test func `no session is null`() throws {
    #expect(try session(nil) == .null)
    #expect(try session("nobody's") == .null)
    let token = try signUp()
    client.token = token
    #expect(try client.send("POST", "/api/auth/sign-out").status == 200)
    #expect(try session(token) == .null)
  }

  @Test func `a longer session outlives the server`() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var server: TestServer? = try TestServer(folder: folder, clock: clock) {
      $0.api = .v1
      $0.sessionLifetime = 7_000
    }
    var client = try #require(try server?.stranger())
    let token = try client.send(
      "POST", "/api/auth/sign-up/email", Self.ada, headers: Self.origin
    )["set-auth-token"]
    client.token = token
    clock.advance(milliseconds: 5_000)
    _ = try client.send("GET", "/api/v1/heroes")
    server = nil
    let other = try TestServer(folder: folder, clock: clock) { $0.api = .v1 }
    client = try other.stranger()
    client.token = token
    clock.advance(milliseconds: 5_000)
    #expect(try client.send("GET", "/api/v1/heroes").status == 200)
  }
}
