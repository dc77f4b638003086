public import StoryAPI
public import StoryLibrary

/// What is under way while the server makes something.
public enum GenerationStep: Sendable, Hashable {
  /// A record that the server does not have, or not as it is here, is sent first.
  case pushing(RecordRef)
  /// The server was asked and is at work.
  case working
  /// The answer was lost, and the server is looked at to see what became of the request.
  case lookingUp
  /// The record is here: written for a new story.
  case recorded(RecordRef)
  /// How far the narration is.
  case audio(AudioAnswer)
  /// How far the pictures are.
  case pictures(IllustrationProgress)
  /// It has ended.
  case finished(GenerationResult)
}

/// How it ended.
public struct GenerationResult: Sendable, Hashable {
  /// The record that it was for; of a story the new one.
  public var ref: RecordRef
  /// Whether it was there before, so that nothing was asked for.
  public var wasThere = false
  /// How far the narration is; `nil` where none was asked for.
  public var audio: AudioAnswer?
  /// How far the pictures are; `nil` where none were asked for.
  public var pictures: IllustrationProgress?
  /// Whether the server was still at work when the time to wait was over.
  public var isStillUnderWay = false

  /// Something that was made for a record.
  public init(ref: RecordRef) { self.ref = ref }

  /// Whether some of it could not be made.
  public var hasFailed: Bool {
    if let audio, audio.state == .failed { return true }
    guard let pictures else { return false }
    return pictures.state == .failed || pictures.state == .partial || pictures.failed > 0
  }
}

/// Something that a server makes, as a sequence of what happens until it is there.
///
/// It begins with the first element that is asked for. Whoever stops listening, or cancels the task,
/// stops waiting: the server goes on, and asking for the same again later joins in.
public struct Generation: AsyncSequence, Sendable {
  /// What happens.
  public typealias Element = GenerationStep
  /// Tells one step after the other.
  public typealias AsyncIterator = AsyncThrowingStream<GenerationStep, any Error>.Iterator
  /// What ends it early.
  public typealias Failure = any Error

  typealias Tell = @Sendable (GenerationStep) -> Void

  private let work: @Sendable (Tell) async throws -> GenerationResult

  init(_ work: @escaping @Sendable (Tell) async throws -> GenerationResult) { self.work = work }

  /// Begins.
  public func makeAsyncIterator() -> AsyncIterator {
    let work = work
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let result = try await work { continuation.yield($0) }
          continuation.yield(.finished(result))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }.makeAsyncIterator()
  }

  /// Waits for the end.
  ///
  /// - Throws: `GenerationError`, `APIError`, and what keeps a push from its end.
  public func result() async throws -> GenerationResult {
    for try await step in self {
      if case .finished(let result) = step { return result }
    }
    throw APIError.cancelled
  }
}

/// How something is asked for and waited for.
public struct GenerationOptions: Sendable, Hashable {
  /// Whether it is made again where it is there.
  public var regenerates = false
  /// Whether records that the server lacks, or has in an older version, are sent first.
  public var pushes = true
  /// How the server is asked how far it is.
  public var polling = Polling()

  /// The usual.
  public init() {}
}

/// When a server is asked how far its work is.
public struct Polling: Sendable, Hashable {
  /// The wait before the first question.
  public var first = Duration.seconds(1)
  /// The longest wait; each is half as long again as the one before.
  public var longest = Duration.seconds(10)
  /// How long it is asked in all; the server goes on after that.
  public var limit = Duration.seconds(600)

  /// The usual: from 1 s to 10 s, for 10 minutes.
  public init() {}

  /// The wait after another one.
  func wait(after wait: Duration) -> Duration { min(wait * 1.5, longest) }
}

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

/// Why nothing was made.
public enum GenerationError: Error, Sendable, Hashable {
  /// The server does not have the record, and it was not to be sent.
  case notOnServer(RecordRef)
  /// The record could not be sent; the text says why.
  case notSent(RecordRef, reason: String)
  /// The answer was lost, and the server shows nothing that was made since. It may still come: a
  /// pull brings it.
  case answerLost
  /// The answer was lost, and the server has several new stories; a pull brings them.
  case severalMade(Int)

  /// What happened, as a sentence.
  public var message: String {
    switch self {
    case .notOnServer(let ref): "the server does not have \(ref) yet"
    case .notSent(let ref, let reason): "\(ref) could not be sent first: \(reason)"
    case .answerLost: "the answer was lost, and the server shows nothing new"
    case .severalMade(let count):
      "the answer was lost, and the server has \(count) new stories of this hero"
    }
  }

  /// What to do next.
  public var hint: String {
    switch self {
    case .notOnServer: "send it: stories sync push, or leave out --no-push"
    case .notSent(let ref, _): "see how it stands: stories why \(ref)"
    case .answerLost, .severalMade: "look again later: stories sync pull"
    }
  }
}
