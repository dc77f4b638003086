import JSONText
import StoryLibrary

/// One write, whether it came alone or in a batch.
struct RecordOperation: Sendable {
  enum Verb: String, Sendable {
    case create, update, delete
  }

  var verb: Verb
  var kind: RecordKind
  /// The record's id; `nil` for a create.
  var id: RecordID?
  /// The versions that the record must have.
  var condition: EntityTag.Condition?
  /// The `Idempotency-Key`.
  var key: String?
  /// What was sent; `nil` for a delete.
  var data: JSONNode?
  /// What the key belongs to beside the write itself, such as the whole batch; mostly nothing.
  var shape: [UInt8] = []

  /// What the server answers to it.
  enum Outcome: Sendable {
    case done(Done)
    case failed(APIFailure)

    struct Done: Sendable {
      var status: Int
      /// The record, or what answers a delete.
      var data: [UInt8]
      /// The record's new version; `nil` for a delete.
      var version: String?
      /// Whether an earlier answer was given again.
      var isReplay = false
      /// The records that went.
      var removed: [LogEntry.DeleteEntry.Item] = []
    }
  }

  /// The key and what it stands for: whoever sends the same write again, alone or in a batch, gets
  /// the same digests.
  func digests() -> (key: HalfDigest, request: HalfDigest)? {
    guard let key else { return nil }
    var bytes = Array("\(verb.rawValue) \(kind.rawValue) ".utf8)
    // The length keeps an id that ends like a body apart from that body.
    let id = id?.text ?? ""
    bytes.append(text: "\(id.utf8.count) \(id) ")
    if let data { bytes.append(contentsOf: data.document.bytes[data.range]) }
    bytes += shape
    return (SHA256.digest(key).half, SHA256.digest(bytes).half)
  }

  /// The longest `Idempotency-Key`, in bytes.
  static let longestKey = 255

  /// Checks a key's form.
  static func checked(key: String?) throws(APIFailure) -> String? {
    guard let key else { return nil }
    guard (1...longestKey).contains(key.utf8.count) else {
      throw .badRequest(
        "invalidIdempotencyKey", "An Idempotency-Key has 1 to \(longestKey) bytes.")
    }
    return key
  }
}
