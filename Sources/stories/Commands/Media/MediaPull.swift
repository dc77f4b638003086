import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
import Synchronization

/// Fetches files from the library's server, with progress, until done or interrupted.
struct MediaPull: Sendable {
  let library: Library
  let context: Context

  /// Fetches the records' missing files.
  ///
  /// - Parameters:
  ///   - refs: The records, or `nil` for all.
  ///   - bounds: The limits for pruning afterwards, or `nil` to keep everything.
  ///   - isDryRun: Whether only to report what would be fetched.
  /// - Throws: as `MediaRepository.pull`.
  func run(
    _ refs: [RecordRef]?, bounds: MediaBounds? = MediaBounds(), isDryRun: Bool = false
  ) async throws -> MediaReport {
    let setting = try context.serverSetting(library)
    try setting.checkMedia(of: library)
    let access = ServerAccess(library: library, setting: setting, context: context)
    let media = Repositories(library, time: context.time, wording: .english) {
      try await access.connect($0)
    }.media
    if isDryRun { return try media.plan(refs) }
    let progress = context.progress()
    return try await access.closing {
      defer { progress.finish() }
      return try await context.interruptible {
        let latest = Mutex(MediaProgress?.none)
        let ticker = progress.startTicking {
          guard let told = latest.withLock({ $0 }) else { return "Looking for files" }
          return MediaText.progress(told)
        }
        defer { ticker?.cancel() }
        return try await media.pull(refs, bounds: bounds) { told in latest.withLock { $0 = told } }
      }
    }
  }
}
