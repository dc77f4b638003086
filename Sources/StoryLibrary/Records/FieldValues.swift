public import JSONText

/// The fields of one record that the user owns, in wire form: `heroId` instead of `hero`, long text
/// as one string. Unknown members are not included.
///
/// Comparisons treat an absent field as its default, or as null if it is optional.
public struct FieldValues: Sendable, Hashable {
  /// The kind of the record.
  public let kind: EntityKind
  /// The values in schema order.
  private var values: [Slot]

  /// A field's value. A value from a file stays in its text until it is needed: record and base
  /// usually have the same text, and comparing that is enough.
  enum Slot: Sendable {
    case absent
    case value(JSONValue)
    case node(JSONNode)
    /// An array of strings that represents one string by its lines.
    case lines(JSONNode)

    var value: JSONValue? {
      switch self {
      case .absent: nil
      case .value(let value): value
      case .node(let node): node.value
      case .lines(let node):
        .string(node.elements.map { $0.string ?? "" }.joined(separator: "\n"))
      }
    }

    /// Returns whether two values have the same text. If not, they may still be equal.
    func isSeenToBe(_ other: Slot) -> Bool {
      switch (self, other) {
      case (.absent, .absent): true
      case (.node(let left), .node(let right)): left.isSame(as: right)
      case (.lines(let left), .lines(let right)): left.isSame(as: right)
      case (.lines(let lines), .node(let whole)): lines.isSplit(of: whole)
      default: false
      }
    }
  }

  /// Creates values in which all fields are absent.
  public init(kind: EntityKind) {
    self.kind = kind
    values = Array(repeating: .absent, count: kind.schema.fields.count)
  }

  /// Creates values from the members of `object` that are fields.
  public init(kind: EntityKind, wire object: JSONObject) {
    self.init(kind: kind)
    for member in object.members {
      if let index = kind.schema.fieldIndex(wireKey: member.key) {
        values[index] = .value(member.value)
      }
    }
  }

  /// The value of a field as written, or `nil` if it is absent.
  public subscript(field: Field) -> JSONValue? {
    get { kind.schema.fieldIndex(wireKey: field.wireKey).flatMap { values[$0].value } }
    set {
      if let index = kind.schema.fieldIndex(wireKey: field.wireKey) {
        values[index] = newValue.map { .value($0) } ?? .absent
      }
    }
  }

  mutating func set(_ slot: Slot, at place: Int) { values[place] = slot }

  /// Returns the effective value of a field: its own, or the equivalent of its absence or null.
  public func effective(_ field: Field) -> JSONValue {
    kind.schema.fieldIndex(wireKey: field.wireKey).map(effective(at:)) ?? field.absentValue
  }

  private func effective(at place: Int) -> JSONValue {
    guard let value = values[place].value, !value.isNull else {
      return kind.schema.fields[place].absentValue
    }
    return value
  }

  /// The present fields as an object in wire form and schema order.
  public var wire: JSONObject {
    var object = JSONObject()
    for (field, value) in zip(kind.schema.fields, values) {
      if let value = value.value { object[field.wireKey] = value }
    }
    return object
  }

  /// The name or title for messages and matching, or `nil` if it is absent or not a string.
  public var title: String? {
    kind.schema.fieldIndex(wireKey: kind.schema.titleKey).flatMap { values[$0].value?.string }
  }

  /// Returns the fields that differ in meaning from `base`, in schema order.
  ///
  /// An absent field with a default never differs. `base` must be of the same kind.
  public func changes(from base: FieldValues) -> [Field] {
    precondition(kind == base.kind, "values of one kind are compared")
    return values.indices.filter { place in
      if values[place].isSeenToBe(base.values[place]) { return false }
      if case .absent = values[place], kind.schema.fields[place].defaultValue != nil {
        return false
      }
      return effective(at: place) != base.effective(at: place)
    }.map { kind.schema.fields[$0] }
  }

  /// Returns these values, with those of `base` for absent fields with a default.
  ///
  /// The absence of such a field expresses no opinion and stands for the base's value.
  public func completed(from base: FieldValues) -> FieldValues {
    var result = self
    for (place, field) in kind.schema.fields.enumerated() where field.defaultValue != nil {
      if case .absent = values[place] { result.values[place] = base.values[place] }
    }
    return result
  }

  /// Returns whether all fields have the same meaning.
  public static func == (lhs: FieldValues, rhs: FieldValues) -> Bool {
    lhs.kind == rhs.kind
      && lhs.values.indices.allSatisfy { place in
        lhs.values[place].isSeenToBe(rhs.values[place])
          || lhs.effective(at: place) == rhs.effective(at: place)
      }
  }

  /// Hashes the meaning of the fields, so that equal records have the same hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for field in kind.schema.fields { hasher.combine(effective(field)) }
  }
}
