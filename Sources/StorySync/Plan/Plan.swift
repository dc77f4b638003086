public import JSONText
public import StoryLibrary
import StoryMerge

/// The actions of a sync: names, ids and fields, but no content.
///
/// A plan is a value: a dry run shows the same plan that a real run carries out.
public struct Plan: Sendable {
  /// The action of a step on its record.
  public enum Action: Sendable, Hashable {
    /// Writes a file and a sidecar for a record that is new on the server.
    case takeNew
    /// Merges both sides' changes into the file and takes the server's version as base. Without
    /// local changes the result is the server's record.
    case merge
    /// Changes only the sidecar, because both sides have the same content.
    case rebase
    /// Removes an unchanged record that was deleted on the server, and its sidecar.
    case deleteLocally
    /// Writes a missing record again: the server's version if it changed, else the base.
    case bringBack
    /// Writes a sidecar for a new local record that equals one on the server; sends nothing.
    case adopt
    /// Removes the sidecar of a record that is gone on both sides.
    case forget
    /// Moves the sidecar to its renamed record.
    case moveSidecar
    /// Rebuilds or removes a sidecar that cannot be read.
    case rebuildSidecar
    /// Records in the sidecar a conflict that a person has to resolve.
    case recordConflict(ConflictKind)
    /// Creates the record on the server.
    case create
    /// Sends the changed fields to the server.
    case update
    /// Deletes the record on the server.
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
    /// The action.
    public var action: Action
    /// The fields that change locally, or that are sent.
    public var fields = FieldSet()
    /// The fields in conflict.
    public var conflicts = FieldSet()
    /// The fields that a strategy decides.
    public var overridden: [Overridden] = []
    /// The digest of the local record when the plan was made, or `nil` if there was no record.
    public var digest: ContentDigest?
    /// The server's id, or `nil` if the server does not have the record.
    public var id: String?
    /// The revision that the step is based on.
    public var updatedAt: String?
    /// The location of the server's version in the spool, or `nil` if it did not change.
    var location: Spool.Location?
    /// The old name, under which the sidecar still is, if the record was renamed.
    public var renamedFrom: RecordRef?
    /// Whether a person asked for the delete with `stories rm`.
    public var isStated = false
    /// The referrers of the record to delete whose references must be removed first.
    public var after: [RecordRef] = []
    /// Whether changes of both sides are merged.
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

    /// Records that an earlier step of the plan has moved the sidecar of a renamed record.
    mutating func sidecarHasFollowed() {
      // A name that differs only in Unicode form is the same name, and its sidecar stays.
      if let old = renamedFrom, old != ref { renamedFrom = nil }
    }
  }

  /// A field that a strategy decided.
  public struct Overridden: Sendable, Hashable {
    /// The field's key in a record.
    public var field: String
    /// Whether the server's value was kept.
    public var keptRemote: Bool
    /// The kept value in wire form; long text is cut off.
    public var kept: JSONValue
    /// The discarded value, in the same form.
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

  /// The outcomes of unconfirmed writes.
  var settlements: [Settlement] = []
  /// The steps in the order in which they run: local ones before those on the server, then by kind.
  public var steps: [Step] = []
  /// Records that cannot be synced, with the reason.
  public var failures: [SyncReport.Failure] = []
  /// Reasons not to start the sync.
  public var stops: [SafetyStop] = []
  /// Records with a conflict that was recorded earlier and remains.
  public var openConflicts: [OpenConflict] = []
  /// Whether the plan only settles earlier runs; the main plan is made after it was carried out.
  var isPreliminary = false

  /// A record in conflict and its fields in conflict.
  public struct OpenConflict: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The keys of the fields, empty if the record as a whole is in conflict.
    public var fields: [String]
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }
}

/// A reason to stop before anything is sent or changed.
public enum SafetyStop: Error, Sendable, Hashable {
  /// More records of a kind would be deleted than is plausible.
  case deletes(kind: EntityKind, onServer: Bool, count: Int, of: Int)
  /// A hero or event would be deleted on the server while stories still reference it.
  case stillNamed(RecordRef, by: [RecordRef])
  /// A record is older on the server than before; `has` is `nil` without record or tombstone.
  case serverWentBack(RecordRef, had: String, has: String?)
  /// The ids in this library belong to another server or account.
  case otherServer(has: LibraryConfiguration.Identity, now: LibraryConfiguration.Identity)
  /// Git tracks `.stories`, which is local to this machine.
  case stateIsTracked
}

extension JSONValue {
  /// The value with long text cut off to keep a report small. The run keeps the full value.
  var abbreviated: JSONValue {
    guard let text = string, text.utf8.count > 200 else { return self }
    return .string(text.prefix(160) + "…")
  }
}
