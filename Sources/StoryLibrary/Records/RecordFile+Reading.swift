public import JSONText

extension RecordFile {
  /// The user's fields in wire form, with resolved references.
  public struct Reading: Sendable {
    /// The values in wire form. An unresolved reference is absent.
    public var values: FieldValues
    /// The names of the resolved references by key, as in a sidecar's `refs`.
    public var refs = JSONObject()
    /// All referenced records, in member order.
    public var targets: [RecordRef] = []
    /// The references to records of this library that the server does not have yet.
    public var pending: [RecordRef] = []
    /// The references to records that do not exist.
    public var unknown: [RecordRef] = []
    /// The fields whose references are in ``pending`` or ``unknown``: they have no wire form yet.
    public var unresolved: [Field] = []
    /// The fields whose values have the wrong type, so that their meaning is unknown.
    public var malformed: [Field] = []
    /// The fields that reference a record by a former name.
    public var outdated: [Field] = []

    /// Whether a required long text is absent or has only empty lines.
    public var lacksText: Bool {
      values.kind.schema.fields.contains { field in
        field.isRequired && field.shape == .lines && !malformed.contains(field)
          && (values[field]?.string ?? "").utf8.allSatisfy { $0 == UInt8(ascii: "\n") }
      }
    }

    /// Returns the fields that differ from `base`, in schema order: those with another meaning, and
    /// those with an unknown meaning.
    public func changes(from base: FieldValues) -> [Field] {
      let changed = values.changes(from: base)
      if unresolved.isEmpty, malformed.isEmpty { return changed }
      let differing = Set(changed + unresolved + malformed)
      return values.kind.schema.fields.filter(differing.contains)
    }

    /// Returns the record's state next to its sidecar.
    ///
    /// - Parameter changed: The fields that differ from the sidecar's base, if they are known.
    package func state(_ sidecar: Sidecar?, changed: [Field]? = nil) -> RecordState {
      guard let sidecar else { return lacksText ? .draft : .pendingCreate }
      switch sidecar.conflict {
      case .fields, .deletedOnServer: return .conflict
      case .deletedLocally, nil:
        return (changed ?? changes(from: sidecar.base)).isEmpty ? .synced : .pendingUpdate
      }
    }
  }

  /// Reads the user's fields.
  ///
  /// A value of the wrong type is treated as absent and reported by
  /// ``problems(references:sidecar:mayBeDraft:reading:)``.
  /// - Parameters:
  ///   - references: The names and ids in this library.
  ///   - sidecar: The record's sidecar, whose `refs` keep the ids of former names.
  public func reading(references: ReferenceTable, sidecar: Sidecar?) -> Reading {
    var reading = Reading(values: FieldValues(kind: ref.kind))
    for member in document.root.members {
      let key = member.name
      guard let index = ref.kind.schema.fieldIndex(key: key) else { continue }
      let field = ref.kind.schema.fields[index]
      if let kind = field.referencedKind, key == field.key {
        if let name = member.value.string {
          let target = RecordRef(kind: kind, name: name)
          resolve(target, of: field, references, sidecar, into: &reading)
        } else if member.value.kind != .null {
          reading.malformed.append(field)
        }
      } else if let value = Self.wireValue(member.value, of: field) {
        reading.values.set(value, at: index)
      } else if member.value.kind != .null {
        reading.malformed.append(field)
      }
    }
    return reading
  }

  private func resolve(
    _ target: RecordRef, of field: Field, _ references: ReferenceTable, _ sidecar: Sidecar?,
    into reading: inout Reading
  ) {
    reading.targets.append(target)
    var id: String?
    let remembered = remembered(target, of: field, sidecar)
    // If the referenced record was renamed, a record that has since taken its name is not meant.
    let present = remembered.flatMap { references.name(of: target.kind, id: $0) }
    let isMoved = present.map { $0 != target.name } ?? false
    switch references.meaning(of: target) {
    case _ where isMoved: id = remembered
    case .id(let known): id = known
    case .pending: reading.pending.append(target)
    case .unidentified:
      id = remembered
      if id == nil { reading.pending.append(target) }
    case .unknown:
      id = remembered
      if id == nil { reading.unknown.append(target) }
    }
    guard let id else {
      reading.unresolved.append(field)
      return
    }
    reading.values[field] = .string(id)
    reading.refs[field.key] = .string(target.name)
    if isMoved || !references.contains(target) && references.name(of: target.kind, id: id) != nil {
      reading.outdated.append(field)
    }
  }

  /// Returns the id that a name referred to when the sidecar was written.
  private func remembered(_ target: RecordRef, of field: Field, _ sidecar: Sidecar?) -> String? {
    guard let sidecar, sidecar.refs[field.key]?.string == target.name else { return nil }
    return sidecar.base[field]?.string
  }

  /// Returns a file's value in wire form, or `nil` if it is absent or has the wrong type.
  private static func wireValue(_ node: JSONNode, of field: Field) -> FieldValues.Slot? {
    if node.kind == .null { return field.defaultValue == nil ? .node(node) : nil }
    if case .lines = field.shape, node.kind == .array {
      return node.elements.allSatisfy { $0.kind == .string } ? .lines(node) : nil
    }
    return field.shape.admitsOnWire(node) ? .node(node) : nil
  }
}
