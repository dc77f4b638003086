import JSONText
import StoryServer
import TestSupport
import Testing

/// Wrong passwords make the next try wait, for one account from one address.
@Suite struct SignInThrottleTests {
  private let server: TestServer

  init() throws {
    server = try TestServer()
    #expect(try server.stranger().send("POST", "/api/auth/sign-up", Self.ann).status == 201)
  }

  private static let ann: JSONValue = [
    "email": "ann@example.org", "password": "correct horse", "name": "Ann",
  ]

  private func signIn(
    _ email: String = "ann@example.org", _ password: String = "wrong horse",
    from source: String? = nil, headers: [String: String] = [:]
  ) throws -> RawResponse {
    try server.stranger(from: source).send(
      "POST", "/api/auth/sign-in", ["email": .string(email), "password": .string(password)],
      headers: headers)
  }

  @Test func `the wait doubles from the fifth wrong password on`() throws {
    for _ in 0..<5 { #expect(try signIn().status == 401) }
    for wait: Int64 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
      for password in ["wrong horse", "correct horse"] {
        let answer = try signIn("ann@example.org", password)
        #expect(answer.status == 429, "also with the right password, which is not looked at")
        #expect(answer.errorCode == "tooManyAttempts")
        #expect(answer["retry-after"] == "\(wait)")
      }
      server.clock.advance(milliseconds: wait * 1_000 - 1)
      #expect(try signIn()["retry-after"] == "1")
      server.clock.advance(milliseconds: 1)
      #expect(try signIn().status == 401)
    }
  }

  @Test func `the right password ends the wait of its account alone`() throws {
    #expect(
      try server.stranger().send(
        "POST", "/api/auth/sign-up",
        ["email": "bob@example.org", "password": "another horse"]
      ).status == 201)
    for _ in 0..<4 { #expect(try signIn().status == 401) }
    for _ in 0..<5 { #expect(try signIn("bob@example.org").status == 401) }
    #expect(try signIn("ann@example.org", "correct horse").status == 200)
    for _ in 0..<4 { #expect(try signIn().status == 401) }
    #expect(try signIn("ANN@example.org ", "correct horse").status == 200, "one address, one count")
    #expect(try signIn("bob@example.org", "another horse").status == 429)
    server.clock.advance(milliseconds: 1_000)
    #expect(try signIn("bob@example.org", "another horse").status == 200)
  }

  @Test func `an unknown address waits like a known one`() throws {
    let emails = ["ann@example.org", "nobody@example.org", "no address"]
    let answers = try emails.map { email in try (0..<7).map { _ in try signIn(email) } }
    for others in answers.dropFirst() {
      for (ann, other) in zip(answers[0], others) {
        #expect(other.status == ann.status && other.body == ann.body)
        #expect(other["retry-after"] == ann["retry-after"])
      }
    }
  }

  #if os(Linux)
    @Test func `whoever guesses elsewhere does not lock the owner out`() throws {
      #expect(try signIn("ann@example.org", "correct horse").status == 200)
      for _ in 0..<6 { _ = try signIn(from: "127.0.0.2") }
      #expect(try signIn(from: "127.0.0.2").status == 429)
      #expect(try signIn("ann@example.org", "correct horse").status == 200)
      // Many addresses together: the account takes a try a minute from those that it does not know.
      for address in 3..<20 {
        for _ in 0..<5 { _ = try signIn(from: "127.0.0.\(address)") }
      }
      let fresh = try signIn(from: "127.0.0.100")
      #expect(fresh.status == 429)
      #expect(try #require(fresh["retry-after"].flatMap { Int($0) }) <= 60)
      #expect(try signIn("ann@example.org", "correct horse").status == 200, "it is known")
    }
  #endif

  @Test func `an hour without a wrong password forgets them`() throws {
    for _ in 0..<5 { #expect(try signIn().status == 401) }
    server.clock.advance(milliseconds: 3_601_000)
    for _ in 0..<5 { #expect(try signIn().status == 401) }
    #expect(try signIn().status == 429)
  }

  @Test func `a clock that is set back makes nobody wait for longer`() throws {
    for _ in 0..<20 {
      _ = try signIn()
      server.clock.advance(milliseconds: 900_000)
    }
    _ = try signIn()
    server.clock.advance(days: -30)
    #expect(try signIn("ann@example.org", "correct horse").status == 200)
  }
}
