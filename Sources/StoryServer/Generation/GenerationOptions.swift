/// How the server makes stories, pictures and narrations.
public struct GenerationOptions: Sendable {
  /// How often each thing is made for an account in an hour.
  public var limits: [Making: Int] = [.story: 30, .audio: 30, .avatar: 30, .illustrations: 30]
  /// How many bytes the pictures and narrations of an account may have together; 4 GiB.
  public var mediaBytes = 4 << 30
  /// How long an illustration takes at least, in milliseconds; they are made one after the other.
  public var pictureMilliseconds = 800
  /// The width of an illustration in pixels; its height, and an avatar's sides, are two thirds of it.
  public var pictureWidth = 768
  /// Writes stories instead of the server's own grammar; `nil` for that one.
  public var storyteller: (any Storyteller)?
  /// Reads stories aloud; without it, and where it fails, a melody is played.
  public var narrator: (any Narrator)?
  /// Told what people who run the server should know, one line each; no secret is in it.
  public var note: @Sendable (String) -> Void = { _ in }

  /// The defaults.
  public init() {}

  func limit(of what: Making) -> Int { limits[what] ?? 0 }
}

/// Writes stories. Called on a connection's own thread, which may wait.
public protocol Storyteller: Sendable {
  /// Writes a story.
  ///
  /// - Throws: `StorytellerFailure`; the server's own grammar writes the story then.
  func write(_ request: StoryRequest) throws(StorytellerFailure) -> WrittenStory
}

/// What a story is to be about.
public struct StoryRequest: Sendable, Equatable {
  /// The hero's name.
  public var name: String
  /// The hero's age in years; `nil` where it is not known.
  public var age: Int?
  /// The hero's traits in the hero's own words.
  public var traits: [String]
  /// What the hero can do that nobody else can.
  public var ability: String?
  /// What the hero looks like, in words.
  public var appearance: [String]
  /// What happens.
  public var event: Event
  /// The language's code, one of ``languages``.
  public var language: String

  /// A request from its parts.
  public init(
    name: String, age: Int? = nil, traits: [String] = [], ability: String? = nil,
    appearance: [String] = [], event: Event, language: String
  ) {
    self.name = name
    self.age = age
    self.traits = traits
    self.ability = ability
    self.appearance = appearance
    self.event = event
    self.language = language
  }

  /// What a story tells of.
  public enum Event: Sendable, Equatable {
    /// One of the events that are built in.
    case builtIn(BuiltInEvent)
    /// Somebody's own.
    case custom(title: String, seed: String, tone: String, keywords: [String])
  }

  /// The languages that stories are written in.
  public static let languages = ["en", "fr", "es", "de", "it"]
}

/// The events that need no record of their own.
public enum BuiltInEvent: String, Sendable, CaseIterable {
  case bedtime, schoolDay, birthday, weekend, rainyDay, family, friendship, learning, helping
  case holiday
}

/// A story that was written.
public struct WrittenStory: Sendable, Equatable {
  /// The title, without a line break.
  public var title: String
  /// The text; paragraphs have an empty line between them.
  public var content: String

  /// A story from its parts.
  public init(title: String, content: String) {
    self.title = title
    self.content = content
  }
}

/// Why a storyteller wrote nothing.
public struct StorytellerFailure: Error, Sendable, Equatable {
  /// One sentence without a full stop and without any secret.
  public var reason: String

  /// A failure with its reason.
  public init(_ reason: String) { self.reason = reason }
}

/// Reads stories aloud. Called on a connection's own thread, which may wait.
public protocol Narrator: Sendable {
  /// Reads a text and writes RIFF WAVE with 16-bit PCM to a file.
  ///
  /// - Parameters:
  ///   - text: the title and the story.
  ///   - language: the language's code.
  ///   - voice: the voice that was asked for; one that is unknown is left aside.
  ///   - path: the file to make.
  /// - Returns: the name of the voice; `nil` where the text could not be read.
  func narrate(_ text: String, language: String, voice: String?, to path: String) -> String?
}
