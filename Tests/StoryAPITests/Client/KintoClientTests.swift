import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// The client with a real Kinto.
@Suite(.inTurn, .withKinto) struct KintoClientTests {
  private static let luna: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]

  private static func hero(_ name: String) -> JSONObject {
    ["name": .string(name), "age": 7, "traits": ["brave"]]
  }

  private static func create(_ body: JSONObject = luna, key: String? = nil) -> RemoteWrite {
    RemoteWrite(
      operation: .create, kind: .heroes, idempotencyKey: key ?? RemoteWrite.newKey, body: body)
  }

  private static func update(_ record: RemoteRecord, _ body: JSONObject) -> RemoteWrite {
    RemoteWrite(
      operation: .update, kind: .heroes, id: record.id, revision: record.updatedAt,
      idempotencyKey: RemoteWrite.newKey, body: body)
  }

  private static func delete(_ record: RemoteRecord) -> RemoteWrite {
    RemoteWrite(
      operation: .delete, kind: .heroes, id: record.id, revision: record.updatedAt,
      idempotencyKey: RemoteWrite.newKey)
  }

  /// A client of a bucket that nobody has made yet.
  private static func client(
    _ variant: KintoServer.Variant = .plain, bucket: String? = nil,
    transport: (any Transport)? = nil, dialect: Dialect? = .kinto,
    user: String = KintoServer.user, retries: Int = 3
  ) throws -> APIClient {
    let server = try KintoServer.shared(variant)
    var configuration = ClientConfiguration(dialect: dialect, time: .unwaiting)
    configuration.retryPolicy = RetryPolicy(retries: retries)
    return APIClient(
      server: try ServerAddress(bucket ?? server.newBucket()),
      transport: transport ?? URLSessionTransport(), configuration: configuration,
      session: Session(name: user, password: Secret(KintoServer.password)))
  }

  private static func made(_ client: APIClient, _ body: JSONObject = luna) async throws
    -> RemoteRecord
  {
    try #require(try await client.perform(create(body)))
  }

  // MARK: The server

  @Test(arguments: [nil, Dialect.kinto]) func `it is recognised`(_ dialect: Dialect?) async throws {
    let info = try await Self.client(dialect: dialect).serverInfo()
    #expect(info.dialect == .kinto && info.batchLimit == 24 && !info.isReadOnly)
    #expect(info.features == [.etag, .batch, .tombstones, .cursor])
    #expect(info.capabilities.contains("accounts"))
  }

  @Test func `it is recognised at its host alone, with each account's own bucket`() async throws {
    let server = try KintoServer.shared()
    let client = try Self.client(bucket: server.url, dialect: nil)
    #expect(try await client.serverInfo().dialect == .kinto)
    let hero = try await Self.made(client)
    #expect(try await client.record(.heroes, id: hero.id) == hero)
    _ = try await client.perform(Self.delete(hero))
  }

  @Test func `without such buckets an address must name one`() async throws {
    let server = try KintoServer.shared(.single)
    let address = server.url + "/v1"
    await #expect(throws: APIError.unsupported(.noBucket(server: address))) {
      try await Self.client(.single, bucket: address).serverInfo()
    }
    #expect(try await Self.client(.single).serverInfo().features == [.etag, .tombstones, .cursor])
  }

  @Test func `another dialect that is set is told from it`() async throws {
    let client = try Self.client(dialect: .v0)
    await #expect(
      throws: APIError.unsupported(
        .dialect(server: client.server.text, speaks: .kinto, wanted: .v0))
    ) { try await client.serverInfo() }
  }

  // MARK: Single writes

  @Test func `the first record makes its bucket and its collection`() async throws {
    let client = try Self.client()
    await #expect(throws: APIError.lacksRight(AccessRight("read", .heroes))) {
      try await client.page(of: .heroes)
    }
    let hero = try await Self.made(client)
    #expect(hero.fields.wire == Self.luna && hero.server.isEmpty)
    #expect(try await client.page(of: .heroes).records == [hero])
    #expect(try await client.total(of: .heroes) == 1)
    await #expect(throws: APIError.noCollection(.stories)) { try await client.page(of: .stories) }
  }

  @Test func `a create that is sent twice makes one record`() async throws {
    let client = try Self.client()
    let write = Self.create()
    let hero = try #require(try await client.perform(write))
    #expect(try await client.perform(write) == hero)
    let other = try await client.perform(Self.update(hero, ["age": 8]))
    // Somebody changed it meanwhile: it comes with the refusal.
    await #expect(throws: APIError.preconditionFailed(current: other)) {
      try await client.perform(write)
    }
    let again = try await client.performBatch([write])
    #expect(again == [.failure(.preconditionFailed(current: other))])
    #expect(try await client.total(of: .heroes) == 1)
  }

  @Test func `a record that is made again is taken only if it says the same`() async throws {
    let client = try Self.client()
    let hero = try #require(try await client.perform(Self.create(key: "again-1")))
    #expect(try await client.perform(Self.create(key: "again-1")) == hero)
    await #expect(throws: APIError.conflict(message: nil)) {
      try await client.perform(
        Self.create(["name": "Ben", "age": 7, "traits": ["brave"]], key: "again-1"))
    }
  }

  @Test func `a stale change is refused and comes with the record`() async throws {
    let client = try Self.client()
    let hero = try await Self.made(client)
    let newer = try #require(try await client.perform(Self.update(hero, ["age": 8])))
    #expect(newer.updatedAt > hero.updatedAt)
    await #expect(throws: APIError.preconditionFailed(current: newer)) {
      try await client.perform(Self.update(hero, ["age": 9]))
    }
    await #expect(throws: APIError.preconditionFailed(current: newer)) {
      try await client.perform(Self.delete(hero))
    }
    #expect(try await client.perform(Self.delete(newer)) == nil)
    await #expect(throws: APIError.notFound) { try await client.perform(Self.delete(newer)) }
    await #expect(throws: APIError.notFound) {
      try await client.perform(Self.update(newer, ["age": 9]))
    }
    await #expect(throws: APIError.notFound) { try await client.record(.heroes, id: hero.id) }
  }

  @Test func `null removes a member, and a stranger's members stay`() async throws {
    let server = try KintoServer.shared()
    let client = try Self.client()
    let hero = try await Self.made(client, ["name": "A", "age": 3, "traits": ["x"], "height": "1"])
    let path = client.server.path.dropFirst(3) + "/collections/heroes/records/\(hero.id)"
    try await server.send(
      .patch, String(path), ["data": ["shoes": ["size": 30], "updatedAt": "never"]])
    let known = try await client.record(.heroes, id: hero.id)
    #expect(known.server == ["shoes": ["size": 30]])
    let changed = try #require(try await client.perform(Self.update(known, ["height": .null])))
    #expect(changed.fields.wire["height"] == nil && changed.server == known.server)
    let stored = try await server.send(.get, String(path)).value["data"]
    #expect(stored?["shoes"] == ["size": 30] && stored?["updatedAt"] == "never")
    #expect(stored?["height"] == nil)
  }

  @Test func `what was lost on the way is found again`() async throws {
    let transport = AlteredTransport { (request, _, send) throws(TransportError) in
      let response = try await send(request)
      guard request.method != .get, Self.isFirst(request) else { return response }
      throw .network(.connectionLost)
    }
    let client = try Self.client(transport: transport)
    let hero = try await Self.made(client)
    let changed = try #require(try await client.perform(Self.update(hero, ["age": 9])))
    #expect(changed.fields.wire["age"] == 9)
    #expect(try await client.perform(Self.delete(changed)) == nil)
    #expect(try await client.total(of: .heroes) == 0)
  }

  private static let sent = Box<Set<String>>([])

  /// Whether such a request was not sent before.
  private static func isFirst(_ request: HTTPRequest) -> Bool {
    let text = "\(request.method) \(request.url) \(request.body)"
    let isFirst = !sent.value.contains(text)
    sent.change { $0.insert(text) }
    return isFirst
  }

  // MARK: Batches

  @Test(arguments: KintoServer.Variant.allCases)
  func `many writes, whatever the server takes at once`(
    _ variant: KintoServer.Variant
  ) async throws {
    let transport = AlteredTransport(noting: URLSessionTransport())
    let client = try Self.client(variant, transport: transport)
    let creates = (0..<30).map { Self.create(Self.hero("H\($0)")) }
    let heroes = try await client.performBatch(creates).map { try #require(try $0.get()) }
    #expect(heroes.map(\.fields.title) == (0..<30).map { "H\($0)" })
    #expect(try await client.total(of: .heroes) == 30)
    let limit = try await client.serverInfo().batchLimit
    let batches = transport.lines.count { $0 == "POST /v1/batch" }
    // One more for the writes that met no collection.
    #expect(batches == (limit > 1 ? (30 + limit - 1) / limit + 1 : 0))
    let results = try await client.performBatch([
      Self.update(heroes[0], ["age": 8]), Self.delete(heroes[1]),
      Self.update(heroes[2], ["age": 4]), Self.create(["name": "New", "age": 3, "traits": []]),
    ])
    #expect(try results[0].get()?.fields.wire["age"] == 8)
    #expect(try results[1].get() == nil)
    #expect(try results[3].get()?.fields.title == "New")
    let stale = try await client.performBatch([
      Self.update(heroes[0], ["age": 9]), Self.delete(heroes[1]),
      Self.update(try #require(try results[2].get()), ["age": 5]),
    ])
    #expect(stale[0] == .failure(.preconditionFailed(current: try results[0].get())))
    #expect(stale[1] == .failure(.notFound))
    #expect(try stale[2].get()?.fields.wire["age"] == 5)
  }

  @Test func `a batch that is too large by now goes in parts`() async throws {
    let transport = AlteredTransport { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      // The server took more when it was asked.
      if request.url.hasSuffix("/v1/") {
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array(text.replacing("requests\":4", with: "requests\":100").utf8)
      }
      return response
    }
    let client = try Self.client(.small, transport: transport)
    let results = try await client.performBatch((0..<11).map { _ in Self.create() })
    #expect(try results.allSatisfy { try $0.get() != nil })
    #expect(try await client.total(of: .heroes) == 11)
  }

  @Test(arguments: ["lost", "500", "503 of one", "409 of one"])
  func `a batch is repeated as a whole, and done once`(_ trouble: String) async throws {
    let isOver = Box(true)
    let transport = AlteredTransport { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      guard request.method == .post, !isOver.value else { return response }
      isOver.value = true
      let text = String(decoding: response.body, as: UTF8.self)
      let (old, new) = ("\"status\":200", "\"status\":")
      switch trouble {
      case "lost": throw .network(.connectionLost)
      case "500": response = HTTPResponse(status: 500)
      case "503 of one": response.body = Array(text.replacing(old, with: new + "503").utf8)
      default:
        let body = text.replacing(old, with: new + "409")
          .replacing("\"body\":{", with: "\"body\":{\"errno\":122,")
        response.body = Array(body.utf8)
      }
      return response
    }
    let client = try Self.client(transport: transport)
    var heroes: [RemoteRecord] = []
    for name in ["A", "B", "C"] {
      heroes.append(try await Self.made(client, Self.hero(name)))
    }
    let gone = heroes[2]
    isOver.value = false
    let results = try await client.performBatch([
      Self.create(["name": "D", "age": 7, "traits": []]), Self.update(heroes[0], ["age": 8]),
      Self.update(heroes[1], ["age": 9]), Self.delete(gone),
    ])
    #expect(results.map { try? $0.get()?.fields.wire["age"] } == [7, 8, 9, nil])
    #expect(transport.lines.count { $0 == "POST /v1/batch" } == 2)
    #expect(try await client.total(of: .heroes) == 3)
  }

  @Test func `answers in another order are not taken for each other's`() async throws {
    let transport = AlteredTransport { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      guard request.method == .post, let body = try? JSONValue(parsing: response.body),
        let answers = body["responses"]?.array
      else { return response }
      // The first one is the collection's.
      let swapped = [answers[0]] + answers.dropFirst().reversed()
      response.body = JSONValue.object(["responses": .array(swapped)]).compactBytes
      return response
    }
    let client = try Self.client(transport: transport)
    _ = try await Self.made(client)
    let results = try await client.performBatch(["A", "B"].map { Self.create(Self.hero($0)) })
    for result in results {
      guard case .failure(.decoding(.otherRecord, _)) = result else {
        Issue.record("\(result)")
        continue
      }
    }
  }

  // MARK: Lists

  @Test(arguments: [KintoServer.Variant.plain, .small])
  func `pages follow the order of changes and tell what went`(
    _ variant: KintoServer.Variant
  ) async throws {
    // The server sees itself under another name than it is reached at.
    let transport = AlteredTransport { (request, _, send) throws(TransportError) in
      var response = try await send(request)
      let next = response.headers["Next-Page"]
      response.headers["Next-Page"] = next?.replacing("http://127.0.0.1", with: "https://inner")
      return response
    }
    let client = try Self.client(variant, transport: transport)
    let heroes = try await client.performBatch(
      (0..<8).map { Self.create(Self.hero("H\($0)")) }
    ).map { try #require(try $0.get()) }
    _ = try await client.perform(Self.delete(heroes[1]))
    let changed = try #require(try await client.perform(Self.update(heroes[0], ["age": 8])))
    func list(_ request: PageRequest) async throws -> ([RemoteRecord], [String], RecordPage) {
      var (request, records, gone) = (request, [RemoteRecord](), [String]())
      while true {
        let page = try await client.page(of: .heroes, request)
        records += page.records
        gone += page.tombstones.map(\.id)
        guard let next = page.next else { return (records, gone, page) }
        #expect(page.hasMore && page.total == nil)
        request.cursor = next
      }
    }
    let (all, gone, last) = try await list(PageRequest(includeDeleted: true))
    #expect(all == Array(heroes[2...]) + [changed] && gone == [heroes[1].id])
    #expect(last.revision == changed.updatedAt)
    let (news, _, _) = try await list(
      PageRequest(updatedAfter: heroes[6].updatedAt, includeDeleted: true))
    #expect(news == [heroes[7], changed])
    let unchanged = try await client.page(
      of: .heroes, PageRequest(includeDeleted: true, knownTag: last.tag))
    #expect(unchanged.isUnchanged && unchanged.records.isEmpty && unchanged.tag == last.tag)
    #expect(try await client.total(of: .heroes) == 7)
  }

  // MARK: Accounts

  @Test func `accounts are made, and tried by name and password`() async throws {
    let name = KintoServer.newName("ann")
    let store = MemoryTokenStore()
    var configuration = ClientConfiguration(dialect: nil, time: .unwaiting)
    configuration.tokenStore = store
    let events = Box<[String]>([])
    configuration.logsBodies = true
    configuration.observe = { event in
      if case .finished(let report) = event { events.change { $0.append(report.description) } }
    }
    let server = try ServerAddress(try KintoServer.shared().newBucket())
    let client = APIClient(server: server, configuration: configuration)
    let password = Secret("a long password")
    let session = try await client.signUp(email: name, password: password)
    #expect(session.user == User(id: "account:\(name)", email: name))
    #expect(try await client.currentUser().id == "account:\(name)")
    #expect(try await store.session(for: server) == session)
    #expect(Session(json: session.json) == session)
    await #expect(throws: APIError.conflict(message: nil)) {
      try await client.signUp(email: name, password: Secret("another password"))
    }
    await #expect(throws: APIError.unauthorized(.wrongPassword)) {
      try await client.signIn(email: name, password: Secret("another password"))
    }
    #expect(try await client.signIn(email: name, password: password) == session)
    try await client.signOut()
    #expect(try await store.session(for: server) == nil)
    await #expect(throws: APIError.unauthorized(.tokenRefused)) {
      try await client.signIn(token: Secret("nobody's"))
    }
    // Neither what was sent nor the hash that the server answers with.
    let log = events.value.joined(separator: "\n")
    #expect(log.contains("PUT /v1/accounts/") && !log.contains("password\":\"a"))
    #expect(!log.contains("$2b$") && !log.contains(session.token.value))
  }

  @Test func `a session that is over ends after one look`() async throws {
    let store = MemoryTokenStore()
    let transport = AlteredTransport(noting: URLSessionTransport())
    var configuration = ClientConfiguration(dialect: .kinto, time: .unwaiting)
    configuration.tokenStore = store
    let server = try ServerAddress(try KintoServer.shared().newBucket())
    let session = Session(name: KintoServer.user, password: Secret("an old password"))
    try await store.save(session, for: server)
    let client = APIClient(server: server, transport: transport, configuration: configuration)
    try await client.restoreSession()
    await #expect(throws: APIError.unauthorized(.sessionExpired)) {
      try await client.page(of: .heroes)
    }
    #expect(transport.requests.count == 2)
    #expect(try await store.session(for: server) == nil)
  }

  @Test func `what belongs to somebody else names the right`() async throws {
    let server = try KintoServer.shared()
    let owner = try Self.client()
    let hero = try await Self.made(owner)
    let name = KintoServer.newName("ben")
    try await server.send(
      .put, "/accounts/\(name)", ["data": ["password": .string(KintoServer.password)]], user: nil)
    let other = try Self.client(bucket: owner.server.text, user: name)
    await #expect(throws: APIError.lacksRight(AccessRight("read", .heroes))) {
      try await other.page(of: .heroes)
    }
    await #expect(throws: APIError.lacksRight(AccessRight("write", .heroes))) {
      try await other.perform(Self.update(hero, ["age": 8]))
    }
    for create in [[Self.create()], [Self.create(), Self.create()]] {
      let results = try await other.performBatch(create)
      let lacks = APIError.lacksRight(AccessRight("record:create", .heroes))
      #expect(results == create.map { _ in .failure(lacks) })
    }
    // Whoever may read reads.
    try await server.send(
      .patch, String(owner.server.path.dropFirst(3)),
      ["permissions": ["read": [.string("account:\(name)")]]])
    #expect(try await other.page(of: .heroes).records == [hero])
  }

  @Test func `records are written without the right to write their collection`() async throws {
    let server = try KintoServer.shared()
    let owner = try Self.client()
    _ = try await Self.made(owner)
    let name = KintoServer.newName("ben")
    try await server.send(
      .put, "/accounts/\(name)", ["data": ["password": .string(KintoServer.password)]], user: nil)
    try await server.send(
      .patch, "\(owner.server.path.dropFirst(3))/collections/heroes",
      ["permissions": ["record:create": [.string("account:\(name)")]]])
    let other = try Self.client(bucket: owner.server.text, user: name)
    let hero = try #require(try await other.performBatch([Self.create()])[0].get())
    let changed = try await other.performBatch([Self.update(hero, ["age": 8])])[0].get()
    #expect(changed?.fields.wire["age"] == 8)
    #expect(try await owner.total(of: .heroes) == 2)
  }
}

extension RemoteWrite {
  /// A key that nobody has used.
  fileprivate static var newKey: String { makeKey() }
}
