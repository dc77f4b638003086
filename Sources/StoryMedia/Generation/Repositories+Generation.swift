import StoryLibrary
public import StorySync

extension StoryRepository {
  /// Requests a new story from the server, which becomes a new record. See ``Generation``.
  public func generate(
    _ order: StoryWish, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(repositories: repositories, options: options).story(order)
  }

  /// Requests a rewrite of a story in place. The old text is kept in a run. See ``Generation``.
  public func regenerate(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(repositories: repositories, options: options)
      .rewriting(RecordRef(kind: .stories, name: name))
  }

  /// Requests a narration of a story. See ``Generation``.
  public func generateAudio(
    _ name: String, voice: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(repositories: repositories, options: options)
      .audio(RecordRef(kind: .stories, name: name), voice: voice)
  }

  /// Requests pictures of a story's scenes. See ``Generation``.
  public func generateIllustrations(
    _ name: String, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(repositories: repositories, options: options)
      .illustrations(RecordRef(kind: .stories, name: name))
  }
}

extension HeroRepository {
  /// Requests a picture of a hero. See ``Generation``.
  public func generateAvatar(
    _ name: String, prompt: String? = nil, _ options: GenerationOptions = GenerationOptions()
  ) -> Generation {
    Generator(repositories: repositories, options: options)
      .avatar(RecordRef(kind: .heroes, name: name), prompt: prompt)
  }
}

/// The options of a request and of waiting for it.
public struct GenerationOptions: Sendable, Hashable {
  /// Whether to make something again that already exists.
  public var regenerates = false
  /// Whether to send records first that the server lacks or has in an older version.
  public var pushes = true
  /// The schedule for requesting progress.
  public var polling = Polling()

  /// Creates the default options.
  public init() {}
}

/// The schedule for requesting the progress of work on a server.
public struct Polling: Sendable, Hashable {
  /// The wait before the first request.
  public var first = Duration.seconds(1)
  /// The maximum wait; each wait is 1.5 times the previous one.
  public var longest = Duration.seconds(10)
  /// The total time limit, after which the server continues on its own.
  public var limit = Duration.seconds(600)

  /// Creates the default schedule: from 1 s to 10 s, for 10 minutes.
  public init() {}

  func wait(after wait: Duration) -> Duration { min(wait * 1.5, longest) }
}

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
