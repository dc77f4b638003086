import StoryLibrary

/// What became of files that were asked for.
public struct MediaReport: Sendable {
  /// A file that could not be fetched.
  public struct Failure: Sendable {
    /// What was asked for.
    public var item: MediaItem
    /// Why it is not there: `MediaFailure`, `APIError`, `FileError`.
    public var error: any Error
  }

  /// Whether nothing was fetched.
  public var isDryRun = false
  /// Files that were fetched, or would be.
  public var fetched: [(item: MediaItem, file: MediaFile?)] = []
  /// Files that were there already.
  public var present: [(item: MediaItem, file: MediaFile)] = []
  /// What could not be fetched.
  public var failed: [Failure] = []
  /// How many bytes came.
  public var bytes = 0
  /// What was removed afterwards to stay within the bounds; `nil` where nothing was looked at.
  public var pruned: MediaPrune?
  /// Whether the run was broken off; what is missing in the lists was not begun or stays in part.
  public var isInterrupted = false

  /// Nothing was asked for.
  public init() {}
}
