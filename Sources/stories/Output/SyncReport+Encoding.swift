import JSONText
import StoryAPI
import StoryLibrary
import StorySync

extension SyncReport: MemberEncodable {
  var members: Members {
    members(error: error.map { ["message": $0.message, "hint": $0.suggestion] as Members })
  }

  /// The report with a command's own account of the error that ended the run: the server's address,
  /// the cause and the number of tries.
  func document(in context: Context) -> Members {
    members(error: error.map { ErrorReport($0, in: context).members })
  }

  private func members(error: Members?) -> Members {
    let sent: Members = [
      "created": created, "updated": updated.map(\.ref), "deleted": deleted,
      "renamed": renamed.map(\.to),
    ]
    let received: Members = [
      "created": receivedNew, "updated": receivedChanges.map(\.ref), "deleted": receivedDeletes,
    ]
    return [
      "schema": "stories.sync/1", "dryRun": isDryRun, "run": run, "sent": sent,
      "received": received, "merged": merged, "adopted": adopted, "conflicts": conflicts,
      "overridden": overridden, "failed": failed, "requests": requests,
      "bytes": ["up": bytesUp, "down": bytesDown] as Members,
      "warnings": warnings.map(Self.warning).filled, "left": left.filled,
      "unsettled": unsettled.filled, "older": older.filled,
      "stopped": stops.map(\.message).filled,
      "error": Omitted(error),
    ]
  }

  private static func warning(_ problem: Problem) -> Members {
    .place(problem.file, problem.position) + [
      "code": problem.code.rawValue, "message": problem.message, "hint": problem.advice,
    ]
  }
}

extension SyncReport.Conflict: MemberEncodable {
  var members: Members { ["ref": ref, "fields": fields] }
}

extension SyncReport.Overridden: MemberEncodable {
  var members: Members {
    [
      "ref": ref, "field": field, "kept": kept, "keptValue": Omitted(keptValue),
      "lostValue": Omitted(lostValue),
    ]
  }
}

extension SyncReport.Failure: MemberEncodable {
  var members: Members {
    var error: Members = ["message": message, "hint": Omitted(hint)]
    if let place {
      error = error + ["code": place.code.rawValue] + .place(place.file, place.position)
    }
    return ["ref": ref, "error": error]
  }
}
