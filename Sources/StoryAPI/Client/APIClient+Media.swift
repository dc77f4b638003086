public import StoryLibrary

/// A record with the address of its file.
public struct MediaSource: Sendable, Hashable {
  /// The current record on the server.
  public var record: RemoteRecord
  /// The address of the file, or `nil` if the record has no file or it must not be fetched from there (see
  /// ``MediaAddress``). Signed addresses expire, so none is stored.
  public var address: MediaAddress?
}

extension APIClient {
  /// Requests a record and the address of its file in `member` (`avatarUrl`, `audioUrl`).
  ///
  /// - Throws: `APIError`, as for any record.
  public nonisolated func mediaSource(
    of kind: EntityKind, id: String, member: String
  ) async throws(APIError) -> MediaSource {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    let place = answer.place["data"]
    try place.confirm(id: id)
    return try source(kind, at: place, member, dialect)
  }

  /// Requests a story's pictures with the addresses of their files, in the server's order.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrationSources(
    storyID: String
  ) async throws(APIError) -> [MediaSource] {
    let dialect = try await dialect()
    let answer = try await answer(to: .illustrations(storyID: storyID, dialect), dialect)
    return try dialect.illustrationList(answer.place).elements().map { (picture) throws(APIError) in
      try source(.illustrations, at: picture, "imageUrl", dialect)
    }
  }

  private nonisolated func source(
    _ kind: EntityKind, at place: AnswerPlace, _ member: String, _ dialect: Dialect
  ) throws(APIError) -> MediaSource {
    let address = try place[member].optionalString().flatMap { MediaAddress($0, on: server) }
    return MediaSource(record: try dialect.record(kind, at: place), address: address)
  }

  /// Returns the request for a file, with the token only if the file is on the server itself.
  ///
  /// - Throws: `APIError.unauthorized` if that requires a session and none is valid.
  public func mediaRequest(_ address: MediaAddress) async throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: .get, url: address.url.value, timeout: configuration.timeout)
    // A file may be large, so only a server that almost stops is too slow.
    request.timeLimit = .seconds(60)
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    guard address.isOnServer else { return request }
    let dialect = try await dialect()
    if let session = try await sessionToSend(.profile(dialect), dialect) {
      request.headers["Authorization"] = "\(session.scheme.rawValue) \(session.token.value)"
    }
    return request
  }
}
