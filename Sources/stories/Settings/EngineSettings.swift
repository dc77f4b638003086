import JSONText
import StoryAPI
import StoryLibrary
import StoryServer

/// The user's setting of one engine: an address or a program.
struct EngineSetting: Sendable, Equatable {
  /// The address of an engine reached over HTTP.
  var url: String?
  var program: SpeechProgram.Name?
  /// The model; for piper the voice's file.
  var model: String?
  var voices = Voices()
  /// The origin: `engines.json`, a flag, a variable, or `installed` for a program that was found.
  var origin = EngineSettings.fileName
  /// The key, if it comes with the setting and is not stored.
  var key: Secret?
}

/// The user's engines for text, pictures and speech: `engines.json` in the user's configuration
/// folder, mode 0600, and the environment, which wins. Libraries have no such settings.
///
/// ```json
/// {
///   "version": 1,
///   "text": { "url": "http://127.0.0.1:11434/v1", "model": "…" },
///   "speech": { "program": "espeak-ng", "voices": { "de": "de+f3" }, "speed": 0.9 }
/// }
/// ```
struct EngineSettings: Sendable {
  static let fileName = "engines.json"

  private var engines: [EngineRole: EngineSetting] = [:]
  /// The file's content, to be changed and written again.
  private var file: [EngineRole: EngineSetting] = [:]
  private let path: String?

  static let variables = EngineRole.allCases.flatMap { role in
    (["URL", "MODEL", "KEY"] + (role == .speech ? ["PROGRAM", "VOICE"] : [])).map {
      variable(role, $0)
    }
  }

  private static func variable(_ role: EngineRole, _ what: String) -> String {
    "STORIES_\(role.rawValue.uppercased())_\(what)"
  }

  subscript(role: EngineRole) -> EngineSetting? { engines[role] }

  func stored(_ role: EngineRole) -> EngineSetting? { file[role] }

  /// Reads the file and the environment.
  ///
  /// - Throws: `SettingError`, `FileError`, `ValueProblem`.
  init(_ context: Context) throws {
    path = context.configurationFolder.map { Path.join($0, Self.fileName) }
    if let path { file = try Self.read(path) }
    engines = file
    for role in EngineRole.allCases {
      func value(_ what: String) -> String? {
        context.environment[Self.variable(role, what)].flatMap { $0.isEmpty ? nil : $0 }
      }
      let program = role == .speech ? value("PROGRAM") : nil
      guard value("URL") != nil || program != nil else { continue }
      var setting = EngineSetting(url: value("URL"), model: value("MODEL"))
      setting.origin = Self.variable(role, program == nil ? "URL" : "PROGRAM")
      if let program {
        do throws(ValueProblem) { setting.program = try .parse(program) } catch {
          throw SettingError.wrongValue(source: setting.origin, word: program, error)
        }
      }
      setting.key = value("KEY").map { Secret($0) }
      if role == .speech, let voice = value("VOICE") { setting.voices.names[""] = voice }
      engines[role] = setting
    }
    let espeak = SpeechProgram(environment: context.childEnvironment)
    if engines[.speech] == nil, espeak.path != nil {
      engines[.speech] = EngineSetting(program: .espeak, origin: "installed")
    }
  }

  /// Sets an engine for one command, without writing the file.
  mutating func use(_ setting: EngineSetting, for role: EngineRole) { engines[role] = setting }

  /// Sets an engine, or removes it with `nil`, and writes the file.
  ///
  /// - Throws: `CommandError.noConfigurationFolder`, `FileError`.
  mutating func store(_ setting: EngineSetting?, for role: EngineRole) throws {
    guard let path else { throw CommandError.noConfigurationFolder }
    file[role] = setting
    var document: JSONObject = ["version": 1]
    for role in EngineRole.allCases {
      document[role.rawValue] = file[role].map { JSONValue(encoding: $0) }
    }
    try FileSystem.makeFolder(Path.parent(path), mode: 0o700)
    try AtomicFile.writePrivate(JSONValue.object(document).fileBytes(), to: path)
  }

  private static func read(_ path: String) throws -> [EngineRole: EngineSetting] {
    guard let status = try FileSystem.status(path) else { return [:] }
    guard status.mode & 0o022 == 0 else { throw SettingError.openToOthers(path: path) }
    let bytes = try FileSystem.read(path)
    let root: JSONNode
    do throws(JSONSyntaxError) {
      root = try JSONDocument(parsing: bytes).root
    } catch {
      throw SettingError.file(
        path: path, error.position, message: error.message, hint: "correct it, or remove the file")
    }
    func wrong(_ node: JSONNode, _ message: String) -> SettingError {
      .file(path: path, node.position, message: message, hint: "set it again: stories engine set")
    }
    guard root["version"]?.number?.integer == 1 else {
      throw wrong(root, "this is no engines.json that this program knows")
    }
    var engines: [EngineRole: EngineSetting] = [:]
    for role in EngineRole.allCases {
      guard let node = root[role.rawValue] else { continue }
      var setting = EngineSetting(url: node["url"]?.string, model: node["model"]?.string)
      if let program = node["program"] {
        setting.program = SpeechProgram.Name(rawValue: program.string ?? "")
        guard setting.program != nil else { throw wrong(program, "no such program is known") }
      }
      guard setting.url != nil || setting.program != nil else {
        throw wrong(node, "“\(role.rawValue)” needs a “url” or a “program”")
      }
      for member in node["voices"]?.members ?? [] {
        setting.voices.names[member.name] = member.value.string
      }
      setting.voices.speed = node["speed"]?.number.flatMap { Double($0.literal) }
      engines[role] = setting
    }
    return engines
  }
}

extension EngineSetting: MemberEncodable {
  /// The setting as stored, without its key.
  var members: Members {
    let names = voices.names.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    return [
      "url": Omitted(url), "program": Omitted(program?.rawValue), "model": Omitted(model),
      "voices": Omitted(names.isEmpty ? nil : Members(names)), "speed": Omitted(voices.speed),
    ]
  }
}

extension Context {
  /// The folder of the user's prompts, or `nil` without a configuration folder.
  var promptFolder: String? { configurationFolder.map { Path.join($0, "prompts") } }

  /// Parses an engine's address.
  ///
  /// - Parameter server: Parses its origin; by default with plain http to another machine only if
  ///   the user allowed it.
  /// - Throws: `ServerAddress.Problem` with advice for engines, and what `server` throws.
  func engineURL(
    _ text: String, _ role: EngineRole, _ server: ((String) throws -> ServerAddress)? = nil
  ) throws -> EngineURL {
    do {
      return try EngineURL(text, server ?? serverAddress)
    } catch let problem as ServerAddress.Problem {
      let command = "stories engine set \(role.rawValue) --url"
      let hint =
        switch problem {
        case .plainHTTP:
          "use https, or allow it for this address: \(command) \(ShellWord.quoting(text))"
            + " --allow-plain-http"
        case .userInfo: "leave it out and give the engine's key: \(command) URL --key-stdin"
        default: "write it like http://127.0.0.1:11434/v1"
        }
      throw problem.advised(hint)
    }
  }

  /// Returns the store for keys of engines, separate from sessions, or `nil`.
  func engineKeys() throws -> (any TokenStore)? {
    try settings().tokenStore.store(file: "engine-keys.json", user: "stories-engine", self)
  }

  /// Returns the key for an engine.
  ///
  /// - Throws: `TokenStoreError`.
  func engineKey(_ setting: EngineSetting, _ role: EngineRole) async throws -> Secret? {
    // A key from the environment goes only to an engine set there too, a stored one to its origin.
    if setting.key != nil || setting.origin != EngineSettings.fileName { return setting.key }
    guard let url = setting.url, let keys = try engineKeys() else { return nil }
    let address = try engineURL(url, role).address
    return try await keys.session(for: address)?.token
  }
}

extension Settings {
  /// The transport for engines.
  var engineTransport: URLSessionTransport { URLSessionTransport(connections: 2, pins: pins) }
}
