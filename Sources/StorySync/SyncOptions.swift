public import StoryLibrary

/// What a sync is asked to do.
public struct SyncOptions: Sendable, Hashable {
  /// Which way changes go.
  public enum Direction: String, Sendable, CaseIterable {
    /// The server's changes come, then the local ones go.
    case both
    /// Only the server's changes come; nothing but reads is sent.
    case pull
    /// Only local changes go; what only the server changed waits for a pull.
    case push
  }

  /// Which way changes go.
  public var direction = Direction.both
  /// Whether only to tell what would be done.
  public var isDryRun = false
  /// Who wins where both sides changed a field; `nil` leaves it to the library's policies.
  public var strategy: Strategy?
  /// How many deletes a kind may have at most where the guard would stop; for this run only.
  public var maximumDeletes: Int?
  /// Whether to read the server's whole list even where asking for changes would do.
  public var isFull = false
  /// Whether to wait for another process that is syncing this library.
  public var waits = true

  /// The only records that are sent or changed; `nil` for all. The server's list is read as ever.
  public var only: Set<RecordRef>?

  /// The plain `stories sync`.
  public init() {}

  /// The command that asks for this, as runs name it.
  var command: String { direction == .both ? "sync" : "sync \(direction.rawValue)" }
}

/// How far a sync is.
public enum SyncProgress: Sendable, Hashable {
  /// Another process is syncing this library; the sync goes on when it is done.
  case waiting(holder: String)
  /// Files are compared with their sidecars.
  case scanning
  /// The server's list of a kind is read.
  case listing(kind: EntityKind, seen: Int, total: Int)
  /// Files are written here.
  case writing(done: Int, total: Int)
  /// Changes are sent.
  case sending(done: Int, total: Int)
}
