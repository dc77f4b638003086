import JSONText
import StoryLibrary

struct SearchCommand: Command {
  var words: [String] = []
  var filter = RecordFilter()

  static let name = "search"
  static let summary = "Find words in titles and texts"
  static let isPaged = true
  static let discussion = """
    Finds the records that contain all of the words, and prints each line that has one, with its file \
    and its line there. Records whose titles match come first. Case and accents do not matter: ete \
    finds été. Only whole words match; a phrase in quotes matches words in a row.

    It searches the titles and texts of heroes, events and stories on this machine. The exit code is 0 \
    whether anything is found or not, and 1 if a file cannot be read.
    """
  static let examples = [
    Example("stories search snow", "every record with this word"),
    Example("stories search \"first snow\" cat", "a phrase and a word"),
    Example("stories search whale --in stories/2026", "in a folder"),
  ]
  static let parameters: [Parameter<SearchCommand>] =
    [
      .arguments("WORD", \.words, help: "A word, or a phrase in quotes", isRequired: true),
      .option(
        "in", value: "WHERE", \.filter.places,
        help: "Only in this kind, folder or record, such as stories/2026"),
    ] + RecordFilter.parameters.stored(in: \.filter)

  func run(_ context: Context) async throws -> ExitCode {
    let search = TextSearch(terms: words)
    guard !search.isEmpty else {
      let problem = ValueProblem(expected: "a word with letters or digits")
      throw UsageError(.wrongValue(of: "WORD", words.joined(separator: " "), problem))
    }
    let opened = try OpenLibrary(
      context, kinds: filter.namesIllustrations ? EntityKind.allCases : EntityKind.writable)
    let entries = try filter.entries(of: opened).filter(\.hasRecord)
    let reader = opened.reader
    let results = Parallel.map(entries, threads: 2) { [filter] entry -> Result<Found?, Problem> in
      do {
        let file = try reader.file(entry.ref)
        let matches = file.matches(of: search)
        guard !matches.isEmpty, !filter.needsContent || filter.admits(reader.content(of: entry))
        else { return .success(nil) }
        return .success(Found(file: file, matches: matches))
      } catch {
        let problem = error as? Problem ?? entry.problems.first
        return .failure(problem ?? Problem(.unreadable(nil), file: entry.ref.path))
      }
    }
    let records = results.compactMap { try? $0.get() }
    let found = records.filter(\.isInTitle) + records.filter { !$0.isInTitle }
    let problems = results.compactMap { result in
      if case .failure(let problem) = result { problem } else { nil }
    }
    context.tell([
      "schema": "stories.search/1", "words": words, "records": found, "problems": problems,
    ]) {
      for record in found { write(record, opened) }
      if found.isEmpty { context.note("Nothing found.") }
      opened.write(problems, to: context.errors)
    }
    return problems.isEmpty ? .done : .failed
  }

  private struct Found: MemberEncodable {
    let file: RecordFile
    let matches: [RecordFile.Match]

    private var titleKey: String { file.ref.kind.schema.titleKey }

    var isInTitle: Bool { matches.contains { $0.field.wireKey == titleKey } }

    var members: Members {
      [
        "ref": file.ref, "kind": file.ref.kind,
        "title": file.document.root[titleKey]?.string, "file": file.ref.path,
        "lines": matches.map { match -> Members in
          [
            "field": match.field.key, "line": file.position(of: match).line,
            "text": match.line.text,
            "matches": match.line.matches.map { match.line.text[$0] }
              .map(String.init),
          ]
        },
      ]
    }
  }

  private func write(_ found: Found, _ opened: OpenLibrary) {
    let path = opened.shown(found.file.ref.path)
    for match in found.matches {
      var line = Text(path, .changed) + Text(":\(found.file.position(of: match).line): ", .faint)
      for part in match.line.parts {
        line.append(String(part.text), part.isMatch ? .match : .plain)
      }
      opened.context.output.line(line)
    }
  }
}
