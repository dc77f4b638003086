/// A set of a kind's fields, as small as a number.
public struct FieldSet: Sendable, Hashable {
  /// The fields by their places in the schema.
  private(set) var bits: UInt32 = 0

  /// No field.
  public init() {}

  /// These fields of a kind.
  public init(_ fields: some Sequence<Field>, of kind: EntityKind) {
    for field in fields {
      if let index = kind.schema.fieldIndex(wireKey: field.wireKey) { bits |= 1 << UInt32(index) }
    }
  }

  /// The set that ``bits`` was taken from.
  init(bits: UInt32) { self.bits = bits }

  /// Whether there is no field in it.
  public var isEmpty: Bool { bits == 0 }

  /// The fields in the schema's order.
  public func fields(of kind: EntityKind) -> [Field] {
    if isEmpty { return [] }
    return kind.schema.fields.enumerated().compactMap { bits & 1 << UInt32($0) == 0 ? nil : $1 }
  }

  /// The fields of the first that are not in the second.
  public func subtracting(_ other: FieldSet) -> FieldSet {
    var result = self
    result.bits &= ~other.bits
    return result
  }
}
