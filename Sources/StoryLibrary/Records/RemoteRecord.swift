public import JSONText

/// A record from a server: its id, revision, user fields and other members.
public struct RemoteRecord: Sendable, Hashable {
  /// The reason that an object from a server is not a valid record.
  public struct Malformation: Error, Sendable, Equatable {
    /// The member that is missing or has the wrong value. An element of an array is named like
    /// `traits[2]`.
    public let member: String
    /// What is wrong with it.
    public let mismatch: WireMismatch

    init(_ member: String, _ expected: WireMismatch.Expected, found: WireMismatch.Found) {
      self.member = member
      mismatch = WireMismatch(expected, found: found)
    }
  }

  /// The kind of the record.
  public let kind: EntityKind
  /// The server's id, opaque.
  public let id: String
  /// The revision, verbatim from the server.
  public let updatedAt: String
  /// The user's fields in wire form.
  public var fields: FieldValues
  /// The other members: those that only the server sets, and unknown ones.
  ///
  /// Media URLs, at any depth, have no query string, because a server signs it anew at each read.
  public var server: JSONObject

  /// Creates a record.
  public init(
    kind: EntityKind, id: String, updatedAt: String, fields: FieldValues, server: JSONObject
  ) {
    self.kind = kind
    self.id = id
    self.updatedAt = updatedAt
    self.fields = fields
    self.server = server
  }

  /// Parses a record from the wire.
  ///
  /// Required fields must be present: omitting a field is not deleting it.
  ///
  /// - Throws: `Malformation` if `id` or `updatedAt` is missing or not a string, if a required
  ///   field is missing or null, or if a field has the wrong type.
  public init(kind: EntityKind, wire object: JSONObject) throws(Malformation) {
    func text(_ key: String) throws(Malformation) -> String {
      guard let value = object[key]?.string else {
        throw Malformation(key, .string, found: .value(object[key]))
      }
      guard !value.isEmpty else {
        throw Malformation(key, .string, found: .emptyString)
      }
      return value
    }
    id = try text("id")
    updatedAt = try text("updatedAt")
    self.kind = kind
    fields = FieldValues(kind: kind, wire: object)
    for field in kind.schema.fields {
      let value = object[field.wireKey]
      if value?.isNull ?? true, !field.isRequired { continue }
      guard let value, !value.isNull, field.shape.admitsOnWire(value) else {
        throw field.malformation(value)
      }
    }
    server = JSONObject()
    for member in object.members
    where member.key != "id" && member.key != "updatedAt"
      && kind.schema.fieldIndex(wireKey: member.key) == nil
    {
      server[member.key] = withoutSignatures(member.value, key: member.key)
    }
  }
}

extension RemoteRecord {
  /// The record as one object that ``init(kind:wire:)`` can parse.
  public var wire: JSONObject {
    var object: JSONObject = ["id": .string(id), "updatedAt": .string(updatedAt)]
    for member in fields.wire.members { object[member.key] = member.value }
    for member in server.members { object[member.key] = member.value }
    return object
  }

  /// The creation time as the server wrote it, or an empty string.
  public var createdAt: String { server["createdAt"]?.string ?? "" }
}

extension Field {
  fileprivate func malformation(_ value: JSONValue?) -> RemoteRecord.Malformation {
    if case .array(let elements)? = value,
      let place = elements.firstIndex(where: { $0.string == nil }),
      shape.admitsOnWire([])
    {
      return .init("\(wireKey)[\(place)]", .string, found: .value(elements[place]))
    }
    if case .integer = shape, case .number(let number)? = value, number.isWhole {
      return .init(wireKey, .wholeNumber, found: .hugeNumber)
    }
    return .init(wireKey, shape.wireType, found: .value(value))
  }
}

extension Field.Shape {
  /// Returns whether a server may send `value` for this field; null is equivalent to absent.
  func admitsOnWire(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.text, .string), (.choice, .string), (.lines, .string), (.reference, .string),
      (.phrases, .string), (.boolean, .bool):
      true
    case (.integer, .number(let number)): number.integer != nil
    case (.number, .number): true
    case (.list, .array(let elements)), (.phrases, .array(let elements)):
      elements.allSatisfy { $0.string != nil }
    default: false
    }
  }

  /// Returns whether a server may send the value of `node`.
  func admitsOnWire(_ node: JSONNode) -> Bool {
    // Extract long text only if it is needed.
    node.kind == .string ? admitsOnWire(.string("")) : admitsOnWire(node.value)
  }

  /// The values that ``admitsOnWire(_:)`` accepts.
  var wireType: WireMismatch.Expected {
    switch self {
    case .text, .choice, .lines, .reference: .string
    case .phrases: .stringOrStrings
    case .integer: .wholeNumber
    case .number: .number
    case .boolean: .boolean
    case .list: .strings
    }
  }
}

private let mediaKeys = Set(EntityKind.allCases.flatMap(\.schema.mediaKeys))

/// Removes the query strings of media URLs at any depth: a server may nest records, and a signature
/// belongs to whoever received it.
private func withoutSignatures(_ value: JSONValue, key: String) -> JSONValue {
  switch value {
  case .string(let url) where mediaKeys.contains(key):
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return value }
    return .string(String(url[..<mark]))
  case .array(let elements): return .array(elements.map { withoutSignatures($0, key: key) })
  case .object(let object):
    return .object(
      JSONObject(
        object.members.map { (key: $0.key, value: withoutSignatures($0.value, key: $0.key)) }))
  default: return value
  }
}
