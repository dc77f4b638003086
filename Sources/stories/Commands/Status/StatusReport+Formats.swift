import JSONText
import StoryLibrary
import StorySync

extension StatusReport {
  /// The report as `stories.status/1`.
  ///
  /// - Parameters:
  ///   - all: whether to include synced records.
  ///   - problem: why the server could not be asked.
  func json(all: Bool, _ age: PullAge, problem: ErrorReport? = nil) -> JSONValue {
    var numbers = JSONObject()
    for state in RecordState.allCases {
      if let count = counts[state] { numbers[state.rawValue] = .number(JSONNumber(count)) }
    }
    if failedCount > 0 { numbers["failed"] = .number(JSONNumber(failedCount)) }
    var object: JSONObject = [
      "schema": "stories.status/1",
      "server": .string(server),
      "account": account.map { .string($0) } ?? .null,
      "pulledAt": age.json,
      "askedServer": .bool(remote != nil),
      "counts": .object(numbers),
      "records": .array((all ? records : news).map(Self.json)),
      "problems": .array(problems.map(ProblemText.json)),
    ]
    if let problem = problem ?? age.problem { object["error"] = .object(problem.object) }
    return .object(object)
  }

  private static func json(_ record: Record) -> JSONValue {
    var object: JSONObject = [
      "ref": .string(record.entry.ref.description),
      "state": .string(record.state),
      "code": .string(record.code.description),
      "fields": .array(record.fields.map { .string($0) }),
    ]
    if let old = record.entry.formerName { object["from"] = .string(old.description) }
    if record.isOlder { object["older"] = true }
    if let problem = record.problems.first, problem.severity == .error {
      object["error"] = ProblemText.json(problem)
    } else if let failure = record.failure {
      object["error"] = [
        "file": .string(record.entry.ref.path), "line": nil, "column": nil,
        "message": .string(failure.message), "hint": failure.hint.map { .string($0) } ?? .null,
      ]
    }
    return .object(object)
  }

  /// Returns the stable format for scripts, version 1: `XY ref`, the changed fields separated by
  /// commas, and the old ref of a renamed record.
  ///
  /// In lines, these parts are separated by tabs; a ref with a control character, quote or
  /// backslash is a JSON string. With `nulls` every part ends in a NUL instead, nothing is quoted,
  /// and each record has two parts, or three if X is `R`.
  func porcelain(all: Bool, nulls: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in all ? records : news {
      var parts = ["\(record.code) \(Self.quoted(record.entry.ref, unless: nulls))"]
      let old = record.entry.formerName.map { Self.quoted($0, unless: nulls) }
      if nulls || !record.fields.isEmpty || old != nil {
        parts.append(record.fields.joined(separator: ","))
      }
      if let old { parts.append(old) }
      if nulls {
        for part in parts { bytes += Array(part.utf8) + [0] }
      } else {
        bytes += Array((parts.joined(separator: "\t") + "\n").utf8)
      }
    }
    return bytes
  }

  private static func quoted(_ ref: RecordRef, unless isRaw: Bool) -> String {
    let text = ref.description
    let needsQuotes = text.unicodeScalars.contains {
      VisibleText.isUnsafe($0) || $0 == "\"" || $0 == "\\"
    }
    return needsQuotes && !isRaw
      ? VisibleText.escapingJSON(JSONValue.string(text).compactText) : text
  }
}
