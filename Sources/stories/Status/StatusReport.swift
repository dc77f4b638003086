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
    /// Whether the record says what an older synced version said, so that git may have brought it back.
    var isOlder = false

    /// How the record stands, in the word that scripts know.
    var state: String { failure == nil ? entry.state.rawValue : "failed" }

    /// Whether there is anything to tell.
    var isNews: Bool {
      (entry.state != .synced && entry.state != .notCheckedOut) || entry.renamedFrom != nil
        || !problems.isEmpty
    }
  }

  /// Where the library is synced to: `embedded`, or an address.
  var server: String
  /// The account that the ids belong to; `nil` where none is noted.
  var account: String?
  /// All records, by kind and name.
  var records: [Record]
  /// How many records are in each state that occurs, those whose last try failed left out.
  var counts: [RecordState: Int] {
    records.reduce(into: [:]) { if $1.failure == nil { $0[$1.entry.state, default: 0] += 1 } }
  }
  /// How many records failed at their last try.
  var failedCount: Int { records.count { $0.failure != nil } }
  /// What is wrong beside single records.
  var problems: [Problem]

  init(_ scan: Scan, of library: Library, server: String, older: Set<RecordRef> = []) {
    self.server = server
    account = library.configuration.synced?.account
    problems = scan.problems
    let reader = RecordReader(library: library, references: scan.references)
    let failures = FailureStore(library)
    records = scan.entries.map { entry in
      var record = Record(
        entry: entry, code: StatusCode(entry), fields: Self.fields(of: entry, reader),
        problems: entry.problems.filter { $0.severity == .error }
          + entry.problems.filter { $0.severity == .warning }, isOlder: older.contains(entry.ref))
      // What the file itself says is wrong explains more than what came of it.
      if Self.canBeTried(entry.state), !entry.hasErrors { record.failure = failures[entry.ref] }
      return record
    }
  }

  private static func canBeTried(_ state: RecordState) -> Bool {
    switch state {
    case .pendingCreate, .pendingUpdate, .pendingDelete: true
    case .synced, .unreadable, .conflict, .duplicateId, .notCheckedOut: false
    }
  }

  /// The records that there is something to tell of.
  var news: [Record] { records.filter(\.isNews) }

  /// Whether a sync would have something to do, or somebody something to decide or to mend.
  var isPending: Bool { news.contains { $0.entry.state != .synced || $0.entry.renamedFrom != nil } }

  private static func fields(of entry: ScanEntry, _ reader: RecordReader) -> [String] {
    guard entry.state != .pendingCreate else { return [] }
    var keys = entry.changedFields.map(\.key)
    if entry.conflict == .fields, let sidecar = reader.sidecar(of: entry) {
      keys += entry.ref.kind.schema.fields
        .filter { sidecar.conflictingKeys.contains($0.wireKey) && !keys.contains($0.key) }
        .map(\.key)
    }
    return keys
  }
}
