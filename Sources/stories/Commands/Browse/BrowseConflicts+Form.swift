import StoryLibrary
import StoryPages
import StoryServer
import StorySync

extension BrowseConflicts {
  enum Outcome {
    case resolved
    /// A page to show instead, with an HTTP status.
    case page(ConflictPage, status: Int)
    /// The list of conflicts, because the record was not in conflict.
    case list(ConflictsPage, status: Int)
  }

  /// Resolves a conflict as a form says, or nothing of it.
  func resolve(
    _ ref: RecordRef, _ fields: FormFields, rescan: () throws -> Scan
  ) throws -> Outcome {
    let resolver = ConflictResolver(library)
    guard let item = item(ref, fields), item.ref == ref,
      let digest = fields[ConflictPage.stateField].flatMap({ ContentDigest($0) }),
      digest == resolver.digest(of: item.entry)
    else { return refused(ref, fields) }
    var draft = Self.draft(item, fields)
    let isWhole = fields[ConflictPage.wholeField] != nil
    let lost = Self.typed(fields).map(\.key).filter { isWhole || draft.choices[$0] != .edit }
    if !lost.isEmpty {
      for key in lost { draft.problems[key] = Self.lostText }
      let notice = Notice(
        .error, "Nothing was resolved yet: the decision would drop a text that you wrote.")
      return shown(ref, draft, [notice], status: 422)
    }
    var outcome = ConflictOutcome()
    if let whole = fields[ConflictPage.wholeField] {
      guard let choice = Self.ways[whole] else { throw BrowseSite.Missing() }
      outcome.settle(item, choice, context) { try resolver.resolve(ref, choice, from: digest) }
    } else {
      let choices = self.choices(item, &draft, fields)
      if !draft.problems.isEmpty {
        let notice = Notice(.error, "Nothing was resolved yet: a text below cannot be used.")
        return shown(ref, draft, [notice], status: 422)
      }
      if choices.isEmpty {
        let notice = Notice(.warning, "Nothing was resolved: choose what to do with a field.")
        return shown(ref, draft, [notice], status: 200)
      }
      outcome.settle(item, nil, context) {
        try resolver.resolve(ref, choices: choices, seen: item.fields, from: digest)
      }
    }
    if outcome.settled.count == 1, outcome.left.isEmpty { return .resolved }
    let now = BrowseConflicts(try rescan(), of: library, context)
    if outcome.failed.contains(where: { $0.error.code == "changed-meanwhile" }) {
      return now.refused(ref, fields)
    }
    let notices =
      outcome.settled.map { Notice(.good, "Resolved " + $0.text.plain) }
      + outcome.left.map { Notice(.warning, "Still in conflict: " + $0.text.plain) }
      + outcome.failed.map { Notice($0.error) }
    return now.shown(
      ref, Self.draft(item, fields), notices, status: outcome.failed.first?.error.httpStatus ?? 200)
  }

  private static let lostText = Notice(
    .error, "This text would be lost", hints: ["choose Edit to use it, or start over to drop it"])

  /// The buttons for the record as a whole.
  private static let ways: [String: ConflictResolver.Choice] = [
    "local": .local, "server": .server, "merge": .merge,
  ]

  private static func draft(_ item: ConflictSet.Item, _ fields: FormFields) -> Draft {
    var draft = Draft()
    for key in item.fields.map(\.field.key) {
      draft.choices[key] = fields[ConflictPage.choiceField(key)]
        .flatMap(ConflictPage.Choice.init(rawValue:))
      draft.texts[key] = text(key, fields)
    }
    return draft
  }

  /// Returns the decisions of a draft, and adds what keeps a text from being one.
  private func choices(
    _ item: ConflictSet.Item, _ draft: inout Draft, _ fields: FormFields
  ) -> [String: ConflictResolver.Choice] {
    let texts = conflicts.draft(of: item, item.fields)
    let typed = Set(Self.typed(fields).map(\.key))
    var choices: [String: ConflictResolver.Choice] = [:]
    for field in item.fields {
      let key = field.field.key
      switch draft.choices[key] {
      case .local: choices[key] = .local
      case .server: choices[key] = .server
      case .both: choices[key] = field.both.map { .values([field.field.wireKey: $0]) }
      // A form has no place for some characters: what nobody touched is not read from it.
      case .edit where !typed.contains(key):
        choices[key] = .values([field.field.wireKey: field.editable])
      case .edit:
        do throws(Problem) {
          let value = try texts.value(of: draft.texts[key] ?? "", field)
          choices[key] = .values([field.field.wireKey: value])
        } catch {
          draft.problems[key] = Notice(
            .error, error.message, hints: error.advice.map { [$0] } ?? [])
        }
      case .later, nil: break
      }
    }
    return choices
  }

  // MARK: Refusals

  private func shown(
    _ ref: RecordRef, _ draft: Draft, _ notices: [Notice], status: Int
  ) -> Outcome {
    guard let page = page(ref, draft, notices: notices) else {
      return .list(list(notices: notices), status: status)
    }
    return .page(page, status: status)
  }

  /// Returns the conflict that a form is about: the record may have another name by now.
  private func item(_ ref: RecordRef, _ fields: FormFields) -> ConflictSet.Item? {
    conflicts.items.first { $0.ref.kind == ref.kind && $0.entry.isRecord(fields) }
      ?? conflicts.items.first { $0.ref == ref }
  }

  /// The form was made for another state of the files: what somebody typed is kept, choices are not.
  private func refused(_ ref: RecordRef, _ fields: FormFields) -> Outcome {
    let typed = Self.typed(fields)
    guard let item = item(ref, fields) else {
      let entry = unreadable.first { $0.ref.kind == ref.kind && $0.isRecord(fields) }
      if let ref = entry?.ref ?? unreadable.first(where: { $0.ref == ref })?.ref {
        return shown(ref, Draft(), Self.unsaved(typed), status: 409)
      }
      let notice = Notice(ErrorReport(EditError.noConflict(ref), in: context))
      return .list(list(notices: [notice] + Self.unsaved(typed)), status: 409)
    }
    var draft = Draft()
    var left: [(key: String, text: String)] = []
    for (key, text) in typed {
      if item.fields.contains(where: { $0.field.key == key }) {
        draft.texts[key] = text
        let isEdit = fields[ConflictPage.choiceField(key)] == ConflictPage.Choice.edit.rawValue
        if isEdit { draft.choices[key] = .edit }
      } else {
        left.append((key, text))
      }
    }
    let reason =
      item.ref == ref
      ? "the record was changed after this page was made" : "\(ref) is \(item.ref) now"
    let notice = Notice(
      .warning, "Nothing was resolved: \(reason).",
      hints: ["these are its versions now; decide again"])
    return shown(item.ref, draft, [notice] + Self.unsaved(left), status: 409)
  }

  // MARK: What was typed

  /// Returns the texts in a form that differ from those that were offered, by the fields' keys.
  static func typed(_ fields: FormFields) -> [(key: String, text: String)] {
    let keys = EntityKind.allCases.flatMap { $0.schema.fields.map(\.key) }
    return Set(keys).sorted().compactMap { key in
      guard let text = text(key, fields),
        fields[ConflictPage.offeredField(key)] != ConflictPage.digest(ofText: text)
      else { return nil }
      return (key, text)
    }
  }

  /// Returns messages with texts that were not saved, to be copied from the page.
  static func unsaved(_ texts: [(key: String, text: String)]) -> [Notice] {
    texts.map {
      Notice(.warning, "Your text, which was not saved", about: $0.key, unsaved: $0.text)
    }
  }

  /// Returns a text of a form. Forms end lines with CR LF (HTML, section 4.10.21.5).
  private static func text(_ key: String, _ fields: FormFields) -> String? {
    fields[ConflictPage.textField(key)]?.replacing("\r\n", with: "\n")
  }
}

extension ScanEntry {
  /// Whether a form is about the record, by the id on the server.
  fileprivate func isRecord(_ fields: FormFields) -> Bool {
    id != nil && id == fields[ConflictPage.idField]
  }
}
