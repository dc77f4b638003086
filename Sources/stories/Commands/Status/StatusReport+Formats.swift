import JSONText
import StoryLibrary

extension StatusReport.Record: MemberEncodable {
  var members: Members {
    var error: (any Encodable)?
    if let problem = problems.first, problem.severity == .error {
      error = problem
    } else if let failure {
      error = ["file": entry.ref.path, "line": Int?.none, "column": Int?.none] + failure.members
    }
    return [
      "ref": entry.ref, "state": state, "code": code, "fields": fields,
      "from": Omitted(entry.formerName), "older": Omitted(isOlder ? true : nil),
    ] + (error.map { ["error": $0] } ?? [:])
  }
}

extension StatusReport: MemberEncodable {
  var members: Members {
    var numbers = counts.inOrder
    if failedCount > 0 { numbers["failed"] = .number(JSONNumber(failedCount)) }
    return [
      "schema": "stories.status/1", "server": server, "account": account, "pulledAt": pulledAt,
      "askedServer": remote != nil, "counts": numbers, "records": listed, "problems": problems,
      "error": Omitted(error),
    ]
  }

  /// Returns the stable format for scripts, version 1: `XY ref`, the changed fields separated by
  /// commas, and the old ref of a renamed record.
  ///
  /// In lines, these parts are separated by tabs; a ref with a control character, quote or
  /// backslash is a JSON string. With `nulls` every part ends in a NUL instead, nothing is quoted,
  /// and each record has two parts, or three if X is `R`.
  func porcelain(nulls: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in listed {
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
