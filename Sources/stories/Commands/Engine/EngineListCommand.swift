import JSONText
import StoryServer

struct EngineListCommand: Command {
  static let name = "list"
  static let summary = "Show the engines and where each comes from"
  static let discussion = """
    Does not contact any engine; use `stories engine test` for that.
    """

  func run(_ context: Context) async throws -> ExitCode {
    let settings = try EngineSettings(context)
    var rows: [Members] = []
    var table = Table()
    for role in EngineRole.allCases {
      let setting = settings[role]
      var hasKey = false
      if let setting { hasKey = try await context.engineKey(setting, role) != nil }
      rows.append(
        ["role": role] + (setting?.members ?? [:])
          + ["hasKey": hasKey, "origin": setting?.origin])
      table.add(
        Text(role.rawValue),
        setting.map {
          Text($0.summary + (hasKey ? ", with a key" : "")) + Text("  (\($0.origin))", .faint)
        } ?? Text(role.withoutEngine))
    }
    let report: Members = ["schema": "stories.engine/1", "engines": rows]
    context.tell(report) { table.write(to: context.output) }
    return .done
  }
}

extension EngineRole {
  var withoutEngine: String {
    switch self {
    case .text: "none: stories are placeholders"
    case .pictures: "none: pictures are placeholders"
    case .speech: "none: nothing is read aloud"
    }
  }
}

extension EngineSetting {
  var what: String { url ?? program?.rawValue ?? "" }

  /// The setting without its key, in words.
  var summary: String {
    let names = voices.names.sorted { $0.key < $1.key }
      .map { $0.key.isEmpty ? "voice \($0.value)" : "\($0.key) \($0.value)" }
    let parts = [what, model.map { "model \($0)" }] + names + [voices.speed.map { "speed \($0)" }]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
