public import StoryLibrary

/// Why a change of a library's records was not made; nothing was written then.
public enum EditError: Error, Sendable, Hashable {
  /// There is no such record; `nearest` is the most similar name that is there.
  case noSuchRecord(RecordRef, nearest: RecordRef?)
  /// The name is taken.
  case exists(RecordRef)
  /// A record cannot become one of another kind.
  case otherKind(RecordRef, EntityKind)
  /// Only the server makes and changes such records: pictures.
  case readOnly(RecordRef)
  /// Records here still name it.
  case stillNamed(RecordRef, by: [RecordRef])
  /// The record is not in conflict.
  case noConflict(RecordRef)
  /// The record as a whole is in conflict, which only `--local` or `--server` can settle.
  case cannotMerge(RecordRef)
  /// Git left two versions of the record's sidecar with two ids, and only `--local` or `--server` can
  /// say which of the server's records it is.
  case twoIDs(RecordRef)
  /// Somebody saved the file at the same moment.
  case changedMeanwhile(RecordRef)
  /// There is no run of that name.
  case noSuchRun(String)
  /// No earlier version of the record was kept.
  case noVersion(RecordRef)
  /// The record waits for a decision, which its last synced version would not be.
  case inConflict(RecordRef)
  /// Git keeps the record out of the working tree.
  case notCheckedOut(RecordRef)
}
