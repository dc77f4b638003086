/// Writes stories, draws pictures and narrates texts for a server.
///
/// The server keeps an engine's result as a whole or not at all. When it is stopped, it cancels the
/// task of a call, and the engine should soon throw ``EngineError/cancelled``.
public protocol Engine: Sendable {
  /// Writes a story.
  ///
  /// - Throws: `EngineError`.
  func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory

  /// Draws one picture.
  ///
  /// - Throws: `EngineError`.
  func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture

  /// Narrates a text.
  ///
  /// - Throws: `EngineError`.
  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration
}

/// A kind of work that an engine does.
public enum EngineRole: String, Sendable, CaseIterable {
  /// Writes stories.
  case text
  /// Draws pictures.
  case pictures
  /// Narrates texts.
  case speech
}

/// The hero of a story, as described to an engine.
public struct StoryHero: Sendable, Equatable {
  /// The hero's name.
  public var name: String
  /// The age in years, or `nil` if it is unknown.
  public var age: Int?
  /// The traits, as in the record.
  public var traits: [String]
  /// The hero's special abilities.
  public var abilities: [String]
  /// The hero's appearance: the record's description, then details such as `hair: red`.
  public var looks: [String]

  /// Creates a hero.
  public init(
    name: String, age: Int? = nil, traits: [String] = [], abilities: [String] = [],
    looks: [String] = []
  ) {
    self.name = name
    self.age = age
    self.traits = traits
    self.abilities = abilities
    self.looks = looks
  }
}

/// The subject of a story to be written.
public struct StoryRequest: Sendable, Equatable {
  /// The hero.
  public var hero: StoryHero
  /// The event of the story.
  public var event: Event
  /// The language's code, one of ``languages``.
  public var language: String
  /// The titles of the hero's earlier stories, the newest first.
  public var earlierTitles: [String] = []
  /// The number of illustrations, each of which needs a scene.
  public var scenes = 4

  /// Creates a request.
  public init(hero: StoryHero, event: Event, language: String) {
    self.hero = hero
    self.event = event
    self.language = language
  }

  /// The event of a story.
  public enum Event: Sendable, Equatable {
    /// A built-in event.
    case builtIn(BuiltInEvent)
    /// A custom event.
    case custom(CustomEvent)
  }

  /// An event written by a person.
  public struct CustomEvent: Sendable, Equatable {
    /// The title.
    public var title: String
    /// The instructions for the story.
    public var prompt: String
    /// The tone, such as `cheerful`, or empty if unspecified.
    public var tone: String
    /// Keywords of the event.
    public var keywords: [String]
    /// The age range, such as `4-6`, or `nil` if unspecified.
    public var ageRange: String?

    /// Creates an event.
    public init(
      title: String, prompt: String, tone: String = "", keywords: [String] = [],
      ageRange: String? = nil
    ) {
      self.title = title
      self.prompt = prompt
      self.tone = tone
      self.keywords = keywords
      self.ageRange = ageRange
    }
  }

  /// The codes of the languages in which stories can be written.
  public static let languages = ["en", "fr", "es", "de", "it"]
}

/// The built-in events, which need no record.
public enum BuiltInEvent: String, Sendable, CaseIterable {
  case bedtime, schoolDay, birthday, weekend, rainyDay, family, friendship, learning, helping
  case holiday
}

/// A story written by an engine.
public struct WrittenStory: Sendable, Equatable {
  /// The description of an illustration.
  public struct Scene: Sendable, Equatable {
    /// The number of the scene's paragraph, from 1.
    public var paragraph: Int
    /// A description of what is visible, the people, the place and the light.
    public var description: String

    /// Creates a scene.
    public init(paragraph: Int, description: String) {
      self.paragraph = paragraph
      self.description = description
    }
  }

  /// The title, on one line.
  public var title: String
  /// The paragraphs, without line breaks.
  public var paragraphs: [String]
  /// The scenes for illustrations. May be empty.
  public var scenes: [Scene]
  /// Whether this is a placeholder rather than the work of an engine.
  public var isPlaceholder: Bool

  /// Creates a story.
  public init(
    title: String, paragraphs: [String], scenes: [Scene] = [], isPlaceholder: Bool = false
  ) {
    self.title = title
    self.paragraphs = paragraphs
    self.scenes = scenes
    self.isPlaceholder = isPlaceholder
  }

  /// The text, with an empty line between paragraphs.
  public var content: String { paragraphs.joined(separator: "\n\n") }
}

/// The content of a picture to be drawn.
public struct PictureRequest: Sendable, Equatable {
  /// The subject of a picture.
  public enum Subject: Sendable, Equatable {
    /// The hero alone, with an optional wish of the person.
    case avatar(wish: String?)
    /// A moment of a story.
    case scene(String, story: String)
  }

  /// The subject of the picture.
  public var subject: Subject
  /// The hero, who should look the same in every picture, or `nil` if the record does not exist.
  public var hero: StoryHero?
  /// A number that is always the same for the same file.
  public var seed: UInt64

  /// Creates a request.
  public init(_ subject: Subject, hero: StoryHero?, seed: UInt64 = 0) {
    self.subject = subject
    self.hero = hero
    self.seed = seed
  }
}

/// A picture drawn by an engine.
public struct DrawnPicture: Sendable, Equatable {
  /// The content of the PNG, JPEG or WebP file.
  public var bytes: [UInt8]
  /// Whether this is a placeholder rather than the work of an engine.
  public var isPlaceholder: Bool

  /// Creates a picture.
  public init(bytes: [UInt8], isPlaceholder: Bool = false) {
    self.bytes = bytes
    self.isPlaceholder = isPlaceholder
  }

  /// `png`, `jpg` or `webp`, determined from the first bytes, or `nil` for any other type.
  public var fileExtension: String? { MediaType(picture: bytes)?.rawValue }
}

/// A text to be narrated.
public struct SpeechRequest: Sendable, Equatable {
  /// The title, followed by the paragraphs of the text.
  public var paragraphs: [String]
  /// The language's code.
  public var language: String
  /// The requested voice, or `nil` for the engine's default.
  public var voice: String?

  /// Creates a request.
  public init(paragraphs: [String], language: String, voice: String? = nil) {
    self.paragraphs = paragraphs
    self.language = language
    self.voice = voice
  }
}

/// A narrated text.
public struct Narration: Sendable, Equatable {
  /// The content of the file: WAV with PCM, or MP3.
  public var bytes: [UInt8]
  /// The voice's name.
  public var voice: String

  /// Creates a narration.
  public init(bytes: [UInt8], voice: String) {
    self.bytes = bytes
    self.voice = voice
  }
}

/// The reason why an engine made nothing.
///
/// Associated texts are the engine's own, without secrets.
public enum EngineError: Error, Sendable, Equatable {
  /// No engine is configured for this.
  case notSet(EngineRole)
  /// The engine could not be reached, or the connection was lost.
  case unreachable(String)
  /// The engine did not answer in this time.
  case timedOut(seconds: Int)
  /// The engine rejected the key, or requires one.
  case badKey
  /// The engine is busy (HTTP status 429), with the seconds to wait if it gave them.
  case busy(retryAfter: Int?)
  /// The quota of the engine's account is used up.
  case quotaExceeded
  /// The engine refused for safety reasons.
  case refused(String?)
  /// The engine answered with another error status.
  case failed(status: Int, message: String?)
  /// The answer is empty.
  case empty
  /// The answer is incomplete.
  case truncated
  /// The story is not in the requested language.
  case wrongLanguage(wanted: String, found: String)
  /// The answer cannot be used. The text gives the reason.
  case unusable(String)
  /// The speech program cannot be used. The text gives the reason.
  case program(String)
  /// One of the user's prompts cannot be used. The text gives the reason.
  case prompt(String)
  /// The call was cancelled.
  case cancelled

  /// A code for programs.
  public var code: String { words.code }

  /// The error as a sentence without a full stop.
  public var message: String { words.message }

  private var words: (code: String, message: String) {
    func with(_ start: String, _ text: String?) -> String {
      text.map { "\(start): \($0)" } ?? start
    }
    return switch self {
    case .notSet(.text): ("engineNotSet", "no engine writes stories")
    case .notSet(.pictures): ("engineNotSet", "no engine draws pictures")
    case .notSet(.speech): ("engineNotSet", "no engine reads aloud")
    case .unreachable(let why): ("engineUnreachable", "the engine cannot be reached: \(why)")
    case .timedOut(let seconds):
      ("engineTimedOut", "the engine gave no answer within \(seconds) s")
    case .badKey: ("engineBadKey", "the engine does not accept the key")
    case .busy(let seconds?):
      ("engineBusy", "the engine is busy and asks to wait \(seconds) s")
    case .busy(nil): ("engineBusy", "the engine is busy")
    case .quotaExceeded: ("engineQuota", "the quota of the engine's account is used up")
    case .refused(let text):
      ("engineRefused", with("the engine refused for reasons of safety", text))
    case .failed(let status, let text):
      ("engineFailed", with("the engine answered \(status)", text))
    case .empty: ("engineEmpty", "the engine's answer is empty")
    case .truncated: ("engineTruncated", "the engine's answer ends in the middle")
    case .wrongLanguage(let wanted, let found):
      (
        "engineWrongLanguage",
        "the engine wrote in another language (\(found) instead of \(wanted))"
      )
    case .unusable(let how): ("engineUnusable", "the engine's answer cannot be used: \(how)")
    case .program(let why): ("engineProgram", why)
    case .prompt(let why): ("enginePrompt", why)
    case .cancelled: ("engineCancelled", "it was cancelled")
    }
  }
}
