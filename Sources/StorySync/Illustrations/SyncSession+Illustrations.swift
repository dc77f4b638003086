import StoryAPI
import StoryLibrary

extension SyncSession {
  /// Brings the records of pictures up to date, where a pull has news of their stories, and puts back
  /// what was changed of them here.
  ///
  /// A story whose pictures change changes as well, so only stories that the listing brought are asked
  /// for theirs: one request each.
  func pullIllustrations(
    _ scan: Scan, _ remote: RemoteState, _ source: DiskSource, _ report: inout SyncReport
  ) async throws {
    guard options.direction != .push, report.stops.isEmpty, options.only == nil else { return }
    let puller = IllustrationPuller(
      library: library, client: connection.client, time: time)
    let listed = remote.kinds[.stories]
    var news: [IllustrationPuller.StoryPlace: [RemoteRecord]] = [:]
    let told = Set((listed?.changed ?? [:]).values.lazy.filter(\.hasPictures).map(\.id))
    let entries = try told.isEmpty ? [] : scanner.scan().entries
    for entry in entries where entry.ref.kind == .stories {
      guard let id = entry.id, told.contains(id) else { continue }
      news[.init(ref: entry.ref, id: id)] = try await connection.client.illustrations(storyID: id)
    }
    let gone = listed?.deleted ?? []
    guard !news.isEmpty || FileSystem.exists(library.path(EntityKind.illustrations.folder)) else {
      return
    }
    let outcome = try puller.apply(news, goneStories: gone, run)
    report.receivedNew += outcome.new
    report.receivedChanges += outcome.changed.map { ($0, []) }
    report.receivedDeletes += outcome.removed
    for ref in outcome.putBack {
      report.overridden.append(.init(ref: ref, field: "the whole record", kept: "server"))
    }
    report.failed += outcome.failed.map { .init(ref: $0.ref, message: $0.message) }
  }
}
