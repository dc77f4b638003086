import StoryLibrary
import StorySync

extension StatusReport {
  /// The groups of the report for people, in their order.
  private enum Group: CaseIterable {
    case pending
    case deciding
    case blocked
    case puttingBack
    case foreign
    case left
    case quiet

    var heading: String {
      switch self {
      case .pending: "To send with `stories sync push`"
      case .deciding: "In conflict, waiting for your decision"
      case .blocked: "Left alone until mended"
      case .puttingBack: "Made by the server: the next pull puts back what changed here"
      case .foreign: "Not made by the server, which alone makes these: never sent"
      case .left: "Not checked out"
      case .quiet: "In sync"
      }
    }

    init(_ record: Record) {
      guard !record.isForeign else {
        self = .foreign
        return
      }
      let isPutBack = record.entry.ref.kind.schema.isReadOnly
      switch record.entry.state {
      case .conflict: self = .deciding
      case .unreadable: self = isPutBack ? .puttingBack : .blocked
      case .duplicateId: self = .blocked
      case .synced: self = record.entry.formerName == nil ? .quiet : .pending
      case .notCheckedOut: self = record.entry.formerName == nil ? .left : .pending
      case .pendingCreate, .pendingUpdate, .pendingDelete:
        self = isPutBack ? .puttingBack : record.entry.hasErrors ? .blocked : .pending
      }
    }
  }

  /// Writes the report for a person.
  func write(to output: Output, in library: Library, context: Context, all: Bool) {
    let groups = Dictionary(grouping: all ? records : news, by: Group.init)
    for group in Group.allCases {
      guard let members = groups[group] else { continue }
      output.line(Text(group.heading, .strong))
      var table = Table()
      for record in members where !record.needsWords { Self.add(record, to: &table) }
      table.write(to: output)
      for record in members where record.needsWords {
        var row = Table()
        Self.add(record, to: &row)
        row.write(to: output)
        for problem in record.problems {
          ProblemText(problem, in: library, context: context).write(to: output, indent: 6)
        }
        if record.isOlder { Self.writeOlder(record.entry.ref, to: output) }
        if let failure = record.failure {
          output.line("      \(Text("failed at the last try: ", .error))\(failure.message)")
          if let hint = failure.hint { output.line(Text("        Hint: \(hint)", .faint)) }
        }
      }
      output.line()
    }
    for problem in problems {
      ProblemText(problem, in: library, context: context).write(to: output)
    }
    output.line(summary)
  }

  private static func writeOlder(_ ref: RecordRef, to output: Output) {
    output.line("      \(Text("says what an older synced version said", .warning))")
    output.line(Text("        Hint: older version from git? `stories sync pull`", .faint))
    output.line(
      Text("        Hint: or take the newest: git checkout HEAD -- \(ref.path)", .faint))
  }

  private static func add(_ record: Record, to table: inout Table) {
    let code = Text(record.code.description, record.code.style)
    let ref = Text(record.entry.ref.description)
    let detail = detail(of: record)
    if detail.isEmpty { table.add(code, ref) } else { table.add(code, ref, detail) }
  }

  private static func detail(of record: Record) -> Text {
    var parts: [Text] = []
    if let old = record.entry.formerName { parts.append("was \(old)") }
    if !record.fields.isEmpty { parts.append(Text(record.fields.joined(separator: ", "))) }
    switch record.entry.conflict {
    case .deletedOnServer: parts.append("edited here, deleted on the server")
    case .deletedHere: parts.append("deleted here, edited on the server")
    case .fields, nil: break
    }
    if !record.waitsFor.isEmpty {
      parts.append("waits for \(Phrases.list(record.waitsFor.map(\.description)))")
    }
    return parts.joined("; ")
  }

  /// One line that says how all stands.
  var summary: Text {
    guard !kinds.isEmpty else {
      return "There are no records yet. Write the first one: stories new hero NAME"
    }
    func count(_ states: RecordState...) -> Int { states.reduce(0) { $0 + counts[$1, default: 0] } }
    let synced = count(.synced)
    let renames = news.count { $0.entry.formerName != nil && $0.entry.state == .synced }
    let parts: [(Int, String)] = [
      (count(.pendingCreate), "new"), (count(.pendingUpdate), "edited"),
      (count(.pendingDelete), "deleted"), (renames, "renamed"), (failedCount, "failed"),
      (count(.conflict), "in conflict"),
      (count(.unreadable), "unreadable"), (count(.duplicateId), "with an id of another"),
      (count(.notCheckedOut), "not checked out"), (synced - renames, "in sync"),
    ]
    let present = parts.filter { $0.0 > 0 }
    if present.count == 1, present[0].1 == "in sync" {
      return Text("Everything is in sync", .good) + " (\(Phrases.kinds(kinds)))."
    }
    return Text(Phrases.list(present.map { "\($0.0) \($0.1)" }) + ".")
  }
}

extension StatusReport.Record {
  /// Whether a line is not enough to say how it stands.
  fileprivate var needsWords: Bool { !problems.isEmpty || failure != nil || isOlder }
}
