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
    /// Whether it is news although its version is the old one.
    var keepsVersion = false
    /// Whether it is a story that has pictures, or is to get some.
    var hasPictures = false
  }

  /// What is known of one kind.
  struct Kind: Sendable {
    /// New and changed records.
    var changed = RemoteNews()
    /// Ids that a tombstone named, or that a complete list left out and the server denied.
    var deleted: Set<String> = []
    /// How far the listing came; `nil` where it brought nothing that has a date.
    var mark: PullState.Mark?
    /// Records that could not be understood, with the reason.
    var malformed: [(id: String?, message: String)] = []

    /// Whether the sidecars know of everything that was found.
    ///
    /// - Parameters:
    ///   - scan: how everything stands after the sync.
    ///   - before: how it stood before; what had an id then and is gone was deleted.
    func isTakenIn(by scan: Scan, before: Scan, _ kind: EntityKind) -> Bool {
      guard malformed.isEmpty else { return false }
      for news in changed {
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
  /// The server's clock at the first answer that told it.
  var date: ServerDate?
}

extension Scan {
  /// The version in the sidecar of the record that has an id; `nil` where there is none.
  func version(of id: String, _ kind: EntityKind) -> String? {
    entry(id: id, of: kind)?.updatedAt
  }
}

extension RemoteState {
  /// Whether the server has a record of a kind that could not be understood and that no sidecar names:
  /// it may be any of those here whose sidecar was lost.
  func hidesRecord(of kind: EntityKind, from scan: Scan) -> Bool {
    (kinds[kind]?.malformed ?? []).contains { id, _ in
      id.map { !scan.isNamed($0, of: kind) } ?? true
    }
  }

  /// What is told of the server's records that cannot be understood: under the name that each has here,
  /// else under its id.
  func malformedRecords(_ scan: Scan) -> [SyncReport.Failure] {
    EntityKind.writable.flatMap { kind in
      (kinds[kind]?.malformed ?? []).map { id, message in
        let entry = id.flatMap { scan.entry(id: $0, of: kind) }
        let name = id.flatMap { !$0.contains("/") && RecordRef.isWellFormed($0) ? $0 : nil }
        return SyncReport.Failure(
          ref: entry?.ref ?? RecordRef(kind: kind, name: name ?? "unnamed"),
          message: "the server's record cannot be understood, so it was left out: \(message)",
          hint: "see whether server and program fit together: stories doctor")
      }
    }
  }
}
