public import JSONText

/// The person's part of one record in wire form: `heroId` instead of `hero`, long text as one
/// string. Unknown members are not in it.
///
/// Comparison follows the meaning of absence: an optional field that is absent equals null, a field
/// with a default equals its default.
public struct FieldValues: Sendable, Hashable {
  /// The kind of the record, whose schema names the fields.
  public let kind: EntityKind
  /// The values in the schema's order.
  private var values: [Slot]

  /// What is known of a field. What a file says stays in its text until somebody asks for it: mostly
  /// record and base say the same, and that is seen in the two texts.
  enum Slot: Sendable {
    case absent
    case value(JSONValue)
    case node(JSONNode)
    /// An array of strings that stand for one string, whose lines they are.
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

    /// Whether two fields are seen to say the same, without a value being taken out of its text; if
    /// not, they may do so all the same.
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

  /// No field is present.
  public init(kind: EntityKind) {
    self.kind = kind
    values = Array(repeating: .absent, count: kind.schema.fields.count)
  }

  /// The members of `object` that a person owns; the others are left out.
  public init(kind: EntityKind, wire object: JSONObject) {
    self.init(kind: kind)
    for member in object.members {
      if let index = kind.schema.fieldIndex(wireKey: member.key) {
        values[index] = .value(member.value)
      }
    }
  }

  /// The value of a field as it stands; `nil` where it is absent.
  public subscript(field: Field) -> JSONValue? {
    get { kind.schema.fieldIndex(wireKey: field.wireKey).flatMap { values[$0].value } }
    set {
      if let index = kind.schema.fieldIndex(wireKey: field.wireKey) {
        values[index] = newValue.map { .value($0) } ?? .absent
      }
    }
  }

  /// Puts a value in at the field's place in the schema.
  mutating func set(_ slot: Slot, at place: Int) { values[place] = slot }

  /// The value that a field stands for: its own, or what its absence or null means.
  public func effective(_ field: Field) -> JSONValue {
    kind.schema.fieldIndex(wireKey: field.wireKey).map(effective(at:)) ?? field.absentValue
  }

  private func effective(at place: Int) -> JSONValue {
    guard let value = values[place].value, !value.isNull else {
      return kind.schema.fields[place].absentValue
    }
    return value
  }

  /// The fields that are present, as an object in wire form and schema order.
  public var wire: JSONObject {
    var object = JSONObject()
    for (field, value) in zip(kind.schema.fields, values) {
      if let value = value.value { object[field.wireKey] = value }
    }
    return object
  }

  /// The name or title, for messages and for matching; `nil` where it is absent or no string.
  public var title: String? {
    kind.schema.fieldIndex(wireKey: kind.schema.titleKey).flatMap { values[$0].value?.string }
  }

  /// The fields whose meaning differs from that in `base`, in schema order.
  ///
  /// A field with a default that is absent here says nothing, so it is never different. Both must be of
  /// one kind.
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

  /// These values, with what `base` holds where a field with a default is absent.
  ///
  /// Absent means “no opinion” for such a field: it stands for whatever the base holds.
  public func completed(from base: FieldValues) -> FieldValues {
    var result = self
    for (place, field) in kind.schema.fields.enumerated() where field.defaultValue != nil {
      if case .absent = values[place] { result.values[place] = base.values[place] }
    }
    return result
  }

  /// Whether every field means the same.
  public static func == (lhs: FieldValues, rhs: FieldValues) -> Bool {
    lhs.kind == rhs.kind
      && lhs.values.indices.allSatisfy { place in
        lhs.values[place].isSeenToBe(rhs.values[place])
          || lhs.effective(at: place) == rhs.effective(at: place)
      }
  }

  /// Hashes what the fields mean, so that equal records hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for field in kind.schema.fields { hasher.combine(effective(field)) }
  }
}
