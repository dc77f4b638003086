import JSONText
import StoryLibrary
import StorySync

/// Asks about conflicts field by field on the context's terminal: both versions side by side, and a
/// key for each answer.
///
/// Decisions for a record are applied after its last field, or when the person quits; an interrupt
/// leaves the record unchanged.
struct ConflictDialogue: Sendable {
  let context: Context
  /// The fields to ask about, by their keys in the record; empty for all.
  var keys: [String] = []

  /// The number of times a record that changed meanwhile is shown again.
  private static let attempts = 3

  /// Asks about each record in conflict, and adds what came of it.
  ///
  /// - Throws: `CancellationError` for Ctrl-C; decisions for earlier records are applied.
  func run(_ conflicts: ConflictSet, _ outcome: inout ConflictOutcome) throws {
    var isStopped = false
    for (place, item) in conflicts.items.enumerated() {
      if isStopped {
        outcome.leave(item)
        continue
      }
      let count = conflicts.items.count
      let position = count > 1 ? Text("  \(place + 1) of \(count)", .faint) : Text("")
      isStopped = try !ask(item, in: conflicts, position, &outcome)
    }
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
        return try item.asksFields
          ? decideFields(item, in: conflicts, &outcome)
          : decideWhole(item, in: conflicts, &outcome)
      } catch EditError.changedMeanwhile where attempt < Self.attempts {
        let scan = try context.scan(conflicts.library)
        conflicts = ConflictSet(conflicts.library, scan)
        guard let next = conflicts.items.first(where: { $0.ref == item.ref }) else { return true }
        item = next
        context.output.line(
          Text("It was changed in the meantime; here is the new version.", .warning))
      } catch let error where !(error is CancellationError) {
        outcome.fail(item, error, context)
        return true
      }
    }
    return true
  }

  // MARK: Fields

  private func decideFields(
    _ item: ConflictSet.Item, in conflicts: ConflictSet, _ outcome: inout ConflictOutcome
  ) throws -> Bool {
    let changes = conflicts.changes(of: item)
    let asked = item.fields.filter { keys.isEmpty || keys.contains($0.field.key) }
    var choices: [String: ConflictResolver.Choice] = [:]
    var drafts: [DraftFile] = []
    var goesOn = true
    do {
      for (place, field) in asked.enumerated() {
        guard let change = changes.first(where: { $0.field == field.field }) else { continue }
        context.output.line()
        var heading = Text(field.field.key, .strong)
        if asked.count > 1 { heading += Text("  field \(place + 1) of \(asked.count)", .faint) }
        context.output.line(heading)
        SideBySide(change: change, sides: item.sides, hasBase: item.marked?.hasBase ?? true)
          .write(to: context.output)
        var draft = DraftFile(context: context, draft: conflicts.draft(of: item, [field]))
        defer { drafts.append(draft) }
        switch try ask(about: field, &draft, item.outcomes) {
        case .choice(let choice): choices[field.field.key] = choice
        case .later: break
        case .leave: goesOn = false
        }
        if !goesOn { break }
      }
      let left =
        try choices.isEmpty
        ? item.keys
        : ConflictResolver(conflicts.library).resolve(item.ref, choices: choices, seen: item.fields)
      outcome.add(item, left: left)
    } catch {
      for draft in drafts { draft.keep() }
      throw error
    }
    for draft in drafts { draft.finish() }
    return goesOn
  }

  private enum Answer {
    case choice(ConflictResolver.Choice)
    case later
    case leave
  }

  /// Asks for the value of one field until there is an answer.
  ///
  /// - Throws: `CancellationError`; `FileError` if a text for the editor cannot be written.
  private func ask(
    about field: FieldVersions, _ draft: inout DraftFile,
    _ sides: (local: String, server: String)
  ) throws -> Answer {
    let both = field.both
    var answers = [
      KeyAnswer("local", "the whole of \(sides.local)"),
      KeyAnswer("server", "the whole of \(sides.server)"),
    ]
    if both != nil {
      let explanation =
        field.field.merge == .lines
        ? "the changes of both; if they conflict, the local lines and then the server's"
        : "the changes of both"
      answers.append(KeyAnswer("both", explanation))
    }
    answers += [KeyAnswer("edit", "write it in your editor"), .later, .leave]
    while true {
      switch try context.ask(answers) {
      case "l": return .choice(.local)
      case "s": return .choice(.server)
      case "b":
        if let both { return .choice(.values([field.field.wireKey: both])) }
      case "e":
        if let values = try edit(&draft) { return .choice(.values(values)) }
      case "n": return .later
      default: return .leave
      }
    }
  }

  /// Lets the person write the value; returns `nil` if that does not resolve the field.
  private func edit(_ draft: inout DraftFile) throws -> [String: JSONValue]? {
    let reading: ConflictDraft.Reading
    do {
      reading = try draft.edit()
    } catch let error as ProgramError {
      ErrorReport(error, in: context).write(to: context.errors)
      return nil
    }
    for (_, problem) in reading.problems {
      context.output.line(Text("Not yet: ", .warning) + Text(problem.message))
      if let hint = problem.advice { context.output.line(Text("Hint: ", .strong) + Text(hint)) }
    }
    if !reading.open.isEmpty {
      context.output.line(
        Text("Not yet: ", .warning) + "a line with <<<<<<<, =======, or >>>>>>> is left")
    }
    return reading.values.isEmpty ? nil : reading.values
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
      context.output.wrapped(Text(words), lead: Text("  ") + Text(name, .changed).padded(to: 8))
    }
    let key = try context.ask([.init("local", local), .init("server", server), .later, .leave])
    switch key {
    case "l", "s":
      try ConflictResolver(conflicts.library).resolve(
        item.ref, key == "l" ? .local : .server, from: item.digest)
      outcome.settled.append(.init(item, fields: [], detail: key == "l" ? local : server))
    default: outcome.leave(item)
    }
    return key != "q"
  }
}
