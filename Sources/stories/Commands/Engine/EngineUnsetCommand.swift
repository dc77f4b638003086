import JSONText
import StoryAPI
import StoryServer

struct EngineUnsetCommand: Command {
  var role = EngineRole.text
  var isDryRun = false

  static let name = "unset"
  static let summary = "Remove an engine, and its key if no other engine uses it"
  static let examples = [Example("stories engine unset pictures", "back to placeholders")]
  static let parameters: [Parameter<EngineUnsetCommand>] = [
    .argument("ROLE", \.role, help: "What the engine does"),
    .flag("dry-run", \.isDryRun, help: "Show what would be removed and remove nothing"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    var settings = try EngineSettings(context)
    let old = settings.stored(role)
    let address = old?.url.flatMap { try? context.engineURL($0, role).address }
    let others = EngineRole.allCases.filter { $0 != role }.compactMap { other in
      settings.stored(other)?.url.flatMap { try? context.engineURL($0, other).address }
    }
    if old != nil, !isDryRun {
      try settings.store(nil, for: role)
      if let address, !others.contains(address), let keys = try context.engineKeys() {
        try await keys.remove(for: address)
      }
    }
    let report: Members = [
      "schema": "stories.engine-unset/1", "dryRun": isDryRun, "role": role, "removed": old != nil,
    ]
    let verb = isDryRun ? "Would remove" : "Removed"
    context.tell(report) {
      context.output.line(
        old.map { "\(verb) \(role.rawValue): \($0.what)" }
          ?? "No engine is set for \(role.rawValue) in \(EngineSettings.fileName).")
    }
    return .done
  }
}
