public import JSONText

/// A member of a record that the user owns: its names, type and merge behavior.
public struct Field: Sendable, Hashable {
  /// The form of a field's value in a record file.
  public enum Shape: Sendable, Hashable {
    /// A string whose number of characters is in the range.
    case text(length: ClosedRange<Int>)
    /// One of the given strings.
    case choice([String])
    /// Long text: an array of lines, or one string; on the wire one string, joined by `"\n"`.
    case lines
    /// A string, or an array of strings if a server keeps several.
    case phrases(count: ClosedRange<Int>, length: ClosedRange<Int>)
    /// An integer in the range.
    case integer(ClosedRange<Int>)
    /// A number, possibly with a fraction.
    case number
    /// `true` or `false`.
    case boolean
    /// An array of strings.
    case list(count: ClosedRange<Int>, length: ClosedRange<Int>)
    /// The name of another record, which is its path in the kind's folder; its id on the wire.
    case reference(EntityKind)
  }

  /// The member's name in a record file, such as `hero`.
  public let key: String
  /// The member's name on the wire and in a sidecar's base, such as `heroId`.
  public let wireKey: String
  /// The form of the value.
  public let shape: Shape
  /// Whether a record cannot be pushed without it.
  public let isRequired: Bool
  /// The value that a server uses if the field is absent. If it is `nil`, absent equals null.
  public let defaultValue: JSONValue?
  /// The rule for merging two changed values.
  public let merge: MergeRule
  /// The strategy for conflicts that the rule does not merge.
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

  /// Creates a field for a member that no kind has, in order to show its versions.
  package init(unknownMember key: String) {
    self.init(key, .text(length: 0...Int.max), strategy: .ask)
  }

  /// The kind that this field references, or `nil` if it is not a reference.
  public var referencedKind: EntityKind? {
    if case .reference(let kind) = shape { kind } else { nil }
  }

  /// The field's names in a record file: `hero`, and `heroId` for an id without a local record.
  public var keys: [String] { key == wireKey ? [key] : [key, wireKey] }

  /// The value that is equivalent to an absent member: the default, or null.
  public var absentValue: JSONValue { defaultValue ?? .null }
}

/// The resolution of a field that both sides changed to different values.
public enum Strategy: String, Sendable, CaseIterable {
  /// The server's value wins.
  case server
  /// The local value wins.
  case local
  /// The value that was written later wins: the file's modification time is compared with the
  /// server's `updatedAt`. Git rewrites modification times, so this is for libraries outside git.
  case newest
  /// The field's merge rule applies; what it cannot merge becomes a conflict.
  case merge
  /// The user decides: the conflict is recorded until `stories resolve` settles it.
  case ask
}

/// The rule for merging two changed values of a field, which applies before any strategy.
public enum MergeRule: String, Sendable, CaseIterable {
  /// One of the values as a whole.
  case scalar
  /// A number that both sides increase: the server's value plus the local increase.
  case counter
  /// A switch: the changed value wins.
  case flag
  /// An unordered set: additions and removals of both sides.
  case set
  /// Long text: lines changed on only one side are merged.
  case lines
}
