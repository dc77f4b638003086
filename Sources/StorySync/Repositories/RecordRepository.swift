import JSONText
public import StoryAPI
import StoryLibrary

/// A repository of one kind of records: a library's files of that kind, and a server.
///
/// The files are the cache. A read with `CachePolicy.cacheOnly` uses only them; a read that asks the
/// server pulls completely first. The default policy asks the server only if the files lack what is
/// read: a record of that name, or, in a library that was never pulled, any record of the kind.
/// Writes change the files immediately, and the next sync sends them.
public struct RecordRepository<Record: LibraryRecord>: Sendable {
  package let repositories: Repositories
  /// Pulls the server's changes to these records and returns those that failed.
  let refresh: @Sendable () async throws -> [SyncReport.Failure]

  init(
    _ repositories: Repositories,
    refresh: (@Sendable () async throws -> [SyncReport.Failure])? = nil
  ) {
    self.repositories = repositories
    self.refresh = refresh ?? { try await repositories.sync(SyncOptions(.pull)).failed }
  }

  // MARK: Reading

  /// Returns all readable records of the kind, by name; `stories check` reports the others.
  ///
  /// - Throws: Errors of a pull if the policy needs one: those of ``Repositories/sync(_:)``, and
  ///   `FileError` if there is no record because none could be written. `LibraryError`, `FileError`.
  public func fetchAll(policy: CachePolicy = .cacheFirst) async throws -> Cached<[Record]> {
    try await read(policy) { failed in
      let failures = FailureStore(repositories.library)
      let records = try scan().entries.filter { $0.ref.kind == Record.kind && $0.hasRecord }
        .compactMap { try? record($0, failures) }
      for failure in failed ?? [] where failure.ref.kind == Record.kind && records.isEmpty {
        if case .file(let error) = failure.reason { throw error }
      }
      guard records.isEmpty, failed == nil, policy != .cacheOnly else { return records }
      return PullState(repositories.library)?.pulledAt == nil ? nil : records
    }
  }

  /// Returns one record by name, its path below the kind's folder.
  ///
  /// - Throws: `Problem` if the record cannot be read; `EditError.noSuchRecord`, `.removed` if no
  ///   record has that name, even on the server if the policy asks it. So does `refresh`, after
  ///   somebody deleted the record on the server. Errors of a pull if the policy needs one: those of ``Repositories/sync(_:)``, and the reason if the pull could not write this
  ///   record. `LibraryError`, `FileError`.
  public func fetch(
    _ name: String, policy: CachePolicy = .cacheFirst
  ) async throws -> Cached<Record> {
    let ref = RecordRef(kind: Record.kind, name: name)
    return try await read(policy) { failed in
      if let error = failed?.first(where: { $0.ref == ref })?.pullError { throw error }
      let scan = try scan()
      guard let entry = scan.entry(ref), entry.hasRecord else {
        guard failed != nil || policy == .cacheOnly else { return nil }
        throw EditError.noSuchRecord(ref, in: scan)
      }
      return try record(entry, FailureStore(repositories.library))
    }
  }

  private func scan() throws -> Scan { try repositories.scan(EntityKind.allCases) }

  private func record(_ entry: ScanEntry, _ failures: FailureStore) throws(Problem) -> Record {
    let file = try repositories.library.file(entry.ref)
    let members = file.document.root.value.object ?? JSONObject()
    let sidecar = entry.id == nil ? nil : try? repositories.library.sidecar(of: entry)
    return Record(
      StoredRecord(
        ref: entry.ref, members: members, server: sidecar?.server ?? JSONObject(), id: entry.id,
        state: entry.state, failure: failures[entry.ref]))
  }

  /// Reads according to a policy.
  ///
  /// - Parameter held: Returns what the files have, or `nil` if they have nothing. Called with the
  ///   records that failed after a pull, and with `nil` without one.
  private func read<Value: Sendable>(
    _ policy: CachePolicy,
    _ held: @escaping @Sendable (_ failed: [SyncReport.Failure]?) throws -> Value?
  ) async throws -> Cached<Value> {
    let fresh = { @Sendable [refresh] in
      guard let value = try held(try await refresh()) else { throw APIError.notCached }
      return value
    }
    if policy != .networkOnly, policy != .networkFirst, let value = try held(nil) {
      return Cached(
        value: value, age: repositories.age,
        refresh: policy == .cacheAndNetwork ? Task { try await fresh() } : nil)
    }
    guard policy != .cacheOnly else { throw APIError.notCached }
    do {
      return Cached(value: try await fresh())
    } catch let error as APIError where policy == .networkFirst && error.isOutage {
      guard let value = try held(nil) else { throw error }
      return Cached(value: value, age: repositories.age, failure: error)
    }
  }

  // MARK: Writing

  private var editor: LibraryEditor { LibraryEditor(repositories.library, time: repositories.time) }

  /// Writes a new record to its file at once; if its name is taken, a number is appended.
  ///
  /// - Returns: the record under its name.
  /// - Throws: as `LibraryEditor.create`; `EditError.exists` if no name is free.
  public func create(_ record: Record) throws -> Record {
    let wanted = record.ref
    for number in 1...1_000 {
      let ref = RecordRef(
        kind: Record.kind, name: number == 1 ? wanted.name : "\(wanted.name)-\(number)")
      do {
        try editor.create(ref, members: record.stored.members)
      } catch EditError.exists {
        continue
      }
      return Record(StoredRecord(ref, record.stored.members, in: repositories.library))
    }
    throw EditError.exists(wanted)
  }

  /// Changes a record's file at once; everything that `change` does not touch stays byte for byte.
  ///
  /// If the file is saved at the same time, `change` is applied again to the saved content.
  /// - Returns: the record with its new state. Only the record and its sidecar are read: its failure
  ///   is `nil`, and if its file was renamed by hand since the last sync, it counts as new.
  /// - Throws: as `LibraryEditor.update`; the `Problem` of a field that `change` would replace although
  ///   its value has a wrong type, because the getters of ``LibraryRecord`` return only part of it
  ///   (`LibraryEditor.update` repairs it).
  @discardableResult
  public func update(_ name: String, _ change: (inout Record) throws -> Void) throws -> Record {
    let ref = RecordRef(kind: Record.kind, name: name)
    func record(_ members: JSONObject) -> Record {
      Record(StoredRecord(ref, members, in: repositories.library))
    }
    return record(
      try editor.update(ref) { members in
        var changed = record(members)
        try change(&changed)
        try Self.checkReadable(members, changedTo: changed.stored.members, ref)
        members = changed.stored.members
      })
  }

  private static func checkReadable(
    _ old: JSONObject, changedTo new: JSONObject, _ ref: RecordRef
  ) throws {
    for member in old.members where new[member.key] != member.value {
      let text = JSONValue.object([member.key: member.value]).compactBytes
      let file = try RecordFile(ref: ref, bytes: text)
      guard !file.reading(references: ReferenceTable(), sidecar: nil).malformed.isEmpty,
        let problem = file.problems(references: ReferenceTable()).first(where: {
          $0.code == .type || $0.code == .range
        })
      else { continue }
      // Without the position, which is not that in the file.
      throw Problem(problem.what, file: ref.path)
    }
  }

  /// Removes a record locally and requests its delete on the server; its content is kept in a run.
  ///
  /// Waits up to half a minute while a sync has the library's lock.
  /// - Throws: as `LibraryEditor.remove(_:isDryRun:)` of one record; `APIError.cancelled`.
  public func delete(_ name: String) async throws {
    try await repositories.time.waitingForLock {
      try editor.remove(RecordRef(kind: Record.kind, name: name))
    }
  }
}

extension SyncReport.Failure {
  /// The reason that a pull did not write the server's version of the record, or `nil` if it did or
  /// the record only waits for a push.
  fileprivate var pullError: (any Error)? {
    switch reason {
    case .file(let error): error
    case .server(let error), .malformed(let error): error
    case .fileKeepsChanging: EditError.changedMeanwhile(ref)
    default: nil
    }
  }
}

/// The heroes of a library.
public typealias HeroRepository = RecordRepository<Hero>

/// The stories of a library.
public typealias StoryRepository = RecordRepository<Story>

/// The custom events of a library.
public typealias CustomEventRepository = RecordRepository<CustomEvent>

/// The illustrations of stories: records that only the server creates.
public struct IllustrationRepository: Sendable {
  private let records: RecordRepository<Illustration>

  init(_ repositories: Repositories) {
    records = RecordRepository(repositories) {
      try await repositories.pullIllustrations()
      return []
    }
  }

  /// Returns all illustrations, by story and order; see ``RecordRepository/fetchAll(policy:)``.
  public func fetchAll(
    policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<[Illustration]> {
    try await records.fetchAll(policy: policy)
  }

  /// Returns one illustration by name (`first-snow/01`); see ``RecordRepository/fetch(_:policy:)``.
  public func fetch(
    _ name: String, policy: CachePolicy = .cacheAndNetwork
  ) async throws -> Cached<Illustration> {
    try await records.fetch(name, policy: policy)
  }
}

/// The account on the server.
public struct UserRepository: Sendable {
  let repositories: Repositories

  /// Returns the signed-in user.
  ///
  /// - Throws: as `APIClient.currentUser(policy:)`, and errors from opening the server.
  public func profile(policy: CachePolicy = .networkFirst) async throws -> Cached<User> {
    try await repositories.client().currentUser(policy: policy)
  }

  /// Returns the remaining generation limits, in the server's order.
  ///
  /// - Throws: as ``profile(policy:)``.
  public func usage(policy: CachePolicy = .networkFirst) async throws -> Cached<[UsageLimit]> {
    try await repositories.client().usage(policy: policy)
  }

  /// Changes the account's name on the server at once.
  ///
  /// - Throws: `APIError`.
  public func rename(to name: String) async throws -> User {
    try await repositories.client().updateProfile(name: name)
  }
}
