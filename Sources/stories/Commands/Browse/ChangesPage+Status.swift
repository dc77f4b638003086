import StoryLibrary
import StoryPages
import StorySync

extension ChangesPage {
  static let most = 200

  /// Creates the page with what `status` and `diff` say.
  init(_ moment: LiveShelf.Moment, of library: Library, _ context: Context) {
    let older = GitRepository(library)?.olderVersions(in: moment.scan, of: library)
    let report = StatusReport(moment.scan, of: library, older: older ?? [])
    let reader = RecordReader(library: library, references: moment.scan.references)
    let members = Dictionary(grouping: report.listed, by: StatusReport.Group.init)
    var room = Self.most
    self.init(
      summary: report.summary.plain,
      notices: report.problems.map { Notice($0, in: library, context) },
      groups: StatusReport.Group.allCases.compactMap { group in
        guard let members = members[group] else { return nil }
        let shown = members.prefix(room)
        room -= shown.count
        return Group(
          group.pageHeading, records: shown.map { ListedRecord($0, reader, moment.shelf, context) },
          more: members.count - shown.count)
      })
  }
}

extension ListedRecord {
  fileprivate init(
    _ record: StatusReport.Record, _ reader: RecordReader, _ shelf: Bookshelf, _ context: Context
  ) {
    let entry = record.entry
    let diff = RecordDiff(entry, reader)
    let detail = diff?.kind.plain ?? StatusReport.detail(of: record).plain
    let waits = record.waitsFor.map(\.description)
    self.init(
      entry.ref, place: Place(entry, shelf), title: reader.content(of: entry)?.title,
      detail: waits.isEmpty ? detail : "\(detail); waits for \(Phrases.list(waits))",
      changes: diff.map { diff in diff.changes.map { FieldChange($0, of: diff) } } ?? [],
      notices: record.problems.map { Notice($0, in: reader.library, context) }
        + record.remarks.map { remark in
          Notice(
            .warning, remark.text?.plain ?? "It can be restored.",
            hints: remark.hint.map { [$0] } ?? [])
        })
  }
}

extension Place {
  /// Creates the page about a record, or `nil` if it has none.
  fileprivate init?(_ entry: ScanEntry, _ shelf: Bookshelf) {
    let ref = entry.ref
    if entry.conflict != nil {
      self = .conflict(ref)
    } else if shelf.story(ref) != nil {
      self = .story(ref)
    } else if shelf.hero(ref) != nil {
      self = .hero(ref)
    } else {
      return nil
    }
  }
}

extension MarkedWords {
  /// Creates text for a page from one for a terminal, whose styles become marks.
  init(_ text: Text) {
    self.init(
      text.spans.map { span in
        switch span.style {
        case .added: Part(span.content, .added)
        case .removed, .struck: Part(span.content, .removed)
        case .faint: Part(span.content, .aside)
        default: Part(span.content, .same)
        }
      })
  }
}

extension Notice {
  init(_ problem: Problem, in library: Library, _ context: Context) {
    self.init(
      problem.severity == .error ? .error : .warning, problem.message,
      about: context.place(of: problem, in: library),
      hints: problem.advice.map { [context.shown(hint: $0, in: library)] } ?? [])
  }

  init(_ error: ErrorReport) {
    self.init(
      .error, ([error.message] + error.causes).joined(separator: ": "), about: error.place?.text,
      hints: error.hint.map { [$0] } ?? [])
  }
}

extension FieldChange {
  private static let most = 80

  /// Creates the change of a field as `diff` shows it.
  init(_ change: RecordDiff.FieldChange, of diff: RecordDiff) {
    if change.server != nil, diff.entry.conflict != .deletedLocally {
      self.init(change.field.key, [.position("in conflict")])
      return
    }
    switch diff.content(of: change, inColour: true) {
    case .value(let text): self.init(change.field.key, [.changed(MarkedWords(text))])
    case .lines(let lines):
      var shown: [Line] = [.position(RecordDiff.counts(of: lines).plain)]
      for hunk in lines.hunks {
        shown.append(.position("line \(hunk.line)"))
        shown += hunk.lines.map(Self.line)
      }
      let rest = shown.count - Self.most
      if rest > 1 {
        shown.removeLast(rest)
        shown.append(.position("and \(Phrases.count(rest, "more line"))"))
      }
      self.init(change.field.key, shown)
    }
  }

  private static func line(_ line: LineDiff.Line) -> Line {
    switch line {
    case .context(let text): .context(Text(text).truncated(to: 120).plain)
    case .removed(let text): .changed(MarkedWords(Text(text, .removed)))
    case .added(let text): .changed(MarkedWords(Text(text, .added)))
    case .changed(let words): .changed(MarkedWords(words.text(inColour: true)))
    }
  }
}
