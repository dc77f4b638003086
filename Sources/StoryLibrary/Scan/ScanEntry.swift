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
///
/// A library may have very many of these, so what few of them have is kept apart, and what is small
/// stands where no other member leaves a gap.
public struct ScanEntry: Sendable, Hashable {
  /// The record's name; that of the sidecar where there is no record.
  public var ref: RecordRef
  /// How it stands.
  public var state: RecordState
  /// What has the record's name, also where it cannot be read; `nil` where nothing has.
  var obstacle: FileSystem.FileType?
  /// The fields that say something else than the base, conflicting ones left out; without a base
  /// those that say anything.
  public var changes = FieldSet()
  /// The fields that name a record by a name that it no longer has; see
  /// ``RecordFile/updatingReferences(references:sidecar:)``.
  public var outdatedReferences = FieldSet()
  /// Whether the record names records of this library that the server does not have yet; see
  /// ``waitsFor(in:_:)``.
  public internal(set) var isWaiting = false
  // Two digests, and below whether there are such: an optional of each would take half as much again.
  private var recordDigest = ContentDigest.zero
  private var knownSidecarDigest = ContentDigest.zero
  /// Who the record is on the server, as far as its sidecar tells.
  package internal(set) var identity = RecordIdentity()
  private var hasRecordDigest = false
  private var hasSidecarDigest = false
  /// Empty, or one element with what is not the usual.
  private var rare: [Rare] = []

  /// What few entries have.
  private struct Rare: RareValues, Sendable {
    var renamedFrom: RecordRef?
    var possibleIDs: [String] = []
    var conflict: ConflictKind?
    var isDeleteStated = false
    var problems: [Problem] = []
  }

  /// An entry with only its name and state.
  public init(ref: RecordRef, state: RecordState) {
    self.ref = ref
    self.state = state
  }

  /// The digest of the record's bytes; `nil` where there is no record, or none that can be read.
  public var digest: ContentDigest? {
    get { hasRecordDigest ? recordDigest : nil }
    set {
      hasRecordDigest = newValue != nil
      recordDigest = newValue ?? .zero
    }
  }

  /// The digest of the sidecar's bytes; `nil` where there is no sidecar that can be read.
  public var sidecarDigest: ContentDigest? {
    get { hasSidecarDigest ? knownSidecarDigest : nil }
    set {
      hasSidecarDigest = newValue != nil
      knownSidecarDigest = newValue ?? .zero
    }
  }

  /// The server's id; `nil` without a sidecar. Of a sidecar that cannot be read it is what can be
  /// made out; `nil` where that are several, see ``possibleIDs``.
  public var id: String? {
    get { identity.id }
    set { identity.id = newValue }
  }

  /// The version of the base, verbatim as the server wrote it; `nil` without a sidecar.
  public var updatedAt: String? {
    get { identity.version }
    set { identity.version = newValue }
  }

  /// The name under which the sidecar lies, where it is another than ``ref``'s: the record was
  /// renamed and the sidecar has yet to follow.
  public var renamedFrom: RecordRef? {
    get { rare.first?.renamedFrom }
    set { rare.set(\.renamedFrom, newValue) }
  }
  /// The name that the record was renamed from; `nil` where it was not, and where the sidecar only has
  /// the same name in another Unicode form, as another system wrote it.
  public var formerName: RecordRef? { renamedFrom == ref ? nil : renamedFrom }
  /// The ids that stand in the sidecar where it cannot be read and names several: git left two
  /// versions of it, and only a person knows which of the server's records this is.
  public var possibleIDs: [String] {
    get { rare.first?.possibleIDs ?? [] }
    set { rare.set(\.possibleIDs, newValue) }
  }
  /// All ids that the sidecar names, of which none is new here: its own, or those that it may be.
  public var namedIDs: [String] { id.map { [$0] } ?? possibleIDs }
  /// What a person has to decide; `nil` where nothing waits.
  public var conflict: ConflictKind? {
    get { rare.first?.conflict }
    set { rare.set(\.conflict, newValue) }
  }
  /// Whether `stories rm` said that the record shall go on the server, and it is not here.
  public var isDeleteStated: Bool {
    get { rare.first?.isDeleteStated ?? false }
    set { rare.set(\.isDeleteStated, newValue) }
  }
  /// What is wrong with the record; errors keep it from being pushed.
  public var problems: [Problem] {
    get { rare.first?.problems ?? [] }
    set { rare.set(\.problems, newValue) }
  }

  /// Whether the entry has nothing that few have: no former name, nothing wrong, nothing to
  /// decide. Asking is quicker than asking for each.
  public var isPlain: Bool { rare.isEmpty }

  /// Where the sidecar lies, relative to the library's root.
  public var sidecarPath: String { (renamedFrom ?? ref).sidecarPath }

  /// Whether there is a record on disk, readable or not.
  public var hasRecord: Bool { digest != nil || obstacle != nil }

  /// Whether an error keeps the record from being pushed.
  public var hasErrors: Bool { problems.contains { $0.severity == .error } }

  /// The fields that were changed here, in schema order.
  public var changedFields: [Field] { changes.fields(of: ref.kind) }
}
