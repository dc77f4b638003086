import StoryAPI

/// A setting of this user for the communication with servers, the store of sessions, or kept runs.
///
/// Libraries have none of these, because they may come from others. The name is the same
/// everywhere: a member of `config.json`, `--set NAME=VALUE`, and an environment variable.
enum SettingName: String, ChoiceArgument {
  case tokenStore, timeLimit, requestTimeout, generationTimeout, maxRequests, rateLimit, retry
  case keepRuns, runSpace

  var summary: String {
    switch self {
    case .tokenStore: "Where sessions are kept"
    case .timeLimit: "How long a command may take with a server"
    case .requestTimeout: "How long to wait for a silent server"
    case .generationTimeout: "The same while it writes or draws"
    case .maxRequests: "Maximum number of concurrent requests"
    case .rateLimit: "Maximum rate of requests"
    case .retry: "Number of retries of a failed request, and their delays"
    case .keepRuns: "How long runs are kept"
    case .runSpace: "Maximum size of all runs of a library"
    }
  }

  /// The environment variable: `STORIES_REQUEST_TIMEOUT`.
  var variable: String {
    "STORIES_"
      + rawValue.reduce(into: "") { text, letter in
        text += (letter.isUppercase ? "_" : "") + letter.uppercased()
      }
  }
}

enum TokenStoreChoice: String, ChoiceArgument {
  case file
  case git
  #if canImport(Security)
    case keychain
  #endif

  /// Returns the store, or `nil` if there is no folder for it. Engines' keys are kept apart from
  /// sessions, in a file and for a user of their own.
  func store(
    file: String = "sessions.json", user: String = "stories", _ context: Context
  ) -> (any TokenStore)? {
    switch self {
    case .file: context.configurationFolder.map { FileTokenStore(folder: $0, name: file) }
    case .git: GitCredentialStore(environment: context.childEnvironment, user: user)
    #if canImport(Security)
      case .keychain: KeychainTokenStore(service: user)
    #endif
    }
  }
}

extension RateLimit: ArgumentValue {
  /// Parses a number and a time: `10/s`, `100/1m`.
  static func parse(_ word: String) throws(ValueProblem) -> RateLimit {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let problem = ValueProblem(expected: "a number and a time, such as 10/s or 100/1m")
    guard parts.count == 2, let number = Int(parts[0]), (1...1_000_000).contains(number) else {
      throw problem
    }
    let time = parts[1].first?.isNumber == true ? parts[1] : "1" + parts[1]
    guard let period = try? Duration.parse(time) else { throw problem }
    return RateLimit(requests: number, per: period)
  }

  /// The limit in the form of ``parse(_:)``.
  var text: String { "\(requests)/\(period.text)" }
}

extension RetryPolicy: ArgumentValue {
  /// Parses a number of retries (`3`, 0 for none), optionally with the first and longest delay
  /// (`5:500ms..10s`), or a list of delays (`200ms,500ms,1s`).
  static func parse(_ word: String) throws(ValueProblem) -> RetryPolicy {
    let problem = ValueProblem(
      expected: "a number of retries such as 3, with waits such as 5:500ms..10s, "
        + "or the waits themselves such as 200ms,500ms,1s")
    if let number = Int(word) {
      guard (0...100).contains(number) else { throw problem }
      return RetryPolicy(retries: number)
    }
    if let colon = word.firstIndex(of: ":"), let dots = word.firstRange(of: "..") {
      guard let number = Int(word[..<colon]), (0...100).contains(number),
        colon < dots.lowerBound,
        let base = try? Duration.parse(String(word[word.index(after: colon)..<dots.lowerBound])),
        let longest = try? Duration.parse(String(word[dots.upperBound...])),
        base <= longest
      else { throw problem }
      return RetryPolicy(retries: number, backoff: .exponential(base: base, maximum: longest))
    }
    var waits: [Duration] = []
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      guard let wait = try? Duration.parse(String(part)) else { throw problem }
      waits.append(wait)
    }
    guard (1...100).contains(waits.count) else { throw problem }
    return RetryPolicy(retries: waits.count, backoff: .fixed(waits))
  }

  /// The policy in the form of ``parse(_:)``.
  var text: String {
    switch backoff {
    case .exponential(let base, let maximum): "\(retries):\(base.text)..\(maximum.text)"
    case .fixed(let waits): waits.map(\.text).joined(separator: ",")
    }
  }
}
