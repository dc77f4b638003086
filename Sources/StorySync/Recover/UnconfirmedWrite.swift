import JSONText
import StoryAPI
import StoryLibrary

/// A write that was sent to the server, or was about to be, as stored in the journal.
struct UnconfirmedWrite: Sendable {
  var number = 0
  /// Whether sending the write again is safe, see ``isRemembered(by:now:)``.
  var canBeSentAgain = false
  /// The id that the client chose for a new record, or `nil` if the server chooses it.
  var newID: String?
  /// Whether the server refused the repeated write because its key was used for a different one:
  /// then another machine has created the record again.
  var wasRefused = false
  /// Whether this run has sent the write again, and does not know the result either.
  var wasTried = false
  var ref: RecordRef
  /// The name under which the record's sidecar was; for a renamed record, the old name.
  var place: RecordRef
  var write: RemoteWrite
  /// The server's time before the write was sent, or `nil` if unknown.
  var listedAt: ServerDate?
  /// When the write was prepared, by this machine's clock.
  var sentAt: ServerDate?
  /// The batch of the write, see ``Outgoing/batch``, or `nil` if it was sent alone.
  var batch: String?
  /// The old sidecar of a record that is created again because the server deleted it.
  var former: Sidecar?
  /// The ids of records of the same name that the server got since; one of them may be this one.
  var doubles: [String] = []

  /// The time that a server is trusted to remember a key: a day less than the contract promises.
  static let memory = Duration.seconds(6 * 86_400)

  /// Returns whether the write takes effect only once if it is sent again: the server remembers its
  /// key, or the record has its id from the client, and an update or delete based on an outdated
  /// revision is rejected.
  func isRemembered(by info: ServerInfo, now: ServerDate) -> Bool {
    guard info.doesOnce(write.operation) else { return false }
    // A record with an id from the client can be looked up forever.
    if info.dialect.givesIDs { return true }
    // If the clock was set back, the elapsed time is unknown.
    guard let sentAt, now >= sentAt, now.duration(since: sentAt) < Self.memory else { return false }
    return write.operation == .create || info.features.contains(.etag)
  }
}

extension UnconfirmedWrite {
  /// Creates the write that creates a record again, as if it had been sent already. Its key is
  /// derived from the record's old id, so that two machines that create it again use the same key.
  init(makingAgain ref: RecordRef, _ former: Sidecar, body: JSONObject, now: ServerDate) {
    let digest = ContentDigest(former.id.utf8)
    self.init(
      ref: ref, place: ref,
      write: RemoteWrite(
        operation: .create, kind: ref.kind, idempotencyKey: "again-\(digest)", body: body),
      listedAt: ServerDate(former.updatedAt), sentAt: now, former: former)
  }

  var json: JSONObject {
    var object: JSONObject = [
      "ref": .string(ref.description), "place": .string(place.description), "write": write.json,
    ]
    if let listedAt { object["listedAt"] = .string(listedAt.text) }
    if let sentAt { object["sentAt"] = .string(sentAt.text) }
    if let batch { object["batch"] = .string(batch) }
    if let former {
      object["former"] = .string(String(decoding: former.fileBytes, as: UTF8.self))
    }
    if !doubles.isEmpty { object["doubles"] = .array(doubles.map { .string($0) }) }
    return object
  }

  init?(_ value: JSONValue, number: Int) {
    guard let ref = value["ref"]?.string.flatMap({ RecordRef($0) }),
      let place = value["place"]?.string.flatMap({ RecordRef($0) }),
      let write = value["write"].flatMap({ RemoteWrite(json: $0) })
    else { return nil }
    self.number = number
    self.ref = ref
    self.place = place
    self.write = write
    listedAt = value["listedAt"]?.string.flatMap { ServerDate($0) }
    sentAt = value["sentAt"]?.string.flatMap { ServerDate($0) }
    batch = value["batch"]?.string
    former = value["former"]?.string.flatMap { try? Sidecar(bytes: Array($0.utf8), ref: ref) }
    doubles = value["doubles"]?.array?.compactMap(\.string) ?? []
  }
}

extension Scan {
  /// Returns the record of an unconfirmed write, which may have been edited, renamed or deleted since.
  func entry(of lost: UnconfirmedWrite, _ source: any RecordSource) -> ScanEntry? {
    let kind = lost.write.kind
    if let id = lost.write.id { return entry(id: id, of: kind) }
    let named = entry(lost.ref)
    // The answer was processed, and only the journal entry was not finished.
    if named?.id != nil { return named }
    // A new record has no id: match by content, by name or title, then by path.
    let sent = FieldValues(kind: kind, wire: lost.write.body)
    func values(_ entry: ScanEntry) -> FieldValues? {
      (try? source.file(entry.ref))?.reading(references: references, sidecar: nil).values
    }
    // Usually it is unchanged and at the same path; this avoids reading many files.
    if let named, named.state == .pendingCreate, values(named) == sent { return named }
    let fresh = entries.filter { $0.ref.kind == kind && $0.state.isNew }
      .map { (entry: $0, values: values($0)) }
    func only(_ isWanted: (FieldValues?) -> Bool) -> ScanEntry? {
      let found = fresh.filter { isWanted($0.values) }.map(\.entry)
      return found.first { $0.ref == lost.ref } ?? (found.count == 1 ? found[0] : nil)
    }
    return only { $0 == sent } ?? only { $0?.title != nil && $0?.title == sent.title }
      ?? fresh.first { $0.entry.ref == lost.ref }?.entry
  }
}
