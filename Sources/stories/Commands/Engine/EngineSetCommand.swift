import JSONText
import StoryAPI
import StoryServer

struct EngineSetCommand: Command {
  /// `NAME`, or `de=NAME` for one language.
  struct Voice: ArgumentValue {
    var language: String
    var name: String

    static func parse(_ word: String) throws(ValueProblem) -> Voice {
      for language in StoryRequest.languages where word.hasPrefix(language + "=") {
        return Voice(language: language, name: String(word.dropFirst(language.count + 1)))
      }
      return Voice(language: "", name: word)
    }
  }

  struct Speed: ArgumentValue {
    var value: Double

    static func parse(_ word: String) throws(ValueProblem) -> Speed {
      guard let value = Double(word), (0.25...4).contains(value) else {
        throw ValueProblem(expected: "a number from 0.25 to 4")
      }
      return Speed(value: value)
    }
  }

  var role = EngineRole.text
  var url: String?
  var model: String?
  var readsKey = false
  var program: SpeechProgram.Name?
  var voices: [Voice] = []
  var speed: Speed?
  var allowsPlainHTTP = false
  var isDryRun = false

  static let name = "set"
  static let summary = "Set the engine for text, pictures or speech"
  static let discussion = """
    The URL is the engine's base URL, usually ending in /v1. A key is read from standard input and \
    kept for that address (scheme, host and port); other engines at the same address use it too. \
    http:// to other machines is refused, unless --allow-plain-http allows it for that address.

    For piper, the voice, or --model, is the path of the voice's .onnx file.
    """
  static let examples = [
    Example(
      "stories engine set text --url https://api.openai.com/v1 --model NAME --key-stdin",
      "a hosted engine"),
    Example("stories engine set pictures --url http://127.0.0.1:8080/v1 --model NAME", "LocalAI"),
    Example(
      "stories engine set speech --program piper --voice de=/opt/voices/de.onnx",
      "a voice per language"),
  ]
  static let parameters: [Parameter<EngineSetCommand>] = [
    .argument("ROLE", \.role, help: "What the engine does"),
    .option("url", value: "URL", \.url, help: "The engine's base URL"),
    .option("model", value: "NAME", \.model, help: "The model to use"),
    .flag("key-stdin", \.readsKey, help: "Read the engine's key from standard input"),
    .option("program", value: "NAME", \.program, help: "Read aloud with a program of this machine"),
    .option(
      "voice", value: "[LANG=]NAME", \.voices, help: "The voice, or the voice for one language"),
    .option("speed", value: "N", \.speed, help: "How fast to read; 1 is the voice's own speed"),
    .allowPlainHTTP(\.allowsPlainHTTP),
    .flag("dry-run", \.isDryRun, help: "Show what would be set, without setting it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    try check()
    var settings = try EngineSettings(context)
    var setting = EngineSetting(program: program, model: model)
    for voice in voices { setting.voices.names[voice.language] = voice.name }
    setting.voices.speed = speed?.value
    var key: Secret?
    if let url {
      let place = try address(url, context)
      setting.url = place.text
      if readsKey {
        // Keys contain no white space, and some files have more than a line feed at a line's end.
        let line = (context.input.readLine() ?? "").filter { !$0.isWhitespace }
        guard !line.isEmpty else { throw CommandError.noKey }
        key = Secret(line)
      }
      if let key, !isDryRun {
        guard let keys = try context.engineKeys() else { throw CommandError.noConfigurationFolder }
        try await keys.save(Session(token: key), for: place.address)
      }
    }
    if !isDryRun { try settings.store(setting, for: role) }
    let head: Members = ["schema": "stories.engine-set/1", "dryRun": isDryRun, "role": role]
    context.tell(head + setting.members + ["keyKept": key != nil && !isDryRun]) {
      let verb = isDryRun ? "Would set" : "Set"
      context.output.line(
        "\(verb) \(role.rawValue): \(setting.what)" + (model.map { ", model \($0)" } ?? ""))
      if !isDryRun { context.aside("Try it: stories engine test \(role.rawValue)") }
    }
    return .done
  }

  private func check() throws(UsageError) {
    if url != nil, program != nil { throw UsageError(.excluded("--program", by: "--url")) }
    if role != .speech {
      if program != nil { throw UsageError(.missing("speech", for: "--program")) }
      if !voices.isEmpty { throw UsageError(.missing("speech", for: "--voice")) }
      if speed != nil { throw UsageError(.missing("speech", for: "--speed")) }
    }
    guard url == nil else { return }
    if program == nil { throw UsageError(.missingOption("--url", "URL")) }
    if readsKey { throw UsageError(.missing("--url URL", for: "--key-stdin")) }
    if allowsPlainHTTP { throw UsageError(.missing("--url URL", for: "--allow-plain-http")) }
  }

  /// Parses the address; plain http is allowed first if requested.
  private func address(_ url: String, _ context: Context) throws -> EngineURL {
    guard allowsPlainHTTP else { return try context.engineURL(url, role) }
    return try context.engineURL(url, role) { try context.allowPlainHTTP($0, isDryRun: isDryRun) }
  }
}
