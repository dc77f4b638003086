public import JSONText

extension RecordFile {
  /// The person's part in wire form, with what references stand for.
  public struct Reading: Sendable {
    /// The values in wire form; a reference that stands for no id is absent.
    public var values: FieldValues
    /// The names of the references that stand for an id, by key: what a sidecar's `refs` holds.
    public var refs = JSONObject()
    /// All records that references name, in the order of the file's members.
    public var targets: [RecordRef] = []
    /// References to records of this library that the server does not have yet.
    public var pending: [RecordRef] = []
    /// References to nothing.
    public var unknown: [RecordRef] = []
    /// The fields whose reference is in ``pending`` or ``unknown``: they say something, but nothing
    /// that has a wire form yet.
    public var unresolved: [Field] = []
    /// Fields whose value in the file has the wrong type, so that nobody knows what was meant.
    public var malformed: [Field] = []
    /// Fields whose reference stands for an id by a name that its record no longer has; see
    /// ``RecordFile/updatingReferences(references:sidecar:)``.
    public var outdated: [Field] = []

    /// Whether a required long text is absent or has only empty lines: nobody has written it yet.
    public var lacksText: Bool {
      values.kind.schema.fields.contains { field in
        field.isRequired && field.shape == .lines && !malformed.contains(field)
          && (values[field]?.string ?? "").utf8.allSatisfy { $0 == UInt8(ascii: "\n") }
      }
    }

    /// The fields that say something else than `base`, in schema order: those whose meaning differs,
    /// and those whose meaning is not known.
    public func changes(from base: FieldValues) -> [Field] {
      let changed = values.changes(from: base)
      if unresolved.isEmpty, malformed.isEmpty { return changed }
      let differing = Set(changed + unresolved + malformed)
      return values.kind.schema.fields.filter(differing.contains)
    }
  }

  /// Reads the person's part.
  ///
  /// A value that cannot be read as its field's type is absent, and reported by
  /// ``problems(references:sidecar:mayBeDraft:reading:)``.
  /// - Parameters:
  ///   - references: the names and ids of this library.
  ///   - sidecar: the record's own, whose `refs` keep the id of a name that is gone.
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
    // What it stood for has another name now; a record that has got this one since is not meant.
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

  /// The id that a name stood for when the sidecar was written.
  private func remembered(_ target: RecordRef, of field: Field, _ sidecar: Sidecar?) -> String? {
    guard let sidecar, sidecar.refs[field.key]?.string == target.name else { return nil }
    return sidecar.base[field]?.string
  }

  /// A value of a file in wire form; `nil` for one that says nothing or has the wrong type.
  private static func wireValue(_ node: JSONNode, of field: Field) -> FieldValues.Slot? {
    if node.kind == .null { return field.defaultValue == nil ? .node(node) : nil }
    if case .lines = field.shape, node.kind == .array {
      return node.elements.allSatisfy { $0.kind == .string } ? .lines(node) : nil
    }
    return field.shape.admitsOnWire(node) ? .node(node) : nil
  }
}
