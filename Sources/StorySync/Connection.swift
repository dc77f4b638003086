public import StoryAPI
public import StoryLibrary

/// A connection to the server that a library is synced with.
public struct Connection: Sendable {
  /// The client, signed in.
  public var client: APIClient
  /// The server and account of the library's ids.
  public var identity: LibraryConfiguration.Identity
  /// Called at the end of a sync with the last scan: its ids, revisions and conflicts are those on
  /// disk.
  public var finish: @Sendable (Scan) async throws -> Void
  /// Closes what was opened for this connection. A ``Synchronizer`` calls it when it is done, while
  /// it still holds the library's lock.
  public var close: @Sendable () -> Void

  /// Creates a connection.
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
