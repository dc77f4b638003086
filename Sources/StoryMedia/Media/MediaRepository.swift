import JSONText
import StoryAPI
public import StoryLibrary
public import StorySync

/// The files that a server made for a library's records: those available, fetched and removed.
public struct MediaRepository: Sendable {
  let repositories: Repositories

  /// The store of the fetched files.
  public var store: MediaStore { MediaStore(repositories.library, time: repositories.time) }

  /// Returns all fetched files with the current names of their records, or with the names when the files
  /// were fetched if the records are missing.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func files() throws -> [(file: MediaFile, ref: RecordRef)] {
    func key(_ kind: EntityKind, _ idPart: String) -> String { "\(kind.rawValue)/\(idPart)" }
    var names: [String: RecordRef] = [:]
    for entry in try scan().entries {
      guard let id = entry.id else { continue }
      names[key(entry.ref.kind, MediaItem.namePart(ofID: id))] = entry.ref
    }
    return try store.files().map { ($0, names[key($0.kind.recordKind, $0.idPart)] ?? $0.ref) }
  }

  /// Returns the files of some records, a story's with its pictures. Fetched ones count as used
  /// now.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func use(_ refs: [RecordRef]) throws -> [(item: MediaItem, file: MediaFile?)] {
    let held = HeldMedia(try store.files())
    return try items(refs).map { ($0, held.file(of: $0).map(store.use)) }
  }

  /// Returns what ``pull(_:bounds:progress:)`` would fetch, from the sidecars and without a
  /// network.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func plan(_ refs: [RecordRef]? = nil) throws -> MediaReport {
    var (report, missing) = try compare(refs)
    report.isDryRun = true
    report.fetched = missing.map { ($0, nil) }
    return report
  }

  /// Fetches the records' missing files, then prunes.
  ///
  /// Missing records of a story's pictures are pulled first. The server is not opened if there is
  /// nothing to request. Files of records given by name count as used. Each file is written to disk
  /// as it arrives, checked for its length, and renamed when complete. Interrupted downloads resume,
  /// in this run or the next.
  /// - Parameters:
  ///   - refs: The records, or `nil` for all.
  ///   - bounds: The limits for pruning afterwards, or `nil` to keep everything.
  ///   - progress: Called as bytes arrive.
  /// - Throws: `MediaFailure.locked` if another process is fetching or pruning; `APIError` if the
  ///   pictures of a story could not be requested; errors of opening the server. Failures of single
  ///   files are in the report.
  public func pull(
    _ refs: [RecordRef]? = nil, bounds: MediaBounds? = MediaBounds(),
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) async throws -> MediaReport {
    let strangers = try storiesWithoutPictures(refs)
    if !strangers.isEmpty { try await repositories.pullIllustrations(of: strangers) }
    var (report, missing) = try compare(refs)
    if refs != nil { report.present = report.present.map { ($0.item, store.use($0.file)) } }
    guard !missing.isEmpty else {
      if let bounds { report.pruned = try store.prune(bounds) }
      return report
    }
    let client = try await repositories.client()
    let lock = try store.lock()
    defer { withExtendedLifetime(lock) {} }
    try store.removeStaleFiles()
    let held = HeldMedia(try store.files())
    let meter = MediaMeter(
      total: missing.count, uptime: client.configuration.time.uptime, tell: progress)
    let before = await client.statistics.bytesDown
    let fetcher = MediaFetcher(
      store: store, client: client, addresses: MediaAddresses(client), meter: meter, held: held)
    let results = await Parallel.map(missing, width: Self.width) { item in
      defer { meter.end(item.key) }
      return await Result.catching { try await fetcher.fetch(item) }
    }
    for (item, result) in zip(missing, results) {
      switch result {
      case .success(let file): report.fetched.append((item, file))
      case nil, .failure(APIError.cancelled), .failure(is CancellationError):
        report.isInterrupted = true
      case .failure(let error): report.failed.append(.init(item: item, error: error))
      }
    }
    report.bytes = await client.statistics.bytesDown - before
    if let bounds, !report.isInterrupted { report.pruned = try store.pruneLocked(bounds) }
    return report
  }

  /// The number of files that are fetched at a time.
  private static let width = 4

  /// Returns the files that are present, and the items that are missing.
  private func compare(_ refs: [RecordRef]?) throws -> (MediaReport, missing: [MediaItem]) {
    let (items, held) = (try items(refs), HeldMedia(try store.files()))
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

  private func scan() throws -> Scan { try repositories.scan(EntityKind.allCases) }

  private func items(_ refs: [RecordRef]?) throws -> [MediaItem] {
    repositories.library.mediaItems(in: try scan(), of: refs)
  }

  /// Returns the stories that have pictures without local records.
  private func storiesWithoutPictures(
    _ refs: [RecordRef]?
  ) throws -> [IllustrationPuller.StoryPlace] {
    let scan = try scan()
    var known: [String: Int] = [:]
    for entry in scan.entries where entry.ref.kind == .illustrations && entry.id != nil {
      if let story = (try? repositories.library.sidecar(of: entry))?.server["storyId"]?.string {
        known[story, default: 0] += 1
      }
    }
    return scan.entries.compactMap { entry in
      guard entry.ref.kind == .stories, let id = entry.id, refs?.contains(entry.ref) ?? true,
        let sidecar = try? repositories.library.sidecar(of: entry),
        (sidecar.server["illustrationCount"]?.integer ?? 0) > known[id, default: 0]
      else { return nil }
      return (entry.ref, id)
    }
  }
}

extension Repositories {
  /// The files that a server made for the records.
  public var media: MediaRepository { MediaRepository(repositories: self) }
}
