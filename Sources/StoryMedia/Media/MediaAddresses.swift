import StoryAPI
import StoryLibrary

/// Where files are, asked for when they are needed: once for all pictures of a story, and again
/// where an address has expired.
actor MediaAddresses {
  private let client: APIClient
  private var stories: [String: Task<[MediaSource], any Error>] = [:]

  init(_ client: APIClient) { self.client = client }

  /// The record as the server has it now, with the address of its file.
  ///
  /// - Parameter old: an address that does not serve any more; `nil` where none was tried.
  /// - Returns: `nil` where the server has no such picture any more.
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
