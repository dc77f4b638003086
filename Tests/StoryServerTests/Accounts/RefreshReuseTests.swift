import JSONText
import StoryServer
import TestSupport
import Testing

/// A refresh token is good for one new session. Who sends it again has lost the answer, or is a thief.
@Suite struct RefreshReuseTests {
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let server: TestServer
  private let client: TestClient

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer(folder: folder, clock: clock)
    client = try server.stranger()
  }

  private func signUp() throws -> JSONValue {
    try #require(
      try client.send(
        "POST", "/api/auth/sign-up",
        ["email": "ann@example.org", "password": "correct horse"]
      ).data?["session"])
  }

  private func refresh(
    _ session: JSONValue, bearer: JSONValue? = nil, _ client: TestClient? = nil
  ) throws -> RawResponse {
    let client = client ?? self.client
    client.token = (bearer ?? session)["token"]?.string
    return try client.send(
      "POST", "/api/auth/session/refresh", ["refreshToken": session["refreshToken"] ?? nil])
  }

  private func holds(_ session: JSONValue, _ client: TestClient? = nil) throws -> Bool {
    let client = client ?? self.client
    client.token = session["token"]?.string
    return try client.send("GET", "/api/heroes").status == 200
  }

  @Test func `a refresh whose answer was lost is answered again with the same session`() throws {
    let first = try signUp()
    let answer = try refresh(first)
    let second = try #require(answer.data?["session"])
    clock.advance(days: 3)
    for _ in 0..<3 { #expect(try refresh(first).body == answer.body) }
    #expect(try holds(second))
  }

  @Test func `a refresh token that comes again after that ends the session for everybody`() throws {
    let first = try signUp()
    let second = try #require(try refresh(first).data?["session"])
    clock.advance(milliseconds: 30_000)
    #expect(try holds(second))
    let other = try signIn()
    let theft = try refresh(first)
    #expect(theft.status == 401)
    #expect(theft.errorCode == "sessionRevoked")
    #expect(try !holds(second))
    #expect(try refresh(second).status == 401)
    #expect(try holds(other), "another session of the account is not this one")
  }

  /// Another session of the same account.
  private func signIn() throws -> JSONValue {
    try #require(
      try client.send(
        "POST", "/api/auth/sign-in",
        ["email": "ann@example.org", "password": "correct horse"]
      ).data?["session"])
  }

  @Test func `two commands that renew at once get the same session`() throws {
    let first = try signUp()
    let second = try #require(try refresh(first).data?["session"])
    #expect(try holds(second))
    clock.advance(milliseconds: 29_999)
    #expect(try refresh(first).data?["session"] == second, "half a minute is for them")
    #expect(try holds(second))
  }

  @Test func `a refresh token of long ago ends the session, also after a restart`() throws {
    var sessions = [try signUp()]
    for _ in 0..<4 {
      clock.advance(days: 1)
      sessions.append(try #require(try refresh(sessions[sessions.count - 1]).data?["session"]))
    }
    let other = try signIn()
    server.server.stop()
    let again = try TestServer(folder: folder, clock: clock)
    let later = try again.stranger()
    #expect(try holds(sessions[4], later))
    // The thief has but the old refresh token.
    #expect(try refresh(sessions[1], bearer: ["token": "x"], later).errorCode == "sessionRevoked")
    #expect(try !holds(sessions[4], later))
    #expect(try holds(other, later))
    #expect(try refresh(sessions[0], later).errorCode == "unauthorized", "there is nothing to end")
  }

  @Test func `a wrong refresh token ends nothing`() throws {
    let first = try signUp()
    client.token = first["token"]?.string
    for token: JSONValue in ["wrong", "", first["token"] ?? nil] {
      let answer = try client.send(
        "POST", "/api/auth/session/refresh", ["refreshToken": token])
      #expect(answer.status == 401)
    }
    #expect(try holds(first))
  }
}
