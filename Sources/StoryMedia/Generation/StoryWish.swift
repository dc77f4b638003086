/// A request for a new story.
public struct StoryWish: Sendable, Hashable {
  /// The event in the story.
  public enum Event: Sendable, Hashable {
    /// One of `Schema.eventTypes`.
    case builtIn(String)
    /// A custom event of the library, by its name.
    case custom(String)
  }

  /// The name of its hero.
  public var hero: String
  /// The event.
  public var event: Event
  /// The language, such as `en`.
  public var language: String
  /// Whether to request a narration too.
  public var withAudio: Bool
  /// Whether to request pictures of the scenes too.
  public var withIllustrations: Bool
  /// The folder in `stories/` for the new record, or an empty string.
  public var folder: String

  /// Creates a request.
  public init(
    hero: String, event: Event = .builtIn("bedtime"), language: String = "en",
    withAudio: Bool = false, withIllustrations: Bool = false, folder: String = ""
  ) {
    self.hero = hero
    self.event = event
    self.language = language
    self.withAudio = withAudio
    self.withIllustrations = withIllustrations
    self.folder = folder
  }
}
