import StoryAPI
import StoryLibrary

/// The limits of the media store.
public struct MediaBounds: Sendable, Hashable {
  /// The maximum time since the last use by kind; other kinds are kept forever.
  public var ages: [MediaKind: Duration]
  /// The maximum total size in bytes. The least recently used are removed first, avatars never.
  public var totalSize: Int

  /// Creates limits. The defaults are 30 days for narrations, 14 for pictures of scenes, and 2 GiB.
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
