import JSONText
import StoryAPI
import StoryLibrary

/// A write that was sent to the server, or was about to be, as the journal keeps it.
struct UnconfirmedWrite: Sendable {
  /// Its number in the journal.
  var number = 0
  /// Whether sending it again does it once in all, see ``isRemembered(by:now:)``.
  var canBeSentAgain = false
  /// Whether the server refused to have it sent again, for its key was used in another way: somebody
  /// surely made a record that is made again.
  var wasRefused = false
  /// The record that it was about.
  var ref: RecordRef
  /// Where the record's sidecar lay, which of a renamed record is another name.
  var place: RecordRef
  /// The write, with its exact body and key.
  var write: RemoteWrite
  /// The server's clock before it was sent; `nil` where the server did not tell.
  var listedAt: ServerDate?
  /// When it was made ready to be sent, by this machine's clock.
  var sentAt: ServerDate?
  /// Names the batch that it was sent in, see ``WriteSender/Item/batch``; `nil` if it was sent alone.
  var batch: String?
  /// The sidecar that a record had which is made again because the server deleted it; `nil` for any
  /// other write.
  var former: Sidecar?
  /// Ids of records of the same name that have come to the server since: perhaps one is this one.
  var doubles: [String] = []

  /// How long a server surely remembers a key: a day less than the contract promises.
  static let memory = Duration.seconds(6 * 86_400)

  /// Whether sending it again does it once in all: the server remembers the key, and refuses a change
  /// of what is no longer what it was based on.
  func isRemembered(by info: ServerInfo, now: ServerDate) -> Bool {
    guard info.features.contains(.idempotency) else { return false }
    // A clock that was set back says nothing about the time that has passed.
    guard let sentAt, now >= sentAt, now.duration(since: sentAt) < Self.memory else { return false }
    return write.operation == .create || info.features.contains(.etag)
  }
}

extension UnconfirmedWrite {
  /// The create of a record that is made again, as if it had been sent already: its key follows from the
  /// id that the record had, so that another machine that makes it again as well finds this one.
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

  init?(_ value: JSONValue) {
    guard let ref = value["ref"]?.string.flatMap({ RecordRef($0) }),
      let place = value["place"]?.string.flatMap({ RecordRef($0) }),
      let write = value["write"].flatMap({ RemoteWrite(json: $0) })
    else { return nil }
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

/// Finds the records that lost writes were about, which may have been edited, renamed or removed
/// since.
struct UnconfirmedWriteLocator {
  let scan: Scan
  let source: any RecordSource

  /// The record of a write; `nil` where it is gone.
  func entry(_ lost: UnconfirmedWrite) throws -> ScanEntry? {
    let kind = lost.write.kind
    if let id = lost.write.id {
      return scan.entry(id: id, of: kind)
    }
    // The answer was taken in, and only the journal did not hear of it.
    if let entry = scan.entry(lost.ref), entry.id != nil { return entry }
    // A new record has no id to find it by: the same content, the same name or title, the same path.
    let sent = FieldValues(kind: kind, wire: lost.write.body)
    // Mostly it is where it was, and as it was; there may be very many of them.
    if let entry = scan.entry(lost.ref), entry.state == .pendingCreate, values(entry) == sent {
      return entry
    }
    let fresh = scan.entries.filter { $0.ref.kind == kind && $0.state.isNew }
    let values = fresh.map(values)
    func only(_ isWanted: (FieldValues?) -> Bool) -> ScanEntry? {
      let found = zip(fresh, values).filter { isWanted($0.1) }.map(\.0)
      return found.first { $0.ref == lost.ref } ?? (found.count == 1 ? found[0] : nil)
    }
    return only { $0 == sent } ?? only { $0?.title != nil && $0?.title == sent.title }
      ?? fresh.first { $0.ref == lost.ref }
  }

  /// What a new record holds; `nil` where it cannot be read.
  private func values(_ entry: ScanEntry) -> FieldValues? {
    (try? source.file(entry.ref))?.reading(references: scan.references, sidecar: nil).values
  }
}
