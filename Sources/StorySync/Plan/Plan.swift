public import StoryLibrary
import StoryMerge

/// What a sync is going to do: names, ids, actions and fields, but no content.
///
/// A plan is a value: a dry run shows the very plan that a real run carries out.
public struct Plan: Sendable {
  /// What happens to one record.
  public enum Action: Sendable, Hashable {
    /// A record that is new on the server gets a file and a sidecar.
    case takeNew
    /// Both sides' changes come together in the file; the sidecar takes the server's version as base.
    /// Without local changes that is the server's record.
    case merge
    /// Only the sidecar changes: both sides have the same content.
    case rebase
    /// The record was deleted on the server and is unchanged here: record and sidecar go.
    case removeHere
    /// The record was deleted here, but the server's newer version comes back.
    case bringBack
    /// A new record here equals one on the server: the sidecar is written, nothing is sent.
    case adopt
    /// The record is gone on both sides: the sidecar goes.
    case forget
    /// The sidecar follows its renamed record.
    case moveSidecar
    /// A person has to decide; that is noted in the sidecar.
    case recordConflict(ConflictKind)
    /// The record is made on the server.
    case create
    /// The changed fields are sent to the server.
    case update
    /// The record is deleted on the server.
    case delete

    /// Whether the action sends something to the server.
    public var isRemote: Bool {
      switch self {
      case .create, .update, .delete: true
      default: false
      }
    }
  }

  /// One action on one record.
  ///
  /// A plan may have very many of these, so what few of them have is kept apart, and what is small
  /// stands where no other member leaves a gap.
  public struct Step: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// What happens.
    public var action: Action
    /// The fields that change here, or that are sent.
    public var fields = FieldSet()
    private var identity = RecordIdentity()
    // What may be missing, and whether it is: an optional of each would take half as much again.
    private var hasDigest = false
    private var hasLocation = false
    private var spoolLength: UInt32 = 0
    private var spoolOffset: UInt64 = 0
    private var knownDigest = ContentDigest.zero
    /// Empty, or one element with what is not the usual.
    private var rare: [Rare] = []

    /// What few steps have.
    private struct Rare: RareValues, Sendable {
      var conflicts = FieldSet()
      var overridden: [Overridden] = []
      var renamedFrom: RecordRef?
      var isStated = false
      var after: [RecordRef] = []
      var isMerged = false
    }

    /// The record's digest when the plan was made; `nil` where there was none.
    public var digest: ContentDigest? {
      get { hasDigest ? knownDigest : nil }
      set {
        hasDigest = newValue != nil
        knownDigest = newValue ?? .zero
      }
    }

    /// Where the server's version lies in the spool; `nil` where it is none of the news.
    var location: Spool.Location? {
      get { hasLocation ? Spool.Location(offset: spoolOffset, length: spoolLength) : nil }
      set {
        hasLocation = newValue != nil
        spoolOffset = newValue?.offset ?? 0
        spoolLength = newValue?.length ?? 0
      }
    }

    /// The server's id, where there is one.
    public var id: String? {
      get { identity.id }
      set { identity.id = newValue }
    }

    /// The server's version that the step is based on.
    public var updatedAt: String? {
      get { identity.version }
      set { identity.version = newValue }
    }

    /// The fields that are left for a person.
    public var conflicts: FieldSet {
      get { rare.first?.conflicts ?? FieldSet() }
      set { rare.set(\.conflicts, newValue) }
    }

    /// The fields that a strategy decides, with the winner.
    public var overridden: [Overridden] {
      get { rare.first?.overridden ?? [] }
      set { rare.set(\.overridden, newValue) }
    }

    /// Where the sidecar lies now, where the record was renamed.
    public var renamedFrom: RecordRef? {
      get { rare.first?.renamedFrom }
      set { rare.set(\.renamedFrom, newValue) }
    }

    /// Whether a person asked for the delete with `stories rm`.
    public var isStated: Bool {
      get { rare.first?.isStated ?? false }
      set { rare.set(\.isStated, newValue) }
    }

    /// Records that name the one that is deleted, and that must have let go of it by then.
    public var after: [RecordRef] {
      get { rare.first?.after ?? [] }
      set { rare.set(\.after, newValue) }
    }

    /// Whether changes of both sides come together.
    public var isMerged: Bool {
      get { rare.first?.isMerged ?? false }
      set { rare.set(\.isMerged, newValue) }
    }

    init(_ entry: ScanEntry, _ action: Action) {
      ref = entry.ref
      self.action = action
      identity = entry.identity
      digest = entry.digest
      guard !entry.isPlain else { return }
      renamedFrom = entry.renamedFrom
      isStated = entry.isDeleteStated
    }

    init(ref: RecordRef, action: Action, id: String, updatedAt: String? = nil) {
      self.ref = ref
      self.action = action
      identity = RecordIdentity(id: id, version: updatedAt)
    }

    /// Notes that an earlier step of the plan has brought the sidecar of a renamed record to it.
    mutating func sidecarHasFollowed() {
      // A name that differs in Unicode form only is the same name, and its sidecar stays.
      if let old = renamedFrom, old != ref { renamedFrom = nil }
    }
  }

  /// A field that a strategy decided.
  public struct Overridden: Sendable, Hashable {
    /// The field's key in a record.
    public var field: String
    /// Whether the server's value stays.
    public var keptRemote: Bool
  }

  /// What has to be done, in the order in which it is: here before there, and by kind.
  public var steps: [Step] = []
  /// Records that cannot take part, with the reason.
  public var failures: [Failure] = []
  /// Reasons not to start at all.
  public var stops: [SafetyStop] = []
  /// Records whose conflict is recorded already and stays.
  public var openConflicts: [OpenConflict] = []

  /// A record in conflict with the fields that wait.
  public struct OpenConflict: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The keys of the fields; empty where the record as a whole waits.
    public var fields: [String]
  }

  /// A record that cannot take part.
  public struct Failure: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// Why.
    public var problem: Problem
  }

  /// Leaves out what would make two of a record that the server may have already, and says so where
  /// only a person can tell.
  mutating func leaveOut(_ doubts: [LostWriteResolver.Doubt]) {
    for doubt in doubts {
      steps.removeAll { $0.ref == doubt.ref && $0.action == .create }
      guard !doubt.isSettledByPush else {
        steps.removeAll { $0.action == .takeNew && doubt.doubles.contains($0.id ?? "") }
        continue
      }
      failures.append(
        Failure(
          ref: doubt.ref,
          problem: Problem(
            .refused, file: doubt.ref.path,
            message:
              "maybe created: the answer to its create was lost, and a record of the same name"
              + " has come to the server since",
            hint: "`stories sync pull` brings that record; then remove one of the two, or give this"
              + " one another name")))
    }
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }
}

/// A reason to stop before anything is sent or changed.
public enum SafetyStop: Error, Sendable, Hashable {
  /// More records of a kind would go than is plausible.
  case deletes(kind: EntityKind, onServer: Bool, count: Int, of: Int)
  /// A hero would be deleted on the server that stories here still name.
  case stillNamed(RecordRef, by: [RecordRef])
  /// The server has an older version of a record than it had before.
  case serverWentBack(RecordRef, had: String, has: String)
  /// The ids in this library belong to another server or account.
  case otherServer(has: LibraryConfiguration.Identity, now: LibraryConfiguration.Identity)
  /// Git tracks `.stories`, this machine's own state.
  case stateIsTracked
}
