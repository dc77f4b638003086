public import JSONText

extension RecordFile {
  /// Returns the record with the values of `target`; everything else stays byte for byte.
  ///
  /// Values with the same meaning are not rewritten. Neither is an absent field that stood for the
  /// base's value, and defaults are not added. A reference is written as the name of the local
  /// record with the id, or as the id under the wire key if there is none. A value of the wrong
  /// type is kept: it is an edit whose intent is unknown.
  /// - Parameters:
  ///   - target: The new values.
  ///   - kept: The fields to leave alone.
  ///   - references: The names and ids in this library.
  ///   - sidecar: The record's sidecar.
  /// - Throws: `JSONEditError.limitExceeded` if the text would exceed the limits of `JSONDocument`.
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
    return try document.setting(
      changes, order: ref.kind.schema.memberOrder, brokenArrays: ref.kind.schema.brokenArrays)
  }

  /// Returns the contents of a new file in canonical form, without defaults.
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

  /// Returns the local names of the references in `values` by key, as in a sidecar's `refs`.
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

  private static func member(
    of field: Field, _ value: JSONValue, references: ReferenceTable, like old: JSONNode?
  ) -> (key: String, value: JSONValue) {
    switch (field.shape, value) {
    case (.reference(let kind), .string(let id)):
      guard let name = references.name(of: kind, id: id) else { return (field.wireKey, value) }
      return (field.key, .string(name))
    case (.lines, .string(let text)):
      let old = old?.kind == .null ? nil : old?.value
      return (field.key, longText(text, like: old))
    default: return (field.key, value)
    }
  }

  /// Splits a long text at line feeds.
  ///
  /// The split is by bytes: a carriage return before a line feed is part of its line.
  public static func lines(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  /// Returns a long text in the form of the existing one, unchanged if it says the same.
  static func longText(_ text: String, like old: JSONValue?) -> JSONValue {
    if old?.string != nil { return .string(text) }
    let elements = (old?.array ?? []).compactMap(\.string)
    if let old, let lines = old.strings,
      JSONValue.string(lines.joined(separator: "\n")) == .string(text)
    {
      return old
    }
    return .array(elementsOfLines(text, like: elements).map { .string($0) })
  }

  /// Returns the array elements for a long text: its lines, except that old elements with several
  /// lines are kept before and after the changed part.
  private static func elementsOfLines(_ text: String, like old: [String]) -> [String] {
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
