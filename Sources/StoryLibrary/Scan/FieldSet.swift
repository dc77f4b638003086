/// A set of fields of one kind, stored as a bit mask.
public struct FieldSet: Sendable, Hashable {
  /// The fields, by their indices in the schema.
  private(set) var bits: UInt32 = 0

  /// Creates an empty set.
  public init() {}

  /// Creates a set of fields of `kind`.
  public init(_ fields: some Sequence<Field>, of kind: EntityKind) {
    for field in fields {
      if let index = kind.schema.fieldIndex(wireKey: field.wireKey) { bits |= 1 << UInt32(index) }
    }
  }

  /// Recreates a set from its ``bits``.
  init(bits: UInt32) { self.bits = bits }

  /// Whether the set is empty.
  public var isEmpty: Bool { bits == 0 }

  /// Returns the fields in schema order.
  public func fields(of kind: EntityKind) -> [Field] {
    if isEmpty { return [] }
    return kind.schema.fields.enumerated().compactMap { bits & 1 << UInt32($0) == 0 ? nil : $1 }
  }

  /// Returns the fields that are not in `other`.
  public func subtracting(_ other: FieldSet) -> FieldSet {
    var result = self
    result.bits &= ~other.bits
    return result
  }
}
