import StoryAPI
import StoryLibrary

/// The result of pruning, or of a dry run.
public struct MediaPrune: Sendable, Hashable {
  /// The reason that a file was removed.
  public enum Reason: String, Sendable {
    /// It was not used for too long.
    case age
    /// The total size was too large.
    case size
  }

  /// A removed file.
  public struct Removal: Sendable, Hashable {
    /// The file.
    public var file: MediaFile
    /// The reason.
    public var reason: Reason
  }

  /// Whether nothing was removed.
  public var isDryRun = false
  /// The removed files, in the order of their removal.
  public var removed: [Removal] = []
  /// The files that were to be removed but are in use.
  public var inUse: [MediaFile] = []
  /// The number of files kept.
  public var keptCount = 0
  /// Their total size in bytes.
  public var keptSize = 0
}
