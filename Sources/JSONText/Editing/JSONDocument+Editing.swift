extension JSONDocument {
  /// Returns this document with members of its object set or removed, keeping all other bytes.
  ///
  /// - A member that is set to an equal value (in the sense of ``JSONValue``) does not change, so
  ///   its number literals and escapes stay. Any other value is replaced in place; if it remains an
  ///   array or an object, equal parts keep their bytes. An array on several lines stays on several
  ///   lines. An array with a line to itself gets a line for each element once it no longer fits
  ///   (80 characters, see ``JSONLayout/lineWidth``), unless it was too long before. An array that
  ///   shares its line with other members stays on it.
  /// - A new member is inserted after its nearest predecessor in `order`, otherwise before its
  ///   nearest successor, otherwise at the end. It is laid out like its neighbors: on a line of its
  ///   own with their white space, or on their line.
  /// - A member is removed with its comma and its line.
  ///
  /// The byte order mark, the line ends and the text around the value are kept. The result is
  /// parsed again, so it is always valid JSON. This document does not change.
  ///
  /// - Parameters:
  ///   - changes: The new values by name, or `nil` to remove a member (a JSON `null` is
  ///     ``JSONValue/null``). The last of several changes to a name counts. Missing members can be
  ///     removed too.
  ///   - order: The order of the object's members, for placing new ones.
  ///   - brokenArrays: The names of members whose arrays have a line for each element if they are
  ///     written as a whole, however short, or if they no longer fit on a shared line.
  /// - Throws: ``JSONEditError/notAnObject`` if the text's value is not an object, and
  ///   ``JSONEditError/limitExceeded(_:)`` if the result is nested too deeply or too large.
  public func setting(
    _ changes: [(key: String, value: JSONValue?)], order: [String] = [],
    brokenArrays: Set<String> = []
  ) throws(JSONEditError) -> JSONDocument {
    guard root.kind == .object else { throw .notAnObject }
    var editor = JSONEditor(storage: storage, brokenArrays: brokenArrays)
    guard let bytes = editor.setting(changes, of: root, order: order) else { return self }
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw .limitExceeded(error)
    }
  }
}
