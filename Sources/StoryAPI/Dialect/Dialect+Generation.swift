import JSONText
import StoryLibrary

extension Dialect {
  /// Whether a server may write stories, draw and narrate, and have files of that.
  public var makesMedia: Bool { self != .kinto }

  /// Makes sure that a server may make something.
  ///
  /// - Throws: `APIError.unsupported` if it keeps records only.
  func requireMedia() throws(APIError) {
    guard makesMedia else { throw .unsupported(.generation) }
  }

  /// The request for a story's pictures, from the story's own path.
  func illustrationsEndpoint(story: String) -> Endpoint {
    switch self {
    case .v0, .kinto: Endpoint(.get, story + "/illustrations")
    case .v1: Endpoint(.get, story, query: [.init("includeIllustrations", "true")])
    }
  }

  /// The array of a story's pictures in an answer.
  func illustrationList(_ answer: AnswerPlace) -> AnswerPlace {
    switch self {
    case .v0, .kinto: answer["data"]
    case .v1: answer["data"]["illustrations"]
    }
  }

  /// Decodes a story's pictures.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func illustrations(at answer: AnswerPlace) throws(APIError) -> [RemoteRecord] {
    var records: [RemoteRecord] = []
    for item in try illustrationList(answer).elements() {
      records.append(try record(.illustrations, at: item))
    }
    return records
  }

  /// Decodes the answer to a counted reading: the count that there is now.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func playCount(at answer: AnswerPlace) throws(APIError) -> Int {
    let data = answer["data"]
    return try (data.isAbsent ? answer : data)["playCount"].count()
  }

  /// Decodes the answer to a request for a hero's picture.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func avatar(at answer: AnswerPlace, heroID: String) throws(APIError) -> AvatarAnswer {
    let data = answer["data"]
    guard try data["heroId"].optionalString() ?? heroID == heroID else {
      throw data["heroId"].failure("another hero's picture")
    }
    return AvatarAnswer(
      heroID: heroID,
      url: Secret(try data["avatarUrl"].nonEmptyString()),
      generationID: try data["generationId"].optionalString())
  }

  /// Decodes how far a narration is.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func audio(at answer: AnswerPlace) throws(APIError) -> AudioAnswer {
    let data = answer["data"]
    let url = try data["audioUrl"].optionalString()
    return AudioAnswer(
      state: data["status"].isAbsent
        ? (url == nil ? .pending : .completed) : try data["status"].mediaState(),
      url: url.map(Secret.init), duration: try data["audioDuration"].optionalNumber(),
      voice: try data["voice"].optionalString(), error: try data["error"].optionalString())
  }

  /// Decodes how far the pictures of a story are.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
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
