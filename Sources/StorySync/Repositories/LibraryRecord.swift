public import StoryLibrary

/// A typed face of a ``StoredRecord``.
public protocol LibraryRecord: Sendable, Hashable {
  /// The kind of these records.
  static var kind: EntityKind { get }
  /// The record as it is stored.
  var stored: StoredRecord { get set }
  /// Takes a record of ``kind``.
  init(_ stored: StoredRecord)
}

extension LibraryRecord {
  /// The record's name.
  public var ref: RecordRef { stored.ref }
  /// How it stands.
  public var state: RecordState { stored.state }
  /// Why the last try to sync it failed; `nil` where it did not.
  public var failure: FailureStore.Failure? { stored.failure }
}
