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

  typealias Answer = Result<RemoteRecord?, APIError>

  /// A write with what the server has if nobody changed it.
  struct Item {
    var write: RemoteWrite
    /// The person's part that the write is based on; `nil` for a create, and where it is not known.
    var base: FieldValues?
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
  /// - Throws: `APIError` where a whole request was lost, so that nobody knows what became of it.
  func send(_ items: [Item], answered: (Int) -> Void = { _ in }) async throws -> [Answer] {
    var answers = [Answer?](repeating: nil, count: items.count)
    if !info.features.contains(.etag) { answers = await look(at: items) }
    let open = items.indices.filter { answers[$0] == nil }
    let looked = items.count - open.count
    let sent = try await sendAll(open.map { items[$0].write }) { answered(looked + $0) }
    for (index, answer) in zip(open, sent) { answers[index] = answer }
    return answers.map { $0 ?? .failure(.cancelled) }
  }

  // MARK: Looking first

  /// Reads the records that are to be changed or deleted; an answer for each that is not what the
  /// write was based on, `nil` for those that are.
  private func look(at items: [Item]) async -> [Answer?] {
    await concurrently(items) { [client] item in
      guard let id = item.write.id, let revision = item.write.revision else { return nil }
      do throws(APIError) {
        guard let record = try await client.recordIfPresent(item.write.kind, id: id) else {
          return .failure(.notFound)
        }
        let isSame = record.updatedAt == revision && item.base.map { $0 == record.fields } ?? true
        return isSame ? nil : .failure(.preconditionFailed(current: record))
      } catch {
        return .failure(error)
      }
    } stops: {
      $0?.isLost ?? false
    }.map { $0 ?? .some(.failure(.cancelled)) }
  }

  // MARK: Sending

  private func sendAll(
    _ writes: [RemoteWrite], _ answered: (Int) -> Void
  ) async throws -> [Answer] {
    guard info.features.contains(.batch), writes.count > 1 else {
      return await sendSingly(writes, answered)
    }
    let parts = try await client.batchParts(writes)
    var count = 0
    let answers = await concurrently(parts, width: Self.batchWidth) {
      await sendPart($0)
    } stops: {
      count += $0.count
      answered(count)
      return $0.contains { $0.isLost }
    }
    return zip(parts, answers).flatMap { part, answers in
      answers ?? part.map { _ in .failure(.cancelled) }
    }
  }

  private func sendPart(_ part: [RemoteWrite]) async -> [Answer] {
    let answers = await finishing { [client] () throws(APIError) in
      try await client.performBatch(part)
    }
    switch answers {
    case .success(let answers): return answers
    case .failure(let error):
      // A batch that is refused as a whole says nothing of the single write.
      guard part.count > 1, !Answer.failure(error).isLost else {
        return part.map { _ in .failure(error) }
      }
      return await sendSingly(part)
    }
  }

  private func sendSingly(
    _ writes: [RemoteWrite], _ answered: (Int) -> Void = { _ in }
  ) async -> [Answer] {
    var count = 0
    return await concurrently(writes) { write in
      await finishing { [client] () throws(APIError) in try await client.perform(write) }
    } stops: {
      count += 1
      answered(count)
      return $0.isLost
    }.map { $0 ?? .failure(.cancelled) }
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
