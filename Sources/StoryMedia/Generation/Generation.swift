public import StoryAPI
public import StoryLibrary
public import StorySync

/// Something that a server makes, as a sequence of steps until it is finished.
///
/// Making an iterator, or calling ``result()``, starts the work. Ending the iteration or cancelling the
/// task only ends the waiting: the server continues. To join in later, run the same generation again:
/// it has one idempotency key, so a server that supports keys does the work once (again only if it
/// failed). After an edit of what the request is made from, such as the hero of a story, take another
/// one. Another generation of a story makes another story; one of something else finds what exists and,
/// for illustrations, joins in while they are being made.
public struct Generation: AsyncSequence, Sendable {
  /// A step.
  public typealias Element = GenerationStep
  /// An iterator over the steps.
  public typealias AsyncIterator = AsyncThrowingStream<GenerationStep, any Error>.Iterator
  /// An error that ends the work early.
  public typealias Failure = any Error

  typealias Tell = @Sendable (GenerationStep) -> Void

  private let work: @Sendable (Tell) async throws -> GenerationResult

  init(_ work: @escaping @Sendable (Tell) async throws -> GenerationResult) { self.work = work }

  /// Starts the work.
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

  /// Waits for the result.
  ///
  /// - Throws: `GenerationError`, `APIError` (`cancelled` if the task is), and errors of a push.
  public func result() async throws -> GenerationResult {
    for try await step in self {
      if case .finished(let result) = step { return result }
    }
    throw APIError.cancelled
  }
}

/// A step while the server makes something.
public enum GenerationStep: Sendable, Hashable {
  /// Sending a record that the server lacks or has in an older version.
  case pushing(RecordRef)
  /// Fields that a strategy decided in that push.
  case decided([SyncReport.Overridden])
  /// The server has received the request and is working.
  case working
  /// The response was lost, and the server is queried for the result.
  case lookingUp
  /// A new story, or a story's new text, was written to this record.
  case recorded(RecordRef)
  /// The state of the narration.
  case audio(AudioAnswer)
  /// The progress of the pictures.
  case pictures(IllustrationProgress)
  /// The end.
  case finished(GenerationResult)
}

/// The result of a request.
public struct GenerationResult: Sendable, Hashable {
  /// The record, which is a new one for a story.
  public var ref: RecordRef
  /// Whether it already existed, so that nothing was requested.
  public var existed = false
  /// Whether the server reports that it made a placeholder because it has no engine.
  public var isPlaceholder = false
  /// The state of the narration, or `nil` if none was requested.
  public var audio: AudioAnswer?
  /// The progress of the pictures, or `nil` if none were requested.
  public var pictures: IllustrationProgress?
  /// Whether the server was still working when the time limit was reached.
  public var isStillUnderWay = false

  /// Creates the result for a record.
  public init(ref: RecordRef) { self.ref = ref }

  /// Whether any part of it failed.
  public var hasFailed: Bool {
    if let audio, audio.state == .failed { return true }
    guard let pictures else { return false }
    return pictures.state == .failed || pictures.state == .partial || pictures.failed > 0
  }
}

/// The reason that nothing was made.
public enum GenerationError: Error, Sendable, Hashable {
  /// The server does not have the record, and the options forbid sending it.
  case notOnServer(RecordRef)
  /// The record could not be sent.
  case notSent(RecordRef, NotSent)
  /// A story was to be rewritten, but the server has no engine for writing.
  case placeholder(RecordRef)
  /// A story's text was changed while the server wrote another one, which became a new record.
  case changedMeanwhile(RecordRef, kept: RecordRef)
  /// A story has its new text, but it could not be sent.
  case textNotSent(RecordRef, NotSent)
  /// A story has its new text, but the story that it was written as could not be deleted.
  case copyNotDeleted(RecordRef, id: String)
  /// The response was lost, and the server has nothing new. It may appear later; a pull fetches it.
  case answerLost
  /// The response was lost, and the server has several new stories, which a pull fetches.
  case severalMade(Int)

  /// The reason that a record was not sent.
  public enum NotSent: Sendable, Hashable {
    /// It has edits that the server does not have, and the options forbid sending them.
    case hasEdits
    /// It is a draft, which has no text yet.
    case isDraft
    /// It has a conflict.
    case isInConflict
    /// The push failed.
    case failed(SyncReport.Failure)
  }
}
