extension JSONValue {
  /// The value that something encodes itself as.
  ///
  /// Members come in the order in which they are encoded. `nil` becomes `null`, also for a member that
  /// is encoded only if present; to leave a member out, see ``Omitted``. A ``JSONValue`` within stays
  /// as it is, number literals included. A double that is not finite, which JSON cannot say, becomes
  /// `null`.
  ///
  /// - Precondition: What is encoded does not throw an error of its own. The encoder throws none.
  public init(encoding value: some Encodable) {
    let encoder = ValueEncoder()
    do { try value.encode(to: encoder) } catch { preconditionFailure("\(error)") }
    self = encoder.result ?? .null
  }
}

/// A member that is omitted from a document instead of being `null`.
///
/// This holds for ``JSONValue/init(encoding:)``: there, whatever encodes nothing at all is left out.
@propertyWrapper
public struct Omitted<Value: Encodable>: Encodable {
  /// The value; `nil` for no member.
  public var wrappedValue: Value?

  /// A member with this value, or none for `nil`.
  public init(_ value: Value?) { wrappedValue = value }
  /// A member with this value, or none for `nil`.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Encodes the value, or nothing.
  public func encode(to encoder: any Encoder) throws { try wrappedValue?.encode(to: encoder) }
}

extension Omitted: Sendable where Value: Sendable {}

/// The members of an object in the order in which they are written; each value encodes itself.
public struct Members: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var members: [(name: String, value: any Encodable)]

  /// The members of a literal, such as `["ref": ref, "hint": hint, "from": Omitted(old)]`.
  public init(dictionaryLiteral elements: (String, any Encodable)...) {
    members = elements.map { (name: $0.0, value: $0.1) }
  }

  /// Members from their names and values.
  public init(_ members: [(name: String, value: any Encodable)]) { self.members = members }

  /// The members of both, those on the right last.
  public static func + (left: Members, right: Members) -> Members {
    Members(left.members + right.members)
  }

  /// Encodes the members in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
  }
}

extension JSONValue: Encodable {
  /// Encodes the value as what it is; only ``init(encoding:)`` keeps the literals of numbers.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder { return encoder.value = self }
    switch self {
    case .object(let object):
      try Members(object.members.map { ($0.key, $0.value) }).encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .string(let string): try string.encode(to: encoder)
    case .bool(let bool): try bool.encode(to: encoder)
    case .number(let number):
      if let integer = number.integer { return try integer.encode(to: encoder) }
      try number.double.encode(to: encoder)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

extension JSONObject: Encodable {
  /// Encodes the members in their order.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object(self).encode(to: encoder)
  }
}

/// Takes down what one value encodes itself as. Containers of one encoder add to the same object or
/// array, so that a value may encode the members of another among its own.
private final class ValueEncoder: Encoder {
  /// A scalar, or a value that is complete.
  var value: JSONValue?
  private var elements: [ValueEncoder]?
  private var members: [(name: String, value: ValueEncoder)]?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { elements?.count ?? 0 }

  var result: JSONValue? {
    if let value { return value }
    if let elements { return .array(elements.map { $0.result ?? .null }) }
    return members.map { members in
      .object(
        JSONObject(
          members.lazy.compactMap { member in
            member.value.result.map { (key: member.name, value: $0) }
          }))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    members = members ?? []
    return KeyedEncodingContainer(Members(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    elements = elements ?? []
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Scalar(encoder: self) }

  func member(_ name: String) -> ValueEncoder {
    let encoder = ValueEncoder()
    members?.append((name, encoder))
    return encoder
  }

  func element() -> ValueEncoder {
    let encoder = ValueEncoder()
    elements?.append(encoder)
    return encoder
  }
}

extension ValueEncoder {
  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { encoder.member(key.stringValue).value = .null }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try value.encode(to: encoder.member(key.stringValue))
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
      try encode(value, key)
    }
    private func encode<T: Encodable>(_ value: T?, _ key: Key) throws {
      try encode(value, forKey: key)
    }
    // What the protocol does for each of these leaves `nil` out, and comes before the function above.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encode(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encode(value, key) }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
      encoder.member(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key.stringValue) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.count }

    func encodeNil() { encoder.element().value = .null }

    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: encoder.element()) }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type
    ) -> KeyedEncodingContainer<Inner> {
      encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder.element().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.element() }
  }

  private struct Scalar: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.value = .null }
    func encode(_ value: Bool) { encoder.value = .bool(value) }
    func encode(_ value: String) { encoder.value = .string(value) }
    func encode<T: BinaryInteger & Encodable>(_ value: T) { set("\(value)") }
    func encode<T: BinaryFloatingPoint & Encodable>(_ value: T) { set("\(value)") }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: encoder) }

    private func set(_ literal: String) {
      encoder.value = JSONNumber(literal: literal).map { .number($0) } ?? .null
    }
  }
}
