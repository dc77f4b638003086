import JSONText
import StoryServer
import TestSupport
import Testing

@Suite struct AccountTests {
  private static let ann: JSONValue = [
    "email": "Ann@Example.org", "password": "correct horse", "name": "Ann",
  ]

  @Test func signsUpInAndOut() throws {
    let server = try TestServer()
    let client = try server.stranger()
    let signUp = try client.send("POST", "/api/auth/sign-up", Self.ann)
    #expect(signUp.status == 201)
    #expect(signUp["cache-control"] == "no-store")
    #expect(signUp.data?["user"]?["email"] == "ann@example.org")
    #expect(signUp.data?["user"]?["name"] == "Ann")
    #expect(signUp.data?["session"]?["expiresAt"] == "2026-12-20T10:00:00.000Z")
    let first = try #require(signUp.data?["session"]?["token"]?.string)
    #expect(first.utf8.count == 64)
    client.token = first
    #expect(try client.send("GET", "/api/heroes").status == 200)

    let signIn = try client.send(
      "POST", "/api/auth/sign-in", ["email": " ann@EXAMPLE.org\t", "password": "correct horse"])
    #expect(signIn.status == 200)
    #expect(signIn.data?["user"] == signUp.data?["user"])
    let second = try #require(signIn.data?["session"]?["token"]?.string)
    #expect(second != first)

    #expect(try client.send("POST", "/api/auth/sign-out").status == 200)
    #expect(try client.send("GET", "/api/heroes").status == 401, "the token is forgotten")
    client.token = second
    #expect(try client.send("GET", "/api/heroes").status == 200, "the other session goes on")
    #expect(try client.send("GET", "/api/user/profile").data == signUp.data?["user"])
  }

  @Test func sessionsAndAccountsOutliveTheServer() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let client = try #require(try server?.stranger())
    let session = try client.send("POST", "/api/auth/sign-up", Self.ann).data?["session"]
    let token = try #require(session?["token"]?.string)
    let other = try #require(
      try client.send("POST", "/api/auth/sign-in", Self.ann).data?["session"]?["token"]?.string)
    client.token = other
    #expect(try client.send("POST", "/api/auth/sign-out").status == 200)
    server = nil

    let again = try TestServer(folder: folder)
    let later = try again.stranger()
    later.token = token
    #expect(try later.send("GET", "/api/user/profile").data?["name"] == "Ann")
    later.token = other
    #expect(try later.send("GET", "/api/user/profile").status == 401)
    #expect(try later.send("POST", "/api/auth/sign-in", Self.ann).status == 200)
  }

  @Test func keepsNoSecretOnDisk() throws {
    let folder = try TemporaryFolder()
    let server = try TestServer(folder: folder)
    let client = try server.stranger()
    let session = try client.send("POST", "/api/auth/sign-up", Self.ann).data?["session"]
    let log = String(decoding: try folder.bytes("data/log"), as: UTF8.self)
    #expect(log.contains("$y$"), "yescrypt")
    for secret in ["correct horse", session?["token"]?.string, session?["refreshToken"]?.string] {
      #expect(!log.contains(try #require(secret)))
    }
  }

  @Test func wrongPasswordsAndUnknownAddressesGetTheSameAnswer() throws {
    let server = try TestServer()
    let client = try server.stranger()
    #expect(try client.send("POST", "/api/auth/sign-up", Self.ann).status == 201)
    _ = try server.server.issueToken(email: "embedded@example.org")
    var answers: [RawResponse] = []
    for (email, password) in [
      ("ann@example.org", "wrong horse"), ("ann@example.org", ""),
      ("ann@example.org", "correct horse\u{0}"),
      ("ann@example.org", "correct horse" + String(repeating: "x", count: 600)),
      ("bob@example.org", "correct horse"), ("no address", "correct horse"),
      ("embedded@example.org", ""), ("embedded@example.org", "correct horse"),
    ] {
      answers.append(
        try client.send(
          "POST", "/api/auth/sign-in",
          ["email": .string(email), "password": .string(password)]))
    }
    for answer in answers {
      #expect(answer.status == 401)
      #expect(answer.errorCode == "invalidCredentials")
      #expect(answer.body == answers[0].body)
    }
  }

  struct BadSignUp: CustomTestStringConvertible {
    var name: String
    var body: JSONValue
    var fields: [String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    BadSignUp(name: "nothing", body: [:], fields: ["email", "password"]),
    BadSignUp(
      name: "no at", body: ["email": "ann", "password": "long enough"], fields: ["email"]),
    BadSignUp(
      name: "two ats", body: ["email": "a@b@c", "password": "long enough"], fields: ["email"]),
    BadSignUp(
      name: "nothing before the at", body: ["email": "@b", "password": "long enough"],
      fields: ["email"]),
    BadSignUp(
      name: "space inside", body: ["email": "a b@c", "password": "long enough"], fields: ["email"]),
    BadSignUp(
      name: "number", body: ["email": 5, "password": "long enough"], fields: ["email"]),
    BadSignUp(
      name: "too long",
      body: [
        "email": .string(String(repeating: "a", count: 260) + "@b"), "password": "long enough",
      ], fields: ["email"]),
    BadSignUp(
      name: "short password", body: ["email": "a@b", "password": "1234567"], fields: ["password"]),
    BadSignUp(
      name: "password with a null", body: ["email": "a@b", "password": "12345678\u{0}9"],
      fields: ["password"]),
    BadSignUp(
      name: "endless password",
      body: ["email": "a@b", "password": .string(String(repeating: "p", count: 512))],
      fields: ["password"]),
    BadSignUp(
      name: "name is no string", body: ["email": "a@b", "password": "12345678", "name": 1],
      fields: ["name"]),
  ])
  func refusesSignUps(_ example: BadSignUp) throws {
    let server = try TestServer()
    let response = try server.stranger().send("POST", "/api/auth/sign-up", example.body)
    #expect(response.status == 400)
    #expect(response.json?["error"]?["details"]?.object?.keys == example.fields)
  }

  @Test func anAddressHasOneAccount() throws {
    let server = try TestServer()
    let client = try server.stranger()
    #expect(try client.send("POST", "/api/auth/sign-up", Self.ann).status == 201)
    let again = try client.send(
      "POST", "/api/auth/sign-up", ["email": "ANN@example.org", "password": "another one"])
    #expect(again.status == 409)
    #expect(again.errorCode == "emailInUse")
  }

  @Test func signUpCanBeClosed() throws {
    let server = try TestServer { $0.isSignUpOpen = false }
    let response = try server.stranger().send("POST", "/api/auth/sign-up", Self.ann)
    #expect(response.status == 403)
    #expect(response.errorCode == "signUpClosed")
    let token = try server.server.issueToken(email: "ann@example.org", name: "Ann")
    let client = try server.stranger()
    client.token = token.token
    #expect(try client.send("GET", "/api/user/profile").data?["name"] == "Ann")
  }

  @Test(arguments: ServerAPI.allCases)
  func anInviteCodeCanBeAskedFor(api: ServerAPI) throws {
    let server = try TestServer {
      $0.api = api
      $0.inviteCode = "open sesame"
    }
    let path = api == .v0 ? "/api/auth/sign-up" : "/api/auth/sign-up/email"
    func signUp(_ code: JSONValue?) throws -> RawResponse {
      var body: JSONObject = [
        "email": "ann@example.org", "password": "correct horse", "name": "Ann",
      ]
      if let code { body["inviteCode"] = code }
      return try server.stranger().send(
        "POST", path, .object(body), headers: ["Origin": "http://localhost"])
    }
    for code: JSONValue? in [nil, nil, "", .null, 7] {
      let answer = try signUp(code)
      #expect(answer.status == 403)
      #expect(answer.text.contains("only with an invite code"))
    }
    for code: JSONValue in ["open", "open sesame ", "OPEN SESAME", "x"] {
      let answer = try signUp(code)
      #expect(answer.status == 403)
      #expect(answer.text.contains("The invite code is wrong"))
      #expect(!answer.text.contains("sesame"))
    }
    #expect([200, 201].contains(try signUp("open sesame").status))
    for _ in 0..<5 { #expect(try signUp("a guess").status == 403) }
    let late = try signUp("open sesame")
    #expect(late.status == 429)
    #expect(late["retry-after"] == "1")
  }

  @Test func tooManyPasswordsAtATimeAreRefused() throws {
    let server = try TestServer { $0.passwordCost = 7 }
    let clients = try (0..<24).map { _ in try server.stranger() }
    for (number, client) in clients.enumerated() {
      client.connection.send(
        client.request(
          "POST", "/api/auth/sign-in",
          ["email": .string("nobody\(number)@example.org"), "password": "correct horse"]))
    }
    let answers = try clients.map { try $0.connection.receive() }
    #expect(answers.contains { $0.status == 401 })
    let busy = answers.filter { $0.status == 429 }
    #expect(busy.allSatisfy { $0.errorCode == "busy" && $0["retry-after"] == "1" })
    #expect(!busy.isEmpty)
    #expect(try server.stranger().send("POST", "/api/auth/sign-in", Self.ann).status == 401)
  }

  // MARK: Sessions

  @Test func sessionsEnd() throws {
    let server = try TestServer { $0.sessionLifetime = 60_000 }
    let client = try server.stranger()
    let signUp = try client.send("POST", "/api/auth/sign-up", Self.ann)
    client.token = signUp.data?["session"]?["token"]?.string
    server.clock.advance(milliseconds: 59_999)
    #expect(try client.send("GET", "/api/heroes").status == 200)
    server.clock.advance(milliseconds: 1)
    #expect(try client.send("GET", "/api/heroes").status == 401)
  }

  @Test func refreshingRotatesBothTokens() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var server: TestServer? = try TestServer(folder: folder, clock: clock) {
      $0.sessionLifetime = 60_000
    }
    var client = try #require(try server?.stranger())
    let first = try #require(
      try client.send("POST", "/api/auth/sign-up", Self.ann).data?["session"])
    client.token = first["token"]?.string

    func refresh(_ token: JSONValue?) throws -> RawResponse {
      try client.send("POST", "/api/auth/session/refresh", ["refreshToken": token ?? nil])
    }

    #expect(try refresh("wrong").status == 401)
    #expect(try refresh(nil).status == 400)
    clock.advance(milliseconds: 70_000)
    let refreshed = try refresh(first["refreshToken"])
    #expect(refreshed.status == 200, "also when the token is over")
    let second = try #require(refreshed.data?["session"])
    #expect(second["expiresAt"] == "2026-11-20T10:02:10.000Z")
    #expect(second["token"] != first["token"])
    #expect(second["refreshToken"] != first["refreshToken"])

    client.token = second["token"]?.string
    #expect(try client.send("GET", "/api/heroes").status == 200)
    client.token = first["token"]?.string
    #expect(try client.send("GET", "/api/heroes").status == 401, "the old token is refused")

    server = nil
    let again = try TestServer(folder: folder, clock: clock) { $0.sessionLifetime = 60_000 }
    client = try again.stranger()
    client.token = second["token"]?.string
    #expect(try client.send("GET", "/api/heroes").status == 200)
    clock.advance(days: 91)
    #expect(try refresh(second["refreshToken"]).status == 401, "refresh tokens end too")
  }

  @Test func issuedTokensLeaveNothingBehind() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let session = try #require(try server?.server.issueToken(email: "a@b"))
    let size = try folder.bytes("data/log").count
    _ = try server?.server.issueToken(email: "A@B")
    let client = try #require(try server?.stranger())
    client.token = session.token
    let refreshed = try client.send(
      "POST", "/api/auth/session/refresh", ["refreshToken": .string(session.refreshToken)])
    #expect(refreshed.status == 200)
    #expect(try folder.bytes("data/log").count == size)
    server = nil
    let again = try TestServer(folder: folder)
    let later = try again.stranger()
    later.token = refreshed.data?["session"]?["token"]?.string
    #expect(try later.send("GET", "/api/heroes").status == 401)
    #expect(throws: StoryServerError.invalidEmail("nobody")) {
      try again.server.issueToken(email: "nobody")
    }
  }

  // MARK: Profile

  @Test func changesTheName() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let client = try #require(try server?.client())
    let key = ["Idempotency-Key": "name-1"]
    let changed = try client.send("PATCH", "/api/user/profile", ["name": "Zoé"], headers: key)
    #expect(changed.data?["name"] == "Zoé")
    #expect(try client.send("PATCH", "/api/user/profile", ["email": "x@y"]).data == changed.data)
    #expect(try client.send("PATCH", "/api/user/profile", ["name": nil]).data?["name"] == .null)
    #expect(try client.send("PATCH", "/api/user/profile", ["name": 5]).status == 400)
    server = nil
    let again = try TestServer(folder: folder)
    let later = try again.client()
    let replay = try later.send("PATCH", "/api/user/profile", ["name": "Zoé"], headers: key)
    #expect(replay.data == changed.data, "the first answer")
    #expect(replay["idempotent-replayed"] == "true")
    #expect(try later.send("GET", "/api/user/profile").data?["name"] == .null)
    let other = try later.send("PATCH", "/api/user/profile", ["name": "Max"], headers: key)
    #expect(other.status == 422)
  }

  // MARK: Separation

  @Test func nobodySeesAnothersRecords() throws {
    let server = try TestServer()
    let ann = try server.client()
    let bob = try server.client(email: "bob@example.org")
    let hero = try ann.createHero("Luna")
    let story = try ann.createStory("Snow", hero: hero.id)
    let tag = ["If-Match": "\"\(hero.updatedAt)\""]
    #expect(try bob.send("GET", "/api/heroes").json?["pagination"]?["total"] == 0)
    #expect(try bob.send("GET", "/api/heroes/\(hero.id)").status == 404)
    #expect(try bob.send("PATCH", "/api/heroes/\(hero.id)", ["age": 3], headers: tag).status == 404)
    #expect(try bob.send("DELETE", "/api/heroes/\(hero.id)").status == 404)
    #expect(try bob.send("GET", "/api/stories?heroId=\(hero.id)").data == [])
    #expect(
      try bob.send("POST", "/api/stories", TestClient.story("x", hero: hero.id)).status == 400)
    let batch = try bob.send(
      "POST", "/api/batch",
      [
        "operations": [
          ["method": "delete", "kind": "stories", "id": .string(story.id)]
        ]
      ])
    #expect(batch.data?["results"]?.array?.first?["status"] == 404)
    let key = ["Idempotency-Key": "same"]
    _ = try ann.createHero("Max", headers: key)
    #expect(try bob.createHero("Other", headers: key)["name"] == "Other", "keys are separate too")
    #expect(try ann.send("GET", "/api/heroes/\(hero.id)").data == hero)
  }
}
