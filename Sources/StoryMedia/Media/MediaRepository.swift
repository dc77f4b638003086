import JSONText
import StoryAPI
public import StoryLibrary
public import StorySync

/// The files that a server made for a library's records: what there is, what is here, what goes.
public struct MediaRepository: Sendable {
  let core: RepositoryCore

  /// Where the files lie.
  public var store: MediaStore { MediaStore(core.library, time: core.time) }

  /// All files that are here, each with its record's present name.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func files() throws -> [(file: MediaFile, ref: RecordRef)] {
    let catalog = MediaCatalog(core.library, try scan())
    return try store.files().map { ($0, catalog.record(of: $0)) }
  }

  /// The files that some records have, with what is held of them; with a story come its pictures.
  /// What is held counts as used now.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func use(_ refs: [RecordRef]) throws -> [(item: MediaItem, file: MediaFile?)] {
    let held = try store.files()
    return MediaCatalog(core.library, try scan(), refs: refs).items.map { item in
      (item, MediaCatalog.held(item, among: held).map(store.use))
    }
  }

  /// What ``pull(_:bounds:progress:)`` would fetch by what the sidecars say, without a network.
  ///
  /// - Throws: `FileError`, `LibraryError`.
  public func plan(_ refs: [RecordRef]? = nil) throws -> MediaReport {
    var report = MediaReport()
    report.isDryRun = true
    (report.present, report.fetched) = try compare(refs)
    return report
  }

  /// Fetches the files that records have and that are not here, then prunes.
  ///
  /// The records of a story's pictures come first where they are not here yet. The server is not
  /// opened where there is nothing to ask for. Files of records that were named count as used.
  /// - Parameters:
  ///   - refs: the records; `nil` for all.
  ///   - bounds: what is kept afterwards; `nil` leaves everything.
  ///   - progress: called as bytes arrive.
  /// - Throws: `MediaFailure.locked` where another process fetches or prunes; `APIError` where the
  ///   pictures of a story could not be asked for; what keeps the server from being opened.
  public func pull(
    _ refs: [RecordRef]? = nil, bounds: MediaBounds? = MediaBounds(),
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) async throws -> MediaReport {
    let strangers = try storiesWithoutPictures(refs)
    if !strangers.isEmpty { try await core.pullIllustrations(of: strangers) }
    let (present, missing) = try compare(refs)
    guard !missing.isEmpty else {
      var report = MediaReport()
      report.present = refs == nil ? present : present.map { ($0.item, store.use($0.file)) }
      if let bounds { report.pruned = try store.prune(bounds) }
      return report
    }
    var puller = MediaPuller(store, client: try await core.connection().client)
    puller.bounds = bounds
    return try await puller.pull(
      present.map(\.item) + missing.map(\.item), isUse: refs != nil, progress: progress)
  }

  private func scan() throws -> Scan {
    var scanner = Scanner(core.library)
    scanner.kinds = EntityKind.allCases
    return try scanner.scan()
  }

  private func compare(
    _ refs: [RecordRef]?
  ) throws -> (
    present: [(item: MediaItem, file: MediaFile)], missing: [(item: MediaItem, file: MediaFile?)]
  ) {
    let held = Dictionary(
      try store.files().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var present: [(item: MediaItem, file: MediaFile)] = []
    var missing: [(item: MediaItem, file: MediaFile?)] = []
    for item in MediaCatalog(core.library, try scan(), refs: refs).items {
      if let file = held[item.key] {
        present.append((item, file))
      } else {
        missing.append((item, nil))
      }
    }
    return (present, missing)
  }

  /// The stories that have pictures of which no record is here.
  private func storiesWithoutPictures(
    _ refs: [RecordRef]?
  ) throws -> [IllustrationPuller.StoryPlace] {
    let scan = try scan()
    let files = LibraryFiles(library: core.library)
    var known: [String: Int] = [:]
    for entry in scan.entries where entry.ref.kind == .illustrations && entry.id != nil {
      if let story = (try? files.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref))?
        .server["storyId"]?.string
      {
        known[story, default: 0] += 1
      }
    }
    return scan.entries.compactMap { entry in
      guard entry.ref.kind == .stories, let id = entry.id, refs?.contains(entry.ref) ?? true,
        let sidecar = try? files.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref),
        (sidecar.server["illustrationCount"]?.integer ?? 0) > known[id, default: 0]
      else { return nil }
      return .init(ref: entry.ref, id: id)
    }
  }
}

extension Repositories {
  /// The files that a server made for the records.
  public var media: MediaRepository { MediaRepository(core: core) }
}
