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
      var prune = MediaPrune()
      prune.isDryRun = isDryRun
      return prune
    }
    guard let lock = try lock() else {
      throw MediaFailure.locked
    }
    defer { withExtendedLifetime(lock) {} }
    return try pruneLocked(bounds, isDryRun: isDryRun)
  }

  /// Prunes while the caller holds the store's lock.
  func pruneLocked(_ bounds: MediaBounds, isDryRun: Bool = false) throws(FileError) -> MediaPrune {
    var prune = MediaPrune()
    prune.isDryRun = isDryRun
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
    var isGone = prune.isDryRun
    if !isGone { isGone = try remove(file) }
    guard isGone else {
      if !prune.inUse.contains(file) { prune.inUse.append(file) }
      return false
    }
    prune.removed.append(.init(file: file, reason: reason))
    return true
  }
}
