extension JSONDocument {
  /// Returns this document with members of one object set or removed, and every other byte kept.
  ///
  /// - A member that is set to the value it has (compared as ``JSONValue`` does) does not change, so
  ///   its number literals and escapes stay. Any other value is replaced in its place; of an array
  ///   or object that stays one, what is equal before and after keeps its bytes. An array that
  ///   takes several lines goes on doing so. One that has a line to itself gets a line for each
  ///   element once it no longer fits there (80 characters, see ``JSONLayout/lineWidth``); one that
  ///   was too long before, or that shares its line with other members, stays on it.
  /// - A new member goes behind the nearest of those before it in `order`, else in front of the
  ///   nearest of those behind it, else to the end. It is laid out like its neighbours: on a line of
  ///   its own with their white space, or on theirs.
  /// - A member that is removed takes its comma and its line along.
  ///
  /// The byte order mark, the line ends and what stands around the text's value are kept. The
  /// document is parsed again, so what comes out is JSON in any case; this one does not change.
  ///
  /// - Parameters:
  ///   - changes: The new values by name, `nil` for a member that should go; a JSON `null` is
  ///     ``JSONValue/null``. Of several for one name the last counts. Removing a member that is not
  ///     there is no error.
  ///   - path: The names that lead from the root to the object; empty for the root itself.
  ///   - order: The names of the object's members in the order that new ones should keep.
  ///   - brokenArrays: The names of members whose arrays take a line for each element when they are
  ///     written whole, however short they are, or no longer fit on a line they share.
  /// - Throws: ``JSONEditError/notAnObject(path:)`` where something else stands at `path`,
  ///   ``JSONEditError/noSuchMember(path:)`` where nothing does, and
  ///   ``JSONEditError/limitExceeded(_:)`` where the result would nest too deep or be too large.
  public func setting(
    _ changes: [(key: String, value: JSONValue?)], at path: [String] = [], order: [String] = [],
    brokenArrays: Set<String> = []
  ) throws(JSONEditError) -> JSONDocument {
    let (object, isInline) = try target(at: path)
    var editor = JSONEditor(storage: storage, brokenArrays: brokenArrays)
    guard let bytes = editor.setting(changes, of: object, order: order, isInline: isInline) else {
      return self
    }
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw .limitExceeded(error)
    }
  }

  /// The object at `path`, and whether it shares its line with a neighbour.
  private func target(at path: [String]) throws(JSONEditError) -> (JSONNode, isInline: Bool) {
    var node = root
    var isInline = false
    for (depth, name) in path.enumerated() {
      guard node.kind == .object else { throw .notAnObject(path: Array(path[..<depth])) }
      let parts = ContainerParts(node)
      guard let place = parts.place(of: name) else {
        throw .noSuchMember(path: Array(path[...depth]))
      }
      isInline = parts.isInline(place)
      node = parts.values[place]
    }
    guard node.kind == .object else { throw .notAnObject(path: path) }
    return (node, isInline)
  }
}
