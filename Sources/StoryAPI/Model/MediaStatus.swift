/// How far something is that the server makes.
public enum MediaState: String, Sendable, Hashable, CaseIterable {
  /// Nothing was asked for.
  case none
  /// It waits for its turn.
  case pending
  /// It is being made.
  case processing
  /// It is there.
  case completed
  /// Some of it is there, some failed.
  case partial
  /// It could not be made.
  case failed

  /// Whether asking again later can give another answer.
  public var isUnderWay: Bool { self == .pending || self == .processing }
}

/// A hero's picture.
public struct AvatarAnswer: Sendable, Hashable {
  /// The hero's server id.
  public var heroID: String
  /// Where the picture is; possibly signed, so not to be kept or shown.
  public var url: Secret
  /// The server's id of this picture.
  public var generationID: String?

  /// An answer from its parts.
  public init(heroID: String, url: Secret, generationID: String? = nil) {
    self.heroID = heroID
    self.url = url
    self.generationID = generationID
  }
}

/// A story's narration.
public struct AudioAnswer: Sendable, Hashable {
  /// How far it is.
  public var state: MediaState
  /// Where it is; possibly signed, so not to be kept or shown. `nil` while there is none.
  public var url: Secret?
  /// How long it is, in seconds.
  public var duration: Double?
  /// Who reads it, where the server tells.
  public var voice: String?
  /// The reason why it could not be made, if the server says it.
  public var error: String?

  /// An answer from its parts.
  public init(
    state: MediaState, url: Secret? = nil, duration: Double? = nil, voice: String? = nil,
    error: String? = nil
  ) {
    self.error = error
    self.state = state
    self.url = url
    self.duration = duration
    self.voice = voice
    self.error = error
  }
}

/// How far the pictures of a story are.
public struct IllustrationProgress: Sendable, Hashable {
  /// One picture.
  public struct Item: Sendable, Hashable {
    /// The server's id of the picture.
    public var id: String
    /// Its place in the story, as the server counts.
    public var displayOrder: Int
    /// How far it is.
    public var state: MediaState
    /// Why it could not be made, as the server says it.
    public var error: String?
    /// Whether there is a file to fetch.
    public var hasImage: Bool
  }

  /// How far they are as a whole.
  public var state: MediaState
  /// The same as a number from 0 to 100.
  public var percent: Int
  /// How many there will be.
  public var total: Int
  /// How many are there.
  public var completed: Int
  /// How many are being made.
  public var processing: Int
  /// How many could not be made.
  public var failed: Int
  /// How many wait.
  public var pending: Int
  /// Each of them, in the server's order.
  public var items: [Item]
}
