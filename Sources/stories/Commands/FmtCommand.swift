import JSONText
import StoryLibrary

/// `stories fmt`: records in their canonical form.
struct FmtCommand: Command {
  var words: [String] = []
  var isCheck = false
  var isDryRun = false

  static let name = "fmt"
  static let summary = "Rewrite records to their canonical form"
  static let section = HelpSection.library
  static let discussion = """
    The canonical form has two spaces of indentation, the fields in their usual order, LF, and one \
    newline at the end. Values stay as they are, so nothing is ever pending because of it. Only \
    files that look different are written; one that cannot be read is reported, and the others go on.
    """
  static let examples = [
    Example("stories fmt", "the whole library"),
    Example("stories fmt --check", "for scripts: changes nothing, ends with 1 if something would"),
  ]
  static let parameters: [Parameter<FmtCommand>] = [
    .arguments(
      "REF", \.words, help: "A record, or a folder of records; all without one",
      completion: .record),
    .flag("check", \.isCheck, help: "Change nothing; end with 1 where a file would change"),
    .flag("dry-run", \.isDryRun, help: "Show which files would change and do nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let isWriting = !isCheck && !isDryRun
    if isWriting { try library.checkWritable() }
    let scan = try context.scan(library)
    let refs = try RefResolver(scan, of: library, context: context).records(words)
    let wanted = Set(refs)
    let formatter = RecordFormatter(library: library)
    let result = formatter.run(
      scan.entries.filter { wanted.contains($0.ref) }, isWriting: isWriting)
    if context.isJSON {
      context.output.json(json(result))
    } else {
      write(result, library, context)
    }
    return !result.problems.isEmpty || (isCheck && !result.changed.isEmpty) ? .failed : .done
  }

  private func json(_ result: RecordFormatter.Result) -> JSONValue {
    [
      "schema": "stories.fmt/1", "dryRun": .bool(isCheck || isDryRun),
      "changed": .array(result.changed.map { .string($0.description) }),
      "unchanged": .number(JSONNumber(result.unchanged)),
      "problems": .array(result.problems.map(ProblemText.json)),
    ]
  }

  private func write(
    _ result: RecordFormatter.Result, _ library: Library, _ context: Context
  ) {
    for ref in result.changed { context.output.line(Text(context.shown(ref.path, in: library))) }
    for problem in result.problems {
      ProblemText(problem, in: library, context: context).write(to: context.errors)
    }
    let verb = isCheck || isDryRun ? "would be rewritten" : "rewritten"
    let rest = result.unchanged == 0 ? "" : ", \(result.unchanged) already in canonical form"
    context.note("\(Phrases.count(result.changed.count, "file")) \(verb)\(rest).")
  }
}

/// Rewrites files to their canonical form.
private struct RecordFormatter {
  let library: Library

  struct Result {
    var changed: [RecordRef] = []
    var unchanged = 0
    var problems: [Problem] = []
  }

  func run(_ entries: [ScanEntry], isWriting: Bool) -> Result {
    var result = Result()
    for entry in entries where entry.state != .pendingDelete && entry.state != .notCheckedOut {
      do {
        let bytes = try FileSystem.read(
          library.path(entry.ref.path), limit: JSONDocument.maximumSize)
        let file = try RecordFile(ref: entry.ref, bytes: bytes)
        let schema = entry.ref.kind.schema
        let formatted = file.document.formatted(
          order: schema.keyOrder, brokenArrays: schema.brokenArrays)
        if formatted == bytes {
          result.unchanged += 1
        } else if try !isWriting || write(formatted, over: bytes, entry.ref) {
          result.changed.append(entry.ref)
        } else {
          result.problems.append(
            Problem(
              .unreadable, file: entry.ref.path, message: "the file was saved meanwhile",
              hint: "run the same command again"))
        }
      } catch let problem as Problem {
        result.problems.append(problem)
      } catch {
        let reason = (error as? FileError)?.reason ?? "\(error)"
        result.problems.append(
          Problem(.unreadable, file: entry.ref.path, message: "cannot be rewritten: \(reason)"))
      }
    }
    return result
  }

  /// Writes a file; `false` where somebody saved it meanwhile.
  private func write(_ bytes: [UInt8], over old: [UInt8], _ ref: RecordRef) throws -> Bool {
    try AtomicFile.write(
      bytes, to: library.path(ref.path), expecting: .content(ContentDigest(old))) == .done
  }
}
