public import JSONText
public import StoryLibrary

/// A write to the server with everything that a later process needs to repeat it.
public struct RemoteWrite: Sendable, Hashable {
  /// The operation of a write.
  public enum Operation: String, Sendable, Hashable {
    /// Creates a record; the body contains all of the user's fields.
    case create
    /// Changes some members, which are in the body; null clears one.
    case update
    /// Deletes the record; there is no body.
    case delete
  }

  /// The operation.
  public let operation: Operation
  /// The kind of the record.
  public let kind: EntityKind
  /// The server's id, or `nil` for a create.
  public let id: String?
  /// The revision that the write is based on, verbatim, or `nil` for a create and for a write that
  /// applies to any revision.
  public let revision: String?
  /// The idempotency key, with which the server carries out this write only once.
  public let idempotencyKey: String
  /// The members in canonical wire form (see `FieldValues`), which dialects translate.
  public let body: JSONObject

  /// Creates a write.
  public init(
    operation: Operation, kind: EntityKind, id: String? = nil, revision: String? = nil,
    idempotencyKey: String, body: JSONObject = JSONObject()
  ) {
    self.operation = operation
    self.kind = kind
    self.id = id
    self.revision = revision
    self.idempotencyKey = idempotencyKey
    self.body = body
  }

  /// Returns a new idempotency key: 128 random bits in hexadecimal.
  package static func makeKey() -> String {
    RandomKey.make()
  }

  /// Parses a write from ``json``.
  ///
  /// - Returns: `nil` if `json` is not a write: an unknown operation or kind, a missing key, or a
  ///   missing id if the operation requires one.
  public init?(json: JSONValue) {
    guard let operation = json["operation"]?.string.flatMap(Operation.init(rawValue:)),
      let kind = json["kind"]?.string.flatMap(EntityKind.init(rawValue:)),
      let key = json["idempotencyKey"]?.string,
      let body = json["body"]?.object
    else { return nil }
    let id = json["id"]?.string
    guard operation == .create || id != nil else { return nil }
    self.init(
      operation: operation, kind: kind, id: id, revision: json["revision"]?.string,
      idempotencyKey: key, body: body)
  }

  /// The write in the form of a journal:
  /// `{"operation","kind","id"?,"revision"?,"idempotencyKey","body"}`.
  public var json: JSONValue {
    var object: JSONObject = [
      "operation": .string(operation.rawValue), "kind": .string(kind.rawValue),
    ]
    if let id { object["id"] = .string(id) }
    if let revision { object["revision"] = .string(revision) }
    object["idempotencyKey"] = .string(idempotencyKey)
    object["body"] = .object(body)
    return .object(object)
  }
}
