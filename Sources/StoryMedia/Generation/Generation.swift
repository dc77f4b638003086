import StoryAPI

/// Something that a server makes, as a sequence of steps until it is finished.
///
/// The work starts when the first element is requested. Ending the iteration or cancelling the task
/// only ends the waiting: the server continues, and a later request for the same thing joins in.
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
  /// - Throws: `GenerationError`, `APIError`, and errors of a push.
  public func result() async throws -> GenerationResult {
    for try await step in self {
      if case .finished(let result) = step { return result }
    }
    throw APIError.cancelled
  }
}
