import StoryAPI
import StoryLibrary

/// Sends writes to a server and gives their answers, whatever that server can do.
///
/// One without batches gets them one by one, a few at once. On one without preconditions each record
/// is read just before it is changed or deleted: only if it still is what the write was based on is
/// anything sent. What somebody changes between that reading and the write is not seen; no client can
/// close that gap.
///
/// A write that has begun is not cut off when the sync is interrupted: its answer says what became of
/// it, which otherwise the next run would have to find out. No other one is begun then.
struct WriteSender {
  let client: APIClient
  let info: ServerInfo
  let time: TimeSource
  /// Whether the writes were sent before, so that each has to be sent in the same request again.
  var isResent = false

  typealias Answer = Result<RemoteRecord?, APIError>

  /// A write with what it needs beside its body.
  struct Item {
    var write: RemoteWrite
    /// The person's part that the write is based on; `nil` for a create, and if it is not known.
    var base: FieldValues?
    /// Names the batch that the write is sent in; `nil` if it is sent alone.
    var batch: String?
  }

  /// How many single requests are under way at once.
  static let width = 6
  /// How many batches are under way at once: while one is answered, the next is on its way.
  static let batchWidth = 2
  /// How long a write may still take when the sync is interrupted.
  static let grace = Duration.seconds(10)

  /// Sends writes; the answers have their order.
  ///
  /// - Parameter answered: called with how many have their answers, whenever that has changed.
  func send(_ items: [Item], answered: (Int) -> Void = { _ in }) async -> [Answer] {
    let parts = Self.parts(of: items)
    var count = 0
    let answers = await concurrently(
      parts, width: parts.contains { $0[0].batch != nil } ? Self.batchWidth : Self.width
    ) { part in
      part[0].batch == nil ? [await sendAlone(part[0])] : await sendBatch(part)
    } stops: {
      count += $0.count
      answered(count)
      return $0.contains { $0.isLost }
    }
    return zip(parts, answers).flatMap { part, answers in
      answers ?? part.map { _ in .failure(.cancelled) }
    }
  }

  /// The items of one request each: those in a row that have one batch, or a single one.
  private static func parts(of items: [Item]) -> [[Item]] {
    var parts: [[Item]] = []
    for item in items {
      if let batch = item.batch, parts.last?[0].batch == batch {
        parts[parts.count - 1].append(item)
      } else {
        parts.append([item])
      }
    }
    return parts
  }

  private func sendBatch(_ part: [Item]) async -> [Answer] {
    let answers = await finishing { [client] () throws(APIError) in
      try await client.performBatch(part.map(\.write))
    }
    switch answers {
    case .success(let answers): return answers
    case .failure(let error):
      // A batch that is refused as a whole says nothing of the single write.
      guard part.count > 1, !isResent, !Answer.failure(error).isLost else {
        return part.map { _ in .failure(error) }
      }
      return await concurrently(part) {
        await sendAlone($0)
      } stops: {
        $0.isLost
      }
      .map { $0 ?? .failure(.cancelled) }
    }
  }

  /// Without preconditions the record is read first: only if it still is what the write is based on is
  /// anything sent.
  private func sendAlone(_ item: Item) async -> Answer {
    await finishing { [client, info] () throws(APIError) in
      if !info.features.contains(.etag) { try await client.check(item.write, base: item.base) }
      return try await client.perform(item.write, base: item.base)
    }
  }

  /// Lets work that has begun come to its end when this task is cancelled, if that does not take too
  /// long.
  private func finishing<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(APIError) -> Value
  ) async -> Result<Value, APIError> {
    let task = Task { () -> Result<Value, APIError> in
      do throws(APIError) {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      Task {
        try? await time.sleep(Self.grace)
        task.cancel()
      }
    }
  }

  /// Does work for each element, some at once; `nil` for what was not begun because an earlier
  /// result said to stop, or because this task was cancelled. Each result is asked, as it comes.
  private func concurrently<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int = width,
    _ work: @escaping @Sendable (Element) async -> Result, stops: (Result) -> Bool
  ) async -> [Result?] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results = [Result?](repeating: nil, count: elements.count)
      var next = 0
      func start() {
        guard next < elements.count, !Task.isCancelled else { return }
        let (index, element) = (next, elements[next])
        next += 1
        group.addTask { (index, await work(element)) }
      }
      for _ in 0..<width { start() }
      var isStopped = false
      while let (index, result) = await group.next() {
        results[index] = result
        if stops(result) { isStopped = true }
        if !isStopped { start() }
      }
      return results
    }
  }
}

extension Result where Failure == APIError {
  /// Whether nobody knows what the server did, or nothing more can be sent.
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
