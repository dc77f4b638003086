import JSONText
import StoryLibrary
import StoryMedia
import StorySync

struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "Count records, words and readings"
  static let isPaged = true
  static let discussion = """
    Counts the records, the words of the stories, the readings by hero and by the month of a story's \
    last reading (the server keeps no earlier ones), the size of the files on this machine, and the \
    pending changes and open conflicts. Dates are in UTC and as of the last sync.
    """
  static let examples = [
    Example("stories stats", "the whole library"),
    Example("stories stats --json", "for scripts"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context, kinds: EntityKind.allCases)
    let reader = opened.reader
    // A record that is removed still waits for a sync, but is not counted.
    let present = opened.scan.entries.filter { $0.hasRecord || $0.state == .notCheckedOut }
    let stories = Parallel.map(present.filter { $0.ref.kind == .stories }, threads: 2) {
      Story($0, reader)
    }
    var report = Report()
    for entry in opened.scan.entries { report.states[entry.state, default: 0] += 1 }
    for entry in present {
      report.records[entry.ref.kind, default: 0] += 1
      report.recordBytes += (try? FileSystem.status(opened.library.path(entry.ref.path)))?.size ?? 0
    }
    for story in stories {
      report.words += story.words
      report.languages[story.language, default: 0] += 1
      report.readings += story.readings
      guard story.readings > 0 else { continue }
      report.heroes[story.hero ?? "", default: 0] += story.readings
      report.months[story.month ?? "", default: 0] += story.readings
    }
    let files = try context.localMedia(of: opened.library).files()
    report.mediaBytes = files.reduce(0) { $0 + $1.file.size }
    context.tell(report) { report.write(to: context.output) }
    return .done
  }

  private struct Story: Sendable {
    var words = 0
    var readings = 0
    var language = ""
    var hero: String?
    var month: String?

    init(_ entry: ScanEntry, _ reader: RecordReader) {
      let made = ServerPart(of: entry, reader)
      guard let content = reader.content(of: entry, sidecar: made.sidecar) else { return }
      words = TextSearch.wordCount(of: content["content"].string ?? "")
      readings = max(0, content["playCount"].integer ?? 0)
      language = content["language"].string ?? ""
      hero = content["hero"].string ?? content["heroId"].string
      month = ServerPart.day(made.readAt).map { String($0.prefix(7)) }
    }
  }

  private struct Report: MemberEncodable {
    var records: [EntityKind: Int] = [:]
    var states: [RecordState: Int] = [:]
    var words = 0
    var languages: [String: Int] = [:]
    var readings = 0
    /// Readings by hero, and by the month of the last one; the empty name if it is not known.
    var heroes: [String: Int] = [:]
    var months: [String: Int] = [:]
    var recordBytes = 0
    var mediaBytes = 0

    /// The states of records that wait for a sync or a person.
    private var waiting: [RecordState: Int] {
      states.filter { $0.key != .synced && $0.key != .notCheckedOut }
    }

    private typealias Counts = [(key: String, value: Int)]

    private var heroesByReadings: Counts {
      heroes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    private var monthsInOrder: Counts { months.sorted { $0.key > $1.key } }

    private var knownLanguages: Counts {
      languages.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }
    }

    var members: Members {
      let kinds = EntityKind.allCases.map { (name: $0.rawValue, value: records[$0] ?? 0) }
      func members(_ counts: Counts, _ name: String) -> [Members] {
        counts.map { [name: $0.key.isEmpty ? nil : $0.key, "readings": $0.value] }
      }
      return [
        "schema": "stories.stats/1", "records": Members(kinds), "words": words,
        "languages": Members(knownLanguages.map { (name: $0.key, value: $0.value) }),
        "readings": readings, "heroes": members(heroesByReadings, "hero"),
        "months": members(monthsInOrder, "lastRead"),
        "size": ["records": recordBytes, "media": mediaBytes] as Members,
        "waiting": waiting.inOrder,
      ]
    }

    func write(to output: Output) {
      var table = Table(indent: 0)
      func add(_ label: String, _ value: String) { table.add(Text(label, .faint), Text(value)) }
      let kinds = Phrases.kinds(records)
      add("Records", kinds.isEmpty ? "none yet" : kinds)
      add("Words", "\(words) in stories")
      if knownLanguages.count > 1 {
        add("Languages", knownLanguages.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
      }
      add("Size", "\(Phrases.size(recordBytes)) of records, \(Phrases.size(mediaBytes)) of media")
      let waits = RecordState.allCases.compactMap { state in
        waiting[state].map { "\($0) \(state.waitingWord)" }
      }
      add("Pending", waits.isEmpty ? "nothing" : waits.joined(separator: ", "))
      add("Readings", "\(readings)")
      table.write(to: output)
      write("By hero", heroesByReadings, unknown: "no hero", to: output)
      write("By month of the last reading", monthsInOrder, unknown: "not known", to: output)
    }

    private func write(_ heading: String, _ rows: Counts, unknown: String, to output: Output) {
      guard !rows.isEmpty else { return }
      output.line()
      output.line(Text(heading, .strong))
      var table = Table()
      for row in rows { table.add(Text(row.key.isEmpty ? unknown : row.key), Text("\(row.value)")) }
      table.write(to: output)
    }
  }
}

extension RecordState {
  /// The state after a number of records.
  fileprivate var waitingWord: String {
    switch self {
    case .synced: "in sync"
    case .pendingCreate: "new"
    case .pendingUpdate: "edited"
    case .pendingDelete: "deleted"
    case .unreadable: "unreadable"
    case .conflict: "in conflict"
    case .duplicateId: "with another record's id"
    case .notCheckedOut: "not checked out"
    case .draft: "without text"
    case .missing: "missing"
    }
  }
}
