import JSONText

struct SidecarReader {
  let root: JSONNode
  let ref: RecordRef

  private static let keys: Set<String> = [
    "version", "id", "updatedAt", "base", "refs", "server", "conflict", "delete",
  ]

  func read() throws(Problem) -> Sidecar {
    guard root.kind == .object else { throw malformed(.notAnObject(nil), root) }
    try checkVersion()
    var sidecar = Sidecar(
      id: try text("id", of: root), updatedAt: try text("updatedAt", of: root), base: try base(),
      refs: try object("refs"), server: try object("server"), conflict: try conflict())
    if sidecar.conflict == .deletedLocally, let node = root["conflict"], node["fields"] != nil {
      sidecar.serverChanges = try fields(of: node)
    }
    for member in root["refs"]?.members ?? [] where member.value.kind != .string {
      throw malformed(.wrongValue("refs.\(member.name)"), member.value)
    }
    if let node = root["delete"] {
      guard let isStated = node.value.bool else {
        throw malformed(.wrongValue("delete"), node)
      }
      sidecar.isDeleteStated = isStated
    }
    for member in root.members where !Self.keys.contains(member.name) {
      sidecar.unknown[member.name] = member.value.value
    }
    return sidecar
  }

  private func malformed(_ fault: Sidecar.Fault, _ node: JSONNode) -> Problem {
    Problem(.sidecar(fault), file: ref.sidecarPath, position: node.position)
  }

  private func checkVersion() throws(Problem) {
    guard let node = root["version"] else { return }
    guard let number = node.number?.integer, number >= 1 else {
      throw malformed(.wrongValue("version"), node)
    }
    guard number <= Sidecar.version else {
      throw Problem(
        .newerSidecar(version: number), file: ref.sidecarPath, position: node.position)
    }
  }

  private func text(_ key: String, of node: JSONNode) throws(Problem) -> String {
    guard let value = node[key] else { throw malformed(.missing(key), node) }
    guard let text = value.string, !text.isEmpty else {
      throw malformed(.wrongValue(key), value)
    }
    return text
  }

  private func object(_ key: String) throws(Problem) -> JSONObject {
    guard let node = root[key] else { return JSONObject() }
    guard let object = node.value.object else { throw malformed(.notAnObject(key), node) }
    return object
  }

  private func base() throws(Problem) -> FieldValues {
    guard let node = root["base"] else { throw malformed(.missing("base"), root) }
    guard node.kind == .object else { throw malformed(.notAnObject("base"), node) }
    if let other = kind(of: node) {
      throw Problem(
        .otherKind(other, of: ref), file: ref.sidecarPath, position: node.position)
    }
    var base = FieldValues(kind: ref.kind)
    for member in node.members {
      guard let place = ref.kind.schema.fieldIndex(wireKey: member.name) else { continue }
      try check(member.value, of: ref.kind.schema.fields[place], "base.\(member.name)")
      base.set(.node(member.value), at: place)
    }
    return base
  }

  /// Returns the kind that a base belongs to if it is not the record's.
  private func kind(of base: JSONNode) -> EntityKind? {
    func lacksNothing(_ kind: EntityKind) -> Bool {
      kind.schema.fields.allSatisfy { field in
        !field.isRequired || base[field.wireKey].map { $0.kind != .null } ?? false
      }
    }
    guard !ref.kind.schema.isReadOnly, !lacksNothing(ref.kind) else { return nil }
    return EntityKind.writable.first(where: lacksNothing)
  }

  private func check(
    _ node: JSONNode, of field: Field, _ name: @autoclosure () -> String
  ) throws(Problem) {
    guard field.shape.admitsOnWire(node) else {
      throw malformed(.wrongType(name(), field.shape.wireType, found: node.kind), node)
    }
  }

  private func conflict() throws(Problem) -> Sidecar.Conflict? {
    guard let node = root["conflict"], node.kind != .null else { return nil }
    guard node.kind == .object else { throw malformed(.notAnObject("conflict"), node) }
    if let side = node["deleted"] {
      switch side.string {
      case "server": return .deletedOnServer
      case "here": return .deletedLocally
      default: throw malformed(.wrongValue("conflict.deleted"), side)
      }
    }
    let updatedAt = try text("updatedAt", of: node)
    let conflicts = try fields(of: node)
    // The user has settled the last field by hand.
    return conflicts.isEmpty ? nil : .fields(updatedAt: updatedAt, conflicts)
  }

  private func fields(of node: JSONNode) throws(Problem) -> [Sidecar.FieldConflict] {
    guard let fields = node["fields"], fields.kind == .object else {
      throw malformed(.noFields, node)
    }
    var conflicts: [Sidecar.FieldConflict] = []
    for member in fields.members {
      guard let field = ref.kind.schema.field(wireKey: member.name) else {
        throw malformed(.unknownField(member.name), member.key)
      }
      guard member.value.kind == .object else {
        throw malformed(.notAnObject("conflict.fields.\(member.name)"), member.value)
      }
      for side in ["base", "server"] {
        if let value = member.value[side] {
          try check(value, of: field, "conflict.fields.\(member.name).\(side)")
        }
      }
      conflicts.append(
        Sidecar.FieldConflict(
          wireKey: member.name, base: member.value["base"]?.value ?? .null,
          server: member.value["server"]?.value ?? .null))
    }
    return conflicts
  }
}

extension Sidecar {
  /// Returns the probable id in an unreadable sidecar: none if it cannot be recovered, several if
  /// git merged the sidecars of two records.
  ///
  /// Git's conflict markers rarely enclose the id, the first line of the canonical form: it never
  /// changes.
  static func recoveredIDs(from bytes: [UInt8]) -> [String] {
    if let document = try? JSONDocument(parsing: bytes) {
      return (document.root["id"]?.string).map { $0.isEmpty ? [] : [$0] } ?? []
    }
    return writtenIDs(in: bytes)
  }

  /// Returns the distinct ids on lines in canonical form, in order: several if git merged the
  /// sidecars of two records.
  static func writtenIDs(in bytes: [UInt8]) -> [String] {
    var ids: [String] = []
    let start = Array("  \"id\": ".utf8)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    where line.starts(with: start) {
      var text = line.dropFirst(start.count)
      if text.last == UInt8(ascii: ",") { text = text.dropLast() }
      guard let id = try? JSONDocument(parsing: Array(text)).root.string, !id.isEmpty,
        !ids.contains(id)
      else { continue }
      ids.append(id)
    }
    return ids
  }
}
