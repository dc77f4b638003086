import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport

@testable import stories

/// A server that libraries of tests sync with.
protocol ServedWorld: Sendable {
  /// The server and account that the libraries' ids belong to.
  var identity: LibraryConfiguration.Identity { get }
  /// A client of the server, signed in.
  func client(transport: (any Transport)?) throws -> APIClient
  /// A new library that syncs with the server.
  func library(_ name: String) throws -> TestLibrary
}

/// A server and some libraries that sync with it: real files, a real socket on loopback.
final class TestWorld: ServedWorld {
  private let temporary: TemporaryFolder
  var folder: String { temporary.path }
  let kind: ContractServer
  /// The embedded server, or the proxy in front of a Kinto. Both have faults and a request log.
  let server: StoryServer
  /// Leads to a bucket of a Kinto.
  let bucket: KintoBucket?
  /// The form of the contract that the embedded server speaks.
  var api: ServerAPI { kind.api }
  /// What carries requests where nothing else is said.
  let transport: SocketTransport
  static let account = "parent@example.org"

  /// A running server.
  ///
  /// - Parameters:
  ///   - kind: which server it is.
  ///   - nodes: those of a Kinto, if they are not the ones that tests share.
  ///   - change: sets the server's options.
  ///   - fill: gives an embedded server records before it starts.
  init(
    _ kind: ContractServer, nodes: [KintoServer]? = nil,
    _ change: (inout ServerOptions) -> Void = { _ in },
    fill: (StoryServer) throws -> Void = { _ in }
  ) throws {
    temporary = try TemporaryFolder()
    self.kind = kind
    bucket = kind.isKinto ? try KintoBucket(nodes ?? kind.nodes()) : nil
    var options = ServerOptions(dataFolder: nil)
    options.requestLogSize = 100_000
    options.passwordCost = 1
    options.api = kind.api
    options.limits = .patient
    change(&options)
    if let bucket { options.stand(before: bucket.relay) }
    server = try StoryServer(options: options)
    _ = try server.issueToken(email: Self.account)
    try fill(server)
    try server.start()
    transport = SocketTransport(port: server.port)
  }

  /// A running embedded server.
  convenience init(
    _ api: ServerAPI = .v0, _ change: (inout ServerOptions) -> Void = { _ in },
    fill: (StoryServer) throws -> Void = { _ in }
  ) throws {
    try self.init(api == .v0 ? ContractServer.v0 : ContractServer.v1, change, fill: fill)
  }

  deinit { server.stop() }

  /// The address that libraries have.
  var url: String { bucket.map { server.url + $0.path } ?? server.url }

  var identity: LibraryConfiguration.Identity {
    .init(server: url, account: bucket == nil ? Self.account : "account:\(KintoServer.user)")
  }

  /// Repositories of a library that is synced with the server.
  func repositories(
    of library: TestLibrary, transport: (any Transport)? = nil, time: TimeSource = .system
  ) throws -> Repositories {
    Repositories(try library.library, time: time) { [self] _ in
      Connection(client: try client(transport: transport), identity: identity)
    }
  }

  func client(transport: (any Transport)?) throws -> APIClient {
    try client(of: Self.account, transport: transport)
  }

  /// A client of the server, signed in; on a Kinto as the one account that tests have there.
  func client(
    of account: String = account, transport: (any Transport)? = nil,
    time: TimeSource = .unwaiting
  ) throws -> APIClient {
    let session =
      bucket == nil
      ? Session(token: Secret(try server.issueToken(email: account).token))
      : Session(name: KintoServer.user, password: Secret(KintoServer.password))
    return APIClient(
      server: try ServerAddress(url), transport: transport ?? self.transport,
      configuration: .init(dialect: Dialect(rawValue: form), time: time), session: session)
  }

  /// The form of the contract, by the name that it has in settings.
  private var form: String { bucket == nil ? api.rawValue : "kinto" }

  /// Lets the server tell that it takes so few records at once; what it can do stays.
  func setLimits(page: Int, batch: Int) throws {
    if let bucket {
      bucket.relay.pageLimit = page
      let rewrite = FaultAction.rewriteBody { body in
        let text = String(decoding: body, as: UTF8.self)
        return Array(
          text.replacing(/"batch_max_requests": ?\d+/, with: "\"batch_max_requests\":\(batch)").utf8
        )
      }
      server.addFault(FaultRule(rewrite, path: "/v1/"))
      return
    }
    let health = try server.perform("GET", "\(base)/health", as: Self.account)
    guard var data = health.value?["data"]?.object else { throw Unexpected("no health") }
    data["limits"] = [
      "page": .number(JSONNumber(page)), "batch": .number(JSONNumber(batch)),
    ]
    let body: JSONValue = ["data": .object(data)]
    server.addFault(FaultRule(.replaceBody(body.compactBytes), path: "\(base)/health"))
  }

  /// A new library that syncs with the server.
  func library(_ name: String) throws -> TestLibrary {
    let root = Path.join(folder, name)
    let library = try Library.create(
      at: root,
      configuration: LibraryConfiguration(
        server: .url(url), api: LibraryConfiguration.API(rawValue: form) ?? .auto))
    return TestLibrary(root: library.root, world: self)
  }

  /// The methods and paths of the requests since the last call, in order.
  func takeRequests() -> [LoggedRequest] {
    defer { server.clearRequestLog() }
    return server.requestLog
  }

  /// The live records of a kind on the server, as embedded servers write them, the latest change last.
  func live(_ kind: RecordKind, of account: String = account) throws -> [(
    id: String, value: JSONValue
  )] {
    if let bucket { return try bucket.live(kind) }
    return try server.records(kind, of: account).filter { !$0.isDeleted }
      .map { ($0.id, $0.value ?? .null) }
  }

  /// The live records of a kind on the server, by name or title.
  func records(_ kind: RecordKind) throws -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for (id, value) in try live(kind) {
      result[value["name"]?.string ?? value["title"]?.string ?? id] = value
    }
    return result
  }

  /// The id of the live record of a name or title.
  func id(_ kind: RecordKind, _ name: String) throws -> String {
    guard let id = try records(kind)[name]?["id"]?.string else {
      throw Unexpected("no \(name) on the server")
    }
    return id
  }

  /// The ids of the live records of a kind on the server.
  func ids(_ kind: RecordKind) throws -> [String] { try live(kind).map(\.id) }

  /// What stands in front of `/heroes` and the like.
  var base: String { api == .v0 ? "/api" : "/api/v1" }

  /// The path of the records of a kind.
  func path(_ kind: String) -> String { bucket?.path(kind) ?? "\(base)/\(kind)" }

  /// The path of batches of any kind.
  var batchPath: String { kind.isKinto ? "/v1/batch" : "/api/batch" }

  /// The method of the request that a single write is sent in; for a Kinto, each is a batch.
  func method(of write: String) -> String { kind.isKinto ? "POST" : write }

  /// Whether the server takes such a change of a field, by its name in a library.
  func takes(_ key: String, _ value: JSONValue) -> Bool {
    api == .v0 || kind.isKinto
      || !["hero", "eventType"].contains(key) && (!value.isNull || key == "specialAbility")
  }

  /// Makes a record on the server as somebody else would, over the contract.
  func create(_ kind: String, _ body: JSONValue) throws {
    if let bucket { return try bucket.create(kind, body) }
    let isBatch = api == .v1 && kind == "stories"
    let answer = try server.perform(
      "POST", isBatch ? "/api/batch/stories" : "\(base)/\(kind)",
      body: isBatch ? ["stories": [body]] : body, as: Self.account)
    guard isBatch ? answer.value?["created"] == 1 : answer.status == 201 else {
      throw Unexpected("the create answered \(answer.status)")
    }
  }

  /// Changes a record on the server as somebody else would, over the contract.
  func patch(_ kind: String, _ id: String, _ body: JSONValue) throws {
    if let bucket { return try bucket.patch(kind, id, body) }
    guard var members = body.object else { throw Unexpected("no members") }
    if api == .v1, kind == "stories", let count = members["playCount"]?.integer {
      members["playCount"] = nil
      try play(id, upTo: count)
    }
    if api == .v1, let ability = members["specialAbility"] {
      members["specialAbility"] = nil
      members["specialAbilities"] = ability.isNull ? [] : .array([ability])
    }
    guard !members.isEmpty else { return }
    let target = "\(base)/\(kind)/\(id)"
    let answer = try server.perform("PATCH", target, body: .object(members), as: Self.account)
    guard answer.status == 200 else { throw Unexpected("PATCH answered \(answer.status)") }
  }

  /// Reads a story so often that it was read `count` times.
  private func play(_ id: String, upTo count: Int) throws {
    var plays = 0
    repeat {
      let answer = try server.perform("POST", "\(base)/stories/\(id)/play", as: Self.account)
      guard let now = answer.value?["data"]?["playCount"]?.integer else {
        throw Unexpected("a reading answered \(answer.status)")
      }
      plays = now
    } while plays < count
  }

  /// Deletes a record on the server as somebody else would.
  func delete(_ kind: String, _ id: String) throws {
    if let bucket { return try bucket.delete(kind, id) }
    let answer = try server.perform("DELETE", "\(base)/\(kind)/\(id)", as: Self.account)
    guard answer.status == 200 else { throw Unexpected("DELETE answered \(answer.status)") }
  }
}

/// A library in a temporary folder, with the hands of somebody who edits it.
struct TestLibrary: Sendable {
  let root: String
  let served: any ServedWorld

  /// The embedded server that the library syncs with.
  var world: TestWorld {
    guard let world = served as? TestWorld else { fatalError("another server") }
    return world
  }

  init(root: String, world: any ServedWorld) {
    self.root = root
    served = world
  }

  var library: Library { get throws { try Library(root: root) } }

  func path(_ relative: String) -> String { Path.join(root, relative) }

  /// Writes a file as an editor does, folders included.
  func write(_ path: String, _ text: String) throws {
    try FileSystem.makeFolder(Path.parent(self.path(path)))
    try AtomicFile.write(Array(text.utf8), to: self.path(path))
  }

  func read(_ path: String) throws -> String {
    String(decoding: try FileSystem.read(self.path(path)), as: UTF8.self)
  }

  /// Replaces a piece of a file's text.
  func edit(_ path: String, _ old: String, _ new: String) throws {
    let text = try read(path)
    guard let range = firstRange(of: old, in: text) else {
      throw Unexpected("no “\(old)” in \(path)")
    }
    try write(path, text.replacingCharacters(in: range, with: new))
  }

  func remove(_ path: String) throws { try FileSystem.remove(self.path(path)) }

  func move(_ from: String, _ to: String) throws {
    try FileSystem.makeFolder(Path.parent(path(to)))
    try FileSystem.rename(path(from), to: path(to))
  }

  func exists(_ path: String) -> Bool { FileSystem.exists(self.path(path)) }

  /// A record's text as a value.
  func value(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: FileSystem.read(self.path(path)))
  }

  func sidecar(_ ref: String) throws -> Sidecar {
    guard let ref = RecordRef(ref) else { throw Unexpected("\(ref) is no ref") }
    return try Sidecar(bytes: FileSystem.read(path(ref.sidecarPath)), ref: ref)
  }

  func scan() throws -> Scan {
    var scanner = Scanner(try library)
    try ScanVariant.current.prepare(&scanner)
    return try scanner.scan()
  }

  /// The states of all records that are not synced.
  func states() throws -> [String: RecordState] {
    var result: [String: RecordState] = [:]
    for entry in try scan().entries where entry.state != .synced || entry.renamedFrom != nil {
      result[entry.ref.description] = entry.state
    }
    return result
  }

  func synchronizer(_ transport: (any Transport)? = nil) throws -> Synchronizer {
    let world = served
    var synchronizer = Synchronizer(library: try library) { _ in
      Connection(client: try world.client(transport: transport), identity: world.identity)
    }
    synchronizer.wording = .english
    try ScanVariant.current.prepare(&synchronizer.scanner)
    return synchronizer
  }

  /// Syncs; an error that ended the sync is thrown.
  @discardableResult
  func sync(
    _ direction: SyncOptions.Direction = .both, _ change: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    let report = try await attempt(direction, change)
    if let error = report.error { throw error }
    return report
  }

  /// Syncs; an error that ended the sync is in the report.
  func attempt(
    _ direction: SyncOptions.Direction = .both, transport: (any Transport)? = nil,
    _ change: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    var options = SyncOptions()
    options.direction = direction
    change(&options)
    return try await synchronizer(transport).run(options)
  }

  /// The paths of all files below a folder, sidecars included.
  func paths(_ folder: String) throws -> [String] {
    try tracked().keys.filter { $0.hasPrefix(folder + "/") }.sorted()
  }

  /// Every tracked file with its bytes.
  func tracked() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    func walk(_ folder: String) throws {
      for entry in try FileSystem.list(path(folder)) where entry.name != ".stories" {
        let inner = Path.join(folder, entry.name)
        if entry.type == .folder {
          try walk(inner)
        } else {
          files[inner] = try FileSystem.read(path(inner))
        }
      }
    }
    try walk("")
    return files
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
