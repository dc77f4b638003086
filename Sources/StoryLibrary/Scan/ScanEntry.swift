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
/// A library may have very many of these, so what few of them have is kept apart.
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
  /// The digest of the record's bytes; `nil` where there is no record, or none that can be read.
  public var digest: ContentDigest?
  /// The digest of the sidecar's bytes; `nil` where there is no sidecar that can be read.
  public var sidecarDigest: ContentDigest?
  /// The bytes of the id within ``identity``; ``none`` where there is none.
  private var idLength = Self.none
  /// The bytes of the version within ``identity``, behind the id; ``none`` where there is none.
  private var versionLength = Self.none
  /// The id and the version in one string, which takes less memory than two.
  private var identity = ""
  /// Empty, or one element with what is not the usual.
  private var rare: [Rare] = []

  private static let none = UInt32.max

  /// What few entries have.
  private struct Rare: Sendable, Hashable {
    var renamedFrom: RecordRef?
    var possibleIDs: [String] = []
    var waitsFor: [RecordRef] = []
    var conflict: ConflictKind?
    var isDeleteStated = false
    var problems: [Problem] = []
  }

  /// An entry with only its name and state.
  public init(ref: RecordRef, state: RecordState) {
    self.ref = ref
    self.state = state
  }

  /// The server's id; `nil` without a sidecar. Of a sidecar that cannot be read it is what can be
  /// made out; `nil` where that are several, see ``possibleIDs``.
  public var id: String? {
    get { idBytes.map { String(Substring($0)) } }
    set { setIdentity(id: newValue, version: updatedAt) }
  }

  /// The version of the base, verbatim as the server wrote it; `nil` without a sidecar.
  public var updatedAt: String? {
    get {
      guard versionLength != Self.none else { return nil }
      return String(Substring(identity.utf8.suffix(Int(versionLength))))
    }
    set { setIdentity(id: id, version: newValue) }
  }

  /// The bytes of ``id``.
  var idBytes: Substring.UTF8View? {
    idLength == Self.none ? nil : identity.utf8.prefix(Int(idLength))
  }

  /// Appends the id, a zero byte and the version, as they stand in the sidecar; appends nothing and is
  /// `false` where one of the two is missing.
  package func appendIdentity(to bytes: inout [UInt8]) -> Bool {
    guard idLength != Self.none, versionLength != Self.none else { return false }
    var text = identity
    text.withUTF8 { text in
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text.prefix(Int(idLength))))
      bytes.append(0)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text.suffix(Int(versionLength))))
    }
    return true
  }

  private mutating func setIdentity(id: String?, version: String?) {
    identity = (id ?? "") + (version ?? "")
    idLength = id.map { UInt32(clamping: $0.utf8.count) } ?? Self.none
    versionLength = version.map { UInt32(clamping: $0.utf8.count) } ?? Self.none
  }

  /// Sets id and version from one text that holds the one and then the other.
  mutating func setIdentity(_ text: String, idLength: Int) {
    identity = text
    self.idLength = UInt32(clamping: idLength)
    versionLength = UInt32(clamping: text.utf8.count - idLength)
  }

  private mutating func setRare<Value: Equatable>(
    _ path: WritableKeyPath<Rare, Value>, _ value: Value
  ) {
    if rare.isEmpty {
      if Rare()[keyPath: path] == value { return }
      rare = [Rare()]
    }
    rare[0][keyPath: path] = value
    if rare[0] == Rare() { rare = [] }
  }

  /// The name under which the sidecar lies, where it is another than ``ref``'s: the record was
  /// renamed and the sidecar has yet to follow.
  public var renamedFrom: RecordRef? {
    get { rare.first?.renamedFrom }
    set { setRare(\.renamedFrom, newValue) }
  }
  /// The name that the record was renamed from; `nil` where it was not, and where the sidecar only has
  /// the same name in another Unicode form, as another system wrote it.
  public var formerName: RecordRef? { renamedFrom == ref ? nil : renamedFrom }
  /// The ids that stand in the sidecar where it cannot be read and names several: git left two
  /// versions of it, and only a person knows which of the server's records this is.
  public var possibleIDs: [String] {
    get { rare.first?.possibleIDs ?? [] }
    set { setRare(\.possibleIDs, newValue) }
  }
  /// All ids that the sidecar names, of which none is new here: its own, or those that it may be.
  public var namedIDs: [String] { id.map { [$0] } ?? possibleIDs }
  /// Records of this library that this one names and that the server does not have yet.
  public var waitsFor: [RecordRef] {
    get { rare.first?.waitsFor ?? [] }
    set { setRare(\.waitsFor, newValue) }
  }
  /// What a person has to decide; `nil` where nothing waits.
  public var conflict: ConflictKind? {
    get { rare.first?.conflict }
    set { setRare(\.conflict, newValue) }
  }
  /// Whether `stories rm` said that the record shall go on the server, and it is not here.
  public var isDeleteStated: Bool {
    get { rare.first?.isDeleteStated ?? false }
    set { setRare(\.isDeleteStated, newValue) }
  }
  /// What is wrong with the record; errors keep it from being pushed.
  public var problems: [Problem] {
    get { rare.first?.problems ?? [] }
    set { setRare(\.problems, newValue) }
  }

  /// Whether the entry has nothing that few have: no former name, nothing wrong, nothing to wait for
  /// or to decide. Asking is quicker than asking for each.
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
