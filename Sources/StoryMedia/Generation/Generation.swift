import StoryAPI

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
