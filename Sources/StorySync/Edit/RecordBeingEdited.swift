import JSONText
public import StoryAPI
public import StoryLibrary
import StoryMerge

/// A record as it was when an editor opened its file.
///
/// An editor writes the values that it has read. If a sync changes the file meanwhile, these would count
/// as edits that revert what it pulled.
public struct RecordBeingEdited {
  private let library: Library
  private let file: RecordFile
  /// The sidecar, or `nil` if the record was never synced.
  private let sidecar: Sidecar?
  /// The runs before the editor opened.
  private let earlierRuns: Set<String>

  /// Notes the record before the editor opens.
  ///
  /// Fails if the text is not a record, or if its sidecar cannot be read.
  /// - Parameters:
  ///   - bytes: The file's text, or `nil` if it cannot be read.
  ///   - ref: The record's kind and slug.
  ///   - scan: The library before the editor is opened.
  ///   - library: The library that the record belongs to.
  public init?(_ bytes: [UInt8]?, of ref: RecordRef, in scan: Scan, _ library: Library) {
    let place = scan.entry(ref)?.place ?? ref
    sidecar = try? library.sidecar(at: place)
    guard let bytes, let file = try? RecordFile(ref: ref, bytes: bytes),
      sidecar != nil || !FileSystem.exists(library.path(place.sidecarPath))
    else { return nil }
    self.library = library
    self.file = file
    earlierRuns = Set((try? RunHistory(library).names()) ?? [])
  }

  /// Merges what a sync has pulled since into the file that the editor saved.
  ///
  /// A saved text that is not a record stays as it is. If both changed a field to values that no rule can
  /// merge, the saved one stays, as it does in a conflict. What the editor had saved before a sync that
  /// sent it is its own, too.
  /// - Parameters:
  ///   - scan: The library after the editor was closed.
  ///   - open: What keeps other commands from the record, or `nil`.
  ///   - time: The clock that dates the change.
  /// - Returns: the fields with pulled values, those that both changed, and those whose pulled values
  ///   are missing because the saved text is not a record.
  /// - Throws: `EditError` (`noSuchRecord`, `changedMeanwhile`); `LibraryError.newerVersion`;
  ///   `FileError`; `JSONEditError`. The file stays as it was saved then.
  public func keepPulledChanges(
    _ scan: Scan, whileOpen open: OpenRecord? = nil, time: TimeSource = .system
  ) throws -> (kept: [Field], clashes: [Field], missed: [Field]) {
    let ref = file.ref
    guard let now = try? library.sidecar(at: ref), now.id == sidecar?.id ?? now.id,
      now.base != sidecar?.base, let (file, isSynced) = try lastSaved()
    else { return ([], [], []) }
    let reading = file.reading(references: scan.references, sidecar: sidecar)
    // A first sync sent what the file had then.
    let original = (isSynced ? nil : sidecar?.base) ?? reading.values
    let values = reading.values.completed(from: original)
    let fields = ref.kind.schema.fields.filter { !now.conflictingKeys.contains($0.wireKey) }
    var result: (kept: [Field], clashes: [Field], missed: [Field]) = ([], [], [])
    do {
      try LibraryEditor(library, time: time).update(ref, isChecked: false, whileOpen: open) {
        members in
        result = ([], [], [])
        let file = try RecordFile(ref: ref, bytes: JSONValue.object(members).fileBytes())
        let reading = file.reading(references: scan.references, sidecar: now)
        var merged = reading.values.completed(from: now.base)
        for field in fields where !reading.unresolved.contains(field) {
          let (read, saved) = (values.effective(field), merged.effective(field))
          let (base, pulled) = (original.effective(field), now.base.effective(field))
          if pulled == base || pulled == read || pulled == saved { continue }
          // The file had an edit of its own if it differed from the base.
          var synced = Merge.settled(field, base: base, local: read, remote: pulled)
          if saved == synced { continue }
          // Readings that were pending may have been sent since: then the server's number has them.
          if field.merge == .counter, let read = read.integer, let now = pulled.integer {
            synced = .number(max(read, now))
          }
          guard let synced,
            let value = Merge.settled(field, base: read, local: saved, remote: synced)
          else {
            result.clashes.append(field)
            continue
          }
          guard value != saved else { continue }
          merged[field] = value
          result.kept.append(field)
        }
        let text = try file.updated(to: merged, references: scan.references, sidecar: now)
        members = text.root.value.object ?? members
      }
    } catch is Problem {
      result.missed = fields.filter { field in
        let pulled = now.base.effective(field)
        return pulled != original.effective(field) && pulled != values.effective(field)
      }
    }
    return result
  }

  /// Returns the file as the editor had read or saved it before the last save, by what the runs since
  /// kept, and whether a sync sent it unchanged; `nil` if that is all that syncs have done since.
  private func lastSaved() throws(FileError) -> (file: RecordFile, isSynced: Bool)? {
    var saved: RecordFile? = file
    var isSynced = false
    var left = ContentDigest(file.document.bytes)
    for run in try RunHistory(library).names().reversed() where !earlierRuns.contains(run) {
      let versions = try SavedVersions(library, run: run)
      guard let after = versions.after[file.ref] ?? nil else { continue }
      let replaced = versions.versions.first { $0.ref == file.ref && !$0.isServer }?.text
      // The text that the run found: what the run before left, or what the editor saved since.
      let found = replaced.map { ContentDigest($0) } ?? after
      if found != left || saved == nil {
        isSynced = found == left
        saved = replaced.flatMap { try? RecordFile(ref: file.ref, bytes: $0) }
      }
      left = after
    }
    return saved.map { ($0, isSynced) }
  }
}
