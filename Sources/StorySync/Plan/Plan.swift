public import JSONText
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
    /// The record is not here, and comes back: as the server has it now if it changed, else from the
    /// base.
    case bringBack
    /// A new record here equals one on the server: the sidecar is written, nothing is sent.
    case adopt
    /// The record is gone on both sides: the sidecar goes.
    case forget
    /// The sidecar follows its renamed record.
    case moveSidecar
    /// The sidecar cannot be read: it is put together again, or dropped.
    case rebuildSidecar
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
  public struct Step: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// What happens.
    public var action: Action
    /// The fields that change here, or that are sent.
    public var fields = FieldSet()
    /// The fields that are left for a person.
    public var conflicts = FieldSet()
    /// The fields that a strategy decides, with the winner.
    public var overridden: [Overridden] = []
    /// The record's digest when the plan was made; `nil` if there was no record.
    public var digest: ContentDigest?
    /// The server's id, if there is one.
    public var id: String?
    /// The server's version that the step is based on.
    public var updatedAt: String?
    /// Where the server's version is in the spool; `nil` if it did not change.
    var location: Spool.Location?
    /// The name that the sidecar has now, if the record was renamed.
    public var renamedFrom: RecordRef?
    /// Whether a person asked for the delete with `stories rm`.
    public var isStated = false
    /// Records that name the one that is deleted, and that must have let go of it by then.
    public var after: [RecordRef] = []
    /// Whether changes of both sides come together.
    public var isMerged = false

    init(_ entry: ScanEntry, _ action: Action) {
      ref = entry.ref
      self.action = action
      id = entry.id
      updatedAt = entry.updatedAt
      digest = entry.digest
      renamedFrom = entry.renamedFrom
      isStated = entry.isDeleteStated
    }

    init(ref: RecordRef, action: Action, id: String, updatedAt: String? = nil) {
      self.ref = ref
      self.action = action
      self.id = id
      self.updatedAt = updatedAt
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
    /// The value that stays, in wire form; of long text the beginning.
    public var kept: JSONValue
    /// The value that is lost, in the same form.
    public var lost: JSONValue

    init(_ override: Merge.Override) {
      self.init(
        override.field, keptRemote: override.keptRemote, kept: override.kept, lost: override.lost)
    }

    init(_ field: Field, keptRemote: Bool, kept: JSONValue, lost: JSONValue) {
      self.field = field.key
      self.keptRemote = keptRemote
      self.kept = kept.abbreviated
      self.lost = lost.abbreviated
    }
  }

  /// What becomes of writes whose answers were lost.
  var settlements: [Settlement] = []
  /// What has to be done, in the order in which it is: here before there, and by kind.
  public var steps: [Step] = []
  /// Records that cannot take part, with the reason.
  public var failures: [SyncReport.Failure] = []
  /// Reasons not to start at all.
  public var stops: [SafetyStop] = []
  /// Records whose conflict is recorded already and stays.
  public var openConflicts: [OpenConflict] = []
  /// Whether this only prepares another plan, which is made once it is carried out.
  var isPreliminary = false

  /// A record in conflict with the fields that wait.
  public struct OpenConflict: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The keys of the fields; empty where the record as a whole waits.
    public var fields: [String]
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }
}

/// A reason to stop before anything is sent or changed.
public enum SafetyStop: Error, Sendable, Hashable {
  /// More records of a kind would go than is plausible.
  case deletes(kind: EntityKind, onServer: Bool, count: Int, of: Int)
  /// A hero or an event would be deleted on the server that stories still name.
  case stillNamed(RecordRef, by: [RecordRef])
  /// The server has an older version of a record than it had before; `has` is `nil` if it has neither the
  /// record nor its tombstone.
  case serverWentBack(RecordRef, had: String, has: String?)
  /// The ids in this library belong to another server or account.
  case otherServer(has: LibraryConfiguration.Identity, now: LibraryConfiguration.Identity)
  /// Git tracks `.stories`, this machine's own state.
  case stateIsTracked
}

extension JSONValue {
  /// The value with long text cut off, so that a report of many records stays small. The run keeps the
  /// whole of it.
  var abbreviated: JSONValue {
    guard let text = string, text.utf8.count > 200 else { return self }
    return .string(text.prefix(160) + "…")
  }
}
