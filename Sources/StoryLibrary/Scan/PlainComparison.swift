import JSONText

/// Finds of a record that it says plainly what its base says, from the bytes of the two texts.
///
/// Most records are in sync, and written with the same bytes as their base: for these no value, no
/// string and no list has to be made. Whatever is not plain (another literal or escape, a reference
/// that has to be looked for, an odd member, an error) is left to ``Sidecar`` and
/// ``RecordFile/reading(references:sidecar:)``, which alone decide what a difference means: the answer
/// here is “in sync, and nothing to say about it”, or none.
struct PlainComparison: Sendable {
  /// What is known of a record that is in sync.
  struct Match: Sendable, Hashable {
    /// The id and the version.
    var identity: RecordIdentity
    /// The records that the record names, in the order of its members; all of them are here, on the
    /// server, and have that name.
    var targets: [RecordRef]
  }

  let kind: EntityKind
  private let references: ReferenceTable
  private let fields: [PlainField]

  /// The places of the base's members, by field; -1 for one that is absent.
  private typealias Places = SIMD16<Int32>

  init(_ kind: EntityKind, references: ReferenceTable) {
    self.kind = kind
    self.references = references
    fields = kind.schema.plainFields
  }

  /// What is known where the record plainly equals its base; `nil` says nothing.
  func match(record: JSONView, sidecar: JSONView) -> Match? {
    guard !fields.isEmpty, fields.count <= Places.scalarCount,
      let (base, found) = read(sidecar)
    else { return nil }
    var match = found
    return compare(record, base, sidecar, &match.targets) ? match : nil
  }

  // MARK: The sidecar

  /// The members of a sidecar's base, its id and version; `nil` where more is to say.
  private func read(_ sidecar: JSONView) -> (base: Places, Match)? {
    var (id, version, base): (JSONView?, JSONView?, Places?)
    var members = sidecar.allChildren
    guard sidecar.kind == .object else { return nil }
    while let value = members.next() {
      let name = members.nameView
      if name.hasEscapes { return nil }
      switch PackedName(name.content) {
      case Self.names.id: id = value
      case Self.names.updatedAt: version = value
      case Self.names.base:
        base = places(value)
        if base == nil { return nil }
      case Self.names.refs:
        guard value.kind == .object, hasOnlyStrings(value) else { return nil }
      case Self.names.server:
        guard value.kind == .object else { return nil }
      case Self.names.version, Self.names.conflict, Self.names.delete: return nil
      default: break
      }
    }
    guard let id, let version, let base, Self.isPlainText(id), Self.isPlainText(version) else {
      return nil
    }
    let count = id.content.count
    let length = count + version.content.count
    let identity = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
      _ = text[..<count].initialize(fromContentsOf: id.content)
      _ = text[count...].initialize(fromContentsOf: version.content)
      return RecordIdentity(UnsafeBufferPointer(text), idLength: count)
    }
    return (base, Match(identity: identity, targets: []))
  }

  private static let names = (
    id: PackedName("id"), updatedAt: PackedName("updatedAt"), base: PackedName("base"),
    refs: PackedName("refs"), server: PackedName("server"), version: PackedName("version"),
    conflict: PackedName("conflict"), delete: PackedName("delete")
  )

  /// The places of the fields in a sidecar's base; `nil` where one has not the type that it must
  /// have.
  private func places(_ base: JSONView) -> Places? {
    guard base.kind == .object else { return nil }
    var places = Places(repeating: -1)
    var members = base.allChildren
    var guess = 0
    while let value = members.next() {
      let name = members.nameView
      if name.hasEscapes { return nil }
      guard let field = field(name.content, near: &guess, isWire: true) else { continue }
      guard value.kind == .null || isPlain(value, fields[field].shape) else { return nil }
      places[field] = Int32(truncatingIfNeeded: value.index)
    }
    return places
  }

  /// Whether a value of a base is plainly one that its field may have.
  private func isPlain(_ value: JSONView, _ shape: PlainField.Shape) -> Bool {
    switch shape {
    case .string, .lines, .reference: value.kind == .string
    case .phrases: value.kind == .string || value.kind == .array && hasOnlyStrings(value)
    case .list: value.kind == .array && hasOnlyStrings(value)
    case .boolean: value.kind == .true || value.kind == .false
    case .number: value.kind == .number
    // Other whole numbers, such as `1e3`, are for others to read.
    case .integer: value.kind == .number && value.bytes.count < 18 && hasOnlyDigits(value)
    }
  }

  private func hasOnlyDigits(_ value: JSONView) -> Bool {
    value.bytes.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private func hasOnlyStrings(_ container: JSONView) -> Bool {
    var children = container.allChildren
    while let child = children.next() {
      guard child.kind == .string else { return false }
    }
    return true
  }

  // MARK: The record

  /// Whether a record plainly equals a base.
  private func compare(
    _ record: JSONView, _ base: Places, _ sidecar: JSONView, _ targets: inout [RecordRef]
  ) -> Bool {
    guard record.kind == .object else { return false }
    // Of the base, those that the record has not spoken of.
    var rest = base
    var seen: UInt32 = 0
    var members = record.allChildren
    var guess = 0
    while let value = members.next() {
      let name = members.nameView
      if name.hasEscapes { return false }
      guard let field = field(name.content, near: &guess, isWire: false) else { continue }
      // A reference can be there by name and by id.
      guard seen & 1 << UInt32(field) == 0 else { return false }
      seen |= 1 << UInt32(field)
      // Null says the same as nothing.
      if value.kind == .null { continue }
      guard base[field] >= 0 else { return false }
      let old = sidecar.at(Int(base[field]))
      guard old.kind != .null, isSame(value, old, field, name, &targets) else { return false }
      rest[field] = -1
    }
    // An optional field that is absent equals null; a default's absence says nothing.
    for (field, names) in fields.enumerated() where rest[field] >= 0 && !names.hasDefault {
      guard sidecar.at(Int(rest[field])).kind == .null else { return false }
    }
    return true
  }

  /// Whether a value of a record is written with the same bytes as one of a base, which has the type
  /// that it must have.
  private func isSame(
    _ value: JSONView, _ old: JSONView, _ field: Int, _ name: JSONView,
    _ targets: inout [RecordRef]
  ) -> Bool {
    switch (fields[field].shape, value.kind) {
    case (.reference(let kind), .string) where PackedName(name.content) == fields[field].key:
      guard !value.hasEscapes, !old.hasEscapes else { return false }
      let target = RecordRef(kind: kind, name: String(decoding: value.content, as: UTF8.self))
      targets.append(target)
      guard let id = references.id(of: target) else { return false }
      return id.utf8.elementsEqual(old.content)
    case (.lines, .array): return isSame(lines: value, old.content)
    case (.list, .array), (.phrases, .array): return isSame(list: value, old)
    default: return value.hasBytes(of: old)
    }
  }

  /// Whether lines, joined by escaped line feeds, are written with these bytes.
  private func isSame(lines: JSONView, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    var isFirst = true
    var elements = lines.allChildren
    while let line = elements.next() {
      guard line.kind == .string else { return false }
      if !isFirst {
        guard rest.count >= 2, rest[rest.startIndex] == UInt8(ascii: "\\"),
          rest[rest.startIndex + 1] == UInt8(ascii: "n")
        else { return false }
        rest = rest.dropFirst(2)
      }
      isFirst = false
      let content = line.content
      guard content.count <= rest.count,
        sameBytes(content, UnsafeBufferPointer(rebasing: rest.prefix(content.count)))
      else { return false }
      rest = rest.dropFirst(content.count)
    }
    return rest.isEmpty
  }

  private func isSame(list: JSONView, _ old: JSONView) -> Bool {
    guard old.kind == .array else { return false }
    var (elements, others) = (list.allChildren, old.allChildren)
    while let element = elements.next() {
      guard let other = others.next(), element.hasBytes(of: other) else { return false }
    }
    return others.next() == nil
  }

  // MARK: Bytes

  /// The field of a name. Members mostly have the schema's order, so the search starts at `guess`.
  private func field(
    _ name: UnsafeBufferPointer<UInt8>, near guess: inout Int, isWire: Bool
  ) -> Int? {
    guard let name = PackedName(name) else { return nil }
    for offset in fields.indices {
      let sum = guess + offset
      let place = sum < fields.count ? sum : sum - fields.count
      if fields[place].wireKey == name || !isWire && fields[place].key == name {
        guess = place + 1
        return place
      }
    }
    return nil
  }

  /// Whether it is a string that is not empty and stands for its own bytes.
  private static func isPlainText(_ value: JSONView) -> Bool {
    !value.hasEscapes && !value.content.isEmpty
  }
}
