public import StoryLibrary

/// The options of a sync.
public struct SyncOptions: Sendable, Hashable {
  /// The directions of a sync.
  public enum Direction: String, Sendable, CaseIterable {
    /// Takes the server's changes, then sends the local ones.
    case both
    /// Only takes the server's changes; sends nothing but reads.
    case pull
    /// Only sends local changes; other changes on the server wait for a pull.
    case push
  }

  /// The direction.
  public var direction = Direction.both
  /// Whether to change nothing.
  public var isDryRun = false
  /// The strategy for fields that both sides changed, or `nil` for the library's policies.
  public var strategy: Strategy?
  /// The number of deletes per kind that the user allows in this run, or `nil` for the usual
  /// limits.
  public var maximumDeletes: Int?
  /// Whether to list all of the server's records even if listing changes would do.
  public var isFull = false
  /// Whether to wait for another process that is syncing this library.
  public var waits = true

  /// The only records to sync, or `nil` for all. The server's list is read in full anyway.
  public var only: Set<RecordRef>?
  /// In addition to ``only``, the kinds of which all records are synced, also those that are new on
  /// the server.
  public var onlyKinds: Set<EntityKind> = []

  /// Creates options; the defaults are those of a plain `stories sync`.
  public init(_ direction: Direction = .both, only: Set<RecordRef>? = nil) {
    self.direction = direction
    self.only = only
  }

  /// Returns whether a record is to be synced.
  public func selects(_ ref: RecordRef) -> Bool {
    only.map { $0.contains(ref) || onlyKinds.contains(ref.kind) } ?? true
  }

  var pulls: Bool { direction != .push }
  var pushes: Bool { direction != .pull }

  /// The command for these options, as recorded in runs.
  var command: String { direction == .both ? "sync" : "sync \(direction.rawValue)" }
}

/// The progress of a sync.
public enum SyncProgress: Sendable, Hashable {
  /// Another process is syncing this library; the sync continues when it is done.
  case waiting(holder: String)
  /// Files are being compared with their sidecars.
  case scanning
  /// The server's list of a kind is being read.
  case listing(kind: EntityKind, seen: Int, total: Int)
  /// Local files are being written.
  case writing(done: Int, total: Int)
  /// Changes are being sent.
  case sending(done: Int, total: Int)
}
