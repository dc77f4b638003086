import JSONText

/// What the server is to write a story about.
public struct StoryOrder: Sendable, Hashable {
  /// What happens in the story.
  public enum Event: Sendable, Hashable {
    /// One of the events that every server knows: `bedtime`.
    case builtIn(String)
    /// A custom event, by its server id.
    case custom(id: String)
  }

  /// The hero's server id.
  public var heroID: String
  /// What happens.
  public var event: Event
  /// The language as `en`.
  public var language: String
  /// Whether it is read aloud as well.
  public var withAudio: Bool
  /// Whether its scenes are drawn as well.
  public var withIllustrations: Bool

  /// An order from its parts.
  public init(
    heroID: String, event: Event, language: String = "en", withAudio: Bool = false,
    withIllustrations: Bool = false
  ) {
    self.heroID = heroID
    self.event = event
    self.language = language
    self.withAudio = withAudio
    self.withIllustrations = withIllustrations
  }

  var wire: JSONObject {
    var object: JSONObject = ["heroId": .string(heroID)]
    switch event {
    case .builtIn(let name): object["eventType"] = .string(name)
    case .custom(let id): object["customEventId"] = .string(id)
    }
    object["language"] = .string(language)
    object["generateAudio"] = .bool(withAudio)
    object["generateIllustrations"] = .bool(withIllustrations)
    return object
  }
}
