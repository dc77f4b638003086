/// A JSON value without layout.
///
/// Values compare by meaning: numbers by their value, objects regardless of order, and strings by
/// Unicode scalars without normalization.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, which keeps its literal.
  case number(JSONNumber)
  /// An unescaped string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, which keeps its order.
  case object(JSONObject)

  /// Returns the text as a string, and a missing one as null.
  package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Returns a whole number.
  package static func number(_ integer: some BinaryInteger) -> JSONValue {
    .number(JSONNumber(integer))
  }

  /// Parses a text and discards its layout.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - maximumValues: The maximum number of values and names.
  /// - Throws: `JSONSyntaxError` if `bytes` is not a JSON text (see ``JSONDocument``).
  public init(parsing bytes: [UInt8], maximumValues: Int = .max) throws(JSONSyntaxError) {
    self = try JSONDocument(parsing: bytes, maximumValues: maximumValues).root.value
  }

  /// The string, or `nil` for another type.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }
  /// The integer, or `nil` for another type or a number that is not an integer.
  public var integer: Int? {
    if case .number(let number) = self { number.integer } else { nil }
  }
  /// The Boolean value, or `nil` for another type.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }
  /// The elements, or `nil` for another type.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
  /// The elements of an array of strings, or `nil` for any other value.
  package var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
  /// The members, or `nil` for another type.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
  /// The value of a member, or `nil` if this is not an object or has no such member.
  public subscript(key: String) -> JSONValue? { object?[key] }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object, in the literal's order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.lazy.map { (key: $0.0, value: $0.1) }))
  }
}
