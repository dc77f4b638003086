public import StoryLibrary

extension APIClient {
  /// Where the file is that a member of a record names (`avatarUrl`, `audioUrl`, `imageUrl`), asked
  /// for anew: a signed address serves for a while only, so none is kept.
  ///
  /// - Returns: `nil` where the record has no such file, or where its address is not one that is
  ///   fetched from (see ``MediaAddress``).
  /// - Throws: `APIError` as for any record.
  public nonisolated func mediaAddress(
    of kind: EntityKind, id: String, member: String
  ) async throws(APIError) -> MediaAddress? {
    let dialect = try await dialect()
    let answer = try await answer(to: .record(kind, id: id, dialect), dialect, kind: kind)
    let text = try dialect.recordPlace(answer.place)[member].optionalString()
    return text.flatMap { MediaAddress($0, on: server) }
  }

  /// Where the pictures of a story are, by their server ids, asked for anew; those that have no file
  /// yet are left out.
  ///
  /// - Throws: `APIError`.
  public nonisolated func illustrationAddresses(
    storyID: String
  ) async throws(APIError) -> [String: MediaAddress] {
    let dialect = try await dialect()
    let answer = try await answer(to: .illustrations(storyID: storyID, dialect), dialect)
    var addresses: [String: MediaAddress] = [:]
    for picture in try dialect.illustrationList(answer.place).elements() {
      guard let text = try picture["imageUrl"].optionalString() else { continue }
      addresses[try picture["id"].nonEmptyString()] = MediaAddress(text, on: server)
    }
    return addresses
  }

  /// The request that fetches a file, with the token only where the file is on the server itself.
  ///
  /// - Throws: `APIError.unauthorized` where that needs a session and none holds.
  public func mediaRequest(_ address: MediaAddress) async throws(APIError) -> HTTPRequest {
    var request = HTTPRequest(
      method: .get, url: address.url.value, timeout: configuration.timeout)
    request.headers["User-Agent"] = "stories/\(configuration.programVersion)"
    guard address.isOnServer else { return request }
    let dialect = try await dialect()
    if let session = try await sessionToSend(.profile(dialect), dialect) {
      request.headers["Authorization"] = "Bearer \(session.token.value)"
    }
    return request
  }
}
