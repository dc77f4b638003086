import StoryServer

enum EngineAdvice {
  /// Returns the hint for an error's code; `role` is `nil` if the engine is unknown.
  static func hint(_ code: String, _ role: EngineRole?) -> String {
    let name = role?.rawValue ?? "text|pictures|speech"
    return switch code {
    case "engineNotSet" where role == .speech:
      "install espeak-ng, or set an engine: stories engine set speech --url URL --model NAME"
    case "engineNotSet": "set one: stories engine set \(name) --url URL --model NAME"
    case "engineBadKey": "give it the key again: stories engine set \(name) … --key-stdin"
    case "engineUnreachable": "start the engine, or see which one is set: stories engine"
    case "engineTimedOut": "give it more time: --set generationTimeout=10m"
    case "engineQuota": "see the account of the engine, or set another one: stories engine"
    case "engineRefused": "change what is asked for; see it with: stories engine prompts"
    case "engineProgram", "enginePrompt": "see what is set: stories engine"
    default: "run the same command again, or try the engine: stories engine test"
    }
  }
}

extension GenerationRunner.What {
  var role: EngineRole {
    switch self {
    case .story: .text
    case .avatar, .illustrations: .pictures
    case .audio: .speech
    }
  }
}
