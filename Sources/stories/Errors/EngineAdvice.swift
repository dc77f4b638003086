import JSONText
import StoryLibrary
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

extension Sidecar {
  /// Whether the server marks what it made for a record of a kind as a placeholder.
  func hasPlaceholder(_ kind: EntityKind) -> Bool {
    server[kind == .heroes ? "avatarIsPlaceholder" : "isPlaceholder"]?.bool == true
  }
}

extension Context {
  /// Notes that what the server made for a record of a kind is a placeholder, and how to replace it.
  func notePlaceholder(_ kind: EntityKind) {
    let role: EngineRole = kind == .stories ? .text : .pictures
    let what =
      switch kind {
      case .heroes: "The picture"
      case .illustrations: "This picture"
      case .events, .stories: "This story"
      }
    let work = role == .text ? "writes stories" : "draws pictures"
    note("\(what) is a placeholder: no engine \(work).")
    note(Text("Hint: ", .strong) + Text(EngineAdvice.hint("engineNotSet", role)))
  }
}
