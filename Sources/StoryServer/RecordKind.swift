/// The kinds of records that the server keeps, by their name on the wire.
public enum RecordKind: String, Sendable, CaseIterable {
  /// `/heroes`
  case heroes
  /// `/stories`
  case stories
  /// `/custom-events`
  case customEvents = "custom-events"
  /// `/stories/{id}/illustrations`: made by the server, and read by clients.
  case illustrations

  /// One record of this kind, in words for messages.
  var noun: String {
    switch self {
    case .heroes: "hero"
    case .stories: "story"
    case .customEvents: "custom event"
    case .illustrations: "illustration"
    }
  }

  /// The kinds that clients write, and list by themselves.
  static let written: [RecordKind] = [.heroes, .stories, .customEvents]

  /// The member that names the record with which one of this kind goes.
  var ownerField: String? {
    switch self {
    case .heroes, .customEvents: nil
    case .stories: "heroId"
    case .illustrations: "storyId"
    }
  }
}
