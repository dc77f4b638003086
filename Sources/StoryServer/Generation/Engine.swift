/// Writes stories, draws pictures and reads aloud for a server.
///
/// The server keeps what an engine returns whole, or not at all. It cancels the task of a call when
/// it is stopped; an engine then throws ``EngineError/cancelled`` soon.
public protocol Engine: Sendable {
  /// Writes a story.
  ///
  /// - Throws: `EngineError`.
  func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory

  /// Draws one picture.
  ///
  /// - Throws: `EngineError`.
  func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture

  /// Reads a text aloud.
  ///
  /// - Throws: `EngineError`.
  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration
}

/// What an engine does.
public enum EngineRole: String, Sendable, CaseIterable {
  /// Writes stories.
  case text
  /// Draws pictures.
  case pictures
  /// Reads aloud.
  case speech
}

/// The hero of a story, as far as somebody who writes or draws must know.
public struct StoryHero: Sendable, Equatable {
  /// The hero's name.
  public var name: String
  /// The age in years; `nil` if it is unknown.
  public var age: Int?
  /// The traits, in the words of the record.
  public var traits: [String]
  /// What the hero can do that nobody else can.
  public var abilities: [String]
  /// What the hero looks like: the record's description, then `hair: red` and the like.
  public var looks: [String]

  /// A hero from its parts.
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

/// What a story is to be about.
public struct StoryRequest: Sendable, Equatable {
  /// The hero.
  public var hero: StoryHero
  /// What happens.
  public var event: Event
  /// The language's code, one of ``languages``.
  public var language: String
  /// The titles of the hero's earlier stories, the newest first.
  public var earlierTitles: [String] = []
  /// How many illustrations the story gets, each of which needs a scene.
  public var scenes = 4

  /// A request from its parts.
  public init(hero: StoryHero, event: Event, language: String) {
    self.hero = hero
    self.event = event
    self.language = language
  }

  /// What happens in a story.
  public enum Event: Sendable, Equatable {
    /// One of the events that are built in.
    case builtIn(BuiltInEvent)
    /// A person's own.
    case custom(CustomEvent)
  }

  /// An event that a person made up.
  public struct CustomEvent: Sendable, Equatable {
    /// The title.
    public var title: String
    /// What the story is to be made from.
    public var prompt: String
    /// The mood, such as `cheerful`; empty if it was left open.
    public var tone: String
    /// Words that belong to it.
    public var keywords: [String]
    /// Whom it is for, such as `4-6`; `nil` if it was left open.
    public var ageRange: String?

    /// An event from its parts.
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
  /// What an illustration shows.
  public struct Scene: Sendable, Equatable {
    /// The paragraph that it belongs to, from 1.
    public var paragraph: Int
    /// What is seen, who is there, where it is, and the light.
    public var description: String

    /// A scene from its parts.
    public init(paragraph: Int, description: String) {
      self.paragraph = paragraph
      self.description = description
    }
  }

  /// The title, one line.
  public var title: String
  /// The paragraphs, without line breaks.
  public var paragraphs: [String]
  /// A scene for each illustration; may be empty.
  public var scenes: [Scene]
  /// Whether no engine wrote it.
  public var isPlaceholder: Bool

  /// A story from its parts.
  public init(
    title: String, paragraphs: [String], scenes: [Scene] = [], isPlaceholder: Bool = false
  ) {
    self.title = title
    self.paragraphs = paragraphs
    self.scenes = scenes
    self.isPlaceholder = isPlaceholder
  }

  /// The text; paragraphs have an empty line between them.
  public var content: String { paragraphs.joined(separator: "\n\n") }
}

/// What a picture is to show.
public struct PictureRequest: Sendable, Equatable {
  /// What is in the picture.
  public enum Subject: Sendable, Equatable {
    /// The hero alone, with what the person wishes for.
    case avatar(wish: String?)
    /// A moment of a story.
    case scene(String, story: String)
  }

  /// What is in the picture.
  public var subject: Subject
  /// The hero, who looks the same in every picture; `nil` if the record is gone.
  public var hero: StoryHero?
  /// A number that is the same whenever the same file is made.
  public var seed: UInt64

  /// A request from its parts.
  public init(_ subject: Subject, hero: StoryHero?, seed: UInt64 = 0) {
    self.subject = subject
    self.hero = hero
    self.seed = seed
  }
}

/// A picture that was drawn.
public struct DrawnPicture: Sendable, Equatable {
  /// The file: PNG, JPEG or WebP.
  public var bytes: [UInt8]
  /// Whether no engine drew it.
  public var isPlaceholder: Bool

  /// A picture from its parts.
  public init(bytes: [UInt8], isPlaceholder: Bool = false) {
    self.bytes = bytes
    self.isPlaceholder = isPlaceholder
  }

  /// `png`, `jpg` or `webp`, by the first bytes; `nil` for anything else.
  public var fileExtension: String? { MediaType(picture: bytes)?.fileExtension }
}

/// What is to be read aloud.
public struct SpeechRequest: Sendable, Equatable {
  /// The title, then the text's paragraphs.
  public var paragraphs: [String]
  /// The language's code.
  public var language: String
  /// The voice that was asked for; `nil` for the engine's own.
  public var voice: String?

  /// A request from its parts.
  public init(paragraphs: [String], language: String, voice: String? = nil) {
    self.paragraphs = paragraphs
    self.language = language
    self.voice = voice
  }
}

/// A text that was read aloud.
public struct Narration: Sendable, Equatable {
  /// The file: WAV with PCM, or MP3.
  public var bytes: [UInt8]
  /// The voice's name.
  public var voice: String

  /// A narration from its parts.
  public init(bytes: [UInt8], voice: String) {
    self.bytes = bytes
    self.voice = voice
  }
}

/// The reason why an engine made nothing.
///
/// Texts in it are what the engine said, without secrets.
public enum EngineError: Error, Sendable, Equatable {
  /// No engine is set for this.
  case notSet(EngineRole)
  /// No connection came about, or it broke.
  case unreachable(String)
  /// There was no answer within this time.
  case timedOut(seconds: Int)
  /// The engine does not accept the key, or wants one.
  case badKey
  /// The engine asks to be left alone for a time in seconds, if it says so (HTTP status 429).
  case busy(retryAfter: Int?)
  /// What the account may use is used up.
  case quotaExceeded
  /// The engine refused for reasons of safety.
  case refused(String?)
  /// The engine answered with another error.
  case failed(status: Int, message: String?)
  /// The answer has nothing in it.
  case empty
  /// The answer ends in the middle.
  case truncated
  /// The story is in another language than the one asked for.
  case wrongLanguage(wanted: String, found: String)
  /// The answer is not what was asked for; the text says how.
  case unusable(String)
  /// The program that speaks cannot be used; the text says why.
  case program(String)
  /// A prompt of this user cannot be used; the text says why.
  case prompt(String)
  /// The call was cancelled.
  case cancelled

  /// The error in one word, for programs.
  public var code: String {
    switch self {
    case .notSet: "engineNotSet"
    case .unreachable: "engineUnreachable"
    case .timedOut: "engineTimedOut"
    case .badKey: "engineBadKey"
    case .busy: "engineBusy"
    case .quotaExceeded: "engineQuota"
    case .refused: "engineRefused"
    case .failed: "engineFailed"
    case .empty: "engineEmpty"
    case .truncated: "engineTruncated"
    case .wrongLanguage: "engineWrongLanguage"
    case .unusable: "engineUnusable"
    case .program: "engineProgram"
    case .prompt: "enginePrompt"
    case .cancelled: "engineCancelled"
    }
  }

  /// What happened, as a sentence without a full stop.
  public var message: String {
    func with(_ start: String, _ text: String?) -> String {
      text.map { "\(start): \($0)" } ?? start
    }
    return switch self {
    case .notSet(.text): "no engine writes stories"
    case .notSet(.pictures): "no engine draws pictures"
    case .notSet(.speech): "no engine reads aloud"
    case .unreachable(let why): "the engine cannot be reached: \(why)"
    case .timedOut(let seconds): "the engine gave no answer within \(seconds) s"
    case .badKey: "the engine does not accept the key"
    case .busy(let seconds?): "the engine is busy and asks to wait \(seconds) s"
    case .busy(nil): "the engine is busy"
    case .quotaExceeded: "the quota of the engine's account is used up"
    case .refused(let text): with("the engine refused for reasons of safety", text)
    case .failed(let status, let text): with("the engine answered \(status)", text)
    case .empty: "the engine's answer is empty"
    case .truncated: "the engine's answer ends in the middle"
    case .wrongLanguage(let wanted, let found):
      "the engine wrote in another language (\(found) instead of \(wanted))"
    case .unusable(let how): "the engine's answer cannot be used: \(how)"
    case .program(let why), .prompt(let why): why
    case .cancelled: "it was cancelled"
    }
  }
}
