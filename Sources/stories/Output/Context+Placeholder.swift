import JSONText
import StoryLibrary
import StoryServer

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
