import JSONText
import StoryLibrary
import StorySync

/// Asks about conflicts field by field: both versions side by side, and a key for each answer.
///
/// Decisions for a record are applied after its last field, or when the person quits; an interrupt
/// leaves the record unchanged.
struct ConflictDialogue: Sendable {
  let context: Context
  /// The fields to ask about, by their keys in the record; empty for all.
  var keys: [String] = []

  /// The number of times a record that changed meanwhile is shown again.
  private static let attempts = 3

  private struct Stopped: Error {}

  /// Creates a dialogue on the context's terminal.
  ///
  /// - Throws: `ConflictError.nobodyToAsk` without a terminal.
  init(_ context: Context, fields keys: [String] = []) throws(ConflictError) {
    guard context.isInteractive else { throw .nobodyToAsk }
    self.context = context
    self.keys = keys
  }

  /// Asks about each record in conflict.
  ///
  /// - Throws: `CancellationError` for Ctrl-C; decisions for earlier records are applied.
  func run(_ conflicts: ConflictSet) throws -> ConflictOutcome {
    var outcome = ConflictOutcome()
    try run(conflicts, &outcome)
    return outcome
  }

  /// Asks about each record in conflict, and adds what came of it.
  func run(_ conflicts: ConflictSet, _ outcome: inout ConflictOutcome) throws {
    var isStopped = false
    for (place, item) in conflicts.items.enumerated() {
      if isStopped {
        outcome.left.append(part(item))
        continue
      }
      let count = conflicts.items.count
      let position = count > 1 ? Text("  \(place + 1) of \(count)", .faint) : Text("")
      isStopped = try !ask(item, in: conflicts, position, &outcome)
    }
  }

  private func part(_ item: ConflictSet.Item, detail: String = "") -> ConflictOutcome.Part {
    ConflictOutcome.Part(item, fields: item.fields.map(\.field.key), detail: detail)
  }

  /// Asks about one record; returns `false` if the person wants to quit.
  private func ask(
    _ item: ConflictSet.Item, in conflicts: ConflictSet, _ position: Text,
    _ outcome: inout ConflictOutcome
  ) throws -> Bool {
    var (item, conflicts) = (item, conflicts)
    for attempt in 1...Self.attempts {
      context.output.line()
      let title = conflicts.reader.content(of: item.entry)?.title
      context.output.wrapped(ConflictsCommand.heading(item, title: title) + position)
      do {
        return try decide(item, in: conflicts, &outcome)
      } catch EditError.changedMeanwhile where attempt < Self.attempts {
        let scan = try context.scan(conflicts.library)
        conflicts = ConflictSet(conflicts.library, scan)
        guard let next = conflicts.items.first(where: { $0.ref == item.ref }) else { return true }
        item = next
        context.output.line(
          Text("It was changed in the meantime; here is the new version.", .warning))
      } catch let error where !(error is CancellationError) {
        outcome.failed.append(.init(ref: item.ref, error: ErrorReport(error, in: context)))
        return true
      }
    }
    return true
  }

  private func decide(
    _ item: ConflictSet.Item, in conflicts: ConflictSet, _ outcome: inout ConflictOutcome
  ) throws -> Bool {
    switch item.question {
    case .fields, .marked:
      return try decide(item.fields, of: item, in: conflicts, &outcome)
    case .deletedOnServer, .deletedLocally, .split:
      return try decideWhole(item, in: conflicts, &outcome)
    }
  }

  // MARK: Fields

  private func decide(
    _ fields: [ConflictResolver.Field], of item: ConflictSet.Item, in conflicts: ConflictSet,
    _ outcome: inout ConflictOutcome
  ) throws -> Bool {
    let changes = conflicts.changes(of: item)
    let asked = fields.filter { keys.isEmpty || keys.contains($0.field.key) }
    var choices: [String: ConflictResolver.Choice] = [:]
    var goesOn = true
    for (place, field) in asked.enumerated() {
      guard let change = changes.first(where: { $0.field == field.field }) else { continue }
      context.output.line()
      var heading = Text(field.field.key, .strong)
      if asked.count > 1 { heading += Text("  field \(place + 1) of \(asked.count)", .faint) }
      context.output.line(heading)
      SideBySide(change: change, sides: item.sides, hasBase: item.marked?.hasBase ?? true)
        .write(to: context.output)
      let question = FieldQuestion(
        context: context, field: field, draft: conflicts.draft(of: item, [field]),
        sides: item.outcomes)
      switch try question.ask() {
      case .choice(let choice): choices[field.field.key] = choice
      case .later: break
      case .leave: goesOn = false
      }
      if !goesOn { break }
    }
    var left = fields.map(\.field.key)
    if !choices.isEmpty {
      left = try ConflictResolver(conflicts.library).resolve(
        item.ref, choices: choices, seen: fields)
      let settled = fields.map(\.field.key).filter { !left.contains($0) }
      if !settled.isEmpty { outcome.settled.append(.init(item, fields: settled)) }
    }
    if !left.isEmpty { outcome.left.append(.init(ref: item.ref, fields: left)) }
    return goesOn
  }

  // MARK: Whole records

  private func decideWhole(
    _ item: ConflictSet.Item, in conflicts: ConflictSet, _ outcome: inout ConflictOutcome
  ) throws -> Bool {
    let (local, server) = item.effects
    if let diff = RecordDiff(item.entry, conflicts.reader), let side = diff.side {
      context.output.line("\(side):")
      diff.writeChanges(to: context.output)
    }
    for (name, words) in [("local", local), ("server", server)] {
      context.output.wrapped(
        Text(words), lead: Text("  ") + Text(name, .changed).padded(to: 8))
    }
    let prompt = KeyPrompt(
      context: context,
      answers: [
        .init("l", "local", "[l]ocal", local), .init("s", "server", "[s]erver", server),
        .later, .leave,
      ])
    switch try prompt.ask() {
    case "l":
      try ConflictResolver(conflicts.library).resolve(item.ref, .local)
      outcome.settled.append(part(item, detail: local))
    case "s":
      try ConflictResolver(conflicts.library).resolve(item.ref, .server)
      outcome.settled.append(part(item, detail: server))
    case "q":
      outcome.left.append(part(item))
      return false
    default: outcome.left.append(part(item))
    }
    return true
  }
}
