import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

/// What the five cache policies do with answers that are held: the account, and what is left of
/// the server's work, on both forms of the contract.
@Suite(.inTurn) struct HeldAnswerTests {
  private enum Read: CaseIterable {
    case profile, usage
  }

  /// What one account reads, with and without a network.
  private struct Reader {
    let world: TestWorld
    let account: String
    let cache: ResponseCache
    let clock: SteppingClock

    func client(isCut: Bool = false) async throws -> APIClient {
      let session = try world.server.issueToken(email: account)
      var configuration = ClientConfiguration(
        dialect: Dialect(rawValue: world.api.rawValue), time: clock.source)
      configuration.retryPolicy = .never
      let transport = isCut ? SocketTransport(port: world.server.port) { true } : world.transport
      let user = try await world.client(of: account).currentUser()
      configuration.cache = cache
      return APIClient(
        server: try ServerAddress(world.server.url), transport: transport,
        configuration: configuration, session: Session(token: Secret(session.token), user: user))
    }

    func read(
      _ what: Read, _ policy: CachePolicy, isCut: Bool = false
    ) async throws -> Cached<String> {
      let client = try await client(isCut: isCut)
      let user = Repositories(try world.library("l\(UInt32.random(in: 0...UInt32.max))").library) {
        _ in
        Connection(client: client, identity: .init(server: world.server.url, account: account))
      }.user
      world.server.clearRequestLog()
      switch what {
      case .profile: return try await user.profile(policy: policy).map { $0.email }
      case .usage: return try await user.usage(policy: policy).map { "\($0.count) limits" }
      }
    }

    func expected(_ what: Read) -> String {
      switch what {
      case .profile: account
      case .usage: "4 limits"
      }
    }
  }

  private func reader(_ api: ServerAPI) throws -> Reader {
    let world = try TestWorld(api)
    return Reader(
      world: world, account: TestWorld.account,
      cache: ResponseCache(folder: ConfinedPath(root: world.folder, "cache")),
      clock: SteppingClock())
  }

  @Test(arguments: ServerAPI.allCases, CachePolicy.allCases)
  func `each policy asks where it says`(_ api: ServerAPI, _ policy: CachePolicy) async throws {
    let reader = try reader(api)
    for what in Read.allCases {
      // With nothing held.
      if policy == .cacheOnly {
        await #expect(throws: APIError.notCached) { try await reader.read(what, policy) }
        #expect(reader.world.server.requestCount == 0)
      } else {
        let first = try await reader.read(what, policy)
        #expect(first.value == reader.expected(what) && first.age == nil && first.failure == nil)
      }
      // With an answer of a while ago.
      _ = try await reader.read(what, .networkOnly)
      reader.clock.advance(by: .seconds(90))
      let second = try await reader.read(what, policy)
      #expect(second.value == reader.expected(what))
      let isHeld = policy != .networkOnly && policy != .networkFirst
      #expect(second.age == (isHeld ? .seconds(90) : nil), "\(what)")
      if let refresh = second.refresh {
        #expect(policy == .cacheAndNetwork)
        #expect(try await refresh.value == reader.expected(what))
      }
      let asks = policy != .cacheOnly && policy != .cacheFirst
      #expect((reader.world.server.requestCount > 0) == asks, "\(what)")
      // Without a network.
      _ = try await reader.read(what, .networkOnly)
      reader.clock.advance(by: .seconds(60))
      if policy == .networkOnly {
        await #expect(throws: APIError.network(.refused)) {
          try await reader.read(what, policy, isCut: true)
        }
        continue
      }
      let third = try await reader.read(what, policy, isCut: true)
      #expect(third.value == reader.expected(what) && third.age == .seconds(60))
      #expect(third.failure == (policy == .networkFirst ? .network(.refused) : nil))
      if let refresh = third.refresh {
        await #expect(throws: APIError.network(.refused)) { try await refresh.value }
      }
    }
  }

  @Test(arguments: ServerAPI.allCases)
  func `no account is given another one's answers, and none is left after signing out`(
    _ api: ServerAPI
  ) async throws {
    let ann = try reader(api)
    let ben = Reader(
      world: ann.world, account: "ben@example.org", cache: ann.cache, clock: ann.clock)
    for what in Read.allCases { _ = try await ann.read(what, .networkOnly) }
    for what in Read.allCases {
      await #expect(throws: APIError.notCached) { try await ben.read(what, .cacheOnly) }
      await #expect(throws: APIError.network(.refused)) {
        try await ben.read(what, .networkFirst, isCut: true)
      }
    }
    _ = try await ben.read(.profile, .networkOnly)
    try await ann.client().signOut()
    for what in Read.allCases {
      await #expect(throws: APIError.notCached) { try await ann.read(what, .cacheOnly) }
    }
    #expect(try await ben.read(.profile, .cacheOnly).value == ben.account)
  }
}

extension Cached {
  /// The same with something made of the value.
  fileprivate func map<Other: Sendable>(
    _ change: @escaping @Sendable (Value) -> Other
  ) -> Cached<Other> {
    let refresh = refresh
    return Cached<Other>(
      value: change(value), age: age, failure: failure,
      refresh: refresh.map { task in Task { change(try await task.value) } })
  }
}
