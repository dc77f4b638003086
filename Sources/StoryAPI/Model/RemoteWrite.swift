public import JSONText
public import StoryLibrary

/// One write to the server, whole enough to be sent again by a later process with the same effect.
public struct RemoteWrite: Sendable, Hashable {
  /// What is done.
  public enum Operation: String, Sendable, Hashable {
    /// A new record; the body is all that a person owns of it.
    case create
    /// Some members change; the body is those, null for one that is cleared.
    case update
    /// The record goes; no body.
    case delete
  }

  /// What is done.
  public let operation: Operation
  /// The record's kind.
  public let kind: EntityKind
  /// The server's id; `nil` for a create.
  public let id: String?
  /// The version that the write is based on, verbatim; `nil` for a create, and where a write is
  /// meant to hold whatever the version is.
  public let revision: String?
  /// The key under which the server does this write once.
  public let idempotencyKey: String
  /// Members in canonical wire form (see `FieldValues`); a dialect translates them when it sends.
  public let body: JSONObject

  /// A write from its parts.
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

  /// Returns a key that nobody has used: 128 random bits, in hexadecimal.
  package static func makeKey() -> String {
    (0..<2).map { _ in
      let text = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }

  /// Reads a write as ``json`` has it.
  ///
  /// - Returns: `nil` where `json` is not one: an unknown operation or kind, a missing key, or a
  ///   missing id where the operation needs one.
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

  /// The write as a journal keeps it:
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
