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
  }

  /// Merges what a sync has pulled since into the file that the editor saved.
  ///
  /// A saved text that is not a record stays as it is. If both changed a field to values that no rule can
  /// merge, the saved one stays, as it does in a conflict.
  /// - Parameters:
  ///   - scan: The library after the editor was closed.
  ///   - time: The clock that dates the change.
  /// - Returns: the fields with pulled values, those that both changed, and those whose pulled values
  ///   are missing because the saved text is not a record.
  /// - Throws: `EditError` (`noSuchRecord`, `changedMeanwhile`); `LibraryError.newerVersion`;
  ///   `FileError`; `JSONEditError`. The file stays as it was saved then.
  public func keepPulledChanges(
    _ scan: Scan, time: TimeSource = .system
  ) throws -> (kept: [Field], clashes: [Field], missed: [Field]) {
    let ref = file.ref
    let reading = file.reading(references: scan.references, sidecar: sidecar)
    // A first sync sent what the file had then.
    let original = sidecar?.base ?? reading.values
    let values = reading.values.completed(from: original)
    guard let now = try? library.sidecar(at: ref), now.id == sidecar?.id ?? now.id,
      now.base != original
    else { return ([], [], []) }
    let fields = ref.kind.schema.fields.filter { !now.conflictingKeys.contains($0.wireKey) }
    var result: (kept: [Field], clashes: [Field], missed: [Field]) = ([], [], [])
    do {
      try LibraryEditor(library, time: time).update(ref, isChecked: false) { members in
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
            synced = .number(JSONNumber(max(read, now)))
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
}
