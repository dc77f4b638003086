import StoryAPI
import StoryLibrary

/// What a listing of the server found, as far as it is news: without the records' content.
struct RemoteState: Sendable {
  /// A record that is new on the server or that changed since the sidecar was written.
  struct Entry: Sendable {
    var id: String
    var updatedAt: String
    var createdAt: String
    var location: Spool.Location
  }

  /// What is known of one kind.
  struct Kind: Sendable {
    /// New and changed records by id.
    var changed: [String: Entry] = [:]
    /// Ids that a tombstone named, or that a complete list left out and the server denied.
    var deleted: Set<String> = []
    /// How far the listing came; `nil` where it brought nothing that has a date.
    var mark: PullState.Mark?
    /// Records that could not be understood, with the reason.
    var malformed: [(id: String?, message: String)] = []
  }

  var kinds: [EntityKind: Kind] = [:]
  /// The server's clock at the first answer that told it.
  var date: ServerDate?
}
