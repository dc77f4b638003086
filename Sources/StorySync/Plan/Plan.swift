public import StoryLibrary

/// The actions of a sync: names, ids and fields, but no content.
///
/// A plan is a value: a dry run shows the same plan that a real run carries out.
struct Plan: Sendable {
  enum Action: Sendable, Hashable {
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
    case moveSidecar
    /// Rebuilds or removes a sidecar that cannot be read.
    case rebuildSidecar
    /// Records in the sidecar a conflict that a person has to resolve.
    case recordConflict(ConflictKind)
    case create
    case update
    case delete

    var isRemote: Bool { self == .create || self == .update || self == .delete }
  }

  struct Step: Sendable, Hashable {
    var ref: RecordRef
    var action: Action
    /// The fields that change locally, or that are sent.
    var fields = FieldSet()
    var conflicts = FieldSet()
    var overridden: [SyncReport.Overridden] = []
    /// The digest of the local record when the plan was made, or `nil` if there was no record.
    var digest: ContentDigest?
    /// The server's id, or `nil` if the server does not have the record.
    var id: String?
    /// The revision in the record's sidecar, or `nil` if it has none.
    var sidecarRevision: String?
    /// The revision that the step is based on.
    var updatedAt: String?
    /// The location of the server's version in the spool, or `nil` if it did not change.
    var location: Spool.Location?
    /// The old name, under which the sidecar still is, if the record was renamed.
    var renamedFrom: RecordRef?
    /// Whether a person asked for the delete with `stories rm`.
    var isStated = false
    /// The referrers of the record to delete whose references must be removed first.
    var after: [RecordRef] = []
    var isMerged = false
    /// See ``ScanEntry/isOutdated``.
    var isOutdated = false

    /// The record that the sidecar's name belongs to.
    var place: RecordRef { renamedFrom ?? ref }
    /// The former name of a renamed record. A name that differs only in Unicode form is the same
    /// name, and its sidecar stays.
    var formerName: RecordRef? { renamedFrom == ref ? nil : renamedFrom }
    /// The record whose name the sidecar gets.
    var newPlace: RecordRef { formerName == nil ? place : ref }

    /// - Parameter change: the server's version that the step is based on, or `nil` for the sidecar's.
    init(_ entry: ScanEntry, _ action: Action, _ change: RemoteChange? = nil) {
      ref = entry.ref
      self.action = action
      id = entry.id
      sidecarRevision = entry.updatedAt
      updatedAt = entry.updatedAt
      digest = entry.digest
      renamedFrom = entry.renamedFrom
      isOutdated = entry.isOutdated
      isStated = entry.isDeleteStated
      if let change {
        id = change.id
        updatedAt = change.updatedAt
        location = change.location
      }
    }

    /// Records that an earlier step of the plan has moved the sidecar of a renamed record.
    mutating func sidecarHasFollowed() { if formerName != nil { renamedFrom = nil } }
  }

  var settlements: [Settlement] = []
  /// The steps in the order in which they run: local ones before those on the server, then by kind.
  var steps: [Step] = []
  var failures: [SyncReport.Failure] = []
  var stops: [SafetyStop] = []
  /// Records with a conflict that was recorded earlier and remains.
  var openConflicts: [SyncReport.Conflict] = []
  /// Whether the plan only settles earlier runs; the main plan is made after it was carried out.
  var isPreliminary = false
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
  /// Git is changing the working tree, or was stopped while it did: `lock` is the path of its
  /// `index.lock`. Records may be missing then, or older than their sidecars.
  case gitIsAtWork(lock: String)
}

extension Plan {
  /// Stops a sync that would delete more than is plausible: absence is not intent.
  ///
  /// Counts the deletes not requested with `stories rm`, per kind and direction. The limit is the
  /// larger of five and a fifth of the kind; no kind of three or more may be deleted entirely.
  ///
  /// - Parameter maximum: the number of deletes that the user allowed for this run.
  mutating func guardDeletes(_ scan: Scan, allowed maximum: Int?) {
    for kind in EntityKind.writable {
      for (action, onServer) in [(Action.delete, true), (.deleteLocally, false)] {
        let count = steps.count {
          $0.ref.kind == kind && $0.action == action && !$0.isStated
        }
        guard count > 0 else { continue }
        let known = scan.entries.count { $0.ref.kind == kind && $0.id != nil }
        guard Self.isSuspicious(count, of: known), count > maximum ?? -1 else { continue }
        stops.append(.deletes(kind: kind, onServer: onServer, count: count, of: known))
      }
    }
  }

  /// Stops a sync if the server does not know so many records of a kind that it may be the wrong one, or
  /// one that lost its data. The limits are those of deletes.
  mutating func guardForeignIDs(_ entries: [ScanEntry], _ scan: Scan) {
    guard let first = entries.first, let had = first.updatedAt else { return }
    let known = scan.entries.count { $0.ref.kind == first.ref.kind && $0.id != nil }
    guard Self.isSuspicious(entries.count, of: known) else { return }
    stops.append(.serverWentBack(first.ref, had: had, has: nil))
  }

  private static func isSuspicious(_ count: Int, of known: Int) -> Bool {
    count > max(5, known / 5) || (known >= 3 && count == known)
  }
}
