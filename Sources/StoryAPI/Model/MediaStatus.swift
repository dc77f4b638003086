/// The state of something that the server makes.
public enum MediaState: String, Sendable, Hashable, CaseIterable {
  /// Nothing was requested.
  case none
  /// Waiting.
  case pending
  /// In progress.
  case processing
  /// Finished.
  case completed
  /// Partly finished and partly failed.
  case partial
  /// Failed.
  case failed

  /// Whether the state may still change.
  public var isUnderWay: Bool { self == .pending || self == .processing }
}

/// A hero's picture.
public struct AvatarAnswer: Sendable, Hashable {
  /// The server's id of the hero.
  public var heroID: String
  /// The address of the picture. It may be signed, so it must not be stored or shown.
  public var url: Secret
  /// The server's id of this picture.
  public var generationID: String?
}

/// A story's narration.
public struct AudioAnswer: Sendable, Hashable {
  /// The state.
  public var state: MediaState
  /// The address of the narration, if any. It may be signed, so it must not be stored or shown.
  public var url: Secret?
  /// The duration in seconds.
  public var duration: Double?
  /// The voice, if the server says.
  public var voice: String?
  /// The reason for a failure, if the server says.
  public var error: String?

  /// Creates a narration response.
  public init(
    state: MediaState, url: Secret? = nil, duration: Double? = nil, voice: String? = nil,
    error: String? = nil
  ) {
    self.state = state
    self.url = url
    self.duration = duration
    self.voice = voice
    self.error = error
  }
}

/// The progress of a story's pictures.
public struct IllustrationProgress: Sendable, Hashable {
  /// A picture.
  public struct Item: Sendable, Hashable {
    /// The server's id of the picture.
    public var id: String
    /// The place in the story, in the server's numbering.
    public var displayOrder: Int
    /// The state.
    public var state: MediaState
    /// The server's reason for a failure.
    public var error: String?
    /// Whether there is a file to fetch.
    public var hasImage: Bool
  }

  /// The overall state.
  public var state: MediaState
  /// The overall progress in percent.
  public var percent: Int
  /// The total number of pictures.
  public var total: Int
  /// The number of finished pictures.
  public var completed: Int
  /// The number of pictures in progress.
  public var processing: Int
  /// The number of failed pictures.
  public var failed: Int
  /// The number of waiting pictures.
  public var pending: Int
  /// The pictures in the server's order.
  public var items: [Item]
}
