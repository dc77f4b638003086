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

  func illustrationList(_ answer: AnswerPlace) -> AnswerPlace {
    self == .v1 ? answer["data"]["illustrations"] : answer["data"]
  }

  func illustrations(at answer: AnswerPlace) throws(APIError) -> [RemoteRecord] {
    try illustrationList(answer).elements().map { (item) throws(APIError) in
      try record(.illustrations, at: item)
    }
  }

  func playCount(at answer: AnswerPlace) throws(APIError) -> Int {
    let data = answer["data"]
    return try (data.isAbsent ? answer : data)["playCount"].count()
  }

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

  func audio(at answer: AnswerPlace) throws(APIError) -> AudioAnswer {
    let data = answer["data"]
    let url = try data["audioUrl"].optionalString()
    return AudioAnswer(
      state: data["status"].isAbsent
        ? (url == nil ? .pending : .completed) : try data["status"].mediaState(),
      url: url.map(Secret.init), duration: try data["audioDuration"].optionalNumber(),
      voice: try data["voice"].optionalString(), error: try data["error"].optionalString())
  }

  func illustrationProgress(at answer: AnswerPlace) throws(APIError) -> IllustrationProgress {
    let data = answer["data"]
    let list = data["illustrations"]
    let items = try (list.isAbsent ? [] : list.elements()).map { (item) throws(APIError) in
      IllustrationProgress.Item(
        id: try item["id"].nonEmptyString(), displayOrder: try item["displayOrder"].count(),
        state: try item["status"].mediaState(), error: try item["error"].optionalString(),
        hasImage: try item["hasImage"].bool())
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
