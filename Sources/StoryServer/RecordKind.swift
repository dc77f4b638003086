/// The kinds of records that the server keeps, by their name on the wire.
public enum RecordKind: String, Sendable, CaseIterable {
  /// `/heroes`
  case heroes
  /// `/stories`
  case stories
  /// `/custom-events`
  case customEvents = "custom-events"

  /// One record of this kind, in words for messages.
  var noun: String {
    switch self {
    case .heroes: "hero"
    case .stories: "story"
    case .customEvents: "custom event"
    }
  }
}
