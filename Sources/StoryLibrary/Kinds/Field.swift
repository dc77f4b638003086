public import JSONText

/// One member of a record that a person owns: its names, its type and how it merges.
public struct Field: Sendable, Hashable {
  /// What a field's value looks like in a record file.
  public enum Shape: Sendable, Hashable {
    /// A string whose length in characters lies in the range.
    case text(length: ClosedRange<Int>)
    /// One of the named strings.
    case choice([String])
    /// Long text: an array of lines, or one string. On the wire it is one string, lines joined by
    /// `"\n"`.
    case lines
    /// A string, or an array of strings where a server keeps several.
    case phrases(count: ClosedRange<Int>, length: ClosedRange<Int>)
    /// A whole number in the range.
    case integer(ClosedRange<Int>)
    /// A number, whole or not.
    case number
    /// `true` or `false`.
    case boolean
    /// An array of strings.
    case list(count: ClosedRange<Int>, length: ClosedRange<Int>)
    /// The name of another record, its path under the kind's folder; on the wire its id.
    case reference(EntityKind)
  }

  /// The member's name in a record file: `hero`.
  public let key: String
  /// The member's name on the wire and in a sidecar's base: `heroId`.
  public let wireKey: String
  /// What the value looks like.
  public let shape: Shape
  /// Whether a record without it cannot be pushed.
  public let isRequired: Bool
  /// What a server fills in where the field is left out; `nil` for an optional field, of which
  /// absent equals null.
  public let defaultValue: JSONValue?
  /// How two changed values come together.
  public let merge: MergeRule
  /// Who wins where they do not.
  public let strategy: Strategy

  init(
    _ key: String, wireKey: String? = nil, _ shape: Shape, isRequired: Bool = false,
    defaultValue: JSONValue? = nil, merge: MergeRule = .scalar, strategy: Strategy
  ) {
    self.key = key
    self.wireKey = wireKey ?? key
    self.shape = shape
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.merge = merge
    self.strategy = strategy
  }

  /// The kind that this field names a record of; `nil` for a field that is no reference.
  public var referencedKind: EntityKind? {
    if case .reference(let kind) = shape { kind } else { nil }
  }

  /// The names that this field can have in a record file: `hero`, and `heroId` for an id that no
  /// record here has.
  public var keys: [String] { key == wireKey ? [key] : [key, wireKey] }

  /// The value that compares equal to an absent member: the default, else null.
  public var absentValue: JSONValue { defaultValue ?? .null }
}
