import StoryAPI
import StoryLibrary

/// What pruning removed, or would.
public struct MediaPrune: Sendable, Hashable {
  /// Why a file went.
  public enum Reason: String, Sendable {
    /// It was not used for too long.
    case age
    /// All files together had too many bytes.
    case size
  }

  /// A file that went.
  public struct Removal: Sendable, Hashable {
    /// The file.
    public var file: MediaFile
    /// Why.
    public var reason: Reason
  }

  /// Whether nothing was removed.
  public var isDryRun = false
  /// What went, in the order in which it did.
  public var removed: [Removal] = []
  /// What should have gone, but is in use.
  public var inUse: [MediaFile] = []
  /// How many files stay.
  public var keptCount = 0
  /// How many bytes they have.
  public var keptSize = 0
}
