import StoryAPI
import StoryLibrary

/// Fetches the files that a server made.
struct MediaPuller: Sendable {
  let store: MediaStore
  let client: APIClient
  /// The limits for pruning afterwards, or `nil` to keep everything.
  let bounds: MediaBounds?

  private static let width = 4

  /// Fetches missing files, then prunes the store.
  ///
  /// Each file is written to disk as it arrives, checked for its length, and renamed when complete.
  /// Interrupted downloads resume, in this run or the next. With `isUse`, existing files count as
  /// used.
  /// - Throws: `MediaFailure.locked` if another process is fetching or pruning; `FileError` if the
  ///   store cannot be read. Failures of single files are in the report.
  func pull(
    _ items: [MediaItem], isUse: Bool, progress: @escaping @Sendable (MediaProgress) -> Void
  ) async throws -> MediaReport {
    let lock = try store.lock()
    defer { withExtendedLifetime(lock) {} }
    try store.removeStaleFiles()
    let held = try store.files()
    var (report, missing) = Self.compare(items, held)
    if isUse { report.present = report.present.map { ($0.item, store.use($0.file)) } }
    let meter = MediaMeter(
      total: missing.count, uptime: client.configuration.time.uptime, tell: progress)
    let before = await client.statistics.bytesDown
    let fetcher = MediaFetcher(
      store: store, client: client, addresses: MediaAddresses(client), meter: meter,
      held: MediaCatalog.Held(held))
    for (item, result) in await fetchAll(missing, fetcher, meter) {
      switch result {
      case .success(let file): report.fetched.append((item, file))
      case .failure(APIError.cancelled), .failure(is CancellationError):
        report.isInterrupted = true
      case .failure(let error): report.failed.append(.init(item: item, error: error))
      }
    }
    report.bytes = await client.statistics.bytesDown - before
    if let bounds, !report.isInterrupted { report.pruned = try store.pruneLocked(bounds) }
    return report
  }

  /// Returns the files that are present, and the items that are missing.
  static func compare(
    _ items: [MediaItem], _ held: [MediaFile]
  ) -> (MediaReport, missing: [MediaItem]) {
    let held = MediaCatalog.Held(held)
    var report = MediaReport()
    var missing: [MediaItem] = []
    for item in items {
      if let file = held.file(of: item) {
        report.present.append((item, file))
      } else {
        missing.append(item)
      }
    }
    return (report, missing)
  }

  /// Fetches files with limited parallelism, and returns the results in the order of the items.
  private func fetchAll(
    _ items: [MediaItem], _ fetcher: MediaFetcher, _ meter: MediaMeter
  ) async -> [(MediaItem, Result<MediaFile, any Error>)] {
    let results = await Parallel.map(items, width: Self.width) {
      item -> Result<MediaFile, any Error> in
      defer { meter.end(item.key) }
      do { return .success(try await fetcher.fetch(item)) } catch { return .failure(error) }
    }
    return zip(items, results).map { ($0, $1 ?? .failure(CancellationError())) }
  }
}

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
