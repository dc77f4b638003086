import StoryAPI
import StoryLibrary

extension SyncSession {
  /// Brings the records of pictures up to date, where a pull has news of their stories, puts back what
  /// was changed of them here, lets them follow their stories, and takes away those whose story is no
  /// more.
  ///
  /// A story whose pictures change changes as well, so only stories that the listing brought are asked
  /// for theirs: one request each. Where no earlier pull is known to have come to its end, one may have
  /// ended between a story and its pictures; then those stories are asked for as well of which another
  /// number of pictures is here than their sidecars tell. A push is about the pictures of the stories
  /// that it deleted or renamed, and leaves all others alone.
  /// - Parameters:
  ///   - before: how everything stood before the sync.
  ///   - now: how it stands once the records have been synced.
  ///   - mayLack: see ``storiesThatMayLackPictures(_:)``; empty where an earlier pull is known to have
  ///     come to its end.
  func pullIllustrations(
    _ before: Scan, _ now: Scan, _ remote: RemoteState, mayLack: Set<String>,
    _ report: inout SyncReport
  ) async throws {
    guard report.stops.isEmpty, options.only == nil else { return }
    let pulls = options.direction != .push
    let touched = report.deleted + report.renamed.map(\.to)
    let isConcerned = pulls || touched.contains { $0.kind == .stories }
    let hasPictures = FileSystem.exists(library.path(EntityKind.illustrations.folder))
    let listed = pulls ? remote.kinds[.stories]?.changed ?? [:] : [:]
    var told = Set(listed.values.filter(\.hasPictures).map(\.id))
    let mayLack = mayLack.subtracting(told)
    guard isConcerned, hasPictures || !told.isEmpty || !mayLack.isEmpty else { return }
    let puller = IllustrationPuller(library: library, client: connection.client, time: time)
    var records = try IllustrationRecords(library)
    try records.clean()
    var names: [String: RecordRef] = [:]
    for entry in now.entries where entry.ref.kind == .stories && entry.state != .duplicateId {
      if let id = entry.id { names[id] = entry.ref }
    }
    try records.follow(names)
    if !mayLack.isEmpty {
      let stories = now.entries.filter { entry in
        entry.ref.kind == .stories && entry.id.map(mayLack.contains) ?? false
      }
      told.formUnion(puller.storiesLackingPictures(of: stories, records))
    }
    var news: [IllustrationPuller.StoryPlace: [RemoteRecord]] = [:]
    for id in told.sorted() {
      guard let ref = names[id] else { continue }
      news[.init(ref: ref, id: id)] = try await connection.client.illustrations(storyID: id)
    }
    let known = Set(now.entries.lazy.filter { $0.ref.kind == .stories }.flatMap(\.namedIDs))
    let orphans = records.byStory.keys.filter { !known.contains($0) }.sorted()
    let gone = try await goneStories(among: orphans, before, remote, report)
    let outcome = try puller.apply(news, records, run, putsBack: pulls, gone: gone)
    report.receivedNew += outcome.new
    report.receivedChanges += outcome.changed.map { ($0, []) }
    report.receivedDeletes += outcome.removed
    for ref in outcome.putBack {
      report.overridden.append(.init(ref: ref, field: "the whole record", kept: "server"))
    }
    report.failed += outcome.failed
  }

  /// The ids of the stories that a pull finds here, and so may have come without their pictures; none
  /// where pictures are not asked for.
  func storiesThatMayLackPictures(_ scan: Scan) -> Set<String> {
    guard options.direction != .push, options.only == nil else { return [] }
    return Set(scan.entries.lazy.filter { $0.ref.kind == .stories }.flatMap(\.namedIDs))
  }

  /// The stories that are no more, of those that no sidecar names.
  ///
  /// That a sidecar is lost says nothing of the story. It is gone where this sync removed it here or on
  /// the server, or where a pull heard so or hears it now: one question for each. A story that the list
  /// brought unreadable is not asked for.
  private func goneStories(
    among orphans: [String], _ before: Scan, _ remote: RemoteState, _ report: SyncReport
  ) async throws -> Set<String> {
    guard !orphans.isEmpty else { return [] }
    let removed = Set(report.deleted + report.receivedDeletes)
    let removedNow = Set(
      before.entries.lazy.filter { $0.ref.kind == .stories && removed.contains($0.ref) }
        .compactMap(\.id))
    var gone = Set(orphans).intersection(removedNow)
    guard options.direction != .push, let stories = remote.kinds[.stories] else { return gone }
    gone.formUnion(orphans.filter(stories.deleted.contains))
    // An embedded backend has only what the sidecars tell it, so its silence is no news.
    guard connection.identity != IdentityCheck.embedded,
      stories.malformed.allSatisfy({ $0.id != nil })
    else { return gone }
    let unreadable = Set(stories.malformed.compactMap(\.id))
    for id in orphans where !gone.contains(id) && !unreadable.contains(id) {
      if stories.changed[id] == nil, try await isDenied(id) { gone.insert(id) }
    }
    return gone
  }

  /// Whether the server says that it has no story of that id.
  private func isDenied(_ id: String) async throws(APIError) -> Bool {
    do throws(APIError) {
      return try await connection.client.recordIfPresent(.stories, id: id) == nil
    } catch {
      switch error {
      // An answer that cannot be understood denies nothing, and nobody can ask for such an id.
      case .decoding, .invalidIdentifier: return false
      default: throw error
      }
    }
  }
}
