/// A JSON value without its layout: what programs compute with.
///
/// Comparison is by value: numbers by what they stand for, objects in whatever order of members,
/// strings by their Unicode scalars, never normalised.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, its literal kept.
  case number(JSONNumber)
  /// A string, escapes resolved.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its order kept.
  case object(JSONObject)

  /// Parses a text and forgets its layout.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - maximumValues: the most values and names that are taken.
  /// - Throws: `JSONSyntaxError` if `bytes` is not a JSON text (see ``JSONDocument``).
  public init(parsing bytes: [UInt8], maximumValues: Int = .max) throws(JSONSyntaxError) {
    self = try JSONDocument(parsing: bytes, maximumValues: maximumValues).root.value
  }

  /// The string, or `nil` for another kind of value.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }
  /// The whole number, or `nil` for another kind of value or a number that is not whole.
  public var integer: Int? {
    if case .number(let number) = self { number.integer } else { nil }
  }
  /// The truth value, or `nil` for another kind of value.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }
  /// The elements, or `nil` for another kind of value.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
  /// The members, or `nil` for another kind of value.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
  /// The value of a member; `nil` where this is no object or has no such member.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// What kind of value this is, in words for messages: “a string”, “null”.
  public var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object, in the order it is written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.lazy.map { (key: $0.0, value: $0.1) }))
  }
}
