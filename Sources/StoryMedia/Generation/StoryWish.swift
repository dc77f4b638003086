/// What a new story is to be about.
public struct StoryWish: Sendable, Hashable {
  /// What happens in it.
  public enum Event: Sendable, Hashable {
    /// One of `Schema.eventTypes`.
    case builtIn(String)
    /// A custom event of the library, by its name.
    case custom(String)
  }

  /// The name of its hero.
  public var hero: String
  /// What happens.
  public var event: Event
  /// The language as `en`.
  public var language: String
  /// Whether it is read aloud as well.
  public var withAudio: Bool
  /// Whether its scenes are drawn as well.
  public var withIllustrations: Bool
  /// A folder below `stories/` for the new record; empty for none.
  public var folder: String

  /// A wish from its parts.
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
