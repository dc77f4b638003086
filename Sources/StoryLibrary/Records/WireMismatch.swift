public import JSONText

/// A value from a server that is not of the expected type.
public struct WireMismatch: Sendable, Hashable {
  /// What a value should be; the raw value is the type with its article.
  public enum Expected: String, Sendable, Hashable {
    /// An object.
    case object = "an object"
    /// An array.
    case array = "an array"
    /// An array of strings.
    case strings = "an array of strings"
    /// A string.
    case string = "a string"
    /// A string, or an array of strings.
    case stringOrStrings = "a string or an array of strings"
    /// In a file: long text.
    case lines = "an array of lines or a string"
    /// An integer that fits into 64 bits.
    case wholeNumber = "a whole number"
    /// An integer from 0.
    case count = "a number from 0"
    /// Any number.
    case number = "a number"
    /// `true` or `false`.
    case boolean = "true or false"
    /// A string with a date.
    case date = "a date"
    /// A number of milliseconds since 1970.
    case milliseconds = "a time in milliseconds"
  }

  /// What a value is.
  public enum Found: Sendable, Hashable {
    /// The value is missing.
    case nothing
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number.
    case number
    /// A number outside the range of 64 bits.
    case hugeNumber
    /// This integer.
    case integer(Int)
    /// A string.
    case string
    /// A string without characters.
    case emptyString
    /// A string with this text, escaped and truncated.
    case text(String)
    /// An array.
    case array
    /// An object.
    case object

    /// Returns the type of a value, or `nothing` if it is missing.
    public static func value(_ value: JSONValue?) -> Found {
      switch value {
      case nil: .nothing
      case .null: .null
      case .bool: .boolean
      case .number: .number
      case .string: .string
      case .array: .array
      case .object: .object
      }
    }
  }

  /// What the value should be.
  public let expected: Expected
  /// What it is.
  public let found: Found

  /// Creates a mismatch.
  public init(_ expected: Expected, found: Found) {
    self.expected = expected
    self.found = found
  }
}
