/// The state of a record relative to its base, derived from the record and its sidecar.
public enum RecordState: String, Sendable, CaseIterable {
  /// The record equals its base.
  case synced
  /// A record without a sidecar, which the server does not have.
  case pendingCreate
  /// The record differs from its base.
  case pendingUpdate
  /// A sidecar whose record the user removed.
  case pendingDelete
  /// The record or its sidecar cannot be read; both are left alone.
  case unreadable
  /// The user must choose between two versions.
  case conflict
  /// Another sidecar has the same id.
  case duplicateId
  /// A sidecar whose record git keeps out of the working tree (a sparse checkout).
  case notCheckedOut
  /// A story without a sidecar or text. It is checked and listed but never sent.
  case draft
  /// A sidecar without a record, with no evidence that the user removed the record: it may never
  /// have existed locally. It is never deleted on the server, and a pull restores it.
  case missing

  /// Whether the record exists locally but has no sidecar.
  public var isNew: Bool { self == .pendingCreate || self == .draft }
}

/// The kind of conflict to resolve.
public enum ConflictKind: Sendable, Hashable {
  /// Both sides changed the same fields.
  case fields
  /// The record was edited locally and deleted on the server.
  case deletedOnServer
  /// The record was deleted locally and edited on the server.
  case deletedLocally
}

/// A scanned record: its identity and state, without its content.
public struct ScanEntry: Sendable, Hashable {
  /// The record's name, or the sidecar's if there is no record.
  public var ref: RecordRef
  /// The state.
  public var state: RecordState
  /// The type of the record's file, even if unreadable, or `nil`.
  var obstacle: FileSystem.FileType?
  /// The digest of the record's file, or `nil` if it is missing or unreadable.
  public var digest: ContentDigest?
  /// The digest of the sidecar, or `nil` if it is missing or unreadable.
  public var sidecarDigest: ContentDigest?
  /// The server's id, or `nil` without a sidecar. For an unreadable sidecar, the id recovered from
  /// its text, or `nil` if several were found; see ``possibleIDs``.
  public var id: String?
  /// The base's revision, verbatim from the server, or `nil` without a sidecar.
  public var updatedAt: String?
  /// The nonconflicting fields that differ from the base; without a base, all that are set.
  public var changes = FieldSet()
  /// The records that the record references, in member order; empty if it is unreadable.
  public internal(set) var targets: [RecordRef] = []
  /// The elements of ``targets`` that exist locally but not on the server yet.
  public internal(set) var waitsFor: [RecordRef] = []
  /// The fields that reference a record by a former name.
  public var outdatedReferences = FieldSet()
  /// The sidecar's name if it differs from ``ref``: the record was renamed.
  public var renamedFrom: RecordRef?
  /// The ids in an unreadable sidecar that contains several: git left two versions, and only the
  /// user knows which of the server's records this is.
  public var possibleIDs: [String] = []
  /// The conflict to resolve, or `nil`.
  public var conflict: ConflictKind?
  /// Whether `stories rm` requested the record's delete on the server, and the record is gone.
  public var isDeleteStated = false
  /// Whether the record is present although its sidecar has a requested delete, so that nobody wants
  /// that any more. The next sync removes the request.
  public var hasVoidDelete = false
  /// Whether the record is an earlier version that nobody edited, beside a sidecar of another one that
  /// came from elsewhere: git or a program that copies files has written one of the two. Its state is
  /// ``RecordState/synced``, or ``RecordState/conflict`` if the sidecar has a conflict of fields, and the
  /// next pull writes the sidecar's version. Until then, only people change such a record.
  public internal(set) var isOutdated = false
  /// What is known of the record if it has no file.
  var removal: Removal?
  /// The record's problems; errors prevent it from being pushed.
  public var problems: [Problem] = []

  /// Creates an entry with a name and a state.
  ///
  /// - Parameters:
  ///   - ref: The record's name.
  ///   - state: Its state.
  public init(ref: RecordRef, state: RecordState) {
    self.ref = ref
    self.state = state
  }

  /// The name that the record was renamed from, or `nil` if it was not renamed or only the Unicode
  /// form of the name differs, as written by another system.
  public var formerName: RecordRef? { renamedFrom == ref ? nil : renamedFrom }
  /// All ids in the sidecar: its own, or the possible ones.
  public var namedIDs: [String] { id.map { [$0] } ?? possibleIDs }

  /// Whether the record is on the server and only missing locally. Others can reference it.
  public var isAwaited: Bool { state == .notCheckedOut || state == .missing }

  /// Whether the id is unknown because the sidecar cannot be read.
  var hidesID: Bool {
    guard state == .unreadable, namedIDs.isEmpty else { return false }
    return problems.contains {
      $0.file == sidecarPath && ($0.code == .unreadable || $0.code == .notAFile)
    }
  }

  /// The identity of a record on the server.
  package struct Key: Hashable, Sendable {
    package var kind: EntityKind
    package var id: String

    package init(kind: EntityKind, id: String) {
      self.kind = kind
      self.id = id
    }
  }

  /// The identity on the server, or `nil` without an id.
  package var key: Key? { id.map { Key(kind: ref.kind, id: $0) } }

  /// The sidecar's path relative to the library's root.
  public var sidecarPath: String { place.sidecarPath }

  /// Whether the record's file exists, readable or not.
  public var hasRecord: Bool { digest != nil || obstacle != nil }

  /// Whether only a readable sidecar is left of the record.
  var isGone: Bool {
    !hasRecord && id != nil && (state == .pendingDelete || state == .conflict)
  }

  /// The problem of a record that ``isOutdated``, and `nil` for any other.
  public var outdatedProblem: Problem? {
    isOutdated ? problems.first { $0.code == .outdatedRecord } : nil
  }

  /// Whether an error prevents the record from being pushed.
  public var hasErrors: Bool { problems.contains { $0.severity == .error } }

  /// Whether a synced record now references another record than before.
  var hasChangedReference: Bool {
    id != nil && changedFields.contains { $0.referencedKind != nil }
  }

  /// The locally changed fields, in schema order.
  public var changedFields: [Field] { changes.fields(of: ref.kind) }
}

/// A set of fields of one kind.
public struct FieldSet: OptionSet, Sendable, Hashable {
  /// A bit mask of the fields' indices in the schema.
  public let rawValue: UInt32

  /// Recreates a set from its ``rawValue``.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a set of fields of `kind`.
  public init(_ fields: some Sequence<Field>, of kind: EntityKind) {
    rawValue = fields.reduce(0) { bits, field in
      kind.schema.fieldIndex(wireKey: field.wireKey).map { bits | 1 << UInt32($0) } ?? bits
    }
  }

  /// Returns the fields in schema order.
  public func fields(of kind: EntityKind) -> [Field] {
    if isEmpty { return [] }
    return kind.schema.fields.enumerated().compactMap { rawValue & 1 << $0 == 0 ? nil : $1 }
  }
}
