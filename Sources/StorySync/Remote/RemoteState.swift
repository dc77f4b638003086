import StoryAPI
import StoryLibrary

/// A record that is new on the server, or that changed since its sidecar was written: without its
/// content, which is in the spool.
struct RemoteChange: Sendable {
  var id: String
  var updatedAt: String
  var createdAt: String
  /// The file name that its name or title asks for.
  var slug: String
  var location: Spool.Location
  /// Whether it changed although it has the version of the sidecar.
  var keepsVersion = false
  /// Whether it is a story that has pictures, or is to get some.
  var hasPictures = false
}

/// What a listing of the server found that differs from the sidecars.
struct RemoteState: Sendable {
  /// What is known of one kind.
  struct Kind: Sendable {
    /// New and changed records by id.
    var changed: [String: RemoteChange] = [:]
    /// Ids that a tombstone named, or that a complete list left out and the server denied.
    var deleted: Set<String> = []
    /// How far the listing came; `nil` where it brought nothing that has a date.
    var mark: PullState.Mark?
    /// The record that the server had last, if it has neither it nor its tombstone any more.
    var vanished: RecordRef?
    /// Records that could not be understood, with the reason.
    var malformed: [(id: String?, message: String)] = []

    /// Whether the sidecars know of everything that was found.
    ///
    /// - Parameters:
    ///   - scan: how everything stands after the sync.
    ///   - before: how it stood before; what had an id then and is gone was deleted.
    func isTakenIn(by scan: Scan, before: Scan, _ kind: EntityKind) -> Bool {
      guard malformed.isEmpty else { return false }
      for news in changed.values {
        guard let entry = scan.entry(id: news.id, of: kind), let version = entry.updatedAt else {
          if before.version(of: news.id, kind) == nil { return false }
          continue
        }
        // What git keeps out of the working tree is asked for once it is back.
        if version == news.updatedAt || entry.state == .notCheckedOut { continue }
        guard let has = ServerDate(version), let told = ServerDate(news.updatedAt), has >= told
        else {
          return false
        }
      }
      return deleted.allSatisfy { id in
        scan.entry(id: id, of: kind).map {
          $0.conflict == .deletedOnServer || $0.state == .notCheckedOut
        } ?? true
      }
    }
  }

  var kinds: [EntityKind: Kind] = [:]
  /// The server's clock at the first answer that has it.
  var date: ServerDate?
}

extension Scan {
  /// The version in the sidecar of the record that has an id; `nil` where there is none.
  func version(of id: String, _ kind: EntityKind) -> String? {
    entry(id: id, of: kind)?.updatedAt
  }
}

extension RemoteState {
  /// Forgets what was listed of a record whose sidecar has a newer version by now, or none any more.
  mutating func forgetNews(of id: String, _ kind: EntityKind, olderThan scan: Scan) {
    guard let news = kinds[kind]?.changed[id] else { return }
    if let version = scan.version(of: id, kind), let has = ServerDate(version),
      let listed = ServerDate(news.updatedAt), has < listed
    {
      return
    }
    kinds[kind]?.changed[id] = nil
  }

  /// Whether the server has a record of a kind that could not be understood and that no sidecar names:
  /// it may be any of those here whose sidecar was lost.
  func hidesRecord(of kind: EntityKind, from scan: Scan) -> Bool {
    (kinds[kind]?.malformed ?? []).contains { id, _ in
      id.map { !scan.isNamed($0, of: kind) } ?? true
    }
  }
}
