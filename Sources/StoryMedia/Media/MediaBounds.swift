import StoryAPI
import StoryLibrary

/// How long and how much the media store keeps.
public struct MediaBounds: Sendable, Hashable {
  /// How long a file of a kind stays since it was last used; a kind without one stays for ever.
  public var ages: [MediaKind: Duration]
  /// How many bytes all files have at most; those that are longest unused go first, avatars never.
  public var totalSize: Int

  /// Bounds from their parts; the usual are 30 days for narrations, 14 for pictures of scenes, and
  /// 2 GiB.
  public init(
    ages: [MediaKind: Duration] = [
      .audio: .seconds(30 * 86_400), .illustrations: .seconds(14 * 86_400),
    ],
    totalSize: Int = 2 << 30
  ) {
    self.ages = ages
    self.totalSize = totalSize
  }
}
