public import StoryLibrary

extension APIClient {
  /// One page of a kind's records.
  ///
  /// - Throws: `APIError`; `decoding` where the page as a whole cannot be used. A record that cannot
  ///   be used is told within the page.
  public nonisolated func page(
    of kind: EntityKind, _ request: PageRequest = PageRequest()
  ) async throws(APIError) -> RecordPage {
    let dialect = try await dialect()
    let answer = try await answer(to: .list(kind, request, dialect), dialect, kind: kind)
    return try dialect.page(kind, request, at: answer.place, date: answer.date)
  }

  /// One record as it is now.
  ///
  /// - Throws: `APIError`; `notFound` where it does not exist any more.
  public nonisolated func record(
    _ kind: EntityKind, id: String
  ) async throws(APIError) -> RemoteRecord {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    return try dialect.record(kind, at: dialect.recordPlace(answer.place))
  }

  /// Does one write; the record as the server then has it, `nil` for a delete.
  ///
  /// - Throws: `APIError`; `preconditionFailed` where the record is no longer what the write was
  ///   based on. After a `network` error that is not ``NetworkFailure/neverArrived`` the write may
  ///   or may not have been done.
  public nonisolated func perform(_ write: RemoteWrite) async throws(APIError) -> RemoteRecord? {
    let dialect = try await dialect()
    let body = dialect.outbound(write.body, kind: write.kind)
    let key = write.idempotencyKey
    let id = write.id ?? ""
    let endpoint: Endpoint
    switch write.operation {
    case .create:
      endpoint = try .create(write.kind, body: body, idempotencyKey: key, dialect)
    case .update:
      endpoint = try .update(
        write.kind, id: id, body: body, revision: write.revision, idempotencyKey: key, dialect)
    case .delete:
      endpoint = try .delete(
        write.kind, id: id, revision: write.revision, idempotencyKey: key, dialect)
      _ = try await answer(to: endpoint, dialect, kind: write.kind)
      return nil
    }
    let answer = try await answer(to: endpoint, dialect, kind: write.kind)
    return try dialect.record(write.kind, at: dialect.recordPlace(answer.place))
  }

  /// Does many writes, in requests of as many as the server takes at once, and one by one where it
  /// takes no batch. Each stands alone; the results are in the order of the writes.
  ///
  /// - Throws: `APIError` where the first request fails as a whole. Where a later one does, the
  ///   writes in it have that error as their result.
  public nonisolated func performBatch(
    _ writes: [RemoteWrite]
  ) async throws(APIError) -> [Result<RemoteRecord?, APIError>] {
    let info = try await serverInfo()
    var results: [Result<RemoteRecord?, APIError>] = []
    guard info.features.contains(.batch) else {
      for write in writes {
        results.append(await Result.catching { () throws(APIError) in try await perform(write) })
      }
      return results
    }
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
}

extension Result {
  /// The outcome of something asynchronous.
  static func catching(
    _ work: () async throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
}
