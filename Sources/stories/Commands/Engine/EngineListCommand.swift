import JSONText
import StoryServer

/// `stories engine list`: the configured engines.
struct EngineListCommand: Command {
  static let name = "list"
  static let summary = "Show the engines and where each comes from"
  static let section = HelpSection.media
  static let discussion = """
    Does not contact any engine; use `stories engine test` for that.
    """

  func run(_ context: Context) async throws -> ExitCode {
    let settings = try EngineSettings(context)
    var rows: [Row] = []
    for role in EngineRole.allCases {
      let setting = settings[role]
      var hasKey = false
      if let setting { hasKey = try await context.engineKey(setting, role) != nil }
      rows.append(Row(role: role, setting: setting, hasKey: hasKey))
    }
    if context.isJSON {
      context.output.json(Report(engines: rows))
      return .done
    }
    var table = Table()
    for row in rows {
      guard let setting = row.setting else {
        table.add(Text(row.role.rawValue), Text(row.role.withoutEngine))
        continue
      }
      table.add(
        Text(row.role.rawValue),
        Text(setting.summary + (row.hasKey ? ", with a key" : ""))
          + Text("  (\(setting.origin))", .faint))
    }
    table.write(to: context.output)
    return .done
  }

  private struct Report: Encodable {
    let schema = "stories.engine/1"
    var engines: [Row]
  }

  private struct Row: MemberEncodable {
    var role: EngineRole
    var setting: EngineSetting?
    var hasKey: Bool

    var members: Members {
      ["role": role] + (setting?.members ?? [:]) + ["hasKey": hasKey, "origin": setting?.origin]
    }
  }
}

extension EngineRole {
  /// The consequence of a missing engine, in words.
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
