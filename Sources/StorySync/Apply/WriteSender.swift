import StoryAPI
import StoryLibrary

/// Sends writes to a server and returns their answers, whatever the server's features.
///
/// Without batches, writes are sent one by one, several at a time if that is faster. Without
/// preconditions each record is read just before it is changed or deleted, and the write is sent
/// only if the record is still what it was based on. No client can see a change between that read
/// and the write. With preconditions that only hold in a batch, a single write is a batch too.
///
/// When the sync is interrupted, a started write is not cut off: its answer saves the next run from
/// finding out what happened. No other write is started then.
struct WriteSender {
  let client: APIClient
  let info: ServerInfo
  let time: TimeSource
  /// Whether the writes were sent before, so that each must go into the same request again.
  var isResent = false

  typealias Answer = Result<RemoteRecord?, APIError>

  /// The time that a write may still take after the sync is interrupted.
  static let grace = Duration.seconds(10)

  /// Sends writes and returns their answers in the same order.
  ///
  /// - Parameter answered: called with the number of answered writes whenever it changes.
  func send(_ items: [Outgoing], answered: (Int) -> Void = { _ in }) async -> [Answer] {
    let parts = Self.parts(of: items)
    var count = 0
    var outage = Outage()
    let width = info.dialect.writesAtOnce
    let answers = await Parallel.map(
      parts, width: parts.contains { $0[0].batch != nil } ? width.batches : width.single,
      stops: { answers in
        count += answers.count
        answered(count)
        return outage.isSeen(in: answers)
      }
    ) { part in
      part[0].batch == nil ? [await sendAlone(part[0])] : await sendBatch(part)
    }
    return zip(parts, answers).flatMap { part, answers in
      answers ?? part.map { _ in .failure(.cancelled) }
    }
  }

  /// Returns the items of each request: consecutive ones of the same batch, or a single one.
  private static func parts(of items: [Outgoing]) -> [[Outgoing]] {
    var parts: [[Outgoing]] = []
    for item in items {
      if let batch = item.batch, parts.last?[0].batch == batch {
        parts[parts.count - 1].append(item)
      } else {
        parts.append([item])
      }
    }
    return parts
  }

  private func sendBatch(_ part: [Outgoing]) async -> [Answer] {
    let answers = await finishing { [client] () throws(APIError) in
      try await client.performBatch(part.map(\.write))
    }
    switch answers {
    case .success(let answers): return answers
    case .failure(let error):
      // A batch that is rejected as a whole says nothing about its single writes. After an internal
      // error, some may be done, so they must be ones that can be sent again in any shape.
      let answer = Answer.failure(error)
      let isSplit =
        answer.isInternalError
        ? info.dialect.newID(part[0].write) != nil : !isResent && !answer.isLost
      guard part.count > 1, isSplit else { return part.map { _ in answer } }
      var outage = Outage()
      return await Parallel.map(
        part, width: info.dialect.writesAtOnce.single, stops: { outage.isSeen(in: [$0]) }
      ) { await sendAlone($0) }.map { $0 ?? .failure(.cancelled) }
    }
  }

  private func sendAlone(_ item: Outgoing) async -> Answer {
    await finishing { [client, info] () throws(APIError) in
      if !info.features.contains(.etag) { try await client.check(item.write, base: item.base) }
      if info.dialect.holdsCollections, info.features.contains(.batch) {
        var answer: Answer?
        do throws(APIError) {
          answer = try await client.performBatch([item.write]).first
        } catch {
          // A batch that is refused as a whole says nothing about its write.
          if Answer.failure(error).isLost { throw error }
        }
        if let answer { return try answer.get() }
      }
      return try await client.perform(item.write, base: item.base)
    }
  }

  /// Lets started work finish after this task is cancelled, for at most ``grace``.
  private func finishing<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(APIError) -> Value
  ) async -> Result<Value, APIError> {
    let task = Task { await Result.catching(work) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      Task {
        try? await time.sleep(Self.grace)
        task.cancel()
      }
    }
  }
}

extension WriteSender {
  /// Tells an outage from single writes that a server cannot handle because of what they contain.
  struct Outage {
    /// The number of internal errors since the last other answer.
    private var errors = 0

    /// Notes further answers; returns whether no other write is to be sent: after two internal
    /// errors in a row, or any other answer that leaves it unknown what the server did.
    mutating func isSeen(in answers: [Answer]) -> Bool {
      for answer in answers where errors < 2 {
        errors = answer.isInternalError ? errors + 1 : 0
      }
      return errors > 1 || answers.contains { $0.isLost && !$0.isInternalError }
    }
  }
}

extension Result where Failure == APIError {
  /// Whether the server failed without a word on its state, perhaps only for this request.
  var isInternalError: Bool {
    if case .failure(.server(status: 500, _)) = self { true } else { false }
  }

  /// Whether the server's action is unknown, or nothing more can be sent.
  var isLost: Bool {
    switch self {
    case .failure(.network), .failure(.cancelled), .failure(.deadlineExceeded),
      .failure(.unauthorized), .failure(.decoding), .failure(.rateLimited):
      true
    case .failure(.server(let status, _)): status >= 500
    default: false
    }
  }
}
