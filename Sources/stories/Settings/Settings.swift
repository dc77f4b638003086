import StoryAPI
import StoryLibrary
import StorySync

/// The values of ``SettingName`` for one command, each with its origin: `--set`, else the
/// environment, else `config.json`, else the default.
struct Settings: Sendable {
  private(set) var tokenStore = TokenStoreChoice.file
  private(set) var timeLimit: Duration?
  private(set) var requestTimeout = Duration.seconds(15)
  private(set) var generationTimeout = Duration.seconds(180)
  private(set) var maxRequests = 6
  private(set) var rateLimit: RateLimit?
  private(set) var retry = RetryPolicy()
  private(set) var keepRuns = RunHistory.Limits().age
  private(set) var runSpace = ByteCount(bytes: RunHistory.Limits().bytes)
  /// The keys that servers must have.
  private(set) var pins = KeyPins()
  private(set) var pinnedServers: [String] = []
  /// The origins of settings that are not defaults.
  private(set) var origins: [SettingName: String] = [:]

  /// Reads `--set` first, so that its errors are reported in any case.
  ///
  /// - Throws: `SettingError`; `FileError` if `config.json` cannot be read.
  init(_ context: Context) throws {
    let flags = try Self.flags(context.global.settings)
    let file = try context.configurationFolder.map { try UserConfiguration(folder: $0) }
    for name in SettingName.allCases {
      if let word = flags[name] {
        try set(name, word, "--set")
      } else if let word = context.environment[name.variable], !word.isEmpty {
        try set(name, word, name.variable)
      } else if let word = try file?.word(name) {
        do throws(ValueProblem) { try set(name, word) } catch {
          throw file?.problem(name, error)
            ?? .wrongValue(source: name.rawValue, word: word, error)
        }
        origins[name] = UserConfiguration.fileName
      }
    }
    pins = try file?.pins() ?? KeyPins()
    pinnedServers = file?.pinnedServers ?? []
  }

  private init() {}

  /// Checks the values of `--set`, for commands that use no settings too.
  ///
  /// - Throws: `SettingError` for an unknown name or an invalid value.
  static func check(flags words: [String]) throws(SettingError) {
    var settings = Settings()
    for (name, word) in try flags(words) { try settings.set(name, word, "--set") }
  }

  /// Checks a value without setting it.
  ///
  /// - Throws: `ValueProblem` if it is invalid.
  static func check(_ word: String, for name: SettingName) throws(ValueProblem) {
    var settings = Settings()
    try settings.set(name, word)
  }

  /// Splits the words of `--set`; the last one for a setting counts.
  private static func flags(_ words: [String]) throws(SettingError) -> [SettingName: String] {
    var flags: [SettingName: String] = [:]
    for word in words {
      let name = String(word.prefix { $0 != "=" })
      guard let setting = SettingName(rawValue: name) else {
        let nearest = Nearest.match(name, among: SettingName.allCases.map(\.rawValue))
        throw .unknownName(name, nearest: nearest)
      }
      flags[setting] = String(word.dropFirst(name.count + 1))
    }
    return flags
  }

  private mutating func set(
    _ name: SettingName, _ word: String, _ origin: String
  ) throws(SettingError) {
    do throws(ValueProblem) { try set(name, word) } catch {
      throw .wrongValue(
        source: origin == name.variable ? origin : "\(origin) \(name.rawValue)", word: word, error)
    }
    origins[name] = origin
  }

  private mutating func set(_ name: SettingName, _ word: String) throws(ValueProblem) {
    switch name {
    case .tokenStore: tokenStore = try .parse(word)
    case .timeLimit: timeLimit = try Self.limit(word)
    case .requestTimeout: requestTimeout = try .parse(word)
    case .generationTimeout: generationTimeout = try .parse(word)
    case .maxRequests: maxRequests = try Int.parse(word, in: 1...64)
    case .rateLimit: rateLimit = try Self.limit(word)
    case .retry: retry = try .parse(word)
    case .keepRuns: keepRuns = try .parse(word)
    case .runSpace: runSpace = try .parse(word)
    }
  }

  /// Returns the limit that a word states; “none” lifts it.
  private static func limit<Limit: ArgumentValue>(_ word: String) throws(ValueProblem) -> Limit? {
    guard word != "none" else { return nil }
    do throws(ValueProblem) {
      return try Limit.parse(word)
    } catch {
      throw ValueProblem(expected: error.expected + ", or none", nearest: error.nearest)
    }
  }

  /// Returns a setting's value as text; “none” without a limit.
  func text(_ name: SettingName) -> String {
    switch name {
    case .tokenStore: tokenStore.rawValue
    case .timeLimit: timeLimit?.text ?? "none"
    case .requestTimeout: requestTimeout.text
    case .generationTimeout: generationTimeout.text
    case .maxRequests: "\(maxRequests)"
    case .rateLimit: rateLimit?.text ?? "none"
    case .retry: retry.text
    case .keepRuns: keepRuns.text
    case .runSpace: runSpace.text
    }
  }

  /// Returns a setting's origin: `--set`, an environment variable, `config.json`, or `default`.
  func origin(_ name: SettingName) -> String { origins[name] ?? "default" }

  /// Returns the configuration of this program's clients.
  ///
  /// - Parameter dialect: the dialect, or `nil` to ask the server.
  func clientConfiguration(_ dialect: Dialect?, _ context: Context) -> ClientConfiguration {
    var configuration = ClientConfiguration(
      dialect: dialect, programVersion: ProgramVersion.text, time: context.time)
    configuration.timeout = requestTimeout
    configuration.generationTimeout = generationTimeout
    configuration.runTime = timeLimit
    configuration.maximumRequests = maxRequests
    configuration.rateLimit = rateLimit
    configuration.retryPolicy = retry
    configuration.random = context.random
    configuration.logsBodies = context.global.verbosity > 1
    let notes = RequestNotes(context)
    configuration.observe = { notes.tell($0) }
    return configuration
  }

  var runLimits: RunHistory.Limits { RunHistory.Limits(age: keepRuns, bytes: runSpace.bytes) }

  var transport: URLSessionTransport {
    URLSessionTransport(connections: max(6, maxRequests), pins: pins)
  }
}

extension Context {
  /// Returns the user's settings.
  func settings() throws -> Settings { try Settings(self) }
}
