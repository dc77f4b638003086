import JSONText
public import StoryAPI
public import StoryLibrary
import StoryMerge

/// A synced record as it was when an editor opened its file.
///
/// An editor writes the values that it has read. If a sync changes the file meanwhile, these would count
/// as edits that revert what it pulled.
public struct RecordBeingEdited {
  private let library: Library
  private let ref: RecordRef
  private let sidecar: Sidecar
  private let values: FieldValues

  /// Notes the record before the editor opens.
  ///
  /// Fails if it was never synced, or if the text is not a record.
  /// - Parameters:
  ///   - bytes: The file's text, or `nil` if it cannot be read.
  ///   - ref: The record's kind and slug.
  ///   - scan: The library before the editor is opened.
  ///   - library: The library that the record belongs to.
  public init?(_ bytes: [UInt8]?, of ref: RecordRef, in scan: Scan, _ library: Library) {
    guard let bytes, let sidecar = try? library.sidecar(at: ref),
      let file = try? RecordFile(ref: ref, bytes: bytes)
    else { return nil }
    self.library = library
    self.ref = ref
    self.sidecar = sidecar
    values = file.reading(references: scan.references, sidecar: sidecar).values
      .completed(from: sidecar.base)
  }

  /// Merges what a sync has pulled since into the file that the editor saved.
  ///
  /// A saved text that is not a record stays as it is. If both changed a field to values that no rule can
  /// merge, the saved one stays.
  /// - Parameters:
  ///   - scan: The library after the editor was closed.
  ///   - time: The clock that dates the change.
  /// - Returns: the fields with pulled values, and those that both changed.
  /// - Throws: `EditError` (`noSuchRecord`, `changedMeanwhile`); `LibraryError.newerVersion`;
  ///   `FileError`; `JSONEditError`. The file stays as it was saved then.
  public func keepPulledChanges(
    _ scan: Scan, time: TimeSource = .system
  ) throws -> (kept: [Field], clashes: [Field]) {
    guard let now = try? library.sidecar(at: ref), now.id == sidecar.id, now.base != sidecar.base
    else { return ([], []) }
    var result: (kept: [Field], clashes: [Field]) = ([], [])
    do {
      try LibraryEditor(library, time: time).update(ref, isChecked: false) { members in
        result = ([], [])
        let file = try RecordFile(ref: ref, bytes: JSONValue.object(members).fileBytes())
        let reading = file.reading(references: scan.references, sidecar: now)
        var merged = reading.values.completed(from: now.base)
        for field in ref.kind.schema.fields where !reading.unresolved.contains(field) {
          let (read, saved) = (values.effective(field), merged.effective(field))
          let (base, pulled) = (sidecar.base.effective(field), now.base.effective(field))
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
      return ([], [])
    }
    return result
  }
}
