import JSONText

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

  /// The bytes that identify the write. They are the same on its own and in a batch.
  var content: [UInt8] {
    let asked = RememberedRequest.asked("\(verb.rawValue) \(kind.rawValue)", id?.text ?? "")
    return RememberedRequest.content(asked, data) + shape
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
