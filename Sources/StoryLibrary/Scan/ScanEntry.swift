/// How a record stands against what the server said last; derived from the record and its sidecar.
public enum RecordState: String, Sendable, CaseIterable {
  /// The record equals its base.
  case synced
  /// A record without a sidecar: the server does not have it.
  case pendingCreate
  /// The record differs from its base.
  case pendingUpdate
  /// A sidecar without a record that a person removed.
  case pendingDelete
  /// The record or its sidecar cannot be read; both are left alone.
  case unreadable
  /// A person has to decide between two versions.
  case conflict
  /// Another sidecar names the same id.
  case duplicateId
  /// A sidecar whose record git keeps out of the working tree (a sparse checkout).
  case notCheckedOut
  /// A story without a sidecar that has no text yet: it is checked and listed, but never sent.
  case draft
  /// A sidecar without a record, and nothing says that a person removed the record: it may never have
  /// been here. It is never deleted on the server; a pull writes the record again.
  case missing

  /// Whether the record is in the library but has no sidecar.
  public var isNew: Bool { self == .pendingCreate || self == .draft }
}

/// What kind of decision a record waits for.
public enum ConflictKind: Sendable, Hashable {
  /// Fields that both sides changed.
  case fields
  /// The record was edited here and deleted on the server.
  case deletedOnServer
  /// The record was deleted here and edited on the server.
  case deletedHere
}

/// One record as the scanner found it: what it is and how it stands, without its content.
public struct ScanEntry: Sendable, Hashable {
  /// The record's name; that of the sidecar if there is no record.
  public var ref: RecordRef
  /// How it stands.
  public var state: RecordState
  /// What has the record's name, also if it cannot be read; `nil` if nothing has.
  var obstacle: FileSystem.FileType?
  /// The digest of the record's bytes; `nil` if there is no record, or none that can be read.
  public var digest: ContentDigest?
  /// The digest of the sidecar's bytes; `nil` if there is no sidecar that can be read.
  public var sidecarDigest: ContentDigest?
  /// The server's id; `nil` without a sidecar. For an unreadable sidecar, the id recovered from its
  /// text; `nil` if several were found, see ``possibleIDs``.
  public var id: String?
  /// The version of the base, verbatim as the server wrote it; `nil` without a sidecar.
  public var updatedAt: String?
  /// The fields that say something else than the base, conflicting ones left out; without a base
  /// those that say anything.
  public var changes = FieldSet()
  /// The records that the record names, in the order of its members; none if it cannot be read.
  public internal(set) var targets: [RecordRef] = []
  /// Those of ``targets`` that are in this library and that the server does not have yet.
  public internal(set) var waitsFor: [RecordRef] = []
  /// The fields that name a record by a name that it no longer has; see
  /// ``RecordFile/updatingReferences(references:sidecar:)``.
  public var outdatedReferences = FieldSet()
  /// The sidecar's name if it differs from ``ref``: the record was renamed, and the sidecar has not been
  /// moved yet.
  public var renamedFrom: RecordRef?
  /// The ids in a sidecar that cannot be read and names several: git left two versions of it, and
  /// only a person knows which of the server's records this is.
  public var possibleIDs: [String] = []
  /// What a person has to decide; `nil` if nothing waits.
  public var conflict: ConflictKind?
  /// Whether `stories rm` said that the record shall be deleted on the server, and it is not here.
  public var isDeleteStated = false
  /// What is wrong with the record; errors keep it from being pushed.
  public var problems: [Problem] = []

  /// An entry with only its name and state.
  ///
  /// - Parameters:
  ///   - ref: the record's name.
  ///   - state: how it stands.
  public init(ref: RecordRef, state: RecordState) {
    self.ref = ref
    self.state = state
  }

  /// The name that the record was renamed from; `nil` if it was not, and if the sidecar only has the
  /// same name in another Unicode form, as another system wrote it.
  public var formerName: RecordRef? { renamedFrom == ref ? nil : renamedFrom }
  /// All ids that the sidecar names: its own, or those that it may be.
  public var namedIDs: [String] { id.map { [$0] } ?? possibleIDs }

  /// Whether the server has the record and it is not here, though nobody deleted it: others can name it.
  public var isAwaited: Bool { state == .notCheckedOut || state == .missing }

  /// Whether the system does not let the sidecar be read, so that the id is not known.
  var hidesID: Bool {
    guard state == .unreadable, namedIDs.isEmpty else { return false }
    return problems.contains {
      $0.file == sidecarPath && ($0.code == .unreadable || $0.code == .notAFile)
    }
  }

  /// What tells records of the server apart.
  struct Key: Hashable {
    var kind: EntityKind
    var id: String
  }

  /// The record of the server that this is; `nil` without an id.
  var key: Key? { id.map { Key(kind: ref.kind, id: $0) } }

  /// Where the sidecar lies, relative to the library's root.
  public var sidecarPath: String { (renamedFrom ?? ref).sidecarPath }

  /// Whether there is a record on disk, readable or not.
  public var hasRecord: Bool { digest != nil || obstacle != nil }

  /// Whether an error keeps the record from being pushed.
  public var hasErrors: Bool { problems.contains { $0.severity == .error } }

  /// Whether a field of a record that has been synced references another record than it did.
  var hasChangedReference: Bool {
    id != nil && changedFields.contains { $0.referencedKind != nil }
  }

  /// The fields that were changed here, in schema order.
  public var changedFields: [Field] { changes.fields(of: ref.kind) }
}
