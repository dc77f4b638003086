public import JSONText

/// A record as it stands in its file, with the bytes that a person wrote.
public struct RecordFile: Sendable {
  /// The record's name.
  public let ref: RecordRef
  /// The file's text.
  public let document: JSONDocument

  /// Reads a record's text.
  ///
  /// - Throws: `Problem` where the text is empty, has conflict markers, is not JSON or no object.
  public init(ref: RecordRef, bytes: [UInt8]) throws(Problem) {
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw Problem(error, file: ref.path, bytes: bytes)
    }
    guard document.root.kind == .object else {
      throw Problem(
        .notAnObject, file: ref.path, position: document.root.position,
        message: "a record is an object, but this is \(document.root.value.kindInWords)")
    }
    self.ref = ref
  }

  /// The person's part in wire form, with what references stand for.
  public struct Reading: Sendable {
    /// The values in wire form; a reference that stands for no id is absent.
    public var values: FieldValues
    /// The names of the references that stand for an id, by key: what a sidecar's `refs` holds.
    public var refs: JSONObject
    /// References to records of this library that the server does not have yet.
    public var pending: [RecordRef]
    /// References to nothing.
    public var unknown: [RecordRef]
    /// Fields whose value in the file has the wrong type, so that nobody knows what was meant.
    public var malformed: [Field]
  }

  /// Reads the person's part.
  ///
  /// A value that cannot be read as its field's type is absent; ``problems(references:)`` tells.
  /// - Parameters:
  ///   - references: the names and ids of this library.
  ///   - sidecar: the record's own, whose `refs` keep the id of a name that is gone.
  public func reading(references: ReferenceTable, sidecar: Sidecar?) -> Reading {
    var reading = Reading(
      values: FieldValues(kind: ref.kind), refs: JSONObject(), pending: [], unknown: [],
      malformed: [])
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
        reading.values[field] = value
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
    switch references.meaning(of: target) {
    case .id(let id):
      reading.values[field] = .string(id)
      reading.refs[field.key] = .string(target.name)
    case .pending:
      reading.pending.append(target)
    case .unknown:
      if let sidecar, sidecar.refs[field.key]?.string == target.name,
        let id = sidecar.base[field]
      {
        reading.values[field] = id
        reading.refs[field.key] = .string(target.name)
      } else {
        reading.unknown.append(target)
      }
    }
  }

  /// A value of a file in wire form; `nil` for one that says nothing or has the wrong type.
  private static func wireValue(_ node: JSONNode, of field: Field) -> JSONValue? {
    if node.kind == .null { return field.defaultValue == nil ? .null : nil }
    switch field.shape {
    case .lines where node.kind == .array:
      var lines: [String] = []
      for element in node.elements {
        guard let line = element.string else { return nil }
        lines.append(line)
      }
      return .string(lines.joined(separator: "\n"))
    default:
      let value = node.value
      return field.shape.admitsOnWire(value) ? value : nil
    }
  }

  // MARK: Writing

  /// The record with the values of `target`, everything else byte for byte as it was.
  ///
  /// Values that mean the same stay as they are written, and so does an absent field that stood for
  /// what the sidecar's base holds. A reference becomes the name of the record
  /// that has the id here, or stays an id under the wire's key where none has.
  /// - Parameters:
  ///   - target: what the record shall mean.
  ///   - kept: fields whose members stay whatever they say.
  ///   - references: the names and ids of this library.
  ///   - sidecar: the record's own.
  /// - Throws: `JSONEditError` never in practice: the document is an object.
  public func updated(
    to target: FieldValues, keeping kept: [Field] = [], references: ReferenceTable,
    sidecar: Sidecar?
  ) throws(JSONEditError) -> JSONDocument {
    var current = reading(references: references, sidecar: sidecar).values
    if let sidecar { current = current.completed(from: sidecar.base) }
    var changes: [(key: String, value: JSONValue?)] = []
    for field in ref.kind.schema.fields where !kept.contains(field) {
      let value = target.effective(field)
      if current.effective(field) == value { continue }
      if value.isNull {
        for key in field.keys where document.root[key] != nil { changes.append((key, nil)) }
        continue
      }
      let (key, written) = Self.fileMember(
        field, value, references: references,
        asString: document.root[field.key]?.kind == .string)
      for other in field.keys where other != key && document.root[other] != nil {
        changes.append((other, nil))
      }
      changes.append((key, written))
    }
    return try document.setting(
      changes, order: ref.kind.schema.keyOrder, brokenArrays: ref.kind.schema.brokenArrays)
  }

  /// The bytes of a new file with these values: canonical form, defaults left out.
  public static func newFile(_ values: FieldValues, references: ReferenceTable) -> [UInt8] {
    var object = JSONObject()
    for field in values.kind.schema.fields {
      let value = values.effective(field)
      if value.isNull || value == field.defaultValue { continue }
      let (key, written) = fileMember(field, value, references: references, asString: false)
      object[key] = written
    }
    let layout = JSONLayout(brokenArrays: values.kind.schema.brokenArrays)
    return JSONValue.object(object).fileBytes(layout: layout)
  }

  /// The names that the references of `values` have here, by key: what a sidecar's `refs` holds.
  public static func refs(of values: FieldValues, references: ReferenceTable) -> JSONObject {
    var refs = JSONObject()
    for field in values.kind.schema.fields {
      if let kind = field.referencedKind, let id = values[field]?.string,
        let name = references.name(of: kind, id: id)
      {
        refs[field.key] = .string(name)
      }
    }
    return refs
  }

  /// A wire value as a member of a file.
  private static func fileMember(
    _ field: Field, _ value: JSONValue, references: ReferenceTable, asString: Bool
  ) -> (key: String, value: JSONValue) {
    switch (field.shape, value) {
    case (.reference(let kind), .string(let id)):
      guard let name = references.name(of: kind, id: id) else { return (field.wireKey, value) }
      return (field.key, .string(name))
    case (.lines, .string(let text)) where !asString:
      return (field.key, .array(lines(of: text).map { .string($0) }))
    default: return (field.key, value)
    }
  }

  /// The lines of a long text: what stands between line feeds.
  ///
  /// The split is by scalars: a carriage return before a line feed stays at the end of its line.
  public static func lines(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }
}
