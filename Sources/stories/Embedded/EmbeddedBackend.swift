import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync

/// The server inside this program: it serves the library's own copy of its records on a loopback port
/// for the length of a command, with its data in `.stories/backend/`.
///
/// It has no life of its own: its identity is the tree. Where the sidecars say something else than
/// when it was last used (a clone, a checkout, a deleted `.stories/`), it takes its records from them
/// before it answers. Nobody can sign up, and the only token is made for this command.
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
  /// What was kept when the backend forgot records; `nil` where it forgot none.
  private(set) var forgotten: Forgotten?

  /// Records that the backend had and that no sidecar names any more: a checkout of an older commit,
  /// or a folder that was removed together with its sidecars.
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
  /// - Parameter narrator: reads stories aloud; without one a melody is played.
  /// - Throws: `StoryServerError`, `Failure`, `LibraryError` or `FileError`; nothing was changed but
  ///   the backend's own data.
  init(
    _ library: Library, scan: Scan, time: TimeSource = .system, narrator: (any Narrator)? = nil
  ) throws {
    try library.prepareStateFolder()
    var options = ServerOptions(dataFolder: library.statePath(Self.folderName))
    options.isSignUpOpen = false
    options.version = ProgramVersion.text
    options.generation.narrator = narrator
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
      })
  }

  /// Ends the server; returns when its data folder is free again.
  func stop() { server.stop() }

  private mutating func takeOver(
    _ library: Library, _ scan: Scan, _ time: TimeSource
  ) throws {
    let digest = scan.sidecarDigest
    guard server.stateTag(of: Self.account) != digest else { return }
    let present = SidecarImport.needsPresent(scan) ? presentRecords() : [:]
    try keepUnnamed(library, scan, time)
    let source = SidecarImport(library: library, scan: scan) { present["\($0.rawValue)/\($1)"] }
    let refused = try server.replaceRecords(of: Self.account, with: source)
    if let problem = source.problem { throw Failure.unreadable(problem) }
    guard refused.isEmpty else {
      throw Failure.refused(refused.map { "\($0.kind.rawValue)/\($0.id): \($0.reason)" })
    }
    try server.setStateTag(digest, of: Self.account)
  }

  /// Keeps the live records in a run that no sidecar names.
  private mutating func keepUnnamed(
    _ library: Library, _ scan: Scan, _ time: TimeSource
  ) throws {
    // Without a tag the data was never in step with these sidecars, so it says nothing of them.
    guard server.stateTag(of: Self.account) != nil else { return }
    var records: [(kind: EntityKind, fields: FieldValues)] = []
    for kind in EntityKind.writable {
      guard let wire = RecordKind(rawValue: kind.schema.wirePath) else { continue }
      let known = Set(scan.entries.lazy.filter { $0.ref.kind == kind }.flatMap(\.namedIDs))
      for record in try server.records(wire, of: Self.account)
      where !record.isDeleted && !known.contains(record.id) {
        guard let object = record.value?.object else { continue }
        records.append((kind, FieldValues(kind: kind, wire: object)))
      }
    }
    guard !records.isEmpty else { return }
    let kept = try RunHistory(library, time: time).keep(
      records, command: "forget what no sidecar names")
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
