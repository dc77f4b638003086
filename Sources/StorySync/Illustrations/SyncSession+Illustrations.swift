import StoryAPI
import StoryLibrary

extension SyncSession {
  /// Brings the records of pictures up to date, where a pull has news of their stories, puts back what
  /// was changed of them here, and takes away those whose story is no more.
  ///
  /// A story whose pictures change changes as well, so only stories that the listing brought are asked
  /// for theirs: one request each. A push takes away the pictures of the stories that it deleted and
  /// leaves all others alone; after a pull every story of the account is here, so that pictures of one
  /// that no sidecar names belong to none.
  func pullIllustrations(
    _ scan: Scan, _ remote: RemoteState, _ source: DiskSource, _ report: inout SyncReport
  ) async throws {
    guard report.stops.isEmpty, options.only == nil else { return }
    let pulls = options.direction != .push
    let hasPictures = FileSystem.exists(library.path(EntityKind.illustrations.folder))
    let listed = pulls ? remote.kinds[.stories]?.changed ?? [:] : [:]
    let told = Set(listed.values.lazy.filter(\.hasPictures).map(\.id))
    guard hasPictures || !told.isEmpty else { return }
    let puller = IllustrationPuller(
      library: library, client: connection.client, time: time)
    if hasPictures { try followRenames(report.renamed) }
    var news: [IllustrationPuller.StoryPlace: [RemoteRecord]] = [:]
    let entries = try scanner.scan().entries.filter { $0.ref.kind == .stories }
    for entry in entries {
      guard let id = entry.id, told.contains(id) else { continue }
      news[.init(ref: entry.ref, id: id)] = try await connection.client.illustrations(storyID: id)
    }
    let known = Set(entries.compactMap(\.id))
    let before = Set(scan.entries.lazy.filter { $0.ref.kind == .stories }.compactMap(\.id))
    let outcome = try puller.apply(news, run, putsBack: pulls) { story in
      !known.contains(story) && (pulls || before.contains(story))
    }
    report.receivedNew += outcome.new
    report.receivedChanges += outcome.changed.map { ($0, []) }
    report.receivedDeletes += outcome.removed
    for ref in outcome.putBack {
      report.overridden.append(.init(ref: ref, field: "the whole record", kept: "server"))
    }
    report.failed += outcome.failed.map { .init(ref: $0.ref, message: $0.message) }
  }

  /// Lets the pictures of stories whose files were renamed by hand lie under the new names.
  private func followRenames(_ renamed: [(from: RecordRef, to: RecordRef)]) throws {
    let editor = LibraryEditor(library, time: time)
    for (old, new) in renamed where new.kind == .stories {
      try editor.moveIllustrations(from: old, to: new)
    }
  }
}
