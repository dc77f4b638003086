import JSONText
import StoryLibrary
import StorySync

struct ConflictOutcome: Sendable, MemberEncodable {
  /// A record and some of its fields; none for the record as a whole.
  struct Part: Sendable, Encodable {
    var ref: RecordRef
    var fields: [String]
    /// The resolution or the reason for none; empty if there is nothing to say.
    var detail = ""
    /// The file that git is to be told of, or `nil` if no merge of git waits for it.
    var staged: String?

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

  var isDryRun = false

  var settled: [Part] = []
  var left: [Part] = []
  var failed: [Failure] = []

  mutating func add(
    _ item: ConflictSet.Item, left keys: [String], _ detail: String = "", reason: String = ""
  ) {
    let resolved = item.keys.filter { !keys.contains($0) }
    if !resolved.isEmpty { settled.append(Part(item, fields: resolved, detail: detail)) }
    if !keys.isEmpty { leave(item, keys, reason) }
  }

  /// Adds fields of a conflict that are left, by default all.
  mutating func leave(_ item: ConflictSet.Item, _ keys: [String]? = nil, _ reason: String = "") {
    left.append(Part(ref: item.ref, fields: keys ?? item.keys, detail: reason))
  }

  mutating func fail(_ item: ConflictSet.Item, _ error: any Error, _ context: Context) {
    failed.append(Failure(ref: item.ref, error: ErrorReport(error, in: context)))
  }

  /// Resolves a conflict and adds what came of it.
  ///
  /// - Parameters:
  ///   - choice: The choice for all fields, or `nil` if they are decided one by one.
  ///   - resolve: Returns the keys of the fields that are still in conflict.
  mutating func settle(
    _ item: ConflictSet.Item, _ choice: ConflictResolver.Choice?, _ context: Context,
    _ resolve: () throws -> [String]
  ) {
    let detail =
      switch choice {
      case .local: item.outcomes.local
      case .server: item.outcomes.server
      case .merge, .values: "merged"
      case nil: ""
      }
    let reason = choice == .merge ? "both sides changed the same lines" : ""
    do {
      add(item, left: try resolve(), detail, reason: reason)
      if item.keys.isEmpty { settled.append(Part(item, fields: [], detail: detail)) }
    } catch EditError.cannotMerge {
      leave(item, [], "one side deleted it: use --local or --server")
    } catch EditError.twoIDs {
      leave(item, [], "two records of the server: use --local or --server")
    } catch {
      fail(item, error, context)
    }
  }

  var exitCode: ExitCode {
    .worst(failed.map(\.error.exitCode) + [left.isEmpty ? .done : .conflictsLeft])
  }

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
      context.aside("To see what the next push sends: stories status")
      let open = left.map(\.ref) + failed.map(\.ref)
      let staged = settled.filter { !open.contains($0.ref) }.compactMap(\.staged)
      if !staged.isEmpty {
        let files = staged.map { ShellWord.quoting($0) }.joined(separator: " ")
        context.aside("Mark it as resolved in git: git add \(files)")
      }
    }
  }
}

extension ConflictOutcome.Part {
  init(_ item: ConflictSet.Item, fields: [String], detail: String = "") {
    self.init(
      ref: item.ref, fields: fields, detail: detail,
      staged: item.marked == nil ? nil : item.ref.path)
  }
}
