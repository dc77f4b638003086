import JSONText
import StoryLibrary

/// What came of settling conflicts.
struct ConflictOutcome: Sendable {
  /// A record with some of its fields; none where the record as a whole is meant.
  struct Part: Sendable, Equatable {
    var ref: RecordRef
    var fields: [String]
    /// How it was settled, or why it was not; empty where there is nothing to say.
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

  /// What is settled.
  var settled: [Part] = []
  /// What still waits.
  var left: [Part] = []
  /// Records that could not be settled because something failed.
  var failed: [(ref: RecordRef, report: ErrorReport)] = []

  var exitCode: ExitCode {
    var codes = failed.map(\.report.exitCode)
    if !left.isEmpty { codes.append(.conflictsLeft) }
    return .worst(codes)
  }

  /// The outcome as `stories.resolve/1`.
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

  /// Writes the outcome for a person.
  func write(isDryRun: Bool, to context: Context) {
    let output = context.output
    for part in settled {
      output.line(Text(isDryRun ? "Would settle " : "Settled ", .good) + part.text)
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
