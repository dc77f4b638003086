public import JSONText

/// The person's part of one record in wire form: `heroId` instead of `hero`, long text as one
/// string. Unknown members are not in it.
///
/// Comparison follows the meaning of absence: an optional field that is absent equals null, a field
/// with a default equals its default.
public struct FieldValues: Sendable, Hashable {
  /// The kind of the record, whose schema names the fields.
  public let kind: EntityKind
  /// The values in the schema's order; `nil` where a field is absent.
  private var values: [JSONValue?]

  /// No field is present.
  public init(kind: EntityKind) {
    self.kind = kind
    values = Array(repeating: nil, count: kind.schema.fields.count)
  }

  /// The members of `object` that a person owns; the others are left out.
  public init(kind: EntityKind, wire object: JSONObject) {
    self.init(kind: kind)
    for member in object.members {
      if let index = kind.schema.fieldIndex(wireKey: member.key) { values[index] = member.value }
    }
  }

  /// The value of a field as it stands; `nil` where it is absent.
  public subscript(field: Field) -> JSONValue? {
    get { kind.schema.fieldIndex(wireKey: field.wireKey).flatMap { values[$0] } }
    set {
      if let index = kind.schema.fieldIndex(wireKey: field.wireKey) { values[index] = newValue }
    }
  }

  /// The value that a field stands for: its own, or what its absence or null means.
  public func effective(_ field: Field) -> JSONValue {
    guard let value = self[field], !value.isNull else { return field.absentValue }
    return value
  }

  /// The fields that are present, as an object in wire form and schema order.
  public var wire: JSONObject {
    var object = JSONObject()
    for (field, value) in zip(kind.schema.fields, values) {
      if let value { object[field.wireKey] = value }
    }
    return object
  }

  /// The name or title, for messages and for matching; `nil` where it is absent or no string.
  public var title: String? {
    kind.schema.fieldIndex(wireKey: kind.schema.titleKey).flatMap { values[$0]?.string }
  }

  /// The fields whose meaning differs from that in `base`, in schema order.
  ///
  /// A field with a default that is absent here says nothing, so it is never different.
  public func changes(from base: FieldValues) -> [Field] {
    zip(kind.schema.fields, values).compactMap { field, value in
      if value == nil, field.defaultValue != nil { return nil }
      return effective(field) == base.effective(field) ? nil : field
    }
  }

  /// These values, with what `base` holds where a field with a default is absent.
  ///
  /// Absent means “no opinion” for such a field: it stands for whatever the base holds.
  public func completed(from base: FieldValues) -> FieldValues {
    var result = self
    for (index, field) in kind.schema.fields.enumerated()
    where values[index] == nil && field.defaultValue != nil {
      result.values[index] = base.values[index]
    }
    return result
  }

  /// Whether every field means the same.
  public static func == (lhs: FieldValues, rhs: FieldValues) -> Bool {
    lhs.kind == rhs.kind
      && lhs.kind.schema.fields.allSatisfy { lhs.effective($0) == rhs.effective($0) }
  }

  /// Hashes what the fields mean, so that equal records hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for field in kind.schema.fields { hasher.combine(effective(field)) }
  }
}
