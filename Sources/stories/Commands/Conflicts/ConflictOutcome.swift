import JSONText
import StoryLibrary
import StorySync

/// The outcome of resolving conflicts.
struct ConflictOutcome: Sendable, MemberEncodable {
  /// A record and some of its fields; none for the record as a whole.
  struct Part: Sendable, Equatable, Encodable {
    var ref: RecordRef
    var fields: [String]
    /// The resolution or the reason for none; empty if there is nothing to say.
    var detail = ""
    /// The file that git is to be told of, or `nil` if no merge of git waits for it.
    var staged: String?

    init(ref: RecordRef, fields: [String], detail: String = "") {
      self.ref = ref
      self.fields = fields
      self.detail = detail
    }

    /// Creates a resolved part of a conflict.
    init(_ item: ConflictSet.Item, fields: [String], detail: String = "") {
      self.init(ref: item.ref, fields: fields, detail: detail)
      staged = item.marked == nil ? nil : item.ref.path
    }

    var text: Text {
      var text = Text(ref.description)
      if !fields.isEmpty { text += " (\(Phrases.list(fields)))" }
      if !detail.isEmpty { text += ": \(detail)" }
      return text
    }

    private enum CodingKeys: CodingKey { case ref, fields }
  }

  struct Failure: Sendable, Encodable {
    var ref: RecordRef
    var error: ErrorReport
  }

  /// Whether nothing was written.
  var isDryRun = false

  /// The resolved parts.
  var settled: [Part] = []
  /// The parts still in conflict.
  var left: [Part] = []
  /// Records that could not be resolved because of an error.
  var failed: [Failure] = []

  /// Resolves a conflict and adds what came of it.
  ///
  /// - Parameters:
  ///   - item: The conflict.
  ///   - detail: How it is resolved.
  ///   - left: Why fields may be left.
  ///   - resolve: Returns the keys of the fields that are still in conflict.
  mutating func settle(
    _ item: ConflictSet.Item, _ detail: String, left reason: String, _ context: Context,
    _ resolve: () throws -> [String]
  ) {
    let all = item.fields.map(\.field.key)
    do {
      let left = try resolve()
      let settled = all.filter { !left.contains($0) }
      if !settled.isEmpty || all.isEmpty {
        self.settled.append(Part(item, fields: settled, detail: detail))
      }
      if !left.isEmpty {
        self.left.append(Part(ref: item.ref, fields: left, detail: reason))
      }
    } catch EditError.cannotMerge {
      left.append(
        Part(ref: item.ref, fields: [], detail: "one side deleted it: use --local or --server"))
    } catch EditError.twoIDs {
      left.append(
        Part(
          ref: item.ref, fields: [], detail: "two records of the server: use --local or --server")
      )
    } catch {
      failed.append(Failure(ref: item.ref, error: ErrorReport(error, in: context)))
    }
  }

  var exitCode: ExitCode {
    var codes = failed.map(\.error.exitCode)
    if !left.isEmpty { codes.append(.conflictsLeft) }
    return .worst(codes)
  }

  /// The outcome as `stories.resolve/1`.
  var members: Members {
    [
      "schema": "stories.resolve/1", "dryRun": isDryRun, "resolved": settled, "left": left,
      "failed": failed,
    ]
  }

  func write(to context: Context) {
    let output = context.output
    for part in settled {
      output.line(Text(isDryRun ? "Would resolve " : "Resolved ", .good) + part.text)
    }
    for part in left { output.line(Text("Still in conflict: ", .error) + part.text) }
    output.sink.flush()
    for failure in failed {
      context.errors.line(Text("\(failure.ref):", .strong))
      failure.error.write(to: context.errors)
    }
    if !settled.isEmpty, !isDryRun {
      context.note(Text("To see what the next push sends: stories status", .faint))
      let open = left.map(\.ref) + failed.map(\.ref)
      let staged = settled.filter { !open.contains($0.ref) }.compactMap(\.staged)
      if !staged.isEmpty {
        let files = staged.map { ShellWord.quoting($0) }.joined(separator: " ")
        context.note(Text("To tell git that it is resolved: git add \(files)", .faint))
      }
    }
  }
}
