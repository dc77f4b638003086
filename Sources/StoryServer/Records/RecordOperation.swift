import JSONText
import StoryLibrary

/// A write, on its own or in a batch.
struct RecordOperation: Sendable {
  enum Verb: String, Sendable {
    case create, update, delete
  }

  var verb: Verb
  var kind: RecordKind
  var id: RecordID?
  /// The versions that the record must have one of.
  var condition: EntityTag.Condition?
  var key: String?
  var data: JSONNode?
  /// Additional bytes that the key is bound to, such as the whole batch. Usually empty.
  var shape: [UInt8] = []

  struct Outcome: Sendable {
    var status: Int
    var data: [UInt8]
    /// The record's new version, or `nil` for a delete.
    var version: String?
    var isReplay = false
    var removed: [LogEntry.DeleteEntry.Item] = []
  }

  /// Returns digests of the key and of the write. The same write has the same digests on its own
  /// and in a batch.
  func digests() -> (key: HalfDigest, request: HalfDigest)? {
    guard let key else { return nil }
    var bytes = Array("\(verb.rawValue) \(kind.rawValue) ".utf8)
    // The length separates the id from the body that follows.
    let id = id?.text ?? ""
    bytes += "\(id.utf8.count) \(id) ".utf8
    if let data { bytes.append(contentsOf: data.document.bytes[data.range]) }
    bytes += shape
    return (SHA256.digest(key).half, SHA256.digest(bytes).half)
  }

  /// The maximum length of an `Idempotency-Key`, in bytes.
  static let longestKey = 255

  static func checked(key: String?) throws(APIFailure) -> String? {
    guard let key else { return nil }
    guard (1...longestKey).contains(key.utf8.count) else {
      throw .badRequest(
        "invalidIdempotencyKey", "An Idempotency-Key has 1 to \(longestKey) bytes.")
    }
    return key
  }
}
