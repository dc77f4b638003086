import StoryLibrary
import StorySync

/// Resolves conflicts in an editor.
struct ConflictEdit: Sendable {
  let context: Context
  let conflicts: ConflictSet
  /// The fields to resolve; empty for all.
  let keys: [String]

  func run(_ item: ConflictSet.Item, _ outcome: inout ConflictOutcome) {
    let all = item.fields.map(\.field.key)
    let asked = item.fields.filter { keys.isEmpty || keys.contains($0.field.key) }
    guard !asked.isEmpty else {
      let detail = all.isEmpty ? "nothing to edit: use --local or --server" : ""
      outcome.left.append(.init(ref: item.ref, fields: all, detail: detail))
      return
    }
    var file = DraftFile(
      context: context, draft: conflicts.draft(of: item, asked))
    do {
      let reading = try file.edit()
      for (_, problem) in reading.problems {
        outcome.failed.append(.init(ref: item.ref, error: ErrorReport(problem, in: context)))
      }
      var left = all
      if !reading.values.isEmpty {
        let choices = asked.reduce(into: [String: ConflictResolver.Choice]()) { choices, field in
          guard reading.values[field.field.wireKey] != nil else { return }
          choices[field.field.key] = .values(reading.values)
        }
        left = try ConflictResolver(conflicts.library).resolve(
          item.ref, choices: choices, seen: item.fields)
      }
      let settled = all.filter { !left.contains($0) }
      if !settled.isEmpty {
        outcome.settled.append(
          .init(item, fields: settled, detail: "as you wrote it"))
      }
      if !left.isEmpty { outcome.left.append(.init(ref: item.ref, fields: left)) }
      file.finish()
    } catch {
      file.keep()
      outcome.failed.append(.init(ref: item.ref, error: ErrorReport(error, in: context)))
    }
  }
}
