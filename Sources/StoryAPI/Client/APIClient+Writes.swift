import JSONText
public import StoryLibrary
import Synchronization

extension APIClient {
  /// Carries out a write and returns the resulting record, or `nil` for a delete.
  ///
  /// Values that a server does not accept (see ``Dialect``) show in the returned record. If the
  /// server does not support preconditions, nothing is compared before the first attempt; callers
  /// can read the record first. Before a change is repeated, the record is read, unless the server
  /// supports both preconditions and idempotency keys. This prevents carrying it out twice or
  /// overwriting another's change.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - base: The user's fields in the revision that the write is based on, to compare as well.
  /// - Throws: `APIError`: `preconditionFailed` if the record is not what the write was based on, or
  ///   was created by an earlier attempt and changed since; `unconfirmed` if it was created but could
  ///   not be read. After a `network` error other than ``NetworkFailure/neverArrived``, the write may
  ///   or may not have been carried out.
  public nonisolated func perform(
    _ write: RemoteWrite, base: FieldValues? = nil
  ) async throws(APIError) -> RemoteRecord? {
    let dialect = try await dialect()
    try await checkWritable()
    do throws(APIError) {
      switch write.operation {
      case .create:
        do throws(APIError) {
          return try await create(write, dialect)
        } catch {
          guard error.mayLackCollection, dialect.makesCollections else { throw error }
          try await makeCollection(write.kind, after: error)
          return try await create(write, dialect)
        }
      case .update: return try await update(write, base, dialect)
      case .delete:
        try await delete(write, base, dialect)
        return nil
      }
    } catch {
      throw error.about(write, dialect)
    }
  }

  /// Makes sure that the server takes writes, without asking it for that alone.
  private nonisolated func checkWritable() async throws(APIError) {
    if await knownInfo?.isReadOnly == true { throw .unsupported(.writing(server: server.text)) }
  }

  /// Creates a kind's collection, and the bucket, if they are missing.
  ///
  /// - Parameter refusal: the error of a create that may have been refused for that.
  /// - Throws: `APIError`; `lacksRight` if the account may not. In a bucket that is there, that is about
  ///   the create: the collection may well be there too.
  package nonisolated func makeCollection(
    _ kind: EntityKind, after refusal: APIError? = nil
  ) async throws(APIError) {
    let dialect = try await dialect()
    func make(_ endpoint: Endpoint, _ kind: EntityKind?) async throws(APIError) {
      do throws(APIError) {
        _ = try await answer(to: endpoint, dialect, kind: kind)
      } catch {
        // It exists, which does not mean that this account may use it.
        guard case .preconditionFailed = error else { throw error }
      }
    }
    do throws(APIError) {
      try await make(.makeCollection(kind), kind)
    } catch {
      // The bucket is missing or belongs to another account.
      guard error.mayLackCollection else { throw error }
      try await make(.makeBucket, nil)
      do throws(APIError) {
        try await make(.makeCollection(kind), kind)
      } catch {
        guard case .lacksRight? = refusal, case .lacksRight = error else { throw error }
        throw refusal ?? error
      }
    }
  }

  private nonisolated func delete(
    _ write: RemoteWrite, _ base: FieldValues?, _ dialect: Dialect
  ) async throws(APIError) {
    let endpoint = try Endpoint.write(write, body: JSONObject(), dialect)
    let answer = try await answer(to: endpoint, dialect, kind: write.kind) {
      [self] (error) throws(APIError) in
      try await outcome(of: write, sending: JSONObject(), base, endpoint, after: error)
    }
    if answer.status != 204 { try answer.place["data"].confirm(id: write.id ?? "") }
  }

  // MARK: Checking

  /// Reads the record of a change and compares it with what the change is based on.
  ///
  /// - Throws: `APIError`: `preconditionFailed` with a record that has changed, `notFound`.
  package nonisolated func check(
    _ write: RemoteWrite, base: FieldValues?
  ) async throws(APIError) {
    guard let id = write.id, write.revision != nil else { return }
    let record = try await record(write.kind, id: id)
    guard write.isBased(on: record, base) else { throw .preconditionFailed(current: record) }
  }

  /// Finds out what became of a failed change before it is repeated.
  ///
  /// - Parameter body: The sent members in canonical form.
  /// - Returns: A replacement for its response if it was done, or `nil` if the record is unchanged.
  /// - Throws: `preconditionFailed` if the record was changed by another, `notFound` if it is
  ///   missing, `error` if this cannot be determined.
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
    guard record.holds(body) else { throw error }
    return Answer(doneBefore: endpoint.name, record: record)
  }

  /// Carries out many writes in as few requests as the server allows. They are independent; the
  /// results are in the order of the writes.
  ///
  /// - Throws: `APIError` if the first request fails as a whole and the server accepts mixed
  ///   batches. Otherwise, each write of a failed request has its error as the result.
  public nonisolated func performBatch(
    _ writes: [RemoteWrite]
  ) async throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    let info = try await serverInfo()
    try await checkWritable()
    if info.features.contains(.batch), info.dialect.takesMixedBatches {
      return try await performMixed(writes, info)
    }
    var results = [Result<RemoteRecord?, APIError>?](repeating: nil, count: writes.count)
    for kind in EntityKind.writable
    where info.features.contains(.batch) && info.dialect.createsBatches(of: kind) {
      let places = writes.indices.filter {
        writes[$0].operation == .create && writes[$0].kind == kind
      }
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
        results += try await performPart(part, info.dialect)
      } catch {
        guard !results.isEmpty else { throw error }
        results += part.map { _ in .failure(error) }
      }
    }
    return results
  }

  private nonisolated func performPart(
    _ part: [RemoteWrite], _ dialect: Dialect
  ) async throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    // The error of an attempt that may have carried out the batch.
    let doubt = Mutex<APIError?>(nil)
    let answer: Answer
    // The answer to the repeated request shows what the first one did.
    let note: LookUp = { (error) throws(APIError) in
      if !RetryPolicy.wasNotDone(error) { doubt.withLock { $0 = error } }
      return nil
    }
    do throws(APIError) {
      answer = try await self.answer(
        to: dialect.batch(part, at: server), dialect, lookUp: dialect.repeatsBatches ? note : nil)
    } catch {
      guard dialect.repeatsBatches, error.isRefusal else { throw error }
      // The refusal of the repeated request does not tell whether the first one was carried out.
      if let doubted = doubt.withLock({ $0 }) { throw doubted }
      guard part.count > 1 else { throw error }
      return try await performHalves(part, dialect)
    }
    let doubted = doubt.withLock { $0 }
    var results = try zip(part, dialect.batchResults(part, at: answer.place)).map {
      $1.settled($0, dialect, after: doubted)
    }
    guard dialect.makesCollections else { return results }
    try await retryWithCollections(part, &results, dialect)
    return results
  }

  /// Carries out the halves of a batch that was refused as a whole, and a write that is still refused
  /// without a batch. Otherwise, a later refusal would cause the finished writes to be sent again.
  private nonisolated func performHalves(
    _ part: [RemoteWrite], _ dialect: Dialect
  ) async throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    var results: [Result<RemoteRecord?, APIError>] = []
    for half in [part[..<(part.count / 2)], part[(part.count / 2)...]] {
      do throws(APIError) {
        results += try await performPart(Array(half), dialect)
      } catch {
        guard error.isRefusal, let write = half.first, half.count == 1 else { throw error }
        results.append(
          await Result.catching { () throws(APIError) in try await perform(write) })
      }
    }
    return results
  }

  private nonisolated func retryWithCollections(
    _ part: [RemoteWrite], _ results: inout [Result<RemoteRecord?, APIError>], _ dialect: Dialect
  ) async throws(APIError) {
    let places = part.indices.filter { place in
      guard part[place].operation == .create, case .failure(let error) = results[place] else {
        return false
      }
      return error.mayLackCollection
    }
    var rest: [Int] = []
    for kind in Set(places.map { part[$0].kind }).sorted() {
      let ofKind = places.filter { part[$0].kind == kind }
      do throws(APIError) {
        guard case .failure(let refusal)? = ofKind.first.map({ results[$0] }) else { continue }
        try await makeCollection(kind, after: refusal)
        rest += ofKind
      } catch {
        for place in ofKind { results[place] = .failure(error) }
      }
    }
    guard !rest.isEmpty else { return }
    let writes = rest.map { part[$0] }
    let answer = try await self.answer(to: dialect.batch(writes, at: server), dialect) {
      (_) throws(APIError) in nil
    }
    for (place, result) in zip(rest, try dialect.batchResults(writes, at: answer.place)) {
      results[place] = result.settled(part[place], dialect, after: nil)
    }
  }

  // MARK: Creating

  private nonisolated func create(
    _ write: RemoteWrite, _ dialect: Dialect
  ) async throws(APIError) -> RemoteRecord {
    if dialect.createsInBatchOnly(write.kind) {
      let answer = try await answer(
        to: dialect.creationBatch([write], of: write.kind), dialect)
      let id = try dialect.createdIDs([write], at: answer.place)[0].get()
      return try await readBack(write.kind, id: id)
    }
    let endpoint = try Endpoint.write(
      write, body: dialect.outboundNew(write.body, kind: write.kind), dialect)
    do throws(APIError) {
      let answer = try await answer(to: endpoint, dialect, kind: write.kind)
      return try dialect.record(write.kind, at: answer.place["data"])
    } catch {
      guard let made = try error.madeBefore(by: write, dialect) else { throw error }
      return made
    }
  }

  /// Creates records of one kind in batches, whose responses contain only ids, and reads them.
  private nonisolated func createMany(
    _ writes: [RemoteWrite], _ kind: EntityKind, _ info: ServerInfo
  ) async -> [Result<RemoteRecord?, APIError>] {
    var results: [Result<RemoteRecord?, APIError>] = []
    for part in BatchParts.split(writes, limit: info.batchLimit) {
      let ids = await Result.catching { () throws(APIError) in
        let answer = try await answer(
          to: info.dialect.creationBatch(part, of: kind), info.dialect)
        return try info.dialect.createdIDs(part, at: answer.place)
      }
      switch ids {
      case .failure(let error) where error.isRefusal && part.count > 1:
        // The refusal of a whole batch says nothing about single records.
        results += await inParallel(part) { [self] write throws(APIError) in
          try await perform(write)
        }
      case .failure(let error): results += part.map { _ in .failure(error) }
      case .success(let ids): results += await readBack(kind, ids)
      }
    }
    return results
  }

  /// Returns the records with these ids. New records lead lists, so one page saves most requests.
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
      let endpoint = try Endpoint.write(
        write, body: dialect.outbound(body, kind: write.kind), dialect)
      let sent = body
      let answer = try await answer(to: endpoint, dialect, kind: write.kind) {
        [self] (error) throws(APIError) in
        try await outcome(of: write, sending: sent, base, endpoint, after: error)
      }
      latest = try dialect.record(write.kind, id: id, at: answer.place["data"])
    }
    guard let count else {
      if let latest { return latest }
      return try await record(write.kind, id: id)
    }
    return try await play(id, upTo: count, from: latest, dialect)
  }

  /// Counts readings until the server's count is `count`, and returns the record.
  ///
  /// - Throws: `APIError`: `unsupported` if that would require too many requests.
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

  /// Calls `work` for all elements, as parallel as requests, and returns the results in order.
  private nonisolated func inParallel<Element: Sendable>(
    _ elements: [Element],
    _ work: @escaping @Sendable (Element) async throws(APIError) -> RemoteRecord?
  ) async -> [Result<RemoteRecord?, APIError>] {
    await Parallel.map(elements, width: configuration.maximumRequests) { element in
      await Result.catching { () throws(APIError) in try await work(element) }
    }.map { $0 ?? .failure(.cancelled) }
  }
}

extension APIError {
  /// Whether the server refused, so that nothing was done.
  fileprivate var isRefusal: Bool {
    switch self {
    case .validation, .tooLarge, .notFound, .noCollection, .forbidden, .lacksRight, .conflict,
      .notMade, .server(400...499, _):
      true
    default: false
    }
  }

  /// Whether a create may have been refused because its collection does not exist. For an account
  /// without access, a server does not distinguish that from a collection of another account.
  fileprivate var mayLackCollection: Bool {
    switch self {
    case .noCollection, .lacksRight: true
    default: false
    }
  }

  /// Returns the record that an earlier attempt of a create made, if that is the reason of this error.
  ///
  /// - Throws: `conflict` if something else is in its place, `preconditionFailed` if the record has
  ///   been changed since.
  fileprivate func madeBefore(
    by write: RemoteWrite, _ dialect: Dialect
  ) throws(APIError) -> RemoteRecord? {
    guard dialect.givesIDs, case .preconditionFailed(let current) = self else { return nil }
    guard let current, dialect.isMade(current, by: write) else { throw .conflict(message: nil) }
    guard current.fields == FieldValues(kind: write.kind, wire: write.body) else { throw self }
    return current
  }
}

extension Result where Success == RemoteRecord?, Failure == APIError {
  /// Returns the result of a write in a batch that may have been carried out by an earlier attempt.
  ///
  /// - Parameter doubt: The error of an attempt that may have carried out the batch, or `nil`.
  fileprivate func settled(
    _ write: RemoteWrite, _ dialect: Dialect, after doubt: APIError?
  ) -> Self {
    guard case .failure(let error) = self else { return self }
    switch (write.operation, error) {
    case (.create, _):
      return Result { () throws(APIError) in
        guard let made = try error.madeBefore(by: write, dialect) else { throw error }
        return made
      }
    case (.update, .preconditionFailed(let current)):
      guard let doubt else { return self }
      if let current, current.holds(write.body) { return .success(current) }
      // The current record may already include what was counted.
      return write.hasCounter ? .failure(doubt) : self
    case (.delete, .notFound) where doubt != nil: return .success(nil)
    default: return self
    }
  }
}

extension RemoteWrite {
  fileprivate var hasCounter: Bool {
    kind.schema.fields.contains { $0.merge == .counter && body[$0.wireKey] != nil }
  }

  /// Returns whether a record has the revision and content that the write is based on.
  fileprivate func isBased(on record: RemoteRecord, _ base: FieldValues?) -> Bool {
    guard let revision else { return true }
    return record.updatedAt == revision && base.map { $0 == record.fields } ?? true
  }
}

extension RemoteRecord {
  fileprivate func holds(_ body: JSONObject) -> Bool {
    kind.schema.fields.allSatisfy { field in
      body[field.wireKey].map { $0 == fields.effective(field) } ?? true
    }
  }

  fileprivate var playCount: Int { fields.wire["playCount"]?.integer ?? 0 }
}
