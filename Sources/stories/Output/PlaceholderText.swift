import JSONText
import StoryLibrary
import StoryServer
import StorySync

/// The note that something is a placeholder, and how to replace it.
struct PlaceholderText: Sendable {
  /// The kind of its record.
  let kind: EntityKind

  /// Returns whether a record's server part marks the result as a placeholder.
  static func applies(to sidecar: Sidecar?, _ kind: EntityKind) -> Bool {
    sidecar?.server[kind == .heroes ? "avatarIsPlaceholder" : "isPlaceholder"]?.bool == true
  }

  private var role: EngineRole { kind == .stories ? .text : .pictures }

  private var what: String {
    switch kind {
    case .heroes: "The picture is a placeholder"
    case .illustrations: "This picture is a placeholder"
    default: "This story is a placeholder"
    }
  }

  func write(to context: Context) {
    context.note("\(what): no engine \(role == .text ? "writes stories" : "draws pictures").")
    context.note(
      Text("Hint: ", .strong) + Text(EngineAdvice.hint("engineNotSet", role)))
  }
}
