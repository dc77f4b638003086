import StoryAPI
import StoryLibrary

/// A record that is new or changed on the server, without its content, which is in the spool.
struct RemoteChange: Sendable {
  var id: String
  var updatedAt: String
  /// When it was made; its version at first sight if the server does not say.
  var createdAt: String
  var slug: String
  var location: Spool.Location
  /// Whether it changed although its version is the sidecar's.
  var keepsVersion = false
  /// Whether it is a story that has illustrations, or will get some.
  var hasPictures = false
}

/// The differences between a listing of the server and the sidecars.
struct RemoteState: Sendable {
  struct Kind: Sendable {
    var changed: [String: RemoteChange] = [:]
    /// Ids with a tombstone, or missing from a complete list and confirmed with a 404.
    var deleted: Set<String> = []
    /// Ids of local records that the server may never have had.
    var unknown: Set<String> = []
    /// The mark of the listing, or `nil` if it returned nothing with a date.
    var mark: PullState.Mark?
    /// The newest known record, if the server has neither it nor its tombstone any more.
    var vanished: RecordRef?
    var malformed: [(id: String?, error: APIError)] = []

    /// Returns whether the sidecars contain everything that was found.
    ///
    /// - Parameters:
    ///   - scan: the scan after the sync.
    ///   - new: the ids that no sidecar had before the sync; any other that is missing was deleted.
    func isTakenIn(by scan: Scan, _ kind: EntityKind, new: Set<String>) -> Bool {
      guard malformed.isEmpty else { return false }
      for change in changed.values {
        guard let entry = scan.entry(id: change.id, of: kind), let version = entry.updatedAt else {
          if new.contains(change.id) { return false }
          continue
        }
        // A record that is not checked out is requested once it is back.
        if version == change.updatedAt || entry.state == .notCheckedOut { continue }
        guard let has = ServerDate(version), let told = ServerDate(change.updatedAt), has >= told
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
  /// The server's time at the first answer that has one.
  var date: ServerDate?

  /// Removes the listed change of a record whose sidecar is at least as new, or gone.
  mutating func forgetChange(of id: String, _ kind: EntityKind, olderThan scan: Scan) {
    guard let change = kinds[kind]?.changed[id] else { return }
    if let version = scan.version(of: id, kind), let has = ServerDate(version),
      let listed = ServerDate(change.updatedAt), has < listed
    {
      return
    }
    kinds[kind]?.changed[id] = nil
  }

  /// Returns whether the server has an unreadable record of a kind that no sidecar references: it
  /// may be any local record whose sidecar was lost.
  func hidesRecord(of kind: EntityKind, from scan: Scan) -> Bool {
    (kinds[kind]?.malformed ?? []).contains { id, _ in
      id.map { !scan.isNamed($0, of: kind) } ?? true
    }
  }
}

extension Scan {
  func version(of id: String, _ kind: EntityKind) -> String? {
    entry(id: id, of: kind)?.updatedAt
  }
}
