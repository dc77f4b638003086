/// The results for the requested files.
public struct MediaReport: Sendable {
  /// A file that could not be fetched.
  public struct Failure: Sendable {
    /// The requested file.
    public var item: MediaItem
    /// The error: `MediaFailure`, `APIError`, `FileError`.
    public var error: any Error
  }

  /// Whether nothing was fetched.
  public var isDryRun = false
  /// The files that were fetched, or would be.
  public var fetched: [(item: MediaItem, file: MediaFile?)] = []
  /// The files that already existed.
  public var present: [(item: MediaItem, file: MediaFile)] = []
  /// The files that could not be fetched.
  public var failed: [Failure] = []
  /// The number of bytes received.
  public var bytes = 0
  /// The files removed afterwards, or `nil` if the store was not pruned.
  public var pruned: MediaPrune?
  /// Whether the run was interrupted. Files that are not listed were not started or are incomplete.
  public var isInterrupted = false

  /// Creates an empty report.
  public init() {}
}

/// The reason that files could not be fetched, other than errors of the server or the network.
public enum MediaFailure: Error, Sendable, Hashable {
  /// Another process is fetching or pruning.
  case locked
  /// The server no longer has the file, or its address is neither https nor on the server itself.
  case noAddress
  /// The server gives an address for the file but refuses to serve it.
  case refused
  /// The file has the wrong content type, which is given.
  case wrongType(String)
  /// A response does not match the request; the text explains why.
  case wrongAnswer(String)
  /// The file exceeds the maximum size in bytes.
  case tooLarge(limit: Int)
}
