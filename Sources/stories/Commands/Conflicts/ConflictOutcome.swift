import JSONText
import StoryLibrary

/// The outcome of resolving conflicts.
struct ConflictOutcome: Sendable {
  /// A record and some of its fields; none for the record as a whole.
  struct Part: Sendable, Equatable {
    var ref: RecordRef
    var fields: [String]
    /// The resolution or the reason for none; empty if there is nothing to say.
    var detail = ""

    var text: Text {
      var text = Text(ref.description)
      if !fields.isEmpty { text += " (\(Phrases.list(fields)))" }
      if !detail.isEmpty { text += ": \(detail)" }
      return text
    }

    fileprivate var json: JSONValue {
      ["ref": .string(ref.description), "fields": .array(fields.map { .string($0) })]
    }
  }

  /// The resolved parts.
  var settled: [Part] = []
  /// The parts still in conflict.
  var left: [Part] = []
  /// Records that could not be resolved because of an error.
  var failed: [(ref: RecordRef, report: ErrorReport)] = []

  var exitCode: ExitCode {
    var codes = failed.map(\.report.exitCode)
    if !left.isEmpty { codes.append(.conflictsLeft) }
    return .worst(codes)
  }

  func json(isDryRun: Bool) -> JSONValue {
    [
      "schema": "stories.resolve/1", "dryRun": .bool(isDryRun),
      "resolved": .array(settled.map(\.json)), "left": .array(left.map(\.json)),
      "failed": .array(
        failed.map { item in
          ["ref": .string(item.ref.description), "error": .object(item.report.object)]
        }),
    ]
  }

  func write(isDryRun: Bool, to context: Context) {
    let output = context.output
    for part in settled {
      output.line(Text(isDryRun ? "Would resolve " : "Resolved ", .good) + part.text)
    }
    for part in left { output.line(Text("Still in conflict: ", .error) + part.text) }
    output.sink.flush()
    for (ref, report) in failed {
      context.errors.line(Text("\(ref):", .strong))
      report.write(to: context.errors)
    }
    if !settled.isEmpty, !isDryRun {
      context.note(Text("To see what the next push sends: stories status", .faint))
    }
  }
}
