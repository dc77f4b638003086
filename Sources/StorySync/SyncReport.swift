public import JSONText
public import StoryAPI
public import StoryLibrary

/// What a sync did, or would do in a dry run.
public struct SyncReport: Sendable {
  /// A record that failed.
  public struct Failure: Sendable, Hashable {
    /// The record.
    public var ref: RecordRef
    /// Why, for people.
    public var message: String
    /// What to do; `nil` where the message says it.
    public var hint: String?
    /// The place in a file, where the failure has one.
    public var problem: Problem?
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
  /// The name of the run under `.stories/runs/`; `nil` where it kept nothing.
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

  /// The report as `stories.sync/1`.
  public var json: JSONValue {
    func refs(_ refs: [RecordRef]) -> JSONValue { .array(refs.map { .string($0.description) }) }
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    let sent: JSONObject = [
      "created": refs(created), "updated": refs(updated.map(\.ref)), "deleted": refs(deleted),
      "renamed": refs(renamed.map(\.to)),
    ]
    let received: JSONObject = [
      "created": refs(receivedNew), "updated": refs(receivedChanges.map(\.ref)),
      "deleted": refs(receivedDeletes),
    ]
    var report: JSONObject = [
      "schema": "stories.sync/1",
      "dryRun": .bool(isDryRun),
      "run": run.map { .string($0) } ?? .null,
      "sent": .object(sent),
      "received": .object(received),
      "merged": refs(merged),
      "adopted": refs(adopted),
      "conflicts": .array(
        conflicts.map { conflict in
          [
            "ref": .string(conflict.ref.description),
            "fields": .array(conflict.fields.map { .string($0) }),
          ]
        }),
      "overridden": .array(
        overridden.map { item in
          var object: JSONObject = [
            "ref": .string(item.ref.description), "field": .string(item.field),
            "kept": .string(item.kept),
          ]
          if let value = item.keptValue { object["keptValue"] = value }
          if let value = item.lostValue { object["lostValue"] = value }
          return .object(object)
        }),
      "failed": .array(failed.map(\.json)),
      "requests": number(requests),
      "bytes": ["up": number(bytesUp), "down": number(bytesDown)],
    ]
    if !warnings.isEmpty { report["warnings"] = .array(warnings.map(\.json)) }
    if !left.isEmpty { report["left"] = refs(left) }
    if !older.isEmpty { report["older"] = refs(older) }
    if !stops.isEmpty { report["stopped"] = .array(stops.map { .string($0.message) }) }
    if let error {
      report["error"] = [
        "message": .string(error.message), "hint": error.suggestion.map { .string($0) } ?? .null,
      ]
    }
    return .object(report)
  }
}

extension SyncReport.Failure {
  var json: JSONValue {
    var error: JSONObject = ["message": .string(message)]
    if let hint { error["hint"] = .string(hint) }
    if let problem {
      error["code"] = .string(problem.code.rawValue)
      for member in problem.place.members { error[member.key] = member.value }
    }
    return ["ref": .string(ref.description), "error": .object(error)]
  }
}

extension Problem {
  /// File, line and column, as far as they are known.
  fileprivate var place: JSONObject {
    var place: JSONObject = ["file": .string(file)]
    if let position {
      place["line"] = .number(JSONNumber(position.line))
      place["column"] = .number(JSONNumber(position.column))
    }
    return place
  }

  fileprivate var json: JSONValue {
    var object = place
    object["code"] = .string(code.rawValue)
    object["message"] = .string(message)
    object["hint"] = hint.map { .string($0) } ?? .null
    return .object(object)
  }
}
