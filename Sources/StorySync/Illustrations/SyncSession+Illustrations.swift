import StoryAPI
import StoryLibrary

extension SyncSession {
  /// Brings the records of pictures up to date, where a pull has news of their stories, puts back what
  /// was changed of them here, and takes away those whose story is no more.
  ///
  /// A story whose pictures change changes as well, so only stories that the listing brought are asked
  /// for theirs: one request each. Where no earlier pull is known to have come to its end, one may have
  /// ended between a story and its pictures; then those stories are asked for as well of which another
  /// number of pictures is here than their sidecars tell. A push takes away the pictures of the stories that it deleted and
  /// leaves all others alone; after a pull every story of the account is here, so that pictures of one
  /// that no sidecar names belong to none.
  func pullIllustrations(
    _ scan: Scan, _ remote: RemoteState, isResumed: Bool, _ report: inout SyncReport
  ) async throws {
    guard report.stops.isEmpty, options.only == nil else { return }
    let pulls = options.direction != .push
    let hasPictures = FileSystem.exists(library.path(EntityKind.illustrations.folder))
    let listed = pulls ? remote.kinds[.stories]?.changed ?? [:] : [:]
    var told = Set(listed.values.lazy.filter(\.hasPictures).map(\.id))
    let before = Set(scan.entries.lazy.filter { $0.ref.kind == .stories }.flatMap(\.namedIDs))
    let mayLack = pulls && isResumed ? before.subtracting(told) : []
    guard hasPictures || !told.isEmpty || !mayLack.isEmpty else { return }
    let puller = IllustrationPuller(
      library: library, client: connection.client, time: time)
    if hasPictures { try followRenames(report.renamed) }
    var news: [IllustrationPuller.StoryPlace: [RemoteRecord]] = [:]
    let entries = try scanner.scan().entries.filter { $0.ref.kind == .stories }
    if !mayLack.isEmpty {
      let known = entries.filter { $0.id.map(mayLack.contains) ?? false }
      told.formUnion(try puller.storiesLackingPictures(of: known))
    }
    for entry in entries {
      guard let id = entry.id, told.contains(id) else { continue }
      news[.init(ref: entry.ref, id: id)] = try await connection.client.illustrations(storyID: id)
    }
    let known = Set(entries.flatMap(\.namedIDs))
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
