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

  private var row: (noun: String, owner: String?, media: String?) {
    switch self {
    case .heroes: ("hero", nil, "avatarUrl")
    case .stories: ("story", "heroId", "audioUrl")
    case .customEvents: ("custom event", nil, nil)
    case .illustrations: ("illustration", "storyId", "imageUrl")
    }
  }

  /// The singular, for messages.
  var noun: String { row.noun }

  /// The kinds that clients can write and list.
  static let written: [RecordKind] = [.heroes, .stories, .customEvents]

  /// The member with the id of the record that owns one of this kind.
  var ownerField: String? { row.owner }

  /// The member with the path of a record's file.
  var mediaField: String? { row.media }
}
