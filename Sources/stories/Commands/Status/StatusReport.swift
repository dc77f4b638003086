import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// A library compared with its last synced versions, as all formats of `stories status` show it.
struct StatusReport: Sendable {
  struct Record: Sendable {
    var entry: ScanEntry
    var code: StatusCode
    /// The keys of the changed fields, including conflicting ones.
    var fields: [String]
    var problems: [Problem]
    /// The last sync's failure, or `nil` if there was none or nothing is left to sync.
    var failure: FailureStore.Failure?
    /// The local records that an edited one references and that the server does not have yet.
    var waitsFor: [RecordRef] = []
    /// Whether the record equals an older synced version, which git may have restored.
    var isOlder = false

    /// The change on the server, if the server was asked and there is one.
    var remote: SyncReport.RemoteChange?

    /// The state in the form for scripts; `remote` for a record that only the server has.
    var state: String { isArrival ? "remote" : failure == nil ? entry.state.rawValue : "failed" }

    var isArrival: Bool { remote == .created && entry.state == .synced && !entry.hasRecord }

    /// Whether it is a read-only record that the server did not create: no sync changes it.
    var isForeign: Bool { entry.ref.kind.schema.isReadOnly && entry.id == nil }
  }

  var showsAll = false
  var pulledAt: ServerDate?
  /// Why the server could not be asked, or that the last pull is too old.
  var error: ErrorReport?
  /// The number of records in each state that occurs, without failed ones.
  private(set) var counts: [RecordState: Int] = [:]
  /// The number of records that failed at their last sync.
  private(set) var failedCount = 0
  /// The problems not tied to single records.
  var problems: [Problem]
  private(set) var changed: [Record] = []
  let isSelection: Bool
  /// Whether something in the library cannot be read, so that more may be there.
  let isPartial: Bool
  let entries: [ScanEntry]
  private let reader: RecordReader
  private let failures: FailureStore
  private let older: Set<RecordRef>
  /// The server's changes by record, or `nil` if it was not asked.
  let remote: [RecordRef: SyncReport.RemoteChange]?
  private var arrivals: [Record] = []

  init(
    _ scan: Scan, of library: Library, older: Set<RecordRef> = [],
    remote: [RecordRef: SyncReport.RemoteChange]? = nil,
    selection: RecordSelection? = nil
  ) {
    func isSelected(_ ref: RecordRef) -> Bool { selection?.contains(ref) ?? true }
    isSelection = selection != nil
    let remote = remote?.filter { isSelected($0.key) }
    self.remote = remote
    let general = (library.configuration.problems + scan.problems).filter {
      selection?.concerns($0.file) ?? true
    }
    problems =
      general
      + scan.refusedDeletes(in: library).filter { RecordRef($0.file).map(isSelected) ?? true }
    isPartial = general.contains { $0.severity == .error }
    var entries = selection == nil ? scan.entries : scan.entries.filter { isSelected($0.ref) }
    let missing = scan.missingPairs.filter { !$0.isTakenByGit && isSelected($0.ref) }
    if !missing.isEmpty {
      entries += missing.map { ScanEntry(ref: $0.ref, state: .missing) }
      entries.sort { $0.ref < $1.ref }
    }
    self.entries = entries
    reader = RecordReader(library: library, references: scan.references)
    failures = FailureStore(library)
    self.older = older
    var synced = 0
    for index in entries.indices {
      // Most records have nothing to report, and there may be very many.
      let state = entries[index].state
      if state == .synced || state == .notCheckedOut,
        entries[index].renamedFrom == nil || entries[index].formerName == nil,
        entries[index].problems.isEmpty,
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
      changed.append(record)
    }
    if synced > 0 { counts[.synced, default: 0] += synced }
    guard let remote else { return }
    let known = Set(entries.lazy.map(\.ref))
    arrivals = remote.filter { $0.value == .created && !known.contains($0.key) }
      .keys.sorted().map { record(ScanEntry(ref: $0, state: .synced)) }
    changed += arrivals
  }

  var listed: [Record] { showsAll ? records : changed }

  var records: [Record] { entries.map(record) + arrivals }

  private func record(_ entry: ScanEntry) -> Record {
    var record = Record(
      entry: entry, code: StatusCode(entry, remote: remote?[entry.ref]),
      fields: Self.fields(of: entry, reader),
      problems: entry.problems.filter { $0.severity == .error }
        + entry.problems.filter { $0.severity == .warning }, isOlder: older.contains(entry.ref),
      remote: remote?[entry.ref])
    if !entry.state.isNew { record.waitsFor = entry.waitsFor }
    // A problem in the file explains more than the failure it caused.
    let pending: Set<RecordState> = [.pendingCreate, .pendingUpdate, .pendingDelete]
    if pending.contains(entry.state), !entry.hasErrors { record.failure = failures[entry.ref] }
    return record
  }

  /// Whether a sync has something to do, or a person something to decide or fix.
  var isPending: Bool {
    isPartial
      || changed.contains { record in
        !record.isForeign && record.entry.state != .draft
          && (record.entry.state != .synced || record.entry.formerName != nil
            || record.entry.isOutdated || record.remote != nil)
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

extension StatusReport.Record: MemberEncodable {
  var members: Members {
    var error: (any Encodable)?
    if let problem = problems.first, problem.severity == .error {
      error = problem
    } else if let failure {
      error = ["file": entry.ref.path, "line": Int?.none, "column": Int?.none] + failure.members
    }
    return [
      "ref": entry.ref, "state": state, "code": code, "fields": fields,
      "from": Omitted(entry.formerName), "older": Omitted(isOlder ? true : nil),
      "outdated": Omitted(entry.isOutdated ? true : nil),
    ] + (error.map { ["error": $0] } ?? [:])
  }
}

extension StatusReport: MemberEncodable {
  var members: Members {
    var numbers = counts.inOrder
    if failedCount > 0 { numbers["failed"] = .number(failedCount) }
    let settings = reader.library.configuration
    return [
      "schema": "stories.status/1", "server": settings.server.shown,
      "account": settings.synced?.account, "pulledAt": pulledAt,
      "askedServer": remote != nil, "counts": numbers, "records": listed, "problems": problems,
      "error": Omitted(error),
    ]
  }

  /// Returns the stable format for scripts, version 1: `XY ref`, the changed fields separated by
  /// commas, and the old ref of a renamed record.
  ///
  /// In lines, these parts are separated by tabs; a ref with a control character, quote or
  /// backslash is a JSON string. With `nulls` every part ends in a NUL instead, nothing is quoted,
  /// and each record has two parts, or three if X is `R`.
  func porcelain(nulls: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in listed {
      var parts = ["\(record.code) \(Self.quoted(record.entry.ref, unless: nulls))"]
      let old = record.entry.formerName.map { Self.quoted($0, unless: nulls) }
      if nulls || !record.fields.isEmpty || old != nil {
        parts.append(record.fields.joined(separator: ","))
      }
      if let old { parts.append(old) }
      if nulls {
        for part in parts { bytes += Array(part.utf8) + [0] }
      } else {
        bytes += Array((parts.joined(separator: "\t") + "\n").utf8)
      }
    }
    return bytes
  }

  private static func quoted(_ ref: RecordRef, unless isRaw: Bool) -> String {
    let text = ref.description
    let needsQuotes = text.unicodeScalars.contains {
      VisibleText.isUnsafe($0) || $0 == "\"" || $0 == "\\"
    }
    return needsQuotes && !isRaw
      ? VisibleText.escapingJSON(JSONValue.string(text).compactText) : text
  }
}
