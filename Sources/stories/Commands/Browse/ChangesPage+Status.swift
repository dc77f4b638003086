import StoryLibrary
import StoryPages
import StorySync

extension ChangesPage {
  static let most = 200

  /// Creates the page with what `status` and `diff` say.
  init(_ moment: LiveShelf.Moment, of library: Library, _ context: Context) {
    let older = GitRepository(library).map { OlderVersions(library, in: $0).found(in: moment.scan) }
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
          group.heading, advice: group.advice(members),
          records: shown.map { Record($0, reader, moment.shelf, context) },
          more: members.count - shown.count)
      })
  }
}

extension ChangesPage.Record {
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
          Notice(.warning, remark.text?.plain ?? "It can be restored.", hints: remark.hints)
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
