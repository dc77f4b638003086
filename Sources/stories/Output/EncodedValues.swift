import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StoryServer
import StorySync

// How the values of the libraries stand in the documents of `--json`.

/// A value that encodes itself as an object whose members are not just its properties.
protocol MemberEncodable: Encodable {
  var members: Members { get }
}

extension MemberEncodable {
  func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

extension RecordRef: Encodable {
  func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension StatusCode: Encodable {
  func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension ServerDate: Encodable {
  func encode(to encoder: any Encoder) throws { try wire.encode(to: encoder) }
}

extension RecordState: Encodable {}
extension EntityKind: Encodable {}
extension Strategy: Encodable {}
extension Feature: Encodable {}
extension MediaKind: Encodable {}
extension MediaState: Encodable {}
extension MediaPrune.Reason: Encodable {}
extension EngineRole: Encodable {}

extension Problem: MemberEncodable {
  var members: Members {
    [
      "file": file, "line": position?.line, "column": position?.column,
      "severity": severity.rawValue, "code": code.rawValue, "message": message, "hint": advice,
    ]
  }
}

extension Diagnostic: MemberEncodable {
  var members: Members {
    [
      "severity": severity.rawValue, "area": area.rawValue, "code": code, "file": file,
      "line": position?.line, "column": position?.column, "message": message,
      "nextSync": outlook, "hint": hint, "repair": repair?.words,
    ]
  }
}

extension FailureStore.Failure: MemberEncodable {
  var members: Members { ["message": message, "hint": hint] }
}

extension EngineError: MemberEncodable {
  var members: Members { ["code": code, "message": message] }
}

extension Array where Element: Encodable {
  /// The list, left out of a document if it is empty.
  var filled: Omitted<[Element]> { Omitted(isEmpty ? nil : self) }
}

extension Duration {
  /// The whole seconds, as documents have spans of time.
  var wholeSeconds: Int { Int(components.seconds) }
}

extension [RecordState: Int] {
  var inOrder: JSONObject {
    JSONObject(
      RecordState.allCases.compactMap { state in
        self[state].map { (key: state.rawValue, value: .number($0)) }
      })
  }
}

extension Members {
  /// A file, with line and column where they are known.
  static func place(_ file: String, _ position: TextPosition?) -> Members {
    ["file": file, "line": Omitted(position?.line), "column": Omitted(position?.column)]
  }
}

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
      "unsettled": unsettled.filled, "older": older.filled, "rebuilt": rebuilt.filled,
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
