import StoryAPI
import StoryLibrary
import StorySync

/// The report of a sync for people.
struct SyncText: Sendable {
  let report: SyncReport
  let direction: SyncOptions.Direction
  let server: String
  let duration: Duration
  let library: Library
  /// Records that were not selected and came along.
  var included: [RecordRef] = []

  private struct Section {
    var title: String
    var style: Style
    var items: [(ref: RecordRef, detail: String)]
    /// Whether to list every record, however many there are.
    var isListed = false

    init(_ title: String, _ style: Style, _ refs: [RecordRef]) {
      self.init(title, style, refs.map { ($0, "") })
    }

    init(_ title: String, _ style: Style, _ items: [(ref: RecordRef, detail: String)]) {
      self.title = title
      self.style = style
      self.items = items.sorted { $0.ref < $1.ref }
    }
  }

  /// The maximum number of a section's records listed one per line; more are grouped by kind.
  private static let longest = 8
  /// The maximum number of lines of names per kind without `--verbose`.
  private static let nameLines = 3

  /// Writes the report; with `--quiet`, only what needs a person.
  func write(to output: Output, context: Context) {
    let isQuiet = context.global.isQuiet
    let showsAll = context.global.verbosity > 0
    if !isQuiet {
      let (sentTo, receivedFrom) =
        report.isDryRun
        ? ("Would be sent to", "Would be received from") : ("Sent to", "Received from")
      write("\(sentTo) \(server):", sent, to: output, showsAll)
      write("\(receivedFrom) \(server):", received, to: output, showsAll)
      write("Merged and matched:", both, to: output, showsAll)
    }
    writeConflicts(to: output, context)
    if !isQuiet, report.stops.isEmpty, let summary { output.line(summary) }
  }

  // MARK: Sections

  private var sent: [Section] {
    let older = Set(report.older)
    return [
      Section("created", .added, report.created),
      Section(
        "updated", .changed,
        report.updated.map { item in
          let fields = item.fields.joined(separator: ", ")
          let isOlder = older.contains(item.ref)
          return (item.ref, isOlder ? "\(fields); same as an older version" : fields)
        }),
      Section("deleted", .removed, report.deleted),
      // The illustrations that the server deleted with their story.
      Section(
        "removed too", .removed,
        report.receivedDeletes.filter(isWentAlong).map { ($0, "with its story") }),
    ]
  }

  private var receivedDeletes: [RecordRef] { report.receivedDeletes.filter { !isWentAlong($0) } }

  private func isWentAlong(_ ref: RecordRef) -> Bool {
    guard ref.kind == .illustrations else { return false }
    let story = RecordRef(kind: .stories, name: Path.parent(ref.name))
    // A push receives nothing else.
    return direction == .push || report.deleted.contains(story)
  }

  private var received: [Section] {
    [
      Section("new", .added, report.receivedNew),
      Section(
        "changed", .changed,
        report.receivedChanges.map { ($0.ref, $0.fields.joined(separator: ", ")) }),
      Section("removed", .removed, receivedDeletes),
    ]
  }

  private var both: [Section] {
    let decisions = report.overridden.map { ($0.ref, Self.decision($0, isDryRun: report.isDryRun)) }
    var kept = Section("kept", .warning, decisions)
    kept.isListed = true
    return [
      Section("merged", .changed, report.merged),
      Section("already there", .good, report.adopted),
      Section("renamed", .changed, report.renamed.map { ($0.to, "was \($0.from)") }),
      Section(
        "repaired", .good,
        report.rebuilt.map { ($0, "its sidecar was rebuilt from the server's record") }),
      kept,
    ]
  }

  /// Returns the text of a policy's decision: both values, and how to undo it.
  static func decision(_ item: SyncReport.Overridden, isDryRun: Bool) -> String {
    let isServer = item.kept == "server"
    let owner = isServer ? "the server's" : "the local"
    let field = item.ref.kind.schema.fields.first { $0.key == item.field }
    guard let field else {
      if isServer { return "the server's version" }
      return isDryRun
        ? "your delete (the server has a newer version)"
        : "your delete (the server had a newer version; `stories restore \(item.ref.word) --list`"
          + " shows it)"
    }
    // References have ids as values, which mean nothing to people.
    guard field.referencedKind == nil, let kept = item.keptValue, let lost = item.lostValue else {
      return "\(owner) \(field.key)"
    }
    let other = isServer ? "local" : "server"
    let (old, new) = (RecordDiff.short(lost, field), RecordDiff.short(kept, field))
    if isDryRun { return "\(owner) \(field.key) \(new) (\(other) is \(old))" }
    if item.ref.kind.schema.isReadOnly {
      return "\(owner) \(field.key) \(new) (\(other) was \(old))"
    }
    let back =
      isServer
      ? "`stories edit \(item.ref.word)` changes it back; `stories undo` would revert all that this sync"
        + " received" : "`stories restore \(item.ref.word) --list` shows it"
    return "\(owner) \(field.key) \(new) (\(other) was \(old); \(back))"
  }

  private func write(
    _ heading: String, _ sections: [Section], to output: Output, _ showsAll: Bool
  ) {
    let filled = sections.filter { !$0.items.isEmpty }
    guard !filled.isEmpty else { return }
    output.line(Text(heading, .strong))
    let width = filled.map(\.title.count).max() ?? 0
    for section in filled {
      let title = Text(section.title, section.style).padded(to: width + 2)
      if section.items.count <= Self.longest || showsAll || section.isListed {
        Self.writeItems(section.items, title, to: output)
      } else {
        Self.writeKinds(section.items.map(\.ref), title, to: output)
      }
    }
    output.line()
  }

  /// Writes a line for each record, with its result.
  private static func writeItems(
    _ items: [(ref: RecordRef, detail: String)], _ title: Text, to output: Output
  ) {
    var lead = Text("  ") + title
    let width = items.map(\.ref.description.count).max() ?? 0
    for (ref, detail) in items {
      let name = Text(ref.description)
      output.line(
        detail.isEmpty ? lead + name : lead + name.padded(to: width + 2) + Text(detail, .faint))
      lead = Text("").padded(to: lead.width)
    }
  }

  /// Writes a line for each kind: the number and the names.
  private static func writeKinds(_ refs: [RecordRef], _ title: Text, to output: Output) {
    var lead = Text("  ") + title
    let groups = Dictionary(grouping: refs, by: \.kind)
    let width = groups.map { Phrases.count($1.count, $0).count }.max() ?? 0
    for (kind, members) in groups.sorted(by: { $0.key < $1.key }) {
      let count = Text(Phrases.count(members.count, kind)).padded(to: width + 2)
      let room = output.readingWidth - lead.width - count.width
      output.filled(names(of: members, within: room), lead: lead + count)
      lead = Text("").padded(to: lead.width)
    }
  }

  /// Returns as many names as fit on a few lines, and the number of the others.
  private static func names(of refs: [RecordRef], within width: Int) -> [Text] {
    // A name with its comma and space takes at least three columns, so no more can fit.
    let most = min(refs.count, nameLines * (width / 3 + 1) + 1)
    for count in stride(from: most, to: 0, by: -1) {
      let isWhole = count == refs.count
      var names = refs.prefix(count).enumerated().map { place, ref in
        Text(ref.name + (isWhole && place == count - 1 ? "" : ","))
      }
      if !isWhole { names.append(Text("and \(refs.count - count) more", .faint)) }
      if Text.filling(names, to: width).count <= nameLines { return names }
    }
    return [Text(refs[0].name + (refs.count > 1 ? ", …" : ""))]
  }

  private func writeConflicts(to output: Output, _ context: Context) {
    guard !report.conflicts.isEmpty else { return }
    let ref = report.conflicts.count == 1 ? report.conflicts[0].ref.word : "REF"
    output.line(
      Text("Conflicts to resolve", .error) + context.runnable(" (stories resolve \(ref)):"))
    let items = report.conflicts.map { conflict in
      (ref: conflict.ref, detail: detail(of: conflict))
    }
    Self.writeItems(items, Text(""), to: output)
    output.line()
  }

  /// Returns the fields in conflict, or which side deleted the record.
  private func detail(of conflict: SyncReport.Conflict) -> String {
    guard conflict.fields.isEmpty else { return conflict.fields.joined(separator: ", ") }
    let kind: ConflictKind =
      FileSystem.exists(library.path(conflict.ref.path)) ? .deletedOnServer : .deletedLocally
    return kind.words
  }

  // MARK: The last line

  /// The report in one line, if nothing else is written.
  var line: Text {
    if let stop = report.stops.first {
      return Text("Stopped for safety, nothing was changed: ", .error) + Text(stop.message)
        + (stop.message.hasSuffix(".") ? "" : ".")
    }
    var parts = summary.map { [$0] } ?? []
    if let error = report.error { parts.append(Text(error.message, .error)) }
    return parts.joined(" ")
  }

  /// The sentences about the whole sync, or `nil` if the run ended before that.
  private var summary: Text? {
    if report.isQuiet, report.error != nil { return nil }
    // Some servers need two writes for a new record.
    let sentRefs = Set(report.created + report.updated.map(\.ref)).sorted()
    let receivedRefs =
      report.receivedNew + report.receivedChanges.map(\.ref) + receivedDeletes
    var parts: [String] = []
    if !sentRefs.isEmpty {
      parts.append("\(report.isDryRun ? "would send" : "sent") \(Self.count(sentRefs))")
    }
    if !report.deleted.isEmpty {
      let verb = report.isDryRun ? "would delete" : "deleted"
      parts.append("\(verb) \(Self.count(report.deleted)) on the server")
    }
    if !receivedRefs.isEmpty {
      parts.append("\(report.isDryRun ? "would receive" : "received") \(Self.count(receivedRefs))")
    }
    if !report.adopted.isEmpty {
      parts.append("found \(Self.count(report.adopted)) already on the server")
    }
    var sentences: [String] = []
    if !parts.isEmpty {
      let sentence = Phrases.list(parts)
      let effort =
        report.isDryRun || report.requests == 0
        ? "" : " in \(Phrases.count(report.requests, "request"))"
      sentences.append(sentence.prefix(1).uppercased() + sentence.dropFirst() + effort + ".")
    }
    if !report.conflicts.isEmpty {
      sentences.append("\(Phrases.count(report.conflicts.count, "conflict")) to resolve.")
    }
    if !report.failed.isEmpty {
      // A record can fail for several reasons.
      let refs = Set(report.failed.map(\.ref)).sorted()
      sentences.append("\(Self.count(refs)) \(refs.count == 1 ? "was" : "were") not synced.")
    }
    guard !sentences.isEmpty else { return quietSummary }
    if report.isDryRun { sentences.append("Dry run: nothing was changed.") }
    return Text(sentences.joined(separator: " "))
  }

  private var quietSummary: Text {
    // Local changes to illustrations were undone.
    let restored = Set(report.overridden.map(\.ref)).sorted()
    if !restored.isEmpty {
      return Text("Restored the server's version of \(Self.count(restored)).")
    }
    if !report.renamed.isEmpty { return "Renames are recorded; nothing to send." }
    if report.remaining > 0 {
      let changes = Phrases.count(report.remaining, "change")
      let wait = report.remaining == 1 ? "waits" : "wait"
      return direction == .push
        ? "Nothing to send to \(server); \(changes) there \(wait) for `stories sync pull`."
        : "Nothing new on \(server); \(changes) here \(wait) for `stories sync push`."
    }
    let rest =
      switch direction {
      case .push: "nothing was sent."
      case .pull: "nothing new on the server."
      case .both: "nothing was sent or received."
      }
    let isPartial = report.warnings.contains { $0.severity == .error }
    let subject =
      isPartial
      ? Text("All that can be read is in sync", .warning)
      : Text(report.left.isEmpty ? "Everything is in sync" : "Everything else is in sync", .good)
    return subject + " with \(server); \(rest)"
  }

  /// The cost of the run: bytes of bodies and time.
  var cost: Text {
    let (up, down) = (Self.size(report.bytesUp), Self.size(report.bytesDown))
    let requests = Phrases.count(report.requests, "request")
    return "\(requests), \(up) sent, \(down) received, \(Phrases.time(duration))"
  }

  private static func count(_ refs: [RecordRef]) -> String {
    let kinds = Set(refs.map(\.kind))
    let total = Phrases.count(refs.count, "record")
    return kinds.count > 1 ? "\(total) (\(Phrases.kinds(refs)))" : Phrases.kinds(refs)
  }

  /// Returns the first names, and the number of the others.
  private static func some(_ refs: [RecordRef]) -> String {
    Phrases.list(refs.prefix(3).map(\.description))
      + (refs.count > 3 ? " and \(refs.count - 3) more" : "")
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1_000 ? "\(bytes) bytes" : "\((bytes + 500) / 1_000) KB"
  }

  // MARK: Failures

  /// Writes failures, stops and the error that ended the run to the error stream.
  ///
  /// - Parameter advice: replaces the hint of the error that ended the run, if there is a better
  ///   one.
  func writeFailures(_ context: Context, advice: String? = nil) {
    context.output.sink.flush()
    let errors = context.errors
    let warnings = report.warnings.filter { !context.global.isQuiet || $0.severity == .error }
    context.write(warnings, of: library, to: errors)
    if !report.unsettled.isEmpty, !context.global.isQuiet {
      errors.line(
        Text("Note: ", .warning)
          + "an unfinished change is left at \(Self.some(report.unsettled))")
      errors.line(
        Text("  The next sync finishes it first, and may then do something else.", .faint))
    }
    if !report.left.isEmpty, !context.global.isQuiet {
      errors.line(
        Text("Note: ", .warning)
          + "\(Phrases.kinds(report.left)) missing locally but still on the server: "
          + "\(Self.some(report.left))")
      errors.line(
        context.runnable(
          Text(
            "  Hint: bring them back: stories sync pull; to delete one, then: stories rm REF",
            .faint))
      )
    }
    for failure in report.failed {
      let place = failure.place.map {
        Phrases.place(context.shown($0.file, in: library), $0.position)
      }
      context.writeFailure(
        of: place ?? failure.ref.description, failure.message,
        hint: failure.hint.map { context.shown(hint: $0, in: library) })
    }
    for stop in report.stops {
      errors.line(
        Text("Error: ", .error) + "stopped for safety, nothing was changed: \(stop.message)")
      errors.line(Text("Hint: ", .strong) + Text(context.shown(hint: stop.hint, in: library)))
    }
    if let error = report.error {
      var told = ErrorReport(error, in: context)
      if error == .cancelled { told.hint = "run the same command again to continue" }
      told.hint = advice ?? told.hint
      told.write(to: errors)
    }
  }
}
