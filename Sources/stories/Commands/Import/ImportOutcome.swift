import JSONText
import StoryLibrary
import StorySync

struct ImportOutcome: Sendable {
  let context: Context
  private(set) var failures: [ErrorReport] = []
  private var warnings: [Problem] = []
  private var records: [FileChange: [IncomingRecord]] = [:]

  init(context: Context) { self.context = context }

  mutating func add(_ change: FileChange, _ record: IncomingRecord) {
    records[change, default: []].append(record)
  }

  /// Does something with a file, and collects the error.
  mutating func attempt(
    _ source: ImportSource, _ record: IncomingRecord? = nil,
    _ work: (inout ImportOutcome) throws -> Void
  ) {
    do {
      try work(&self)
    } catch let rejection as RecordImporter.Rejection {
      for problem in rejection.problems { fail(problem) }
    } catch EditError.isOpen(let ref, let holder) {
      fail(Problem(.isOpen(holder: holder), file: ref.path))
    } catch let problem as Problem {
      fail(problem)
    } catch {
      let isPlain = source.name != nil && !source.isJSON
      fail(error, file: source.shown, isPlain ? nil : record?.position(of: nil))
    }
  }

  mutating func fail(_ problem: Problem) {
    failures.append(ErrorReport(problem, shown: problem.file))
  }

  mutating func fail(_ error: any Error, file: String, _ position: TextPosition? = nil) {
    var report = ErrorReport(error, in: context)
    if report.place == nil, !(error is FileError) {
      report.place = .init(shown: file, file: file, position: position)
    }
    failures.append(report)
  }

  mutating func warn(_ problem: Problem) { warnings.append(problem) }

  // MARK: Output

  func tell(isDryRun: Bool) {
    func items(_ change: FileChange) -> [Members] {
      (records[change] ?? []).map {
        ["ref": $0.ref, "file": $0.ref.path, "source": $0.source.shown]
      }
    }
    let unchanged = (records[.unchanged] ?? []).map(\.ref)
    context.tell([
      "schema": "stories.import/1", "dryRun": isDryRun, "created": items(.created),
      "updated": items(.updated), "unchanged": unchanged, "failed": failures,
      "warnings": warnings,
    ]) {
      for (change, verb) in [
        (FileChange.created, isDryRun ? "Would import " : "Imported "),
        (.updated, isDryRun ? "Would change " : "Changed "),
      ] {
        for record in records[change] ?? [] {
          context.output.line(Text(verb) + "\(record.ref, .strong)")
        }
      }
      if !unchanged.isEmpty { context.aside("\(Phrases.kinds(unchanged)) unchanged.") }
      context.output.sink.flush()
      for problem in warnings { write(problem) }
      for failure in failures { failure.write(to: context.errors) }
    }
  }

  private func write(_ warning: Problem) {
    var line = Text("Warning: ", .warning)
    if !warning.file.isEmpty {
      line += Text(Phrases.place(warning.file, warning.position) + ": ", .strong)
    }
    context.errors.line(line + Text(warning.message))
    if let hint = warning.advice { context.errors.line(Text("Hint: ", .strong) + Text(hint)) }
  }
}
