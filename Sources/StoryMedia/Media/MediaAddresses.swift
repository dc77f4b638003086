import StoryAPI
import StoryLibrary

/// The addresses of files, requested on demand: once per story, and again when one has expired.
actor MediaAddresses {
  private let client: APIClient
  private var stories: [String: Task<[MediaSource], any Error>] = [:]

  init(_ client: APIClient) { self.client = client }

  /// Returns the server's current record with the address of its file.
  ///
  /// - Parameter old: An address that no longer works, or `nil` if none was tried.
  /// - Returns: `nil` if the server no longer has the picture.
  /// - Throws: `APIError`.
  func source(for item: MediaItem, after old: MediaAddress?) async throws -> MediaSource? {
    guard item.kind == .illustrations, let storyID = item.storyID else {
      return try await client.mediaSource(
        of: item.kind.recordKind, id: item.id, member: item.kind.member)
    }
    let held = try await sources(storyID)
    guard let source = held.first(where: { $0.record.id == item.id }) else { return nil }
    guard let old, source.address == old else { return source }
    stories[storyID] = nil
    return try await sources(storyID).first { $0.record.id == item.id }
  }

  private func sources(_ storyID: String) async throws -> [MediaSource] {
    if let task = stories[storyID] { return try await task.value }
    let task = Task { [client] in try await client.illustrationSources(storyID: storyID) }
    stories[storyID] = task
    do {
      return try await task.value
    } catch {
      if stories[storyID] == task { stories[storyID] = nil }
      throw error
    }
  }
}
