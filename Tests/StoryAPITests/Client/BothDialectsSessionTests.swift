import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

/// Sessions with the embedded server in both forms of the contract, over real sockets and with its
/// faults.
@Suite(.inTurn) struct BothDialectsSessionTests {
  @Test(arguments: ServerAPI.allCases)
  func `a session lasts from one command to the next`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let next = try pair.next()
    #expect(try await next.restoreSession()?.user?.email == ServedClient.email)
    #expect(try await next.currentUser().name == "Ada")
    #expect(try await next.updateProfile(name: "Ada L.").name == "Ada L.")
    try await next.signOut()
    #expect(pair.store.sessions.isEmpty)
    await #expect(throws: APIError.unauthorized(.notSignedIn)) { try await next.currentUser() }
    // The server has ended it too.
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await pair.client.currentUser()
    }
    let again = try await next.signIn(email: ServedClient.email, password: ServedClient.password)
    #expect(again.expiresAt != nil)
    #expect(pair.store.sessions[pair.server.url] == again)
  }

  @Test(arguments: ServerAPI.allCases)
  func `a wrong password is told, and a taken address`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let stranger = try pair.next()
    for email in [ServedClient.email, "nobody@example.org"] {
      do {
        try await stranger.signIn(email: email, password: Secret("wrong password"))
        Issue.record("signed in")
      } catch {
        #expect(error == .unauthorized(.wrongPassword))
      }
    }
    await #expect {
      try await stranger.signUp(email: ServedClient.email, password: Secret("another password"))
    } throws: { error in
      switch error as? APIError {
      case .conflict?, .validation?: true
      default: false
      }
    }
    #expect(await stranger.session == nil)
  }

  @Test(arguments: ServerAPI.allCases)
  func `a refused session is renewed once and the request repeated once`(
    _ api: ServerAPI
  ) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    _ = pair.server.addFault(
      FaultRule(.answer(status: 401), path: "\(pair.base)/heroes", number: 1))
    _ = try await pair.client.page(of: .heroes)
    let renewal = api == .v0 ? "POST /api/auth/session/refresh" : "GET /api/auth/get-session"
    #expect(
      pair.takeRequests() == [
        "GET /heroes 401", "\(renewal.replacing(pair.base, with: "")) 200", "GET /heroes 200",
      ])
    // Refused even then: it is given up, and nothing goes on for ever.
    pair.server.removeFaults()
    _ = pair.server.addFault(FaultRule(.answer(status: 401), path: "\(pair.base)/heroes"))
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await pair.client.page(of: .heroes)
    }
    #expect(pair.takeRequests().count == 3)
    #expect(await pair.client.session == nil && pair.store.sessions.isEmpty)
  }

  @Test(arguments: ServerAPI.allCases)
  func `a session that is over on the server is cleared`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let other = try pair.next()
    try await other.restoreSession()
    try await other.signOut()
    do {
      _ = try await pair.client.page(of: .heroes)
      Issue.record("answered")
    } catch {
      #expect(error == .unauthorized(.sessionExpired))
    }
    #expect(await pair.client.session == nil)
  }

  @Test(arguments: ServerAPI.allCases)
  func `many requests that meet 401 together renew once`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    let isRenewed = Box(false)
    _ = pair.server.addFault(
      FaultRule(.answer(status: 401), path: "\(pair.base)/heroes") { _ in !isRenewed.value })
    _ = pair.server.addFault(
      FaultRule(.after { _ in isRenewed.value = true }, path: pair.renewalPath))
    let client = pair.client
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<30 { group.addTask { _ = try await client.page(of: .heroes) } }
      try await group.waitForAll()
    }
    let renewals = pair.server.requestLog.filter { $0.path == pair.renewalPath }
    #expect(renewals.map(\.status) == [200])
  }

  @Test(arguments: ServerAPI.allCases)
  func `it is renewed five minutes before its end in a long run`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api, lifetime: 3_600_000)
    defer { pair.server.stop() }
    let first = try #require(await pair.client.session?.expiresAt)
    pair.clock.advance(by: .seconds(3_200))
    _ = try await pair.client.page(of: .heroes)
    #expect(!pair.takeRequests().contains { $0.contains("auth") })
    pair.clock.advance(by: .seconds(150))
    _ = try await pair.client.page(of: .heroes)
    #expect(pair.takeRequests().filter { $0.contains("auth") }.count == 1)
    let second = try #require(await pair.client.session?.expiresAt)
    #expect(second > first)
    pair.clock.advance(by: .seconds(3_000))
    _ = try await pair.client.page(of: .heroes)
  }

  private static let silences: [(name: String, fault: FaultAction)] = [
    ("is dropped", .dropBeforeHandling), ("is answered in vain", .dropAfterHandling),
    ("is cut off", .truncateBody(after: 5)), ("is put off", .answer(status: 503)),
    ("gets a web page", .replaceBody(Array("<html>".utf8))),
  ]

  @Test(arguments: ServerAPI.allCases, silences.map(\.name))
  func `a renewal that nobody answers leaves the session`(
    _ api: ServerAPI, _ name: String
  ) async throws {
    let silence = try #require(Self.silences.first { $0.name == name })
    let pair = try await ServedClient(api, lifetime: 3_600_000)
    defer { pair.server.stop() }
    let old = try #require(await pair.client.session)
    _ = pair.server.addFault(FaultRule(silence.fault, path: pair.renewalPath))
    await #expect {
      try await pair.client.renewSession()
    } throws: { error in
      error as? APIError != .unauthorized(.sessionExpired)
    }
    #expect(await pair.client.session == old)
    #expect(pair.store.sessions[pair.server.url] == old)
    // A refresh token may be used up by the first try, so there is no second.
    if api == .v0 { #expect(pair.takeRequests().count == 1) }
  }

  @Test(arguments: ServerAPI.allCases)
  func `what a renewal gives takes the old one's place`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api, lifetime: 3_600_000)
    defer { pair.server.stop() }
    let old = try #require(await pair.client.session)
    pair.clock.advance(by: .seconds(600))
    let new = try await pair.client.renewSession()
    #expect(pair.store.sessions[pair.server.url] == new)
    if api == .v0 {
      #expect(new.token != old.token && new.refreshToken != old.refreshToken)
      // Nobody has used it yet: a program that lost the answer gets it again.
      let late = try pair.next()
      await late.use(old)
      pair.store.sessions = [:]
      _ = try await late.page(of: .heroes)
      #expect(await late.session?.token == new.token)
      // Now the old refresh token is in two hands, and the session ends for both.
      pair.clock.advance(by: .seconds(60))
      _ = try await pair.client.page(of: .heroes)
      let thief = try pair.next()
      await thief.use(old)
      pair.store.sessions = [:]
      for client in [thief, pair.client] {
        await #expect(throws: APIError.unauthorized(.sessionExpired)) {
          try await client.page(of: .heroes)
        }
        #expect(await client.session == nil)
      }
    } else {
      #expect(new.token == old.token)
      #expect(try #require(new.expiresAt) > #require(old.expiresAt))
      _ = try await pair.client.page(of: .heroes)
    }
  }

  @Test(arguments: ServerAPI.allCases)
  func `one that has not begun is never sent and not forgotten`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api)
    defer { pair.server.stop() }
    var early = try #require(await pair.client.session)
    early.validFrom = pair.clock.now.advanced(by: .seconds(3_600))
    await pair.client.use(early)
    for _ in 0..<2 {
      await #expect(throws: APIError.unauthorized(.sessionNotYetValid)) {
        try await pair.client.page(of: .heroes)
      }
    }
    #expect(pair.takeRequests().isEmpty)
    #expect(await pair.client.session == early)
    // Once it begins, it is used.
    pair.clock.advance(by: .seconds(3_600))
    _ = try await pair.client.page(of: .heroes)
    #expect(pair.takeRequests() == ["GET /heroes 200"])
  }

  @Test(arguments: ServerAPI.allCases)
  func `one that is over is sent to no record`(_ api: ServerAPI) async throws {
    let pair = try await ServedClient(api, lifetime: 3_600_000)
    defer { pair.server.stop() }
    pair.clock.advance(by: .seconds(7_200))
    let isRefused: Bool
    do throws(APIError) {
      _ = try await pair.client.page(of: .heroes)
      isRefused = false
    } catch {
      isRefused = error == .unauthorized(.sessionExpired)
    }
    let requests = pair.takeRequests()
    if api == .v0 {
      // Its refresh token is worth a session still, or not any more; either way that comes first.
      #expect(requests.first?.hasPrefix("POST /auth/session/refresh") == true)
    } else {
      // Only the server knows whether it was extended, so its end is asked for there.
      #expect(isRefused && requests.map { $0.dropLast(4) } == ["GET /api/auth/get-session"])
    }
  }

  @Test func `a session that the server extended is asked for, not given up`() async throws {
    let pair = try await ServedClient(.v1, lifetime: 3_600_000)
    defer { pair.server.stop() }
    pair.clock.advance(by: .seconds(3_000))
    _ = try await pair.client.page(of: .heroes)
    pair.clock.advance(by: .seconds(3_000))
    let next = try pair.next()
    try await next.restoreSession()
    _ = try await next.page(of: .heroes)
    pair.clock.advance(by: .seconds(4_000))
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await next.page(of: .heroes)
    }
    #expect(pair.store.sessions.isEmpty)
  }
}
