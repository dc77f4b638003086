public import StoryLibrary

/// A typed view of a ``StoredRecord``.
public protocol LibraryRecord: Sendable, Hashable {
  /// The kind of these records.
  static var kind: EntityKind { get }
  /// The stored record.
  var stored: StoredRecord { get set }
  /// Creates a record from a stored one of ``kind``.
  init(_ stored: StoredRecord)
}

extension LibraryRecord {
  /// The record's name.
  public var ref: RecordRef { stored.ref }
  /// The record's state.
  public var state: RecordState { stored.state }
  /// The reason why its last sync failed, or `nil` if it did not.
  public var failure: FailureStore.Failure? { stored.failure }
}
