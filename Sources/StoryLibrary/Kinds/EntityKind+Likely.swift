import JSONText

extension EntityKind {
  /// Creates the only kind of which a record has all required fields, apart from long text; `nil` if
  /// there is not exactly one.
  init?(likelyFor root: JSONNode) {
    guard root.kind == .object else { return nil }
    let kinds = EntityKind.writable.filter { kind in
      kind.schema.fields.allSatisfy { field in
        !field.isRequired || field.shape == .lines
          || field.keys.contains { (root[$0]?.kind ?? .null) != .null }
      }
    }
    guard kinds.count == 1 else { return nil }
    self = kinds[0]
  }

  /// Creates the kind of a file that is in no kind's folder.
  ///
  /// Other programs' files may have a title and a hero too, so a story must have more.
  init?(likelyForStray root: JSONNode) {
    self.init(likelyFor: root)
    let more = ["language", "content"]
    guard self != .stories || more.contains(where: { (root[$0]?.kind ?? .null) != .null }) else {
      return nil
    }
  }
}
