public import StoryLibrary

extension APIClient {
  /// One page of a kind's records.
  ///
  /// - Throws: `APIError`; `decoding` where the page as a whole cannot be used. A record that cannot
  ///   be used is told within the page.
  public nonisolated func page(
    of kind: EntityKind, _ request: PageRequest = PageRequest()
  ) async throws(APIError) -> RecordPage {
    try await unreadPage(of: kind, request).read()
  }

  /// One page of a kind's records whose rows have yet to be read.
  ///
  /// - Throws: `APIError` as ``page(of:_:)``.
  package nonisolated func unreadPage(
    of kind: EntityKind, _ request: PageRequest = PageRequest()
  ) async throws(APIError) -> UnreadPage {
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
    return try dialect.record(kind, id: id, at: dialect.recordPlace(answer.place))
  }
}
