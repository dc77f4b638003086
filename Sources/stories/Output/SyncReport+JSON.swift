import JSONText
import StoryAPI
import StoryLibrary
import StorySync

extension SyncReport {
  /// The report as `stories.sync/1`.
  var json: JSONValue {
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
    if !unsettled.isEmpty { report["unsettled"] = refs(unsettled) }
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
  fileprivate var json: JSONValue {
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
  /// File, line and column, as far as known.
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
    object["hint"] = advice.map { .string($0) } ?? .null
    return .object(object)
  }
}
