import JSONText
import StoryLibrary

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
  /// How many records are in each state that occurs.
  var counts: [RecordState: Int]
  /// What is wrong beside single records.
  var problems: [Problem]

  init(_ scan: Scan, of library: Library, server: String) {
    self.server = server
    account = library.configuration.synced?.account
    counts = scan.counts
    problems = scan.problems
    let reader = RecordReader(library: library, references: scan.references)
    records = scan.entries.map { entry in
      Record(
        entry: entry, code: StatusCode(entry), fields: Self.fields(of: entry, reader),
        problems: entry.problems.filter { $0.severity == .error }
          + entry.problems.filter { $0.severity == .warning })
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
