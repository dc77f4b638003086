import JSONText
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
    return try dialect.page(kind, request, of: answer)
  }

  /// Returns the number of records of a kind, without tombstones.
  ///
  /// - Throws: `APIError`; `noCollection` if nothing holds any yet.
  package nonisolated func total(of kind: EntityKind) async throws(APIError) -> Int {
    let dialect = try await dialect()
    guard dialect.tellsTotalsApart else {
      let page = try await page(of: kind, PageRequest(limit: 1))
      guard let total = page.total else {
        throw .list(kind, .noTotal)
      }
      return total
    }
    let answer = try await answer(to: .total(kind, dialect), dialect, kind: kind)
    guard let total = answer.headers["Total-Objects"].flatMap({ Int($0) }), total >= 0 else {
      throw .decoding(.noTotal, where: answer.request)
    }
    return total
  }

  /// Returns what the account may do with the bucket of this address, or `nil` on a server without
  /// buckets. An account's own bucket is not requested, because requesting it creates it.
  ///
  /// - Throws: `APIError`.
  public nonisolated func bucketAccess() async throws(APIError) -> BucketAccess? {
    let dialect = try await dialect()
    guard dialect.makesCollections else { return nil }
    guard let bucket = server.bucket, bucket != "default" else { return .write }
    do throws(APIError) {
      let answer = try await answer(to: .bucket, dialect)
      // The server shows the permissions only to those who may change the bucket.
      let names = answer.place["permissions"].value?.object?.keys ?? []
      return names.isEmpty ? .read : .write
    } catch {
      switch error {
      case .lacksRight, .noCollection, .notFound: return BucketAccess.none
      default: throw error
      }
    }
  }

  /// Returns the current version of a record.
  ///
  /// - Throws: `APIError`: `notFound` if it does not exist.
  public nonisolated func record(
    _ kind: EntityKind, id: String
  ) async throws(APIError) -> RemoteRecord {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    return try dialect.record(kind, id: id, at: answer.place["data"])
  }
}
