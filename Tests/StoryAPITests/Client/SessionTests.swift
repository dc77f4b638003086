import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// Sessions that end, are renewed and are forgotten, over real sockets.
@Suite(.inTurn) struct SessionTests {
  /// A server that knows one token at a time and renews it as the contract says.
  private final class Account: Sendable {
    let tokens = Box<[String]>(["t0"])
    let refreshes = Box(0)
    let dates: Bool

    init(dates: Bool = true) { self.dates = dates }

    func reply(_ request: ScriptedServer.Request, _ clock: SteppingClock) -> ScriptedServer.Reply {
      let headers = dates ? ["Date": "Fri, 20 Nov 2026 10:00:00 GMT"] : [:]
      let bearer = request.headers["authorization"]
      if request.target.hasPrefix("/api/health") {
        return .answer(200, Samples.health, headers: headers)
      }
      if request.target == "/api/auth/session/refresh" {
        refreshes.change { $0 += 1 }
        let number = tokens.value.count
        guard bearer == "Bearer t\(number - 1)",
          request.text == #"{"refreshToken":"r\#(number - 1)"}"#
        else { return .answer(401, "{}") }
        tokens.change { $0.append("t\(number)") }
        let end = clock.now.advanced(by: .seconds(3_600)).wire
        return .answer(
          200,
          #"{"data":{"session":{"token":"t\#(number)","refreshToken":"r\#(number)","expiresAt":"\#(end)"}}}"#,
          headers: headers)
      }
      guard bearer == "Bearer \(tokens.value.last ?? "")" else {
        return .answer(401, "{}", headers: headers)
      }
      return .answer(200, #"{"data":\#(Samples.hero)}"#, headers: headers)
    }
  }

  private func session(_ number: Int, endsIn seconds: Int?, _ clock: SteppingClock) -> Session {
    Session(
      token: Secret("t\(number)"), refreshToken: Secret("r\(number)"),
      expiresAt: seconds.map { clock.now.advanced(by: .seconds($0)) })
  }

  @Test func `many requests that meet 401 renew once`() async throws {
    let (clock, account) = (SteppingClock(), Account())
    let (store, isRevoked) = (MemoryTokenStore(), Box(true))
    let server = try ScriptedServer { request, _ in
      if request.target == "/api/auth/session/refresh" { isRevoked.value = false }
      return isRevoked.value ? .answer(401, "{}") : account.reply(request, clock)
    }
    var configuration = ClientConfiguration.quick(clock)
    configuration.tokenStore = store
    let client = try APIClient(server, configuration, session: session(0, endsIn: 7_200, clock))
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<30 { group.addTask { try await client.record(.heroes, id: "h1").id } }
      for try await id in group { #expect(id == "h1") }
    }
    #expect(account.refreshes.value == 1)
    #expect(await client.session?.token.value == "t1")
    #expect(store.saves == 1)
    #expect(store.sessions[server.url]?.refreshToken?.value == "r1")
  }

  @Test func `a session that cannot be renewed is forgotten and told`() async throws {
    let server = try ScriptedServer { _, _ in .answer(401, "{}") }
    let clock = SteppingClock()
    let kept = session(0, endsIn: 7_200, clock)
    let store = MemoryTokenStore(kept, for: server.url)
    var configuration = ClientConfiguration.quick(clock)
    configuration.tokenStore = store
    let client = try APIClient(server, configuration, session: kept)
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(await client.session == nil)
    #expect(store.sessions.isEmpty)
    #expect(server.requests.map(\.target) == ["/api/heroes/h1", "/api/auth/session/refresh"])
    await #expect(throws: APIError.unauthorized(.notSignedIn)) {
      try await client.record(.heroes, id: "h1")
    }
  }

  @Test func `a request that is refused even after a renewal is not repeated again`() async throws {
    let clock = SteppingClock()
    let server = try ScriptedServer { request, _ in
      request.target == "/api/auth/session/refresh"
        ? .answer(200, #"{"data":{"session":{"token":"t1","refreshToken":"r1"}}}"#)
        : .answer(401, "{}")
    }
    let client = try APIClient(
      server, .quick(clock), session: session(0, endsIn: 7_200, clock))
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(server.requests.count == 3)
    #expect(await client.session == nil)
  }

  @Test(arguments: ["drop", "503", "garbage"])
  func `a renewal that nobody answers leaves the session`(_ fault: String) async throws {
    let clock = SteppingClock()
    let server = try ScriptedServer { request, _ in
      guard request.target == "/api/auth/session/refresh" else { return .answer(401, "{}") }
      return switch fault {
      case "drop": .drop
      case "503": .answer(503, "{}")
      default: .answer(200, "<html>")
      }
    }
    let kept = session(0, endsIn: 7_200, clock)
    let store = MemoryTokenStore(kept, for: server.url)
    var configuration = ClientConfiguration.quick(clock, retries: RetryPolicy())
    configuration.tokenStore = store
    let client = try APIClient(server, configuration, session: kept)
    do {
      _ = try await client.record(.heroes, id: "h1")
      Issue.record("no error")
    } catch {
      #expect(error != .unauthorized(.sessionExpired))
    }
    #expect(await client.session == kept)
    #expect(store.sessions[server.url] == kept)
    // A renewal is never sent twice: the first one may have used up the refresh token.
    #expect(server.requests.count == 2)
  }

  @Test func `it is renewed five minutes before its end, not earlier`() async throws {
    let (clock, account) = (SteppingClock(), Account(dates: false))
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    let client = try APIClient(
      server, .quick(clock), session: session(0, endsIn: 301, clock))
    _ = try await client.record(.heroes, id: "h1")
    #expect(account.refreshes.value == 0)
    clock.advance(by: .seconds(1))
    _ = try await client.record(.heroes, id: "h1")
    #expect(account.refreshes.value == 1)
    _ = try await client.record(.heroes, id: "h1")
    #expect(account.refreshes.value == 1)
    #expect(await client.session?.token.value == "t1")
  }

  @Test func `a session that lives for minutes is not renewed with each request`() async throws {
    let clock = SteppingClock()
    let server = try ScriptedServer { request, _ in
      request.target == "/api/auth/session/refresh"
        ? .answer(
          200,
          #"{"data":{"session":{"token":"t1","refreshToken":"r1","expiresAt":"\#(clock.now.advanced(by: .seconds(120)).wire)"}}}"#,
          headers: ["Date": "Fri, 20 Nov 2026 10:00:00 GMT"])
        : .answer(200, #"{"data":\#(Samples.hero)}"#)
    }
    let client = try APIClient(server, .quick(clock), session: session(0, endsIn: 100, clock))
    for _ in 0..<5 { _ = try await client.record(.heroes, id: "h1") }
    #expect(server.requests.filter { $0.target.contains("refresh") }.count == 1)
  }

  @Test func `while it still holds, a failed early renewal stops nothing`() async throws {
    let clock = SteppingClock()
    let server = try ScriptedServer { request, _ in
      request.target == "/api/auth/session/refresh"
        ? .drop : .answer(200, #"{"data":\#(Samples.hero)}"#)
    }
    let client = try APIClient(server, .quick(clock), session: session(0, endsIn: 100, clock))
    for _ in 0..<4 { _ = try await client.record(.heroes, id: "h1") }
    #expect(server.requests.filter { $0.target.contains("refresh") }.count == 1)
    #expect(server.requests.last?.headers["authorization"] == "Bearer t0")
    clock.advance(by: .seconds(60))
    _ = try await client.record(.heroes, id: "h1")
    #expect(server.requests.filter { $0.target.contains("refresh") }.count == 2)
  }

  @Test func `one that is over is not sent, but exchanged`() async throws {
    let (clock, account) = (SteppingClock(), Account())
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    let client = try APIClient(server, .quick(clock), session: session(0, endsIn: -1, clock))
    _ = try await client.record(.heroes, id: "h1")
    #expect(
      server.requests.map(\.target)
        == ["/api/health", "/api/auth/session/refresh", "/api/heroes/h1"])
    #expect(server.requests[0].headers["authorization"] == nil)
    #expect(server.requests[2].headers["authorization"] == "Bearer t1")
  }

  @Test func `one that is over and cannot be exchanged is forgotten without being sent`()
    async throws
  {
    let (clock, account) = (SteppingClock(), Account())
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    var old = session(0, endsIn: 0, clock)
    old.refreshToken = nil
    let store = MemoryTokenStore(old, for: server.url)
    var configuration = ClientConfiguration.quick(clock)
    configuration.tokenStore = store
    let client = try APIClient(server, configuration, session: old)
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(store.sessions.isEmpty)
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test func `one that has not begun is not sent and not forgotten`() async throws {
    let (clock, account) = (SteppingClock(), Account())
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    var early = session(0, endsIn: 7_200, clock)
    early.validFrom = clock.now.advanced(by: .seconds(3_600))
    let client = try APIClient(server, .quick(clock), session: early)
    await #expect(throws: APIError.unauthorized(.sessionNotYetValid)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(await client.session == early)
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test func `a wrong clock here ends no session`() async throws {
    // The server says 10:00:00; this machine believes in a time two days later.
    let clock = SteppingClock(start: ServerDate(seconds: 1_795_168_800 + 172_800))
    let account = Account()
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    let kept = Session(
      token: Secret("t0"), refreshToken: Secret("r0"),
      expiresAt: ServerDate(seconds: 1_795_168_800 + 3_600))
    let client = try APIClient(server, .quick(clock), session: kept)
    _ = try await client.record(.heroes, id: "h1")
    #expect(account.refreshes.value == 0)
    #expect(await client.clockDifference == .seconds(-172_800))
  }

  @Test func `without a network a session that seems over stays`() async throws {
    let gone = try RefusingPort()
    let clock = SteppingClock()
    let old = session(0, endsIn: -5, clock)
    let client = APIClient(
      server: try ServerAddress(gone.url), configuration: .quick(clock),
      session: old)
    await #expect(throws: APIError.network(.refused)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(await client.session == old)
    withExtendedLifetime(gone) {}
  }

  @Test func `what another process renewed is taken over, not renewed again`() async throws {
    let (clock, account) = (SteppingClock(), Account())
    account.tokens.value = ["t0", "t1"]
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    let store = MemoryTokenStore(session(1, endsIn: 7_200, clock), for: server.url)
    var configuration = ClientConfiguration.quick(clock)
    configuration.tokenStore = store
    let client = try APIClient(
      server, configuration, session: session(0, endsIn: 7_200, clock))
    _ = try await client.record(.heroes, id: "h1")
    #expect(account.refreshes.value == 0)
    #expect(await client.session?.token.value == "t1")
  }

  @Test func `a renewed session that cannot be stored is told and used`() async throws {
    let (clock, account) = (SteppingClock(), Account())
    let server = try ScriptedServer { request, _ in account.reply(request, clock) }
    let store = MemoryTokenStore()
    store.fail(with: .system(path: "p", why: "full"))
    let told = Box<[TokenStoreError]>([])
    var configuration = ClientConfiguration.quick(clock)
    configuration.tokenStore = store
    configuration.observe = { event in
      if case .sessionNotStored(let error) = event { told.change { $0.append(error) } }
    }
    let client = try APIClient(server, configuration, session: session(0, endsIn: 10, clock))
    _ = try await client.record(.heroes, id: "h1")
    #expect(told.value == [.system(path: "p", why: "full")])
    #expect(await client.session?.token.value == "t1")
  }

  @Test func `a token from the environment is neither renewed nor stored nor ended`() async throws {
    let server = try ScriptedServer { _, _ in .answer(401, "{}") }
    let store = MemoryTokenStore()
    var configuration = ClientConfiguration.quick()
    configuration.tokenStore = store
    let client = try APIClient(
      server, configuration, session: Session(token: Secret("env"), isRenewable: false))
    await #expect(throws: APIError.unauthorized(.tokenRefused)) {
      try await client.record(.heroes, id: "h1")
    }
    #expect(server.requests.count == 1)
    await client.use(Session(token: Secret("env"), isRenewable: false))
    try await client.signOut()
    #expect(server.requests.count == 1)
    #expect(store.saves == 0)
  }

  @Test func `signing in stores, restoring restores, signing out removes`() async throws {
    let body =
      #"{"data":{"user":{"id":"u","email":"e"},"session":{"token":"t","expiresAt":"2026-11-21T10:00:00Z"}}}"#
    let server = try ScriptedServer { _, _ in
      .answer(200, body, headers: ["Date": "Fri, 20 Nov 2026 10:00:00 GMT"])
    }
    let store = MemoryTokenStore()
    var configuration = ClientConfiguration.quick()
    configuration.tokenStore = store
    let client = try APIClient(server, configuration, session: nil)
    let made = try await client.signIn(email: "e", password: Secret("p"))
    #expect(made.validFrom == ServerDate("2026-11-20T10:00:00Z"))
    let next = try APIClient(server, configuration, session: nil)
    #expect(try await next.restoreSession() == made)
    try await next.signOut()
    #expect(store.sessions.isEmpty)
    #expect(server.requests.last?.headers["authorization"] == "Bearer t")

    store.fail(with: .openToOthers(path: "p"))
    await #expect(throws: APIError.tokenStore(.openToOthers(path: "p"))) {
      try await client.restoreSession()
    }
    await #expect(throws: APIError.tokenStore(.openToOthers(path: "p"))) {
      try await client.signIn(email: "e", password: Secret("p"))
    }
  }

  @Test func `signing out without a network still forgets the session here`() async throws {
    let server = try ScriptedServer { _, _ in .drop }
    let kept = Session(token: Secret("t"))
    let store = MemoryTokenStore(kept, for: server.url)
    var configuration = ClientConfiguration.quick()
    configuration.tokenStore = store
    let client = try APIClient(server, configuration, session: kept)
    await #expect(throws: APIError.network(.connectionLost)) { try await client.signOut() }
    #expect(await client.session == nil)
    #expect(store.sessions.isEmpty)
  }
}
