/// How a record stands against what the server said last; derived from the record and its sidecar.
public enum RecordState: String, Sendable, CaseIterable {
  /// The record equals its base.
  case synced
  /// A record without a sidecar: the server does not have it.
  case pendingCreate
  /// The record differs from its base.
  case pendingUpdate
  /// A sidecar without a record.
  case pendingDelete
  /// The record or its sidecar cannot be read; both are left alone.
  case unreadable
  /// A person has to decide between two versions.
  case conflict
  /// Another sidecar names the same id.
  case duplicateId
  /// A sidecar whose record git keeps out of the working tree (a sparse checkout).
  case notCheckedOut
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
  /// The record's name; that of the sidecar where there is no record.
  public var ref: RecordRef
  /// How it stands.
  public var state: RecordState
  /// The name under which the sidecar lies, where it is another than ``ref``'s: the record was
  /// renamed and the sidecar has yet to follow.
  public var renamedFrom: RecordRef?
  /// The fields that say something else than the base, conflicting ones left out; without a base
  /// those that say anything.
  public var changes = FieldSet()
  /// The fields that name a record by a name that it no longer has; see
  /// ``RecordFile/updatingReferences(references:sidecar:)``.
  public var outdatedReferences = FieldSet()
  /// What has the record's name, also where it cannot be read; `nil` where nothing has.
  var obstacle: FileSystem.FileType?
  /// The digest of the record's bytes; `nil` where there is no record, or none that can be read.
  public var digest: ContentDigest?
  /// The digest of the sidecar's bytes; `nil` where there is no sidecar that can be read.
  public var sidecarDigest: ContentDigest?
  /// The server's id; `nil` without a sidecar. Of a sidecar that cannot be read it is what can be
  /// made out.
  public var id: String?
  /// The version of the base, verbatim as the server wrote it; `nil` without a sidecar.
  public var updatedAt: String?
  /// Records of this library that this one names and that the server does not have yet.
  public var waitsFor: [RecordRef] = []
  /// What a person has to decide; `nil` where nothing waits.
  public var conflict: ConflictKind?
  /// Whether `stories rm` said that the record shall go on the server, and it is not here.
  public var isDeleteStated = false
  /// What is wrong with the record; errors keep it from being pushed.
  public var problems: [Problem] = []

  /// An entry with only its name and state.
  public init(ref: RecordRef, state: RecordState) {
    self.ref = ref
    self.state = state
  }

  /// Where the sidecar lies, relative to the library's root.
  public var sidecarPath: String { (renamedFrom ?? ref).sidecarPath }

  /// Whether there is a record on disk, readable or not.
  public var hasRecord: Bool { digest != nil || obstacle != nil }

  /// Whether an error keeps the record from being pushed.
  public var hasErrors: Bool { problems.contains { $0.severity == .error } }

  /// The fields that were changed here, in schema order.
  public var changedFields: [Field] { changes.fields(of: ref.kind) }
}
