public import StoryAPI
import StoryLibrary

/// Fetches the files that a server made.
public struct MediaPuller: Sendable {
  /// The destination.
  public let store: MediaStore
  /// The client for the server.
  public let client: APIClient
  /// The number of parallel downloads.
  public var width = 4
  /// The limits for pruning afterwards, or `nil` to keep everything.
  public var bounds: MediaBounds? = MediaBounds()

  /// Creates a puller for a store.
  public init(_ store: MediaStore, client: APIClient) {
    self.store = store
    self.client = client
  }

  /// Fetches missing files, then prunes the store.
  ///
  /// Each file is written to disk as it arrives, checked for its length, and renamed when complete.
  /// Interrupted downloads resume, in this run or the next. With `isUse`, existing files count as
  /// used.
  /// - Throws: `MediaFailure.locked` if another process is fetching or pruning; `FileError` if the
  ///   store cannot be read. Failures of single files are in the report.
  public func pull(
    _ items: [MediaItem], isUse: Bool = true,
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) async throws -> MediaReport {
    guard let lock = try store.lock() else {
      throw MediaFailure.locked
    }
    defer { withExtendedLifetime(lock) {} }
    try store.removeStaleFiles()
    let held = try store.files()
    var (report, missing) = Self.compare(items, held)
    if isUse { report.present = report.present.map { ($0.item, store.use($0.file)) } }
    let meter = MediaMeter(
      total: missing.count, uptime: client.configuration.time.uptime, tell: progress)
    let before = await client.statistics.bytesDown
    let fetcher = MediaFetcher(
      store: store, client: client, addresses: MediaAddresses(client), meter: meter, held: held)
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

  /// Returns what a pull would fetch, without using the network.
  ///
  /// - Throws: `FileError` if the store cannot be read.
  public func plan(_ items: [MediaItem]) throws -> MediaReport {
    var (report, missing) = Self.compare(items, try store.files())
    report.isDryRun = true
    report.fetched = missing.map { ($0, nil) }
    return report
  }

  private static func compare(
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
    let results = await Parallel.map(items, width: width) {
      item -> Result<MediaFile, any Error> in
      defer { meter.end(item.key) }
      do { return .success(try await fetcher.fetch(item)) } catch { return .failure(error) }
    }
    return zip(items, results).map { ($0, $1 ?? .failure(CancellationError())) }
  }
}
