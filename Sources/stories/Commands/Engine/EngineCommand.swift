import JSONText
import StoryAPI
import StoryServer

struct EngineCommand: CommandFamily {
  static let name = "engine"
  static let summary = "Choose what writes stories, draws and reads aloud"
  static let discussion = """
    The server in this program and `stories serve` ask engines: one for text, one for pictures, one for \
    speech, on this machine or elsewhere. Any engine with an OpenAI-compatible API will do, such as \
    Ollama, llama.cpp, vLLM or LocalAI. Without one, stories and pictures are placeholders; espeak-ng \
    reads aloud if it is installed.

    Engines are your own settings, kept in your configuration folder (engines.json) and never in a \
    library. Keys are kept where sessions are, for the engine's address alone.

    In scripts the environment can name them: STORIES_TEXT_URL, STORIES_TEXT_MODEL and STORIES_TEXT_KEY, \
    the same with PICTURES and SPEECH, and STORIES_SPEECH_PROGRAM and STORIES_SPEECH_VOICE.
    """
  static let examples = [
    Example("stories engine", "what is set"),
    Example("stories engine set text --url http://127.0.0.1:11434/v1 --model NAME", "Ollama"),
    Example("stories engine set speech --program espeak-ng", "a program of this machine"),
    Example("stories engine test", "make one of each"),
  ]
  static let subcommands: [any Command.Type] = [
    EngineListCommand.self, EngineSetCommand.self, EngineUnsetCommand.self, EngineTestCommand.self,
    EnginePromptsCommand.self,
  ]
  static let defaultSubcommand: (any Command.Type)? = EngineListCommand.self
}

extension EngineRole: ChoiceArgument {}

struct EngineListCommand: Command {
  static let name = "list"
  static let summary = "Show the engines and where each comes from"
  static let discussion = "Does not contact any engine; use `stories engine test` for that."

  func run(_ context: Context) async throws -> ExitCode {
    let settings = try EngineSettings(context)
    var rows: [Members] = []
    var table = Table()
    for role in EngineRole.allCases {
      let setting = settings[role]
      var hasKey = false
      if let setting { hasKey = try await context.engineKey(setting, role) != nil }
      rows.append(
        ["role": role] + (setting?.shown.members ?? [:])
          + ["hasKey": hasKey, "origin": setting?.origin])
      table.add(
        Text(role.rawValue),
        setting.map {
          Text($0.summary + (hasKey ? ", with a key" : "")) + Text("  (\($0.origin))", .faint)
        } ?? Text(role.withoutEngine))
    }
    context.tell(["schema": "stories.engine/1", "engines": rows]) {
      table.write(to: context.output)
    }
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
  /// The setting with its address as it is shown: one from the environment may have a password.
  var shown: EngineSetting {
    var setting = self
    setting.url = url.map(Redaction.url)
    return setting
  }

  var what: String { shown.url ?? program?.rawValue ?? "" }

  /// The setting without its key, in words.
  var summary: String {
    let names = voices.names.sorted { $0.key < $1.key }
      .map { $0.key.isEmpty ? "voice \($0.value)" : "\($0.key) \($0.value)" }
    let parts = [what, model.map { "model \($0)" }] + names + [voices.speed.map { "speed \($0)" }]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

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

struct EnginePromptsCommand: Command {
  var name: Prompts.Name?

  static let name = "prompts"
  static let summary = "Print the prompts for engines"
  static let discussion = """
    A prompt can be changed: put your own text into prompts/NAME.txt in your configuration folder. \
    {{name}} and the like stand for what the records say; a line whose value is empty is left out.
    """
  static let examples = [
    Example("stories engine prompts", "all of them, and where your own would be"),
    Example("stories engine prompts story", "one, to be changed and kept as prompts/story.txt"),
  ]
  static let parameters: [Parameter<EnginePromptsCommand>] = [
    .argument("NAME", \.name, help: "Print only the text of this prompt")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let prompts = Prompts(folder: context.promptFolder)
    if let name, !context.isJSON {
      context.output.bytes(Array(try prompts.template(name).text.utf8))
      return .done
    }
    let names = name.map { [$0] } ?? Prompts.Name.allCases
    let texts = try names.map { ($0, try prompts.template($0)) }
    context.tell([
      "schema": "stories.engine-prompts/1",
      "prompts": texts.map { name, template -> Members in
        [
          "name": name.rawValue, "text": template.text, "isOwn": template.isOwn,
          "file": prompts.path(name), "values": Prompts.words(name),
        ]
      },
    ]) {
      for (place, (name, template)) in texts.enumerated() {
        if place > 0 { context.output.line() }
        let file = prompts.path(name).map(context.shown) ?? "prompts/\(name.rawValue).txt"
        let whose = template.isOwn ? "yours, from \(file)" : "built in; yours would be \(file)"
        context.output.line(Text(name.rawValue, .strong) + Text("  (\(whose))", .faint))
        context.output.line()
        context.output.bytes(Array(template.text.utf8))
      }
    }
    return .done
  }
}
