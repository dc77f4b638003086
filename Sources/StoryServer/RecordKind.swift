/// A kind of record on the server. The raw value is its name on the wire.
public enum RecordKind: String, Sendable, CaseIterable {
  /// `/heroes`
  case heroes
  /// `/stories`
  case stories
  /// `/custom-events`
  case customEvents = "custom-events"
  /// `/stories/{id}/illustrations`: written by the server, read-only for clients.
  case illustrations

  /// The singular, for messages.
  var noun: String {
    switch self {
    case .heroes: "hero"
    case .stories: "story"
    case .customEvents: "custom event"
    case .illustrations: "illustration"
    }
  }

  /// The kinds that clients can write and list.
  static let written: [RecordKind] = [.heroes, .stories, .customEvents]

  /// The member with the id of the record that owns one of this kind.
  var ownerField: String? {
    switch self {
    case .heroes, .customEvents: nil
    case .stories: "heroId"
    case .illustrations: "storyId"
    }
  }
}
