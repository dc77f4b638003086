import JSONText
import StoryLibrary
import StoryMerge
import StoryPages
import StoryServer
import StorySync

/// The pages of conflicts, and what their forms do: the same as `resolve`.
struct BrowseConflicts {
  let library: Library
  let context: Context
  private let conflicts: ConflictSet
  private let scan: Scan

  /// Finds the conflicts of a scan.
  init(_ scan: Scan, of library: Library, _ context: Context) {
    self.scan = scan
    self.library = library
    self.context = context
    conflicts = ConflictSet(library, scan)
  }

  // MARK: The list

  /// The maximum number of conflicts on a page.
  private static let most = 500

  /// Returns the page of all conflicts.
  ///
  /// - Parameter resolved: A record that was in conflict before, or `nil`.
  func list(resolved: RecordRef? = nil, notices: [Notice] = []) -> ConflictsPage {
    var notices = notices
    if let resolved, !conflicts.items.contains(where: { $0.ref == resolved }) {
      notices.insert(Notice(.good, "\(resolved) is not in conflict any more."), at: 0)
    }
    let shown = conflicts.items.prefix(Self.most)
    return ConflictsPage(
      shown.map { ConflictsPage.Item($0.ref, title: title($0), question: $0.words) },
      more: conflicts.items.count - shown.count, notices: notices)
  }

  private func title(_ item: ConflictSet.Item) -> String? {
    conflicts.reader.content(of: item.entry)?.title
  }

  // MARK: One conflict

  /// What somebody chose and wrote in a form.
  struct Draft {
    var choices: [String: ConflictPage.Choice] = [:]
    var texts: [String: String] = [:]
    var problems: [String: Notice] = [:]
  }

  /// Returns the page of a conflict, or `nil` if the record is not in conflict.
  func page(_ ref: RecordRef, _ draft: Draft = Draft(), notices: [Notice] = []) -> ConflictPage? {
    guard let entry = scan.entry(ref) else { return nil }
    // The files are read after their digest: a page never shows less than what its form refers to.
    let digest = ConflictResolver(library).digest(of: entry)
    guard let item = ConflictSet(library, scan).only([ref]).items.first else { return nil }
    return ConflictPage(
      ref, title: title(item), summary: item.words, question: question(item, draft),
      state: digest.description, canMerge: item.fields.contains { $0.isMergeable },
      notices: notices)
  }

  private func question(_ item: ConflictSet.Item, _ draft: Draft) -> ConflictPage.Question {
    let diff = RecordDiff(item.entry, conflicts.reader)
    let changes = diff?.changes ?? []
    guard case .fields(let fields) = item.question else {
      let (local, server) = item.effects
      return .whole(
        local: local, server: server,
        changes: diff.map { diff in changes.map { FieldChange($0, of: diff) } } ?? [])
    }
    let texts = self.texts(item)
    let language = conflicts.reader.content(of: item.entry)?["language"].string
    return .fields(
      fields.compactMap { field in
        guard let change = changes.first(where: { $0.field == field.field }) else { return nil }
        let key = field.field.key
        return ConflictPage.Field(
          key, language: field.field.isProse ? language : nil,
          rows: SideBySide(change: change).rows(inColour: true).map {
            ConflictPage.Row($0, isLines: field.field.shape == .lines)
          },
          base: texts.text(of: field.base, field), hasBoth: field.both != nil,
          text: draft.texts[key] ?? texts.text(of: field.editable, field),
          form: texts.isJSON(field) ? "as JSON" : nil, choice: draft.choices[key] ?? .later,
          problem: draft.problems[key])
      })
  }

  private func texts(_ item: ConflictSet.Item) -> ConflictDraft {
    ConflictDraft(
      item.ref, item.fields, references: scan.references,
      sidecar: conflicts.reader.sidecar(of: item.entry))
  }

  // MARK: Deciding

  /// What comes of a form.
  enum Outcome {
    /// The record is not in conflict any more.
    case resolved
    /// A page to show instead, with an HTTP status.
    case page(ConflictPage, status: Int)
    /// The list of conflicts, because the record was not in conflict.
    case list(ConflictsPage, status: Int)
  }

  /// Resolves a conflict as a form says, or nothing of it.
  ///
  /// - Parameters:
  ///   - ref: The record.
  ///   - fields: The fields of the form.
  ///   - rescan: Scans the library again.
  func resolve(
    _ ref: RecordRef, _ fields: FormFields, rescan: () throws -> Scan
  ) throws -> Outcome {
    let resolver = ConflictResolver(library)
    guard let item = conflicts.items.first(where: { $0.ref == ref }) else {
      return gone(ref, fields)
    }
    guard let digest = fields[ConflictPage.stateField].flatMap({ ContentDigest($0) }),
      digest == resolver.digest(of: item.entry)
    else { return changed(item, fields) }
    var outcome = ConflictOutcome()
    if let whole = fields[ConflictPage.wholeField] {
      guard let (choice, words) = Self.ways[whole] else { throw BrowseSite.Missing() }
      outcome.settle(item, words, left: Self.reason(choice), context) {
        try resolver.resolve(ref, choice, from: digest)
      }
    } else {
      var draft = Self.draft(item, fields)
      let choices = self.choices(item, &draft)
      if !draft.problems.isEmpty {
        let notice = Notice(.error, "Nothing was resolved yet: a text below cannot be used.")
        return shown(ref, draft, [notice], status: 422)
      }
      if choices.isEmpty {
        let notice = Notice(.warning, "Nothing was resolved: choose what to do with a field.")
        return shown(ref, draft, [notice], status: 200)
      }
      outcome.settle(item, "", left: "", context) {
        try resolver.resolve(ref, choices: choices, seen: item.fields, from: digest)
      }
    }
    if outcome.settled.count == 1, outcome.left.isEmpty { return .resolved }
    let now = BrowseConflicts(try rescan(), of: library, context)
    if outcome.failed.contains(where: { $0.error.code == "changed-meanwhile" }) {
      return now.changed(item, fields)
    }
    let notices =
      outcome.settled.map { Notice(.good, "Resolved " + $0.text.plain) }
      + outcome.left.map { Notice(.warning, "Still in conflict: " + $0.text.plain) }
      + outcome.failed.map { Notice($0.error) }
    return now.shown(
      ref, Self.draft(item, fields), notices, status: outcome.failed.isEmpty ? 200 : 500)
  }

  /// The buttons for the record as a whole, with the words of `resolve`.
  private static let ways: [String: (ConflictResolver.Choice, String)] = [
    "local": (.local, "your version"), "server": (.server, "the server's version"),
    "merge": (.merge, "merged"),
  ]

  private static func reason(_ choice: ConflictResolver.Choice) -> String {
    choice == .merge ? "both sides changed the same lines" : ""
  }

  private static func draft(_ item: ConflictSet.Item, _ fields: FormFields) -> Draft {
    var draft = Draft()
    for key in item.fields.map(\.field.key) {
      draft.choices[key] = fields[ConflictPage.choiceField(key)]
        .flatMap(ConflictPage.Choice.init(rawValue:))
      // Forms end lines with CR LF (HTML, section 4.10.21.5).
      draft.texts[key] = fields[ConflictPage.textField(key)]?.replacing("\r\n", with: "\n")
    }
    return draft
  }

  /// Returns the decisions of a draft, and adds what keeps a text from being one.
  private func choices(
    _ item: ConflictSet.Item, _ draft: inout Draft
  ) -> [String: ConflictResolver.Choice] {
    let texts = self.texts(item)
    var choices: [String: ConflictResolver.Choice] = [:]
    for field in item.fields {
      let key = field.field.key
      switch draft.choices[key] {
      case .local: choices[key] = .local
      case .server: choices[key] = .server
      case .both: choices[key] = field.both.map { .values([field.field.wireKey: $0]) }
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

  /// The form was made for another state of the files: what somebody wrote is kept, choices are not.
  private func changed(_ item: ConflictSet.Item, _ fields: FormFields) -> Outcome {
    let written = Self.draft(item, fields)
    var draft = Draft()
    for (key, choice) in written.choices where choice == .edit {
      draft.choices[key] = .edit
      draft.texts[key] = written.texts[key]
    }
    let notice = Notice(
      .warning, "Nothing was resolved: the record was changed after this page was made.",
      hints: ["these are its versions now; decide again"])
    return shown(item.ref, draft, [notice], status: 409)
  }

  /// The record is not in conflict, or not any more.
  private func gone(_ ref: RecordRef, _ fields: FormFields) -> Outcome {
    let keys = ref.kind.schema.fields.map(\.key).filter {
      fields[ConflictPage.choiceField($0)] == ConflictPage.Choice.edit.rawValue
    }
    let texts = keys.compactMap { key in
      fields[ConflictPage.textField(key)].map {
        Notice(.warning, "Your text, which was not saved", about: key, unsaved: $0)
      }
    }
    let notice = Notice(ErrorReport(EditError.noConflict(ref), in: context))
    return .list(list(notices: [notice] + texts), status: 409)
  }
}

extension ConflictResolver.Field {
  /// Whether the field's merge rule resolves it.
  fileprivate var isMergeable: Bool {
    Merge.settled(field, base: base, local: local, remote: server) != nil
  }

  /// The value that an edit begins with.
  fileprivate var editable: JSONValue { field.merge == .lines ? both ?? local : local }
}

extension Field {
  /// Whether the value is text in the record's language.
  fileprivate var isProse: Bool { shape == .lines || key == EntityKind.stories.schema.titleKey }
}

extension ConflictPage.Row {
  fileprivate init(_ row: SideBySide.Row, isLines: Bool) {
    // In lines, the marks say what the leading sign says.
    func words(_ text: Text) -> MarkedWords {
      MarkedWords(isLines ? text.truncatedSign.rest : text)
    }
    switch row {
    case .context(let text): self = .context(Text(text).plain)
    case .wide(let text): self = .aside(text.plain)
    case .cells(let left, let right, let clashes):
      self = .sides(local: left.map(words), server: right.map(words), clashes: clashes)
    }
  }
}
