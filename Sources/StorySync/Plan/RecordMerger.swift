import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

struct MergedRecord {
  var outcome: Merge.Outcome
  var sidecar: Sidecar
  /// The file's new bytes, or `nil` if they stay as they are.
  var text: [UInt8]?
}

extension RecordSource {
  /// Merges a record file with the server's version into new file text and a new sidecar.
  ///
  /// The sidecar's base becomes the server's version, also for fields in conflict, whose old base
  /// the conflict keeps. So all other fields continue to sync.
  ///
  /// - Parameters:
  ///   - echoed: the wire keys of fields whose remote values are only a server's rendition of what it
  ///     was just sent. These are not edits: a local value that differs is newer.
  ///   - isOutdated: Whether the file is an earlier base (``ScanEntry/isOutdated``), so that nothing in
  ///     it was edited.
  func merge(
    _ file: RecordFile, _ sidecar: Sidecar, with remote: RemoteRecord, by decider: Decider,
    _ references: ReferenceTable, echoed: Set<String> = [], isOutdated: Bool = false
  ) -> MergedRecord {
    let sidecar = sidecar.besideRecord
    var reading = file.reading(references: references, sidecar: sidecar)
    if isOutdated { reading.unresolved = [] }
    var open: [Sidecar.FieldConflict] = []
    if case .fields(_, let fields)? = sidecar.conflict { open = fields }
    var outcome = Merge.records(
      base: isOutdated ? reading.values : sidecar.base, local: reading.values,
      remote: remote.fields, unresolved: reading.unresolved, open: open
    ) { field in
      if echoed.contains(field.wireKey) { return .local }
      return decider.verdict(
        for: field, of: file.ref.kind, modified: modified(file.ref), updatedAt: remote.updatedAt)
    }
    outcome.overridden.removeAll { echoed.contains($0.field.wireKey) }
    var next = sidecar
    next.rebase(on: remote)
    next.conflict =
      outcome.conflicts.isEmpty
      ? nil : .fields(updatedAt: remote.updatedAt, outcome.conflicts)
    next.isDeleteStated = false
    var text: [UInt8]?
    if !outcome.taken.isEmpty {
      let document = try? file.updated(
        to: outcome.values, keeping: reading.unresolved, references: references, sidecar: sidecar)
      if let document, document.bytes != file.document.bytes { text = document.bytes }
    }
    let written = text.flatMap { try? RecordFile(ref: file.ref, bytes: $0) } ?? file
    // A name of the file is the base's only if both mean the same record.
    let now = written.reading(references: references, sidecar: sidecar)
    for field in file.ref.kind.schema.references where now.values[field] == next.base[field] {
      next.refs[field.key] = now.refs[field.key]
    }
    return MergedRecord(outcome: outcome, sidecar: next, text: text)
  }
}
