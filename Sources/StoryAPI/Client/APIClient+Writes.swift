import JSONText
public import StoryLibrary

extension APIClient {
  /// Does one write; the record as the server then has it, `nil` for a delete.
  ///
  /// What a server does not take (see ``Dialect``) shows in the record that comes back. On a server
  /// without preconditions nothing is compared before the first try: whoever needs that reads the
  /// record first. Before a change is sent again the record is read, unless the server has both
  /// preconditions and remembered keys: what was done is not done twice, and what somebody else changed
  /// is not overwritten.
  ///
  /// - Parameters:
  ///   - write: the write.
  ///   - base: the person's part of the version that the write is based on, if it is known; it is
  ///     compared as well.
  /// - Throws: `APIError`; `preconditionFailed` where the record is no longer what the write was
  ///   based on, `unconfirmed` where it was made and could not be read. After a `network` error that
  ///   is not ``NetworkFailure/neverArrived`` the write may or may not have been done.
  public nonisolated func perform(
    _ write: RemoteWrite, base: FieldValues? = nil
  ) async throws(APIError) -> RemoteRecord? {
    let dialect = try await dialect()
    do throws(APIError) {
      switch write.operation {
      case .create: return try await create(write, dialect)
      case .update: return try await update(write, base, dialect)
      case .delete:
        try await delete(write, base, dialect)
        return nil
      }
    } catch {
      throw error.about(write)
    }
  }

  private nonisolated func delete(
    _ write: RemoteWrite, _ base: FieldValues?, _ dialect: Dialect
  ) async throws(APIError) {
    let id = write.id ?? ""
    let endpoint = try Endpoint.delete(
      write.kind, id: id, revision: write.revision, idempotencyKey: write.idempotencyKey, dialect)
    let answer = try await answer(to: endpoint, dialect, kind: write.kind) {
      [self] (error) throws(APIError) in
      try await outcome(of: write, sending: JSONObject(), base, endpoint, after: error)
    }
    try dialect.confirmDeletion(of: id, status: answer.status, at: answer.place["data"])
  }

  // MARK: Looking first

  /// Reads the record of a change and compares it with what the change is based on.
  ///
  /// - Throws: `APIError`; `preconditionFailed` with the record if it is another version or has other
  ///   content, `notFound`.
  package nonisolated func check(
    _ write: RemoteWrite, base: FieldValues?
  ) async throws(APIError) {
    guard let id = write.id, write.revision != nil else { return }
    let record = try await record(write.kind, id: id)
    guard write.isBased(on: record, base) else { throw .preconditionFailed(current: record) }
  }

  /// Finds out what became of a change that ended with an error, before it is sent again.
  ///
  /// - Parameter body: what was sent of the change, in canonical form.
  /// - Returns: what stands for its answer, if it was done; `nil` if the record still is what it was
  ///   based on.
  /// - Throws: `preconditionFailed` if somebody else changed the record, `notFound` if it is gone,
  ///   `error` if nobody can tell.
  private nonisolated func outcome(
    of write: RemoteWrite, sending body: JSONObject, _ base: FieldValues?, _ endpoint: Endpoint,
    after error: APIError
  ) async throws(APIError) -> Answer? {
    let mayBeDone = !RetryPolicy.wasNotDone(error)
    let record: RemoteRecord
    do throws(APIError) {
      record = try await self.record(write.kind, id: write.id ?? "")
    } catch let failure {
      guard failure == .notFound else { throw error }
      guard write.operation == .delete, mayBeDone else { throw failure }
      return Answer(doneBefore: endpoint.name)
    }
    if write.isBased(on: record, base) { return nil }
    guard write.operation == .update, mayBeDone else {
      throw .preconditionFailed(current: record)
    }
    let isDone = write.kind.schema.fields.allSatisfy { field in
      body[field.wireKey].map { $0 == record.fields.effective(field) } ?? true
    }
    guard isDone else { throw error }
    return Answer(doneBefore: endpoint.name, record: record)
  }

  /// Does many writes, in as few requests as the server allows. Each stands alone; the results are
  /// in the order of the writes.
  ///
  /// - Throws: `APIError` where the first request fails as a whole and the server takes batches of
  ///   any writes. Otherwise the writes of a request that failed have its error as their result.
  public nonisolated func performBatch(
    _ writes: [RemoteWrite]
  ) async throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    let info = try await serverInfo()
    if info.features.contains(.batch), info.dialect.takesMixedBatches {
      return try await performMixed(writes, info)
    }
    var results = [Result<RemoteRecord?, APIError>?](repeating: nil, count: writes.count)
    for kind in EntityKind.writable where info.features.contains(.batch) {
      let places = writes.indices.filter {
        writes[$0].operation == .create && writes[$0].kind == kind
      }
      guard info.dialect.creationBatch([], of: kind) != nil else { continue }
      let made = await createMany(places.map { writes[$0] }, kind, info)
      for (place, result) in zip(places, made) { results[place] = result }
    }
    let rest = writes.indices.filter { results[$0] == nil }
    let done = await inParallel(rest.map { writes[$0] }) { [self] write throws(APIError) in
      try await perform(write)
    }
    for (place, result) in zip(rest, done) { results[place] = result }
    return results.map { $0 ?? .failure(.cancelled) }
  }

  private nonisolated func performMixed(
    _ writes: [RemoteWrite], _ info: ServerInfo
  ) async throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    var results: [Result<RemoteRecord?, APIError>] = []
    for part in BatchParts.split(writes, limit: info.batchLimit) {
      do throws(APIError) {
        let endpoint = Endpoint.batch(body: try info.dialect.batchBody(part))
        let answer = try await answer(to: endpoint, info.dialect)
        results += try info.dialect.batchResults(part, at: answer.place)
      } catch {
        guard !results.isEmpty else { throw error }
        results += part.map { _ in .failure(error) }
      }
    }
    return results
  }

  // MARK: Creating

  private nonisolated func create(
    _ write: RemoteWrite, _ dialect: Dialect
  ) async throws(APIError) -> RemoteRecord {
    if dialect.createsInBatchOnly(write.kind),
      let endpoint = dialect.creationBatch([write], of: write.kind)
    {
      let answer = try await answer(to: endpoint, dialect)
      let id = try dialect.createdIDs([write], at: answer.place)[0].get()
      return try await readBack(write.kind, id: id)
    }
    let endpoint = try Endpoint.create(
      write.kind, body: dialect.outboundNew(write.body, kind: write.kind),
      idempotencyKey: write.idempotencyKey, dialect)
    let answer = try await answer(to: endpoint, dialect, kind: write.kind)
    return try dialect.record(write.kind, at: dialect.recordPlace(answer.place))
  }

  /// Makes new records of one kind in batches whose answers hold their ids alone, and reads them.
  private nonisolated func createMany(
    _ writes: [RemoteWrite], _ kind: EntityKind, _ info: ServerInfo
  ) async -> [Result<RemoteRecord?, APIError>] {
    var results: [Result<RemoteRecord?, APIError>] = []
    for part in BatchParts.split(writes, limit: info.batchLimit) {
      let ids = await Result.catching { () throws(APIError) in
        guard let endpoint = info.dialect.creationBatch(part, of: kind) else {
          throw .unsupported(.batch)
        }
        let answer = try await answer(to: endpoint, info.dialect)
        return try info.dialect.createdIDs(part, at: answer.place)
      }
      switch ids {
      case .failure(let error) where error.isRefusal && part.count > 1:
        // A batch that is refused as a whole says nothing of the single record.
        results += await inParallel(part) { [self] write throws(APIError) in
          try await perform(write)
        }
      case .failure(let error): results += part.map { _ in .failure(error) }
      case .success(let ids): results += await readBack(kind, ids)
      }
    }
    return results
  }

  /// The records with these ids. What was made last stands first in a list, so one page spares most
  /// of the single requests.
  private nonisolated func readBack(
    _ kind: EntityKind, _ ids: [Result<String, APIError>]
  ) async -> [Result<RemoteRecord?, APIError>] {
    var known: [String: RemoteRecord] = [:]
    if ids.count > 1, let page = try? await page(of: kind, PageRequest(limit: 100)) {
      for record in page.records { known[record.id] = record }
    }
    let listed = known
    return await inParallel(ids) { [self] id throws(APIError) in
      let id = try id.get()
      if let record = listed[id] { return record }
      return try await readBack(kind, id: id)
    }
  }

  private nonisolated func readBack(
    _ kind: EntityKind, id: String
  ) async throws(APIError) -> RemoteRecord {
    do throws(APIError) {
      return try await record(kind, id: id)
    } catch {
      if error == .cancelled { throw error }
      throw .unconfirmed(id: id)
    }
  }

  // MARK: Updating

  private nonisolated func update(
    _ write: RemoteWrite, _ base: FieldValues?, _ dialect: Dialect
  ) async throws(APIError) -> RemoteRecord {
    let id = write.id ?? ""
    var body = write.body
    var count: Int?
    if write.kind == .stories, !dialect.setsPlayCount {
      count = body["playCount"]?.integer
      body["playCount"] = nil
    }
    var latest: RemoteRecord?
    if !body.isEmpty || count == nil {
      let endpoint = try Endpoint.update(
        write.kind, id: id, body: dialect.outbound(body, kind: write.kind),
        revision: write.revision, idempotencyKey: write.idempotencyKey, dialect)
      let sent = body
      let answer = try await answer(to: endpoint, dialect, kind: write.kind) {
        [self] (error) throws(APIError) in
        try await outcome(of: write, sending: sent, base, endpoint, after: error)
      }
      await dropCached(try .record(write.kind, id: id, dialect))
      latest = try dialect.record(
        write.kind, id: id, at: dialect.recordPlace(answer.place))
    }
    guard let count else {
      if let latest { return latest }
      return try await record(write.kind, id: id)
    }
    return try await play(id, upTo: count, from: latest, dialect)
  }

  /// Counts readings until the server's count is `count`; the record as it is then.
  ///
  /// - Throws: `APIError`; `unsupported` where that would take more requests than is reasonable.
  private nonisolated func play(
    _ id: String, upTo count: Int, from known: RemoteRecord?, _ dialect: Dialect
  ) async throws(APIError) -> RemoteRecord {
    let story: RemoteRecord
    if let known { story = known } else { story = try await record(.stories, id: id) }
    var current = story.playCount
    guard current < count else { return story }
    guard count - max(current, 0) <= 10_000 else {
      throw .unsupported(.manyReadings)
    }
    while current < count {
      let answer = try await answer(to: .play(storyID: id, dialect), dialect)
      current = max(current + 1, try dialect.playCount(at: answer.place))
    }
    return try await record(.stories, id: id)
  }

  // MARK: -

  /// Does something for each element, as many at once as requests may be under way; the results
  /// are in the order of the elements.
  private nonisolated func inParallel<Element: Sendable>(
    _ elements: [Element],
    _ work: @escaping @Sendable (Element) async throws(APIError) -> RemoteRecord?
  ) async -> [Result<RemoteRecord?, APIError>] {
    let width = configuration.maximumRequests
    return await withTaskGroup(of: (Int, Result<RemoteRecord?, APIError>).self) { group in
      var results = [Result<RemoteRecord?, APIError>](
        repeating: .failure(.cancelled), count: elements.count)
      var next = 0
      func start() {
        guard next < elements.count else { return }
        let (place, element) = (next, elements[next])
        next += 1
        group.addTask {
          (place, await Result.catching { () throws(APIError) in try await work(element) })
        }
      }
      for _ in 0..<width { start() }
      while let (place, result) = await group.next() {
        results[place] = result
        start()
      }
      return results
    }
  }
}

extension APIError {
  /// Whether the server said no, so that nothing was done.
  fileprivate var isRefusal: Bool {
    switch self {
    case .validation, .tooLarge, .notFound, .forbidden, .conflict, .notMade,
      .server(400...499, _):
      true
    default: false
    }
  }
}

extension RemoteWrite {
  /// Returns whether a record is the version that the write is based on, and has its content.
  fileprivate func isBased(on record: RemoteRecord, _ base: FieldValues?) -> Bool {
    guard let revision else { return true }
    return record.updatedAt == revision && base.map { $0 == record.fields } ?? true
  }
}

extension RemoteRecord {
  /// A story's count of readings.
  fileprivate var playCount: Int { fields.wire["playCount"]?.integer ?? 0 }
}
