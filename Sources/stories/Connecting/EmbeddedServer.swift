import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import StorySync

/// The server inside this program, which serves the library's records on a loopback port for the
/// length of a command, with its data in `.stories/backend/`.
///
/// Its records are those of the library. If the sidecars differ from those that it last agreed with (a
/// clone, a checkout, a deleted `.stories/`), it imports their records before it answers. A record that
/// no sidecar references any more stays, unless git removed the sidecar. Sign-up is closed, and the only
/// token is created for this command.
struct EmbeddedServer: Sendable {
  enum Failure: Error, Sendable, Equatable {
    /// The server did not accept the records of these sidecars. Without them their records would
    /// look deleted, so nothing was changed.
    case refused([String])
    /// A sidecar could not be read during the import.
    case unreadable(Problem)
    /// The library has left this server by `remote set` and names it again, but the ids of these records
    /// were not put back: files of theirs that were edited since would be created a second time.
    case left([RecordRef])
  }

  static let account = "library@embedded"
  /// The folder of the server's data within `.stories/`.
  static let folderName = "backend"

  private let server: StoryServer
  /// The records that were removed and kept, or `nil`: git removed their sidecars, for example by a
  /// checkout of an older commit.
  private(set) var forgotten: Kept?

  /// The run that keeps records that only the server had, and their names in it.
  typealias Kept = (run: String, refs: [RecordRef])

  /// Opens the data, imports the sidecars if they have changed, and starts the server.
  ///
  /// Records that the import removes are kept in a run first, because they may exist nowhere else.
  ///
  /// - Parameter engine: the engine that writes, draws and reads aloud, or `nil` for a command that
  ///   needs none; open illustrations are not drawn then.
  /// - Throws: `StoryServerError`, `Failure`, `LibraryError` or `FileError`. Only the server's own data
  ///   was changed.
  init(
    _ library: Library, scan: Scan, time: TimeSource = .system, engine: (any Engine)? = nil
  ) throws {
    try library.prepareStateFolder()
    var options = Self.options(library)
    options.version = ProgramVersion.text
    options.generation.drawsIllustrations = engine != nil
    if let engine { options.generation.engine = engine }
    server = try Self.open(options)
    do {
      try checkIDs(library, scan)
      try importSidecars(library, scan, time)
      try server.start()
    } catch {
      server.stop()
      throw error
    }
  }

  /// Returns a signed-in connection, which stores the digest of the sidecars when it is finished.
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

  /// Keeps what only the server has before a library leaves it or replaces its data.
  ///
  /// - Parameter isReplaced: whether the library was synced elsewhere, so that its records are to replace the
  ///   data when it comes back.
  /// - Returns: what is kept: the records whose ids neither a sidecar nor a run has, and that no file equals.
  /// - Throws: `StoryServerError`, `LibraryError.locked`, `FileError`.
  static func keepRecords(
    _ library: Library, _ scan: Scan, _ time: TimeSource, isReplaced: Bool
  ) throws -> Kept? {
    try withData(of: library) { server in
      let moved = try Set(RunHistory(library).movedSidecars().map(\.id))
      var unnamed = try unnamedRecords(server, scan).filter { !moved.contains($0.id) }
      if !unnamed.isEmpty {
        let files = fileValues(library, scan)
        unnamed.removeAll { record in
          (files[record.kind]?[record.fields.title] ?? []).contains { values in
            // Besides its references, the file has the content of the record.
            values.changes(from: record.fields).allSatisfy { $0.referencedKind != nil }
          }
        }
      }
      let kept = try keep(
        unnamed, library, time, command: "records that only the embedded server had")
      if isReplaced { try server.setStateTag(nil, of: account) }
      return kept
    } ?? nil
  }

  /// Returns the ids of the live records of each kind, or `nil` if there is no data, or if it is to be
  /// replaced.
  ///
  /// - Throws: `StoryServerError`, `LibraryError.locked`.
  static func liveIDs(of library: Library) throws -> [EntityKind: Set<String>]? {
    try withData(of: library) { server in
      // A scan without entries names none of them.
      try Dictionary(grouping: unnamedRecords(server, Scan()), by: \.kind)
        .mapValues { Set($0.map(\.id)) }
    }
  }

  private static func withData<Result>(
    of library: Library, _ work: (StoryServer) throws -> Result
  ) throws -> Result? {
    guard FileSystem.exists(library.statePath(folderName)) else { return nil }
    let server = try open(options(library))
    defer { server.stop() }
    return server.stateTag(of: account) == nil ? nil : try work(server)
  }

  /// The values of the files of each kind, by their titles.
  private static func fileValues(
    _ library: Library, _ scan: Scan
  ) -> [EntityKind: [String?: [FieldValues]]] {
    var values: [EntityKind: [String?: [FieldValues]]] = [:]
    for entry in scan.entries where entry.hasRecord {
      guard let file = try? library.file(entry.ref) else { continue }
      let read = file.reading(references: scan.references, sidecar: nil).values
      values[entry.ref.kind, default: [:]][read.title, default: []].append(read)
    }
    return values
  }

  /// - Throws: `LibraryError.locked` if another command is using the data; `StoryServerError`.
  private static func open(_ options: ServerOptions) throws -> StoryServer {
    do {
      return try StoryServer(options: options)
    } catch StoryServerError.dataFolderInUse {
      throw LibraryError.locked(holder: "another process")
    }
  }

  private static func options(_ library: Library) -> ServerOptions {
    var options = ServerOptions(dataFolder: library.statePath(folderName).text)
    options.dataFolderRoot = library.root
    options.isSignUpOpen = false
    return options
  }

  /// Stops the server, and returns when its data folder is free again.
  func stop() { server.stop() }

  /// - Throws: `Failure.left`; `StoryServerError`, `FileError`.
  private func checkIDs(_ library: Library, _ scan: Scan) throws {
    // An unreadable sidecar has an error of its own.
    let hasIDs = scan.entries.contains { entry in
      !entry.namedIDs.isEmpty || entry.state == .notCheckedOut
        || entry.problems.contains { $0.file == entry.sidecarPath }
    }
    guard !hasIDs else { return }
    let kinds = Set(scan.entries.lazy.filter(\.hasRecord).map(\.ref.kind))
    let live = try Set(Self.unnamedRecords(server, scan).lazy.map(\.id))
      .subtracting(scan.missingPairs.lazy.filter(\.isTakenByGit).map(\.id))
    guard !kinds.isEmpty, !live.isEmpty else { return }
    let left = try RunHistory(library).movedSidecars().filter { sidecar in
      live.contains(sidecar.id) && kinds.contains(sidecar.ref.kind)
    }
    guard left.isEmpty else { throw Failure.left(left.map(\.current).sorted()) }
  }

  private mutating func importSidecars(
    _ library: Library, _ scan: Scan, _ time: TimeSource
  ) throws {
    let digest = scan.sidecarDigest
    guard server.stateTag(of: Self.account) != digest else { return }
    let unread = scan.entries.filter { $0.sidecarDigest == nil }
    let present = unread.contains { !$0.namedIDs.isEmpty } ? presentRecords() : [:]
    let unnamed = try Self.unnamedRecords(server, scan)
    let taken = Set(scan.missingPairs.lazy.filter(\.isTakenByGit).map(\.id))
    forgotten = try Self.keep(
      unnamed.filter { taken.contains($0.id) }, library, time,
      command: "cleanup of records that git removed")
    let staying = Set(unnamed.lazy.map(\.id).filter { !taken.contains($0) })
    let isHidden = unread.contains { $0.state == .notCheckedOut }
    let hidden = isHidden ? try GitRepository(library)?.hiddenSidecars() ?? [] : []
    let source = SidecarImport(library: library, scan: scan, hidden: hidden) {
      present["\($0.rawValue)/\($1)"]
    }
    let refused = try server.replaceRecords(
      of: Self.account, with: source, isComplete: { source.problem == nil },
      keeping: staying.contains)
    if let problem = source.problem { throw Failure.unreadable(problem) }
    guard refused.isEmpty else {
      throw Failure.refused(refused.map { "\($0.kind.rawValue)/\($0.id): \($0.reason)" })
    }
    try server.setStateTag(digest, of: Self.account)
  }

  /// Returns the live records that no sidecar references.
  private static func unnamedRecords(
    _ server: StoryServer, _ scan: Scan
  ) throws -> [RunHistory.Unfiled] {
    // Without a tag the data never matched these sidecars.
    guard server.stateTag(of: account) != nil else { return [] }
    let refs = Dictionary(
      scan.missingPairs.map { ("\($0.ref.kind)/\($0.id)", $0.ref) },
      uniquingKeysWith: { first, _ in first })
    var unnamed: [RunHistory.Unfiled] = []
    for kind in EntityKind.writable {
      guard let wire = RecordKind(rawValue: kind.schema.wirePath) else { continue }
      let known = Set(scan.entries.lazy.filter { $0.ref.kind == kind }.flatMap(\.namedIDs))
      for record in try server.records(wire, of: account)
      where !record.isDeleted && !known.contains(record.id) {
        unnamed.append(
          RunHistory.Unfiled(
            ref: refs["\(kind)/\(record.id)"], kind: kind, id: record.id,
            fields: FieldValues(kind: kind, wire: record.value?.object ?? JSONObject())))
      }
    }
    return unnamed
  }

  /// Keeps records in a run.
  private static func keep(
    _ records: [RunHistory.Unfiled], _ library: Library, _ time: TimeSource, command: String
  ) throws -> Kept? {
    records.isEmpty ? nil : try RunHistory(library, time: time).keep(records, command: command)
  }

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
