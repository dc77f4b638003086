import JSONText
import StoryAPI
import StoryLibrary

extension SyncSession {
  /// Updates the illustration records of stories changed in this pull, undoes local changes to
  /// others, moves them with their stories, and removes those of deleted stories.
  ///
  /// A change to its illustrations changes the story too, so only the listed stories are requested,
  /// one request each. If no earlier pull is known to have finished, one may have ended between a
  /// story and its illustrations: then stories whose local illustration count differs from their
  /// sidecars' are requested too. A push handles only the illustrations of stories that it deleted
  /// or renamed.
  /// - Parameter deleted: the ids of the stories that the sync deleted, here or on the server.
  func pullIllustrations(deleted: Set<String>) async throws {
    guard report.stops.isEmpty, options.only == nil else { return }
    let touched = report.deleted + report.renamed.map(\.to)
    let isConcerned = options.pulls || touched.contains { $0.kind == .stories }
    let hasPictures = FileSystem.exists(library.path(EntityKind.illustrations.folder))
    let listed = options.pulls ? remote.kinds[.stories]?.changed ?? [:] : [:]
    var told = Set(listed.values.filter(\.hasPictures).map(\.id))
    let mayLack = options.pulls && earlier == nil && info.dialect.makesMedia
    guard isConcerned, hasPictures || !told.isEmpty || mayLack else { return }
    var records = try IllustrationRecords(library)
    try records.clean()
    var names: [String: RecordRef] = [:]
    for entry in scan.entries where entry.ref.kind == .stories && entry.state != .duplicateId {
      if let id = entry.id { names[id] = entry.ref }
    }
    try records.follow(names)
    if mayLack {
      let known = scan.storyIDs(report.created).union(listed.keys)
      let others = scan.entries.filter { entry in
        entry.ref.kind == .stories && entry.id.map { !known.contains($0) } ?? false
      }
      told.formUnion(idsLackingPictures(of: others, records))
    }
    var fetched: [(IllustrationPuller.StoryPlace, [RemoteRecord])] = []
    for id in told.sorted() {
      guard let ref = names[id] else { continue }
      fetched.append(((ref, id), try await connection.client.illustrations(storyID: id)))
    }
    let known = Set(scan.entries.lazy.filter { $0.ref.kind == .stories }.flatMap(\.namedIDs))
    let orphans = records.byStory.keys.filter { !known.contains($0) }.sorted()
    let gone = try await goneStories(among: orphans, deleted: deleted)
    var puller = IllustrationPuller(library: library, run: run, report: report)
    defer { report = puller.report }
    try puller.apply(fetched, records, putsBack: options.pulls, gone: gone)
  }

  /// Returns the ids of the stories whose local illustration count differs from their sidecars'.
  private func idsLackingPictures(
    of stories: [ScanEntry], _ records: IllustrationRecords
  ) -> [String] {
    stories.compactMap { entry in
      guard let id = entry.id, let server = (try? library.sidecar(of: entry))?.server,
        IllustrationPuller.hasPictures(server)
      else { return nil }
      let count = records.byStory[id]?.count ?? 0
      // A server may say that there are illustrations without saying how many.
      let isWhole = server["illustrationCount"]?.integer.map { $0 == count } ?? (count > 0)
      return isWhole ? nil : id
    }
  }

  /// Returns the deleted stories among those that no sidecar references.
  ///
  /// A lost sidecar does not mean a deleted story. A story is gone if this sync deleted it on
  /// either side, or if a pull learned so or learns it now with one request each. Stories listed in
  /// unreadable form are not requested.
  private func goneStories(
    among orphans: [String], deleted: Set<String>
  ) async throws -> Set<String> {
    guard !orphans.isEmpty else { return [] }
    var gone = Set(orphans).intersection(deleted)
    guard options.pulls, let stories = remote.kinds[.stories] else { return gone }
    gone.formUnion(orphans.filter(stories.deleted.contains))
    // The embedded server only has what the sidecars gave it, so a missing story proves nothing.
    guard connection.identity != .embedded,
      stories.malformed.allSatisfy({ $0.id != nil })
    else { return gone }
    let unreadable = Set(stories.malformed.compactMap(\.id))
    for id in orphans where !gone.contains(id) && !unreadable.contains(id) {
      if stories.changed[id] == nil, try await isDenied(id) { gone.insert(id) }
    }
    return gone
  }

  /// Returns whether the server says that it has no story with that id.
  private func isDenied(_ id: String) async throws(APIError) -> Bool {
    do throws(APIError) {
      return try await connection.client.recordIfPresent(.stories, id: id) == nil
    } catch {
      switch error {
      // An answer that cannot be decoded proves nothing, and an invalid id cannot be requested.
      case .decoding, .invalidIdentifier: return false
      default: throw error
      }
    }
  }
}
