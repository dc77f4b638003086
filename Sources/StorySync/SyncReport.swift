public import JSONText
public import StoryAPI
public import StoryLibrary

/// What a sync did, or would do in a dry run.
public struct SyncReport: Sendable {
  /// A record that failed.
  public struct Failure: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// Why.
    public var reason: Reason
  }

  /// Why a record failed.
  public enum Reason: Sendable, Hashable {
    /// Something in a file is wrong.
    case problem(Problem)
    /// The server refused the write.
    case server(APIError)
    /// A file could not be written.
    case file(FileError)
    /// It names a record that the server does not have, because that one failed.
    case waits(for: RecordRef)
    /// It cannot be deleted while this record names it on the server.
    case waitsForRelease(by: RecordRef)
    /// The file was saved again and again during the sync.
    case fileKeepsChanging
    /// The server had another version at each try.
    case serverKeepsChanging
    /// The server's record breaks the contract; the text says how.
    case malformed(String)
    /// A new record may be one that the server showed in a form that breaks the contract, so it was not
    /// created.
    case mayBeHidden
    /// The answer to its create was lost, and nobody but a person can tell whether a record of the same
    /// name on the server is this one. If it is made again, it was deleted on the server since.
    case mayBeCreated(isMadeAgain: Bool)
  }

  /// A record in conflict.
  public struct Conflict: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The keys of the fields; empty where the record as a whole waits.
    public var fields: [String]
  }

  /// A field that a strategy decided.
  public struct Overridden: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The field's key in the record.
    public var field: String
    /// Which side's value stays: `local` or `server`.
    public var kept: String
    /// The value that stays, in wire form, and of long text its beginning; `nil` if it is the record as
    /// a whole.
    public var keptValue: JSONValue?
    /// The value that was lost, in the same form.
    public var lostValue: JSONValue?

    init(ref: RecordRef, field: String, kept: String) {
      self.ref = ref
      self.field = field
      self.kept = kept
    }

    init(_ ref: RecordRef, _ item: Plan.Overridden) {
      self.init(ref: ref, field: item.field, kept: item.keptRemote ? "server" : "local")
      keptValue = item.kept
      lostValue = item.lost
    }
  }

  /// How a record on the server differs from what its sidecar says.
  public enum RemoteChange: Sendable, Hashable {
    /// No sidecar names it.
    case created
    /// It changed since the last sync.
    case changed
    /// It was deleted since the last sync.
    case deleted
  }

  /// Whether nothing was written or sent.
  public var isDryRun = false
  /// The name of the run's folder in `.stories/runs/`; `nil` if nothing was saved.
  public var run: String?
  /// Records made on the server.
  public var created: [RecordRef] = []
  /// Records changed on the server, with the fields that were sent.
  public var updated: [(ref: RecordRef, fields: [String])] = []
  /// Of ``updated`` those that say what an older synced version said: git may have brought them back.
  public var older: [RecordRef] = []
  /// Records deleted on the server.
  public var deleted: [RecordRef] = []
  /// Records whose sidecar followed them to a new name.
  public var renamed: [(from: RecordRef, to: RecordRef)] = []
  /// Records that came from the server.
  public var receivedNew: [RecordRef] = []
  /// Records that changed here, with the fields that changed.
  public var receivedChanges: [(ref: RecordRef, fields: [String])] = []
  /// Records that went here because they were deleted on the server.
  public var receivedDeletes: [RecordRef] = []
  /// Records in which changes of both sides came together.
  public var merged: [RecordRef] = []
  /// Records that equal one on the server and were not sent.
  public var adopted: [RecordRef] = []
  /// Records that wait for a person.
  public var conflicts: [Conflict] = []
  /// Fields that a strategy decided.
  public var overridden: [Overridden] = []
  /// Records that failed.
  public var failed: [Failure] = []
  /// Records that are still on the server though they are not here, and that nobody removed as far as
  /// anybody can tell. A pull brings them back.
  public var left: [RecordRef] = []
  /// Records of which a run that died left something unfinished: a file half written, a write without an
  /// answer. The next sync finishes that first, and what it does then may differ from what the report
  /// says. Filled in a dry run only.
  public var unsettled: [RecordRef] = []
  /// What is wrong beside single records: warnings such as names that differ only by case, and errors
  /// such as a folder that cannot be read.
  public var warnings: [Problem] = []
  /// Reasons for which nothing was done at all.
  public var stops: [SafetyStop] = []
  /// What ended the sync after it had begun; what was done until then is in the report.
  public var error: APIError?
  /// What changed on the server, by record; filled in a dry run only.
  public var remoteChanges: [RecordRef: RemoteChange] = [:]
  /// The number of requests, each repetition counted.
  public var requests = 0
  /// Bytes of bodies sent.
  public var bytesUp = 0
  /// Bytes of bodies received, after undoing compression.
  public var bytesDown = 0

  /// A report of nothing.
  public init() {}

  /// Whether anything changed here or on the server.
  public var isQuiet: Bool {
    created.isEmpty && updated.isEmpty && deleted.isEmpty && renamed.isEmpty && receivedNew.isEmpty
      && receivedChanges.isEmpty && receivedDeletes.isEmpty && adopted.isEmpty
  }
}
