import JSONText
import StoryLibrary
import StoryServer
import StorySync

/// Says that something is a placeholder, and how to have it made.
struct PlaceholderText: Sendable {
  /// The kind of the record that has it.
  let kind: EntityKind

  /// Whether the server's part of a record says that what it made is a placeholder.
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
