public import JSONText

/// A record as a server gave it: its id, its version, the person's part and the rest.
public struct RemoteRecord: Sendable, Hashable {
  /// What makes an object from a server no record.
  public enum Malformation: Error, Sendable, Equatable {
    /// A member is missing or something else than it must be; `found` says what in words. An element
    /// of an array is named `traits[2]`.
    case member(String, expected: String, found: String)
  }

  /// The kind of the record.
  public let kind: EntityKind
  /// The server's id, opaque.
  public let id: String
  /// The record's version, verbatim as the server wrote it.
  public let updatedAt: String
  /// The part that a person owns, in wire form.
  public var fields: FieldValues
  /// The rest: what only the server sets, and members that this program does not know.
  ///
  /// URLs of media, at any depth, have lost their query string, which a server signs anew at each
  /// read.
  public var server: JSONObject

  /// A record from its parts.
  public init(
    kind: EntityKind, id: String, updatedAt: String, fields: FieldValues, server: JSONObject
  ) {
    self.kind = kind
    self.id = id
    self.updatedAt = updatedAt
    self.fields = fields
    self.server = server
  }

  /// Takes apart a record as it came over the wire.
  ///
  /// A field that no record can be without must be there: what a server leaves out of an answer is
  /// not what it deleted.
  ///
  /// - Throws: `Malformation` where `id` or `updatedAt` is missing or no string, where a required
  ///   field is missing or null, or where a field has a type that its schema does not know.
  public init(kind: EntityKind, wire object: JSONObject) throws(Malformation) {
    func text(_ key: String) throws(Malformation) -> String {
      guard let value = object[key]?.string else {
        throw .member(
          key, expected: "a string", found: object[key]?.kindInWords ?? "nothing")
      }
      guard !value.isEmpty else {
        throw .member(key, expected: "one with characters in it", found: "an empty string")
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
  /// The record as one object, as ``init(kind:wire:)`` reads it.
  public var wire: JSONObject {
    var object: JSONObject = ["id": .string(id), "updatedAt": .string(updatedAt)]
    for member in fields.wire.members { object[member.key] = member.value }
    for member in server.members { object[member.key] = member.value }
    return object
  }

  /// When the record was made, as the server wrote it; empty where it does not say.
  public var createdAt: String { server["createdAt"]?.string ?? "" }
}

extension Field {
  /// What is wrong with a value that may not stand for this field on the wire.
  fileprivate func malformation(_ value: JSONValue?) -> RemoteRecord.Malformation {
    if case .array(let elements)? = value,
      let place = elements.firstIndex(where: { $0.string == nil }),
      shape.admitsOnWire([])
    {
      return .member(
        "\(wireKey)[\(place)]", expected: "a string", found: elements[place].kindInWords)
    }
    if case .integer = shape, case .number(let number)? = value, number.isWhole {
      return .member(wireKey, expected: "a smaller number", found: "one too large to be read")
    }
    return .member(wireKey, expected: shape.wireInWords, found: value?.kindInWords ?? "nothing")
  }
}

extension Field.Shape {
  /// Whether a server may send `value` for this field; null stands for absent.
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

  /// Whether a server may send what stands at a place in a text; by its value.
  func admitsOnWire(_ node: JSONNode) -> Bool {
    // Long text is taken out of the text only if it is needed.
    node.kind == .string ? admitsOnWire(.string("")) : admitsOnWire(node.value)
  }

  /// What ``admitsOnWire(_:)`` admits, in words.
  var wireInWords: String {
    switch self {
    case .text, .choice, .lines, .reference: "a string"
    case .phrases: "a string or an array of strings"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .list: "an array of strings"
    }
  }
}

/// The names of all members that hold URLs of media, of whatever kind of record.
private let mediaKeys = Set(EntityKind.allCases.flatMap(\.schema.mediaKeys))

/// A value without the query strings of media URLs in it, at any depth: a server may put records
/// into each other, and a signature belongs to the one who was given it.
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
