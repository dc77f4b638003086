public import StoryAPI
public import StoryLibrary

/// A server that a library can be synced with, ready to be asked.
public struct Connection: Sendable {
  /// The client, signed in.
  public var client: APIClient
  /// Whom the ids in the library will belong to.
  public var identity: LibraryConfiguration.Identity
  /// What to do once the sidecars have changed; called with what the scan
  /// before the sync found and the sidecars that the sync wrote: their ids, versions and conflicts are
  /// those on disk.
  public var finish: @Sendable (Scan) async throws -> Void
  /// Ends what was opened for this connection; a ``Synchronizer`` calls it once it is done, while it
  /// still holds the library's lock.
  public var close: @Sendable () -> Void

  /// A connection from its parts.
  public init(
    client: APIClient, identity: LibraryConfiguration.Identity,
    finish: @escaping @Sendable (Scan) async throws -> Void = { _ in },
    close: @escaping @Sendable () -> Void = {}
  ) {
    self.client = client
    self.identity = identity
    self.finish = finish
    self.close = close
  }
}
