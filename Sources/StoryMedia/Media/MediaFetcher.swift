import StoryAPI
import StoryLibrary

struct MediaFetcher: Sendable {
  let store: MediaStore
  let client: APIClient
  let addresses: MediaAddresses
  let meter: MediaMeter
  /// The files that existed at the start of the run.
  let held: HeldMedia

  /// The number of new addresses to request after refusals.
  private static let newAddresses = 2

  private typealias Place = (item: MediaItem, address: MediaAddress)

  /// Downloads a file.
  ///
  /// - Throws: `MediaFailure`, `APIError`, `FileError`, `LibraryError`.
  func fetch(_ item: MediaItem) async throws -> MediaFile {
    var place = try await place(of: item, after: nil)
    for _ in 0...Self.newAddresses {
      // The server's file may be newer than the sidecar says.
      if let file = held.file(of: place.item) { return store.use(file) }
      if let file = try await fetch(place) { return file }
      place = try await self.place(of: item, after: place.address)
    }
    throw MediaFailure.refused
  }

  private func place(of item: MediaItem, after old: MediaAddress?) async throws -> Place {
    guard let source = try await addresses.source(for: item, after: old),
      let address = source.address,
      let now = MediaItem(item.kind, of: item.ref, id: item.id, server: source.record.server)
    else { throw MediaFailure.noAddress }
    return (now, address)
  }

  /// Downloads from an address. Returns `nil` if the server refuses to serve the file there.
  private func fetch(_ place: Place) async throws -> MediaFile? {
    let (key, meter) = (place.item.key, meter)
    let partial = try PartialFile(store.partialPath(place.item)) {
      meter.note(key, size: $0, total: $1)
    }
    meter.begin(key, size: partial.size)
    var tries = 0
    while true {
      let before = partial.size
      let outcome = await Result.catching { () throws(APIError) in
        try await client.download(place.address, rest: partial.rest, into: partial)
      }
      if let failure = partial.takeFailure() {
        if failure is MediaFailure { partial.discard() }
        throw failure
      }
      let error: APIError
      switch outcome {
      case .success(.missing), .success(.refused): return nil
      case .success(.received) where partial.isWhole: return try finish(partial, place.item)
      case .success(.outOfRange) where partial.isWhole && before > 0:
        return try finish(partial, place.item)
      case .success(.outOfRange):
        partial.forget()
        error = .network(.truncated)
      case .success(.received): error = .network(.truncated)
      case .failure(let failure): error = failure
      }
      tries = partial.size > before ? 1 : tries + 1
      guard let wait = wait(after: tries, error) else { throw error }
      do { try await client.configuration.time.sleep(wait) } catch { throw APIError.cancelled }
    }
  }

  /// Returns the wait before the next try, or `nil` to give up.
  private func wait(after tries: Int, _ error: APIError) -> Duration? {
    var asked: Duration?
    switch error {
    case .network(let failure) where failure.isPassing: break
    case .server(500..., _): break
    case .rateLimited(let until):
      asked = until.map { $0.duration(since: client.configuration.time.now()) }
    default: return nil
    }
    return client.configuration.retryPolicy.delay(
      after: tries, serverWait: asked, random: client.configuration.random())
  }

  private func finish(_ partial: PartialFile, _ item: MediaItem) throws -> MediaFile {
    guard partial.size > 0 else {
      partial.discard()
      throw MediaFailure.wrongAnswer("an empty file")
    }
    guard let fileExtension = MediaFile.fileExtension(partial.type, of: item.kind) else {
      partial.discard()
      throw MediaFailure.wrongType(partial.type ?? "nothing")
    }
    try partial.finish()
    return try store.take(partial.path, as: item, fileExtension: fileExtension)
  }
}

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
