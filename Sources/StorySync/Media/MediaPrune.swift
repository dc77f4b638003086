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

extension MediaStore {
  /// Removes files that were not used for long, and then those longest unused until the rest is
  /// within the bound.
  ///
  /// A file that another process holds (see ``FileLock``) stays, and so does whatever a link leads
  /// to. Everything that goes can be pulled again.
  /// - Throws: `FileError`; `LibraryError.locked` where another process fetches or prunes.
  public func prune(_ bounds: MediaBounds = MediaBounds(), isDryRun: Bool = false) throws
    -> MediaPrune
  {
    guard FileSystem.exists(library.path(Self.folder)) else {
      var prune = MediaPrune()
      prune.isDryRun = isDryRun
      return prune
    }
    guard let lock = try lock() else {
      throw LibraryError.locked(holder: "another `stories media`")
    }
    defer { withExtendedLifetime(lock) {} }
    return try pruneLocked(bounds, isDryRun: isDryRun)
  }

  /// Does that for whoever holds the store's lock.
  func pruneLocked(_ bounds: MediaBounds, isDryRun: Bool = false) throws(FileError) -> MediaPrune {
    var prune = MediaPrune()
    prune.isDryRun = isDryRun
    if !isDryRun { try removeOldParts() }
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
