import StoryLibrary
import StorySync

extension StatusReport {
  /// The groups of the report for people, in order.
  enum Group: CaseIterable {
    case pending
    case receiving
    case deciding
    case missing
    case blocked
    case repairing
    case puttingBack
    case foreign
    case drafts
    case left
    case quiet

    var heading: String {
      switch self {
      case .pending: "To send with `stories sync push`"
      case .receiving: "To receive with `stories sync pull`"
      case .deciding: "Conflicts to resolve"
      case .missing: "Missing locally, not deleted: `stories sync pull` brings them back"
      case .blocked: "Not synced until fixed"
      case .repairing: "Sidecars that the next `stories sync` repairs"
      case .puttingBack: "Made by the server: the next pull reverts local changes"
      case .foreign: "Made locally, though only the server makes these: never sent"
      case .drafts: "Drafts, not sent until they have text"
      case .left: "Not checked out"
      case .quiet: "In sync"
      }
    }

    /// The heading on a page, where nobody types commands.
    var pageHeading: String {
      switch self {
      case .pending: "To send with the next sync"
      case .receiving: "To receive with the next sync"
      case .missing: "Missing locally, not deleted: the next sync brings them back"
      case .repairing: "Sidecars that the next sync repairs"
      default: heading
      }
    }

    /// Returns what else to know about its records, or `nil`.
    func advice(_ members: [Record]) -> String? {
      guard self == .pending || self == .missing, members.contains(where: { $0.entry.id != nil })
      else { return nil }
      return "`stories restore REF` restores the last synced version"
    }

    init(_ record: Record) {
      guard !record.isForeign else {
        self = .foreign
        return
      }
      let isPutBack = record.entry.ref.kind.schema.isReadOnly
      switch record.entry.state {
      case .conflict: self = .deciding
      case .unreadable:
        self = isPutBack ? .puttingBack : record.isRepairedBySync ? .repairing : .blocked
      case .duplicateId: self = .blocked
      case .draft: self = .drafts
      case .missing: self = .missing
      case .synced where record.entry.isOutdated: self = .receiving
      case .synced where record.entry.formerName == nil:
        self = record.remote == nil ? .quiet : .receiving
      case .synced: self = .pending
      case .notCheckedOut: self = record.entry.formerName == nil ? .left : .pending
      case .pendingCreate, .pendingUpdate, .pendingDelete:
        self = isPutBack ? .puttingBack : record.entry.hasErrors ? .blocked : .pending
      }
    }
  }

  func write(to output: Output, in library: Library, context: Context) {
    let groups = Dictionary(grouping: listed, by: Group.init)
    for group in Group.allCases {
      guard let members = groups[group] else { continue }
      output.line(context.runnable(Text(group.heading, .strong)))
      if let advice = group.advice(members) {
        output.line(context.runnable(Text("  (\(advice))", .faint)))
      }
      var table = Table()
      for record in members where !record.needsWords { Self.add(record, to: &table) }
      table.write(to: output)
      for record in members where record.needsWords {
        var row = Table()
        Self.add(record, to: &row)
        row.write(to: output)
        context.write(record.problems, of: library, to: output, indent: 6)
        for remark in record.remarks {
          if let text = remark.text { output.line("      " + text) }
          if let hint = remark.hint {
            output.line(Text("        Hint: \(context.shown(hint: hint, in: library))", .faint))
          }
        }
      }
      output.line()
    }
    context.write(problems, of: library, to: output)
    output.line(context.runnable(summary))
  }

  private static func add(_ record: Record, to table: inout Table) {
    let code = Text(record.code.description, record.code.style)
    table.add(code, Text(record.entry.ref.description), detail(of: record))
  }

  static func detail(of record: Record) -> Text {
    var parts: [Text] = []
    if let old = record.entry.formerName { parts.append("was \(old)") }
    if !record.fields.isEmpty { parts.append(Text(record.fields.joined(separator: ", "))) }
    if let conflict = record.entry.conflict, conflict != .fields {
      parts.append(Text(conflict.words))
    }
    if !record.waitsFor.isEmpty {
      parts.append("waits for \(Phrases.list(record.waitsFor.map(\.description)))")
    }
    return parts.joined("; ")
  }

  var summary: Text {
    guard !entries.isEmpty || !(remote ?? [:]).isEmpty else {
      return isSelection
        ? "No records there." : "No records yet. Create the first one: stories new hero NAME"
    }
    func count(_ states: RecordState...) -> Int { states.reduce(0) { $0 + counts[$1, default: 0] } }
    let synced = count(.synced)
    let outdated = changed.count { $0.entry.isOutdated && $0.entry.state == .synced }
    let renames = changed.count {
      $0.entry.formerName != nil && $0.entry.state == .synced && !$0.entry.isOutdated
    }
    let parts: [(Int, String)] = [
      (count(.pendingCreate), "new"), (count(.pendingUpdate), "edited"),
      (count(.pendingDelete), "deleted"), (count(.missing), "missing"), (renames, "renamed"),
      (outdated, "outdated"),
      (failedCount, "failed"), (count(.conflict), "in conflict"),
      (count(.draft), count(.draft) == 1 ? "draft" : "drafts"),
      (count(.unreadable), "unreadable"), (count(.duplicateId), "with a duplicate id"),
      (count(.notCheckedOut), "not checked out"), ((remote ?? [:]).count, "changed on the server"),
      (synced - renames - outdated, "in sync"),
    ]
    let present = parts.filter { $0.0 > 0 }
    if present.count == 1, present[0].1 == "in sync", !isPartial {
      return Text("Everything is in sync", .good) + " (\(Phrases.kinds(entries.lazy.map(\.ref))))."
    }
    return Text(
      Phrases.list(present.map { "\($0.0) \($0.1)" })
        + (isPartial ? ", without what cannot be read." : "."))
  }
}

extension StatusReport.Record {
  /// The details of the record, apart from its problems.
  var remarks: [(text: Text?, hint: String?)] {
    var remarks: [(text: Text?, hint: String?)] = []
    let ref = entry.ref
    if entry.state == .unreadable, entry.sidecarDigest != nil,
      !entry.problems.contains(where: { $0.file == entry.sidecarPath })
    {
      remarks.append((nil, "to restore the last synced version: stories restore \(ref.word)"))
    }
    if isOlder {
      remarks.append(
        (
          Text("same as an older synced version", .warning),
          "if git brought it back, take the newest: stories restore \(ref.word)"
        ))
    }
    if let failure {
      remarks.append((Text("last sync failed: ", .error) + Text(failure.message), failure.hint))
    }
    return remarks
  }

  /// Whether nothing but the sidecar cannot be read, in a way that a sync can repair.
  fileprivate var isRepairedBySync: Bool {
    entry.possibleIDs.isEmpty
      && entry.problems.allSatisfy { problem in
        switch problem.what {
        case .sidecar, .sidecarNotJSON, .markedSidecar: problem.file == entry.sidecarPath
        default: problem.severity == .warning
        }
      }
  }

  fileprivate var needsWords: Bool { !problems.isEmpty || failure != nil || isOlder }
}
