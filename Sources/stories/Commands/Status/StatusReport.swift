import JSONText
import StoryLibrary
import StorySync

/// How a library stands against what its server said last: the value that all forms of
/// `stories status` show.
struct StatusReport: Sendable {
  /// One record.
  struct Record: Sendable {
    var entry: ScanEntry
    var code: StatusCode
    /// The keys of the fields that changed, conflicting ones included.
    var fields: [String]
    /// What is worth telling: errors before warnings.
    var problems: [Problem]
    /// Why the last try to sync it failed; `nil` where it did not, or where there is nothing left to
    /// try.
    var failure: FailureStore.Failure?
    /// The records here that an edited one names and that the server does not have yet.
    var waitsFor: [RecordRef] = []
    /// Whether the record same as an older synced version, so that git may have brought it back.
    var isOlder = false

    /// How the server's record changed, if the server was asked and it did.
    var remote: SyncReport.RemoteChange?

    /// How the record stands, in the word that scripts know; `remote` for one that only the server has.
    var state: String {
      isArrival ? "remote" : failure == nil ? entry.state.rawValue : "failed"
    }

    /// Whether only the server has the record.
    var isArrival: Bool { remote == .created && entry.state == .synced && !entry.hasRecord }

    /// Whether it is a file among records that only the server makes, and the server did not make it:
    /// no sync touches it.
    var isForeign: Bool { entry.ref.kind.schema.isReadOnly && entry.id == nil }
  }

  /// Where the library is synced to: `embedded`, or an address.
  var server: String
  /// The account that the ids belong to; `nil` where none is noted.
  var account: String?
  /// How many records are in each state that occurs, those whose last try failed left out.
  private(set) var counts: [RecordState: Int] = [:]
  /// How many records there are of each kind that has any.
  let kinds: [EntityKind: Int]
  /// How many records failed at their last try.
  private(set) var failedCount = 0
  /// What is wrong beside single records.
  var problems: [Problem]
  /// The records that there is something to tell of.
  private(set) var news: [Record] = []
  private let entries: [ScanEntry]
  private let reader: RecordReader
  private let failures: FailureStore
  private let older: Set<RecordRef>
  /// What changed on the server, by record; `nil` if it was not asked.
  let remote: [RecordRef: SyncReport.RemoteChange]?
  /// The records that only the server has.
  private var arrivals: [Record] = []

  init(
    _ scan: Scan, of library: Library, server: String, older: Set<RecordRef> = [],
    remote: [RecordRef: SyncReport.RemoteChange]? = nil
  ) {
    self.server = server
    self.remote = remote
    account = library.configuration.synced?.account
    problems = scan.problems + scan.refusedDeletes(in: library).map { $1.problem(of: $0) }
    var entries = scan.entries
    let missing = scan.missingPairs.filter { !$0.isTakenByGit }
    if !missing.isEmpty {
      entries += missing.map { ScanEntry(ref: $0.ref, state: .missing) }
      entries.sort { $0.ref < $1.ref }
    }
    self.entries = entries
    kinds = Dictionary(
      uniqueKeysWithValues: EntityKind.allCases.map { kind in
        (kind, entries.indices.count { entries[$0].ref.kind == kind })
      }.filter { $0.1 > 0 })
    reader = RecordReader(library: library, references: scan.references)
    failures = FailureStore(library)
    self.older = older
    var synced = 0
    for index in entries.indices {
      // Of most records there is nothing to tell, and there may be very many.
      let state = entries[index].state
      if state == .synced || state == .notCheckedOut,
        Self.isQuiet(entries[index]),
        remote?[entries[index].ref] == nil
      {
        if state == .synced { synced += 1 } else { counts[state, default: 0] += 1 }
        continue
      }
      let record = record(entries[index])
      if record.failure == nil {
        counts[record.entry.state, default: 0] += 1
      } else {
        failedCount += 1
      }
      news.append(record)
    }
    if synced > 0 { counts[.synced, default: 0] += synced }
    guard let remote else { return }
    let known = Set(entries.lazy.map(\.ref))
    arrivals = remote.filter { $0.value == .created && !known.contains($0.key) }
      .keys.sorted().map { record(ScanEntry(ref: $0, state: .synced)) }
    news += arrivals
  }

  private static func isQuiet(_ entry: ScanEntry) -> Bool {
    entry.formerName == nil && entry.problems.isEmpty
  }

  /// All records, by kind and name.
  var records: [Record] { entries.map(record) + arrivals }

  private func record(_ entry: ScanEntry) -> Record {
    var record = Record(
      entry: entry, code: StatusCode(entry, remote: remote?[entry.ref]),
      fields: Self.fields(of: entry, reader),
      problems: entry.problems.filter { $0.severity == .error }
        + entry.problems.filter { $0.severity == .warning }, isOlder: older.contains(entry.ref),
      remote: remote?[entry.ref])
    if !entry.state.isNew {
      record.waitsFor = entry.waitsFor
    }
    // What the file itself says is wrong explains more than what came of it.
    if Self.canBeTried(entry.state), !entry.hasErrors { record.failure = failures[entry.ref] }
    return record
  }

  private static func canBeTried(_ state: RecordState) -> Bool {
    switch state {
    case .pendingCreate, .pendingUpdate, .pendingDelete: true
    case .synced, .unreadable, .conflict, .duplicateId, .notCheckedOut, .draft, .missing:
      false
    }
  }

  /// Whether a sync would have something to do, or somebody something to decide or to mend.
  var isPending: Bool {
    news.contains { record in
      !record.isForeign && record.entry.state != .draft
        && (record.entry.state != .synced || record.entry.formerName != nil || record.remote != nil)
    }
  }

  private static func fields(of entry: ScanEntry, _ reader: RecordReader) -> [String] {
    guard !entry.state.isNew else { return [] }
    var keys = entry.changedFields.map(\.key)
    if entry.conflict == .fields, let sidecar = reader.sidecar(of: entry) {
      keys += entry.ref.kind.schema.fields
        .filter { sidecar.conflictingKeys.contains($0.wireKey) && !keys.contains($0.key) }
        .map(\.key)
    }
    return keys
  }
}
