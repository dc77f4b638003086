public import JSONText
public import StoryAPI
public import StoryLibrary
import StoryMerge

/// The result of a sync, or the prediction of a dry run.
public struct SyncReport: Sendable {
  /// A record that failed.
  public struct Failure: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The reason.
    public var reason: Reason
  }

  /// The reason why a record failed.
  public enum Reason: Error, Sendable, Hashable {
    /// A file has a problem.
    case problem(Problem)
    /// The server rejected the write.
    case server(APIError)
    /// A file could not be written.
    case file(FileError)
    /// It references a record that the server does not have because that one failed.
    case waits(for: RecordRef)
    /// It cannot be deleted while this record references it on the server.
    case waitsForRelease(by: RecordRef)
    /// It is not deleted because somebody has made this record reference it since the server was listed.
    case namedMeanwhile(by: RecordRef)
    /// The file was saved repeatedly during the sync.
    case fileKeepsChanging
    /// The server had another version at each attempt.
    case serverKeepsChanging
    /// The server's record violates the contract, as the error says.
    case malformed(APIError)
    /// A new record may be one that the server listed unreadably, so it was not created.
    case mayBeHidden
    /// Its create is unconfirmed, and only a person can tell whether a record of the same name on
    /// the server is this one. `isMadeAgain` if it was deleted on the server before.
    case mayBeCreated(isMadeAgain: Bool)
  }

  /// A record in conflict.
  public struct Conflict: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The keys of the fields, empty if the record as a whole is in conflict.
    public var fields: [String]
  }

  /// A field that a strategy decided.
  public struct Overridden: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// The field's key in the record.
    public var field: String
    /// The side whose value was kept: `local` or `server`.
    public var kept: String
    /// The kept value in wire form, with long text cut off, or `nil` for the record as a whole.
    public var keptValue: JSONValue?
    /// The discarded value, in the same form.
    public var lostValue: JSONValue?
  }

  /// The difference between a record on the server and its sidecar.
  public enum RemoteChange: Sendable, Hashable {
    /// No sidecar references it.
    case created
    /// It changed since the last sync.
    case changed
    /// It was deleted since the last sync.
    case deleted
  }

  /// Whether nothing was written or sent.
  public var isDryRun = false
  /// The name of the run's folder in `.stories/runs/`, or `nil` if nothing was saved.
  public var run: String?
  /// Records created on the server.
  public var created: [RecordRef] = []
  /// Records changed on the server, with the sent fields.
  public var updated: [(ref: RecordRef, fields: [String])] = []
  /// Those of ``updated`` that equal an older synced version, which git may have restored.
  public var older: [RecordRef] = []
  /// Records deleted on the server.
  public var deleted: [RecordRef] = []
  /// Records whose sidecar was moved to a new name.
  public var renamed: [(from: RecordRef, to: RecordRef)] = []
  /// Records received from the server.
  public var receivedNew: [RecordRef] = []
  /// Records that changed locally, with the changed fields.
  public var receivedChanges: [(ref: RecordRef, fields: [String])] = []
  /// Records removed locally because they were deleted on the server.
  public var receivedDeletes: [RecordRef] = []
  /// Records with merged changes of both sides.
  public var merged: [RecordRef] = []
  /// Records that equal one on the server and were not sent.
  public var adopted: [RecordRef] = []
  /// Records with sidecars that were rebuilt from the server's records: lost ones, and damaged ones.
  public var rebuilt: [RecordRef] = []
  /// Records in conflict.
  public var conflicts: [Conflict] = []
  /// Fields that a strategy decided.
  public var overridden: [Overridden] = []
  /// Records that failed.
  public var failed: [Failure] = []
  /// Records on the server that are missing locally, not on purpose as far as is known. A pull
  /// writes them.
  public var left: [RecordRef] = []
  /// The number of changes left for a sync in the other direction: local ones after a pull, the
  /// server's after a push.
  public var remaining = 0
  /// Records that an interrupted run left unfinished: a half-written file, an unconfirmed write.
  /// The next sync finishes them first and may then differ from this report. Filled only in a dry
  /// run.
  public var unsettled: [RecordRef] = []
  /// Warnings such as names that differ only by case, or a field of a sent record that may be misspelt;
  /// and errors that are not tied to single records, such as an unreadable folder.
  public var warnings: [Problem] = []
  /// Reasons why nothing was done at all.
  public var stops: [SafetyStop] = []
  /// The error that ended the sync after it had begun; the report has what was done until then.
  public var error: APIError?
  /// The server's changes by record; filled only in a dry run.
  public var remoteChanges: [RecordRef: RemoteChange] = [:]
  /// The number of requests, including retries.
  public var requests = 0
  /// The bytes sent in bodies.
  public var bytesUp = 0
  /// The bytes received in bodies, after decompression.
  public var bytesDown = 0

  /// Creates an empty report.
  public init() {}

  /// Whether nothing changed locally or on the server.
  public var isQuiet: Bool {
    created.isEmpty && updated.isEmpty && deleted.isEmpty && renamed.isEmpty && receivedNew.isEmpty
      && receivedChanges.isEmpty && receivedDeletes.isEmpty && adopted.isEmpty
  }
}

extension SyncReport.Overridden {
  /// A local delete of a record, if somebody has changed more than a count on the server since `base`.
  static func delete(of ref: RecordRef, from base: FieldValues, to current: FieldValues) -> [Self] {
    current.changes(from: base).contains { $0.merge != .counter }
      ? [Self(ref: ref, field: "the whole record", kept: "local")] : []
  }

  init(_ ref: RecordRef, _ item: Merge.Override) {
    self.init(
      ref, item.field, kept: item.keptRemote ? "server" : "local", item.kept, lost: item.lost)
  }

  init(_ ref: RecordRef, _ field: Field, kept side: String, _ kept: JSONValue, lost: JSONValue) {
    self.init(
      ref: ref, field: field.key, kept: side, keptValue: kept.abbreviated,
      lostValue: lost.abbreviated)
  }
}

extension JSONValue {
  /// The value with long text cut off to keep a report small. The run keeps the full value.
  fileprivate var abbreviated: JSONValue {
    guard let text = string, text.utf8.count > 200 else { return self }
    return .string(text.prefix(160) + "…")
  }
}

/// The texts that a sync stores in `.stories/` for later readers.
///
/// The library only has cases and data; the program passes in the texts for people.
public struct SyncWording: Sendable {
  /// Returns a run's `report.json`; `command` is added to it.
  public var report: @Sendable (SyncReport) -> JSONObject
  /// Returns the ``FailureStore`` entry of a failed record.
  public var failure: @Sendable (SyncReport.Failure) -> FailureStore.Failure

  /// Creates a wording.
  public init(
    report: @escaping @Sendable (SyncReport) -> JSONObject,
    failure: @escaping @Sendable (SyncReport.Failure) -> FailureStore.Failure
  ) {
    self.report = report
    self.failure = failure
  }

  /// No texts: a failure by its case, and no report.
  public static let none = SyncWording(
    report: { _ in noReport }, failure: { FailureStore.Failure(message: "\($0.reason)") })

  /// The document of a run without a report.
  static let noReport: JSONObject = ["schema": "stories.run/1"]
}
