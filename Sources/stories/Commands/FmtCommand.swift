import JSONText
import StoryLibrary
import StorySync

struct FmtCommand: Command {
  var words: [String] = []
  var makesProse = false
  var isCheck = false
  var isDryRun = false

  static let name = "fmt"
  static let summary = "Format records"
  static let discussion = """
    The canonical form is indented by two spaces, has the fields in their usual order, LF line \
    ends, and one newline at the end. Values do not change, so nothing becomes pending. Only files \
    that would change are written; a file that cannot be read is reported, and the others are \
    formatted.

    A story's text may be one long string. With --prose it becomes an array of lines, which is \
    easier to read and to compare; the text itself stays the same.
    """
  static let examples = [
    Example("stories fmt", "the whole library"),
    Example("stories fmt --prose first-snow", "a story's text in lines"),
    Example(
      "stories fmt --check", "for scripts: changes nothing, exits with 1 if a file would change"),
  ]
  static let parameters: [Parameter<FmtCommand>] = [
    .arguments(
      "REF", \.words, help: "A record or a folder of records (default: all)", completion: .record),
    .flag("prose", \.makesProse, help: "Turn a text in one string into lines"),
    .flag("check", \.isCheck, help: "Change nothing; exit with 1 if a file would change"),
    .flag("dry-run", \.isDryRun, help: "Show which files would change, without changing them"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let isWriting = !isCheck && !isDryRun
    let opened = try OpenLibrary(context, isWritten: isWriting)
    let result = format(try opened.entries(words), in: opened.library, isWriting: isWriting)
    context.tell([
      "schema": "stories.fmt/1", "dryRun": !isWriting, "changed": result.changed,
      "unchanged": result.unchanged, "inOneString": result.inOneString,
      "problems": result.problems,
    ]) { write(result, opened, context) }
    return !result.problems.isEmpty || (isCheck && !result.changed.isEmpty) ? .failed : .done
  }

  private func write(_ result: Result, _ opened: OpenLibrary, _ context: Context) {
    for ref in result.changed { context.output.line(Text(opened.shown(ref.path))) }
    opened.write(result.problems, to: context.errors)
    let verb = isCheck || isDryRun ? "would be rewritten" : "rewritten"
    let rest = result.unchanged == 0 ? "" : ", \(result.unchanged) already in canonical form"
    context.note("\(Phrases.count(result.changed.count, "file")) \(verb)\(rest).")
    guard let first = result.inOneString.first else { return }
    let count = result.inOneString.count
    let command = "stories fmt --prose" + (count == 1 ? " \(first.word)" : "")
    context.aside(
      count == 1
        ? "The text of \(first) is one long string; to turn it into lines: \(command)"
        : "The texts of \(count) stories are long strings; to turn them into lines: \(command)")
  }

  // MARK: Formatting

  private struct Result {
    var changed: [RecordRef] = []
    var unchanged = 0
    /// The records with a long text of several lines in one string.
    var inOneString: [RecordRef] = []
    var problems: [Problem] = []
  }

  private func format(_ entries: [ScanEntry], in library: Library, isWriting: Bool) -> Result {
    var result = Result()
    // Flushed together: one by one, a thousand files take many seconds.
    var batch = WriteBatch(root: library.root)
    var written: [RecordRef] = []
    let open = OpenRecords(library)
    defer { withExtendedLifetime(open) {} }
    let absent: Set<RecordState> = [.pendingDelete, .missing, .notCheckedOut]
    for entry in entries where !absent.contains(entry.state) {
      do {
        let bytes = try FileSystem.read(
          library.path(entry.ref.path), limit: JSONDocument.maximumSize)
        let file = try RecordFile(ref: entry.ref, bytes: bytes)
        let schema = entry.ref.kind.schema
        let strings = Self.longStrings(of: file)
        var document = file.document
        if makesProse {
          document = try document.setting(
            strings.map { ($0.key, .array($0.lines.map { .string($0) })) },
            order: schema.memberOrder, brokenArrays: schema.brokenArrays)
        } else if !strings.isEmpty {
          result.inOneString.append(entry.ref)
        }
        let formatted = document.formatted(
          order: schema.memberOrder, brokenArrays: schema.brokenArrays)
        if formatted == bytes {
          result.unchanged += 1
        } else if isWriting {
          if let problem = entry.outdatedProblem { throw problem }
          try open.check([entry.ref])
          batch.add(
            record: (
              library.path(entry.ref.path), .write(formatted, .content(ContentDigest(bytes)))
            ), sidecar: nil)
          written.append(entry.ref)
        } else {
          result.changed.append(entry.ref)
        }
      } catch EditError.isOpen(let ref, let holder) {
        result.problems.append(Problem(.isOpen(holder: holder), file: ref.path))
      } catch let problem as Problem {
        result.problems.append(problem)
      } catch {
        result.problems.append(Self.problem(entry.ref, error))
      }
    }
    for (ref, outcome) in zip(written, batch.commit()) {
      switch outcome {
      case .done: result.changed.append(ref)
      case .changedMeanwhile: result.problems.append(Problem(.savedMeanwhile, file: ref.path))
      case .failed(let error): result.problems.append(Self.problem(ref, error))
      }
    }
    return result
  }

  private static func problem(_ ref: RecordRef, _ error: any Error) -> Problem {
    let reason = (error as? FileError)?.reason ?? "\(error)"
    return Problem(.notRewritten(reason), file: ref.path)
  }

  /// Returns the long texts that are one string of several lines, with those lines.
  private static func longStrings(of file: RecordFile) -> [(key: String, lines: [String])] {
    file.ref.kind.schema.fields.compactMap { field in
      guard field.shape == .lines, let text = file.document.root[field.key]?.string else {
        return nil
      }
      let lines = RecordFile.lines(of: text)
      return lines.count > 1 ? (field.key, lines) : nil
    }
  }
}
