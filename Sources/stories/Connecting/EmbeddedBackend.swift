import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync

/// The server inside this program: it serves the library's own copy of its records on a loopback port
/// for the length of a command, with its data in `.stories/backend/`.
///
/// Its identity is the tree. Where the sidecars say something else than when it was last used (a clone,
/// a checkout, a deleted `.stories/`), it takes their records before it answers. A record that no
/// sidecar names any more stays, unless git took the sidecar away. Nobody can sign up, and the only token is made for this command.
struct EmbeddedBackend: Sendable {
  /// Why the backend cannot be used.
  enum Failure: Error, Sendable, Equatable {
    /// The backend would not take what these sidecars say. Without them it would seem that the
    /// server had deleted their records, so nothing is done at all.
    case refused([String])
    /// A sidecar could not be read when the backend wanted to take it over.
    case unreadable(Problem)
  }

  /// The one account.
  static let account = "library@embedded"
  /// The folder of the backend's data within `.stories/`.
  static let folderName = "backend"

  private let server: StoryServer
  /// What was kept when the backend let go of records; `nil` if it let go of none.
  private(set) var forgotten: Forgotten?

  /// Records that the backend had and whose sidecars git took away, by a checkout of an older commit
  /// for example.
  struct Forgotten: Sendable {
    /// The run that keeps them.
    var run: String
    /// The names under which it does.
    var refs: [RecordRef]
  }

  /// Opens the data, takes over the sidecars where they are news, and begins to answer.
  ///
  /// Records that go with that are kept in a run first: they may be nowhere else.
  ///
  /// - Parameter engine: what writes, draws and reads aloud; `nil` for a command that asks for nothing
  ///   of this, which draws no illustrations that wait either.
  /// - Throws: `StoryServerError`, `Failure`, `LibraryError` or `FileError`; nothing was changed but
  ///   the backend's own data.
  init(
    _ library: Library, scan: Scan, time: TimeSource = .system, engine: (any Engine)? = nil
  ) throws {
    try library.prepareStateFolder()
    var options = ServerOptions(dataFolder: library.statePath(Self.folderName).text)
    options.dataFolderRoot = library.root
    options.isSignUpOpen = false
    options.version = ProgramVersion.text
    options.generation.drawsIllustrations = engine != nil
    if let engine { options.generation.engine = engine }
    server = try StoryServer(options: options)
    do {
      try takeOver(library, scan, time)
      try server.start()
    } catch {
      server.stop()
      throw error
    }
  }

  /// A client that is signed in, and what to do when the sidecars have changed.
  func connection(_ configuration: ClientConfiguration) throws -> Connection {
    let session = try server.issueToken(email: Self.account)
    let client = APIClient(
      server: try ServerAddress(server.url), configuration: configuration,
      session: Session(token: Secret(session.token)))
    return Connection(
      client: client, identity: .init(server: "embedded", account: ""),
      finish: { [server] scan in
        try server.setStateTag(scan.sidecarDigest, of: Self.account)
      },
      close: { [server] in server.stop() })
  }

  /// Lets the data of a library that moves to another server say nothing of its sidecars any more.
  ///
  /// - Throws: `StoryServerError`.
  static func detach(_ library: Library) throws {
    let folder = library.statePath(folderName)
    guard FileSystem.exists(folder) else { return }
    var options = ServerOptions(dataFolder: folder.text)
    options.dataFolderRoot = library.root
    options.isSignUpOpen = false
    let server = try StoryServer(options: options)
    defer { server.stop() }
    guard server.stateTag(of: account) != nil else { return }
    try server.setStateTag(nil, of: account)
  }

  /// Ends the server; returns when its data folder is free again.
  func stop() { server.stop() }

  private mutating func takeOver(
    _ library: Library, _ scan: Scan, _ time: TimeSource
  ) throws {
    let digest = scan.sidecarDigest
    guard server.stateTag(of: Self.account) != digest else { return }
    let present = SidecarImport.needsPresent(scan) ? presentRecords() : [:]
    let unnamed = try unnamedRecords(scan)
    let taken = Set(scan.missingPairs.lazy.filter(\.isTakenByGit).map(\.id))
    try keep(unnamed.filter { taken.contains($0.id) }, library, scan, time)
    let staying = Set(unnamed.lazy.map(\.id).filter { !taken.contains($0) })
    let hidden =
      SidecarImport.needsHidden(scan) ? try GitRepository(library)?.hiddenSidecars() ?? [] : []
    let source = SidecarImport(library: library, scan: scan, hidden: hidden) {
      present["\($0.rawValue)/\($1)"]
    }
    let refused = try server.replaceRecords(
      of: Self.account, with: source, keeping: staying.contains)
    if let problem = source.problem { throw Failure.unreadable(problem) }
    guard refused.isEmpty else {
      throw Failure.refused(refused.map { "\($0.kind.rawValue)/\($0.id): \($0.reason)" })
    }
    try server.setStateTag(digest, of: Self.account)
  }

  /// The live records that no sidecar names.
  private func unnamedRecords(
    _ scan: Scan
  ) throws -> [(kind: EntityKind, id: String, json: [UInt8])] {
    // Without a tag the data was never in step with these sidecars, so it says nothing of them.
    guard server.stateTag(of: Self.account) != nil else { return [] }
    var unnamed: [(kind: EntityKind, id: String, json: [UInt8])] = []
    for kind in EntityKind.writable {
      guard let wire = RecordKind(rawValue: kind.schema.wirePath) else { continue }
      let known = Set(scan.entries.lazy.filter { $0.ref.kind == kind }.flatMap(\.namedIDs))
      for record in try server.records(wire, of: Self.account)
      where !record.isDeleted && !known.contains(record.id) {
        unnamed.append((kind, record.id, record.json))
      }
    }
    return unnamed
  }

  /// Keeps records in a run that the backend is about to let go of.
  private mutating func keep(
    _ records: [(kind: EntityKind, id: String, json: [UInt8])], _ library: Library,
    _ scan: Scan, _ time: TimeSource
  ) throws {
    let refs = Dictionary(
      scan.missingPairs.map { ("\($0.ref.kind)/\($0.id)", $0.ref) },
      uniquingKeysWith: { first, _ in first })
    let values = records.compactMap { record in
      (try? JSONValue(parsing: record.json))?.object.map { wire in
        RunHistory.Unfiled(
          ref: refs["\(record.kind)/\(record.id)"], kind: record.kind, id: record.id,
          fields: FieldValues(kind: record.kind, wire: wire))
      }
    }
    guard !values.isEmpty else { return }
    let kept = try RunHistory(library, time: time).keep(
      values, command: "cleanup of records that git removed")
    forgotten = Forgotten(run: kept.run, refs: kept.refs)
  }

  /// The live records that the data holds, by kind and id.
  private func presentRecords() -> [String: ImportedRecord] {
    var records: [String: ImportedRecord] = [:]
    for kind in RecordKind.allCases {
      for record in (try? server.records(kind, of: Self.account)) ?? [] where !record.isDeleted {
        guard let updatedAt = record.value?["updatedAt"]?.string else { continue }
        records["\(kind.rawValue)/\(record.id)"] = ImportedRecord(
          kind: kind, id: record.id, updatedAt: updatedAt, json: record.json)
      }
    }
    return records
  }
}
