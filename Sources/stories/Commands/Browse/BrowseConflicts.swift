import JSONText
import StoryLibrary
import StoryMerge
import StoryPages
import StorySync

/// The pages of conflicts, and what their forms do: the same as `resolve`.
struct BrowseConflicts {
  let context: Context
  let conflicts: ConflictSet
  /// The records in conflict whose files cannot be read, which `ConflictSet` leaves out.
  let unreadable: [ScanEntry]

  var library: Library { conflicts.library }
  private var scan: Scan { conflicts.scan }

  init(_ scan: Scan, of library: Library, _ context: Context) {
    self.context = context
    let conflicts = ConflictSet(library, scan, hasMarked: false)
    self.conflicts = conflicts
    let known = Set(conflicts.items.map(\.ref))
    unreadable = scan.entries.filter { entry in
      entry.state == .unreadable && !known.contains(entry.ref)
        && (entry.problems.contains { $0.code == .conflictMarkers }
          || conflicts.reader.sidecar(of: entry)?.conflict != nil)
    }
  }

  // MARK: The list

  private static let most = 500

  /// Returns the page of all conflicts.
  ///
  /// - Parameter resolved: A record that was in conflict before, or `nil`.
  func list(resolved: RecordRef? = nil, notices: [Notice] = []) -> ConflictsPage {
    var notices = notices
    let refs = conflicts.items.map(\.ref) + unreadable.map(\.ref)
    if let resolved, !refs.contains(resolved) {
      notices.insert(Notice(.good, "\(resolved) is not in conflict any more."), at: 0)
    }
    let shown = conflicts.items.prefix(Self.most)
    return ConflictsPage(
      unreadable.map { Self.listed($0.ref, title: nil, Self.unreadableWords) }
        + shown.map { Self.listed($0.ref, title: title($0), $0.words) },
      more: conflicts.items.count - shown.count, notices: notices)
  }

  private static func listed(_ ref: RecordRef, title: String?, _ question: String) -> ListedRecord {
    ListedRecord(ref, place: .conflict(ref), title: title, detail: question)
  }

  private func title(_ item: ConflictSet.Item) -> String? {
    conflicts.reader.content(of: item.entry)?.title
  }

  // MARK: One conflict

  struct Draft {
    var choices: [String: ConflictPage.Choice] = [:]
    var texts: [String: String] = [:]
    var problems: [String: Notice] = [:]
  }

  func page(_ ref: RecordRef, _ draft: Draft = Draft(), notices: [Notice] = []) -> ConflictPage? {
    guard let entry = scan.entry(ref) else { return nil }
    if unreadable.contains(where: { $0.ref == ref }) {
      return ConflictPage(
        ref, id: entry.id, title: nil, summary: Self.unreadableWords, question: .unreadable,
        state: "", notices: entry.problems.map { Notice($0, in: library, context) } + notices)
    }
    guard let item = conflicts.items.first(where: { $0.ref == ref }) else { return nil }
    return ConflictPage(
      ref, id: entry.id, title: title(item), summary: item.words, question: question(item, draft),
      state: item.digest.description,
      canMerge: item.fields.contains {
        Merge.settled($0.field, base: $0.base, local: $0.local, remote: $0.server) != nil
      }, notices: notices)
  }

  private static let unreadableWords = "still in conflict, but its file cannot be read"

  private func question(_ item: ConflictSet.Item, _ draft: Draft) -> ConflictPage.Question {
    let diff = RecordDiff(item.entry, conflicts.reader)
    let changes = diff?.changes ?? []
    guard item.asksFields else {
      let (local, server) = item.effects
      return .whole(
        local: local, server: server,
        changes: diff.map { diff in changes.map { FieldChange($0, of: diff) } } ?? [])
    }
    let texts = conflicts.draft(of: item, item.fields)
    let language = conflicts.reader.content(of: item.entry)?["language"].string
    return .fields(
      item.fields.compactMap { field in
        guard let change = changes.first(where: { $0.field == field.field }) else { return nil }
        let key = field.field.key
        return ConflictPage.Field(
          key, language: field.field.isProse ? language : nil,
          rows: SideBySide(change: change).rows(inColour: true).map(ConflictPage.Row.init),
          base: texts.text(of: field.base, field), hasBoth: field.both != nil,
          offered: texts.text(of: field.editable, field), text: draft.texts[key],
          form: texts.isJSON(field) ? "as JSON" : nil, choice: draft.choices[key] ?? .later,
          problem: draft.problems[key])
      })
  }
}

extension FieldVersions {
  var editable: JSONValue { field.merge == .lines ? both ?? local : local }
}

extension Field {
  /// Whether the value is text in the record's language.
  fileprivate var isProse: Bool { shape == .lines || key == EntityKind.stories.schema.titleKey }
}

extension ConflictPage.Row {
  fileprivate init(_ row: SideBySide.Row) {
    // The marks say what the signs say.
    func words(_ cell: SideBySide.Cell) -> MarkedWords { MarkedWords(cell.text) }
    switch row {
    case .context(let text): self = .context(Text(text).plain)
    case .wide(let text): self = .aside(text.plain)
    case .cells(let left, let right, let clashes):
      self = .sides(local: left.map(words), server: right.map(words), clashes: clashes)
    }
  }
}
