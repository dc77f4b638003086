public import StoryLibrary

extension APIClient {
  /// Returns a page of a kind's records.
  ///
  /// - Throws: `APIError`: `decoding` if the page as a whole is invalid. See
  ///   ``RecordPage/malformed``.
  public nonisolated func page(
    of kind: EntityKind, _ request: PageRequest = PageRequest()
  ) async throws(APIError) -> RecordPage {
    try await unreadPage(of: kind, request).read()
  }

  /// Returns a page of a kind's records without decoding its rows.
  ///
  /// - Throws: `APIError`, as in ``page(of:_:)``.
  package nonisolated func unreadPage(
    of kind: EntityKind, _ request: PageRequest = PageRequest()
  ) async throws(APIError) -> UnreadPage {
    let dialect = try await dialect()
    let answer = try await answer(to: .list(kind, request, dialect), dialect, kind: kind)
    return try dialect.page(kind, request, at: answer.place, date: answer.date)
  }

  /// Returns the current version of a record.
  ///
  /// - Throws: `APIError`: `notFound` if it does not exist.
  public nonisolated func record(
    _ kind: EntityKind, id: String
  ) async throws(APIError) -> RemoteRecord {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    return try dialect.record(kind, id: id, at: dialect.recordPlace(answer.place))
  }
}
