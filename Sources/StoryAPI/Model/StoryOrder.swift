import JSONText

/// An order for a story from the server.
public struct StoryOrder: Sendable, Hashable {
  /// The event in the story.
  public enum Event: Sendable, Hashable {
    /// One of the events that every server knows, such as `bedtime`.
    case builtIn(String)
    /// A custom event by its id on the server.
    case custom(id: String)
  }

  /// The server's id of the hero.
  public var heroID: String
  /// The event.
  public var event: Event
  /// The language, such as `en`.
  public var language: String
  /// Whether to request a narration too.
  public var withAudio: Bool
  /// Whether to request pictures of the scenes too.
  public var withIllustrations: Bool

  /// Creates an order.
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
