public import StoryLibrary

/// A record that has a file, with the file's address.
public struct MediaSource: Sendable, Hashable {
  /// The record as the server has it now.
  public var record: RemoteRecord
  /// Where the file is; `nil` where the record has none, or where its address is not one that is
  /// fetched from (see ``MediaAddress``). A signed address serves for a while only, so none is kept.
  public var address: MediaAddress?
}

extension APIClient {
  /// A record and where the file is that one of its members names (`avatarUrl`, `audioUrl`), asked
  /// for anew.
  ///
  /// - Throws: `APIError` as for any record.
  public nonisolated func mediaSource(
    of kind: EntityKind, id: String, member: String
  ) async throws(APIError) -> MediaSource {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    let place = dialect.recordPlace(answer.place)
    try place.confirm(id: id)
    return try source(kind, at: place, member, dialect)
  }

  /// The pictures of a story and where their files are, asked for anew, in the server's order.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrationSources(
    storyID: String
  ) async throws(APIError) -> [MediaSource] {
    let dialect = try await dialect()
    let answer = try await answer(to: .illustrations(storyID: storyID, dialect), dialect)
    var sources: [MediaSource] = []
    for picture in try dialect.illustrationList(answer.place).elements() {
      sources.append(try source(.illustrations, at: picture, "imageUrl", dialect))
    }
    return sources
  }

  private nonisolated func source(
    _ kind: EntityKind, at place: AnswerPlace, _ member: String, _ dialect: Dialect
  ) throws(APIError) -> MediaSource {
    let address = try place[member].optionalString().flatMap { MediaAddress($0, on: server) }
    return MediaSource(record: try dialect.record(kind, at: place), address: address)
  }

  /// The request that fetches a file, with the token only where the file is on the server itself.
  ///
  /// - Throws: `APIError.unauthorized` where that needs a session and none holds.
  public func mediaRequest(_ address: MediaAddress) async throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: .get, url: address.url.value, timeout: configuration.timeout)
    // A file may be large, so only a server that almost stops is too slow.
    request.timeLimit = .seconds(60)
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    guard address.isOnServer else { return request }
    let dialect = try await dialect()
    if let session = try await sessionToSend(.profile(dialect), dialect) {
      request.headers["Authorization"] = "Bearer \(session.token.value)"
    }
    return request
  }
}
