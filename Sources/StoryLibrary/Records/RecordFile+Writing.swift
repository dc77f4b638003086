public import JSONText

extension RecordFile {
  /// The record with the values of `target`, everything else byte for byte as it was.
  ///
  /// Values that mean the same stay as they are written, and so does an absent field that stood for
  /// what the sidecar's base holds; a default is not added. A reference becomes the name of the
  /// record that has the id here, or stays an id under the wire's key where none has. A value of the
  /// wrong type stays: it is somebody's edit, and nobody knows what was meant.
  /// - Parameters:
  ///   - target: what the record shall mean.
  ///   - kept: fields whose members stay whatever they say.
  ///   - references: the names and ids of this library.
  ///   - sidecar: the record's own.
  /// - Throws: `JSONEditError.limitExceeded` where the text would grow past what
  ///   `JSONDocument` accepts.
  public func updated(
    to target: FieldValues, keeping kept: [Field] = [], references: ReferenceTable,
    sidecar: Sidecar?
  ) throws(JSONEditError) -> JSONDocument {
    let reading = reading(references: references, sidecar: sidecar)
    var current = reading.values
    if let sidecar { current = current.completed(from: sidecar.base) }
    var changes: [(key: String, value: JSONValue?)] = []
    for field in ref.kind.schema.fields
    where !kept.contains(field) && !reading.malformed.contains(field) {
      let value = target.effective(field)
      if current.effective(field) == value { continue }
      let present = field.keys.filter { (document.root[$0]?.kind ?? .null) != .null }
      if present.isEmpty, value == field.defaultValue { continue }
      if value.isNull {
        changes += present.map { (key: $0, value: nil) }
        continue
      }
      let (key, written) = Self.member(
        of: field, value, references: references, like: document.root[field.key])
      changes += present.filter { $0 != key }.map { (key: $0, value: nil) }
      changes.append((key, written))
    }
    return try setting(changes)
  }

  /// The record with the present names of the records that it names by an older one, everything else
  /// byte for byte as it was.
  ///
  /// - Parameters:
  ///   - references: the names and ids of this library, with the older names.
  ///   - sidecar: the record's own, whose `refs` keep the id of a name that is gone.
  /// - Throws: as ``updated(to:keeping:references:sidecar:)``.
  public func updatingReferences(
    references: ReferenceTable, sidecar: Sidecar?
  ) throws(JSONEditError) -> JSONDocument {
    let reading = reading(references: references, sidecar: sidecar)
    return try setting(
      reading.outdated.compactMap { field in
        guard let kind = field.referencedKind, let id = reading.values[field]?.string,
          let name = references.name(of: kind, id: id)
        else { return nil }
        return (key: field.key, value: .string(name))
      })
  }

  private func setting(
    _ changes: [(key: String, value: JSONValue?)]
  ) throws(JSONEditError) -> JSONDocument {
    try document.setting(
      changes, order: ref.kind.schema.keyOrder, brokenArrays: ref.kind.schema.brokenArrays)
  }

  /// The bytes of a new file with these values: canonical form, defaults left out.
  public static func newFile(_ values: FieldValues, references: ReferenceTable) -> [UInt8] {
    var object = JSONObject()
    for field in values.kind.schema.fields {
      let value = values.effective(field)
      if value.isNull || value == field.defaultValue { continue }
      let (key, written) = member(of: field, value, references: references, like: nil)
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

  /// A wire value as a member of a file, in the form of what stands there now.
  private static func member(
    of field: Field, _ value: JSONValue, references: ReferenceTable, like old: JSONNode?
  ) -> (key: String, value: JSONValue) {
    switch (field.shape, value) {
    case (.reference(let kind), .string(let id)):
      guard let name = references.name(of: kind, id: id) else { return (field.wireKey, value) }
      return (field.key, .string(name))
    case (.lines, .string(let text)) where old?.kind != .string:
      let elements = (old?.elements ?? []).compactMap(\.string)
      return (field.key, .array(elementsOfLines(text, like: elements).map { .string($0) }))
    default: return (field.key, value)
    }
  }

  /// The lines of a long text: what stands between line feeds.
  ///
  /// The split is by bytes: a carriage return before a line feed stays at the end of its line.
  public static func lines(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  /// The elements that stand for a long text: its lines, but where old elements with several lines
  /// are in front of or behind what changed, those.
  static func elementsOfLines(_ text: String, like old: [String]) -> [String] {
    var rest = lines(of: text)[...]
    guard old.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) else { return Array(rest) }
    var head: [String] = []
    for element in old {
      let lines = lines(of: element)
      guard lines.count <= rest.count, sameLines(lines[...], rest.prefix(lines.count)) else {
        break
      }
      head.append(element)
      rest = rest.dropFirst(lines.count)
    }
    var tail: [String] = []
    for element in old.dropFirst(head.count).reversed() {
      let lines = lines(of: element)
      guard lines.count <= rest.count, sameLines(lines[...], rest.suffix(lines.count)) else {
        break
      }
      tail.append(element)
      rest = rest.dropLast(lines.count)
    }
    return head + rest + tail.reversed()
  }

  private static func sameLines(_ left: ArraySlice<String>, _ right: ArraySlice<String>) -> Bool {
    left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
  }
}
