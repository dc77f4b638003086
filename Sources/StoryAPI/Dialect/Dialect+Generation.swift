import JSONText
import StoryLibrary

extension Dialect {
  /// Whether a server can generate stories, pictures and narrations, and store their files.
  public var makesMedia: Bool { self != .kinto }

  /// Checks that a server can generate something.
  ///
  /// - Throws: `APIError.unsupported` if it only stores records.
  func requireMedia() throws(APIError) {
    guard makesMedia else { throw .unsupported(.generation) }
  }

  /// Returns the request for a story's illustrations, from the story's own path.
  func illustrationsEndpoint(story: String) -> Endpoint {
    switch self {
    case .v0, .kinto: Endpoint(.get, story + "/illustrations")
    case .v1: Endpoint(.get, story, query: [.init("includeIllustrations", "true")])
    }
  }

  /// Returns the array of a story's illustrations in an answer.
  func illustrationList(_ answer: AnswerPlace) -> AnswerPlace {
    switch self {
    case .v0, .kinto: answer["data"]
    case .v1: answer["data"]["illustrations"]
    }
  }

  /// Decodes a story's illustrations.
  ///
  /// - Throws: `APIError.decoding` naming the wrong member.
  func illustrations(at answer: AnswerPlace) throws(APIError) -> [RemoteRecord] {
    var records: [RemoteRecord] = []
    for item in try illustrationList(answer).elements() {
      records.append(try record(.illustrations, at: item))
    }
    return records
  }

  /// Decodes the answer to counting a play, and returns the new count.
  ///
  /// - Throws: `APIError.decoding` naming the wrong member.
  func playCount(at answer: AnswerPlace) throws(APIError) -> Int {
    let data = answer["data"]
    return try (data.isAbsent ? answer : data)["playCount"].count()
  }

  /// Decodes the answer to a request for a hero's avatar.
  ///
  /// - Throws: `APIError.decoding` naming the wrong member.
  func avatar(at answer: AnswerPlace, heroID: String) throws(APIError) -> AvatarAnswer {
    let data = answer["data"]
    guard try data["heroId"].optionalString() ?? heroID == heroID else {
      throw data["heroId"].failure(.otherHero)
    }
    return AvatarAnswer(
      heroID: heroID,
      url: Secret(try data["avatarUrl"].nonEmptyString()),
      generationID: try data["generationId"].optionalString())
  }

  /// Decodes the state of a narration.
  ///
  /// - Throws: `APIError.decoding` naming the wrong member.
  func audio(at answer: AnswerPlace) throws(APIError) -> AudioAnswer {
    let data = answer["data"]
    let url = try data["audioUrl"].optionalString()
    return AudioAnswer(
      state: data["status"].isAbsent
        ? (url == nil ? .pending : .completed) : try data["status"].mediaState(),
      url: url.map(Secret.init), duration: try data["audioDuration"].optionalNumber(),
      voice: try data["voice"].optionalString(), error: try data["error"].optionalString())
  }

  /// Decodes the progress of a story's illustrations.
  ///
  /// - Throws: `APIError.decoding` naming the wrong member.
  func illustrationProgress(at answer: AnswerPlace) throws(APIError) -> IllustrationProgress {
    let data = answer["data"]
    var items: [IllustrationProgress.Item] = []
    if !data["illustrations"].isAbsent {
      for item in try data["illustrations"].elements() {
        items.append(
          .init(
            id: try item["id"].nonEmptyString(), displayOrder: try item["displayOrder"].count(),
            state: try item["status"].mediaState(), error: try item["error"].optionalString(),
            hasImage: try item["hasImage"].bool()))
      }
    }
    func count(_ key: String) throws(APIError) -> Int {
      data[key].isAbsent ? 0 : try data[key].count()
    }
    return IllustrationProgress(
      state: try data["status"].mediaState(), percent: min(try count("progress"), 100),
      total: try count("total"), completed: try count("completed"),
      processing: try count("processing"), failed: try count("failed"),
      pending: try count("pending"), items: items)
  }
}
