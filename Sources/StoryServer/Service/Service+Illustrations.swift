import JSONText

extension Service {
  /// Answers `POST` for a story's illustrations with 202 and their status. They are drawn in the
  /// background.
  ///
  /// Existing illustrations stay unless `regenerate` is true; failed ones are tried again.
  func makeIllustrations(
    _ id: RecordID, _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    let regenerates = try flag("regenerate", body)
    let response = try once(
      request, RememberedRequest.asked("illustrations", id.text), body, account, status: 202, now
    ) {
      (remembered) throws(APIFailure) in
      try store.change(account, now: now) { (changes) throws(APIFailure) in
        guard let story = try changes.record(.stories, id) else { throw .noSuchRecord(.stories) }
        let album = Album(story: story, hero: try changes.hero(of: story))
        let limit = workshop.generation.limit(of: .illustrations)
        let asked = try album.order(
          regenerates: regenerates, limit: limit, newID: newID, in: &changes)
        let answer = asked.progress.compactBytes
        changes.remember(remembered, answer: answer)
        return answer
      }
    }
    workshop.ring()
    return response
  }

  func illustrationStatus(_ id: RecordID, _ account: Int) throws(APIFailure) -> ServerResponse {
    let status = try store.change(account, now: options.clock()) { (changes) throws(APIFailure) in
      guard try changes.record(.stories, id) != nil else { throw .noSuchRecord(.stories) }
      return try Album.pictures(of: id, changes).progress
    }
    return ServerResponse(200, body: dialect.record(status.compactBytes))
  }

  func illustrations(
    _ id: RecordID, _ request: ServerRequest, _ account: Int
  ) throws(APIFailure) -> ServerResponse {
    let records = try illustrations(of: id, account, media(for: request))
    return ServerResponse(200, body: dialect.record(records))
  }

  /// Returns a story's illustrations as a JSON array, in order.
  ///
  /// - Throws: `APIFailure` with status 404 if there is no such story.
  func illustrations(
    of story: RecordID, _ account: Int, _ media: MediaLinks
  ) throws(APIFailure) -> [UInt8] {
    let records = try store.change(account, now: options.clock()) {
      (changes) throws(APIFailure) -> [[UInt8]] in
      guard try changes.record(.stories, story) != nil else { throw .noSuchRecord(.stories) }
      return try Album.pictures(of: story, changes).map(\.record.document.bytes)
    }
    return ServerAPI.array(records.map { dialect.shown($0, of: .illustrations, media) })
  }
}
