import JSONText
import StoryAPI
public import StoryLibrary
public import StorySync

/// The files that a server made for a library's records: those available, fetched and removed.
public struct MediaRepository: Sendable {
  let repositories: Repositories

  /// The store of the fetched files.
  public var store: MediaStore { MediaStore(repositories.library, time: repositories.time) }

  /// Returns all fetched files with the current names of their records.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func files() throws -> [(file: MediaFile, ref: RecordRef)] {
    let catalog = MediaCatalog(repositories.library, try scan())
    return try store.files().map { ($0, catalog.record(of: $0)) }
  }

  /// Returns the files of some records, a story's with its pictures. Fetched ones count as used
  /// now.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func use(_ refs: [RecordRef]) throws -> [(item: MediaItem, file: MediaFile?)] {
    let held = MediaCatalog.Held(try store.files())
    return try items(refs).map { ($0, held.file(of: $0).map(store.use)) }
  }

  /// Returns what ``pull(_:bounds:progress:)`` would fetch, from the sidecars and without a
  /// network.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func plan(_ refs: [RecordRef]? = nil) throws -> MediaReport {
    var (report, missing) = MediaPuller.compare(try items(refs), try store.files())
    report.isDryRun = true
    report.fetched = missing.map { ($0, nil) }
    return report
  }

  /// Fetches the records' missing files, then prunes.
  ///
  /// Missing records of a story's pictures are pulled first. The server is not opened if there is
  /// nothing to request. Files of records given by name count as used.
  /// - Parameters:
  ///   - refs: The records, or `nil` for all.
  ///   - bounds: The limits for pruning afterwards, or `nil` to keep everything.
  ///   - progress: Called as bytes arrive.
  /// - Throws: `MediaFailure.locked` if another process is fetching or pruning; `APIError` if the
  ///   pictures of a story could not be requested; errors of opening the server.
  public func pull(
    _ refs: [RecordRef]? = nil, bounds: MediaBounds? = MediaBounds(),
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) async throws -> MediaReport {
    let strangers = try storiesWithoutPictures(refs)
    if !strangers.isEmpty { try await repositories.pullIllustrations(of: strangers) }
    var (report, missing) = MediaPuller.compare(try items(refs), try store.files())
    guard !missing.isEmpty else {
      if refs != nil { report.present = report.present.map { ($0.item, store.use($0.file)) } }
      if let bounds { report.pruned = try store.prune(bounds) }
      return report
    }
    let client = try await repositories.client()
    let puller = MediaPuller(store: store, client: client, bounds: bounds)
    let present = report.present.map(\.item)
    return try await puller.pull(present + missing, isUse: refs != nil, progress: progress)
  }

  private func scan() throws -> Scan { try repositories.scan(EntityKind.allCases) }

  private func items(_ refs: [RecordRef]?) throws -> [MediaItem] {
    MediaCatalog(repositories.library, try scan(), refs: refs).items
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
