import JSONText

struct SidecarReader {
  let root: JSONNode
  let ref: RecordRef

  private static let keys: Set<String> = [
    "version", "id", "updatedAt", "base", "refs", "server", "conflict", "delete",
  ]

  static func repairHint(_ file: String) -> Problem.Hint {
    """
    `git checkout -- \(file)` brings back an older one; without it, remove the file: the next sync \
    finds the record again; on a machine that never saw it, an edited one is created a second time
    """
  }

  func read() throws(Problem) -> Sidecar {
    guard root.kind == .object else { throw malformed("it is not an object", root) }
    try checkVersion()
    var sidecar = Sidecar(
      id: try text("id", of: root), updatedAt: try text("updatedAt", of: root), base: try base(),
      refs: try object("refs"), server: try object("server"), conflict: try conflict())
    if sidecar.conflict == .deletedLocally, let node = root["conflict"], node["fields"] != nil {
      sidecar.serverChanges = try fields(of: node)
    }
    for member in root["refs"]?.members ?? [] where member.value.kind != .string {
      throw malformed("“refs.\(member.name)” is not a string", member.value)
    }
    if let node = root["delete"] {
      guard let isStated = node.value.bool else {
        throw malformed("“delete” is neither true nor false", node)
      }
      sidecar.isDeleteStated = isStated
    }
    for member in root.members where !Self.keys.contains(member.name) {
      sidecar.unknown[member.name] = member.value.value
    }
    return sidecar
  }

  private func malformed(_ what: String, _ node: JSONNode) -> Problem {
    Problem(
      .sidecar, file: ref.sidecarPath, position: node.position,
      message: "not a valid sidecar: \(what)", hint: Self.repairHint(ref.sidecarPath))
  }

  private func checkVersion() throws(Problem) {
    guard let node = root["version"] else { return }
    guard let number = node.number?.integer, number >= 1 else {
      throw malformed("“version” must be a number of at least 1", node)
    }
    guard number <= Sidecar.version else {
      throw Problem(
        .newerVersion, file: ref.sidecarPath, position: node.position,
        message: "this sidecar was written by a newer version of stories (version \(number))",
        hint: "install the newest stories")
    }
  }

  private func text(_ key: String, of node: JSONNode) throws(Problem) -> String {
    guard let value = node[key] else { throw malformed("it has no “\(key)”", node) }
    guard let text = value.string, !text.isEmpty else {
      throw malformed("“\(key)” must be a string that is not empty", value)
    }
    return text
  }

  private func object(_ key: String) throws(Problem) -> JSONObject {
    guard let node = root[key] else { return JSONObject() }
    guard let object = node.value.object else { throw malformed("“\(key)” is not an object", node) }
    return object
  }

  private func base() throws(Problem) -> FieldValues {
    guard let node = root["base"] else { throw malformed("it has no “base”", root) }
    guard node.kind == .object else { throw malformed("“base” is not an object", node) }
    if let other = kind(of: node) {
      throw Problem(
        .sidecar, file: ref.sidecarPath, position: node.position,
        message: "this is the sidecar of a \(other.schema.noun), not of a \(ref.kind.schema.noun)",
        hint: "move \(ref.path) and \(ref.sidecarPath) back to \(other.folder)/")
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
      throw malformed(
        "“\(name())” must be \(field.shape.wireType.rawValue), but is \(node.value.kindInWords)",
        node)
    }
  }

  private func conflict() throws(Problem) -> Sidecar.Conflict? {
    guard let node = root["conflict"], node.kind != .null else { return nil }
    guard node.kind == .object else { throw malformed("“conflict” is not an object", node) }
    if let side = node["deleted"] {
      switch side.string {
      case "server": return .deletedOnServer
      case "here": return .deletedLocally
      default: throw malformed("“conflict.deleted” is neither “server” nor “here”", side)
      }
    }
    let updatedAt = try text("updatedAt", of: node)
    let conflicts = try fields(of: node)
    // The user has settled the last field by hand.
    return conflicts.isEmpty ? nil : .fields(updatedAt: updatedAt, conflicts)
  }

  private func fields(of node: JSONNode) throws(Problem) -> [Sidecar.FieldConflict] {
    guard let fields = node["fields"], fields.kind == .object else {
      throw malformed("“conflict” has no “fields”", node)
    }
    var conflicts: [Sidecar.FieldConflict] = []
    for member in fields.members {
      guard let field = ref.kind.schema.field(wireKey: member.name) else {
        throw malformed("“conflict” names “\(member.name)”, which is not a field", member.key)
      }
      guard member.value.kind == .object else {
        throw malformed("“conflict.fields.\(member.name)” is not an object", member.value)
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
