import StoryAPI
import StoryLibrary
import StorySync

extension MediaStore {
  /// Removes stale temporary files, then files that were not used for too long, and then the least
  /// recently used ones until the rest is within the limit.
  ///
  /// Files that another process holds (see `FileLock`) are kept, and links are not followed.
  /// Everything that is removed can be pulled again.
  /// - Throws: `FileError`; `MediaFailure.locked` if another process is fetching or pruning.
  public func prune(_ bounds: MediaBounds = MediaBounds(), isDryRun: Bool = false) throws
    -> MediaPrune
  {
    guard FileSystem.exists(library.path(Self.folder)) else {
      return MediaPrune(isDryRun: isDryRun)
    }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    return try pruneLocked(bounds, isDryRun: isDryRun)
  }

  /// Prunes while the caller holds the store's lock.
  func pruneLocked(_ bounds: MediaBounds, isDryRun: Bool = false) throws(FileError) -> MediaPrune {
    var prune = MediaPrune(isDryRun: isDryRun)
    if !isDryRun {
      try removeStaleFiles()
      try removeOldParts()
    }
    let files = try files().sorted { ($0.usedAt, $0.path) < ($1.usedAt, $1.path) }
    let today = now()
    var kept: [MediaFile] = []
    for file in files {
      let isOld = bounds.ages[file.kind].map { today.duration(since: file.usedAt) > $0 } ?? false
      if isOld, try drop(file, .age, &prune) { continue }
      kept.append(file)
    }
    var size = kept.reduce(0) { $0 + $1.size }
    prune.keptCount = kept.count
    for file in kept where size > bounds.totalSize && file.kind != .avatars {
      guard try drop(file, .size, &prune) else { continue }
      size -= file.size
      prune.keptCount -= 1
    }
    prune.keptSize = size
    return prune
  }

  private func drop(
    _ file: MediaFile, _ reason: MediaPrune.Reason, _ prune: inout MediaPrune
  ) throws(FileError) -> Bool {
    let isGone = if prune.isDryRun { true } else { try remove(file) }
    guard isGone else {
      if !prune.inUse.contains(file) { prune.inUse.append(file) }
      return false
    }
    prune.removed.append(.init(file: file, reason: reason))
    return true
  }
}

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
