import StoryLibrary

/// Parses a record's new name.
///
/// It is a ref (`heroes/moon`), a name within the record's kind (`moon`, `family/moon`), a path
/// from the current folder, or a folder to move the record to (`heroes/family/`).
struct NewNameReader: Sendable {
  let library: Library
  let context: Context

  /// Returns the ref that a word means as the new name of `old`.
  ///
  /// - Throws: `EditingError.badNewName`.
  func ref(_ word: String, for old: RecordRef) throws(EditingError) -> RecordRef {
    var text = word
    var isFolder = false
    while text.hasSuffix("/") {
      text.removeLast()
      isFolder = true
    }
    let inner = innerPath(text)
    var name: (kind: EntityKind, name: String)?
    for form in [text, inner].compactMap(\.self) {
      let slash = form.firstIndex(of: "/") ?? form.endIndex
      guard let kind = EntityKind(named: String(form[..<slash])) else { continue }
      name = (kind, slash == form.endIndex ? "" : String(form[form.index(after: slash)...]))
      if name?.name.isEmpty == true { isFolder = true }
      break
    }
    var (kind, rest) = name ?? (old.kind, text)
    if rest.hasSuffix(".json") { rest.removeLast(5) }
    let path = library.path(Path.join(kind.folder, rest))
    if isFolder || (try? FileSystem.status(path))??.type == .folder {
      rest = Path.join(rest, Path.name(old.name))
    }
    guard RecordRef.isWellFormed(rest), !rest.hasPrefix("/") else { throw .badNewName(word, kind) }
    kind = name?.kind ?? old.kind
    return RecordRef(kind: kind, name: rest)
  }

  /// Returns the path in the library for a path from the current folder, or `nil` if it is outside.
  private func innerPath(_ word: String) -> String? {
    let path = Path.absolute(word, in: context.folder)
    // The file does not exist yet, so only its folder can be resolved.
    let folder = Path.resolved(Path.parent(path)) ?? Path.parent(path)
    return Path.relative(Path.join(folder, Path.name(path)), to: library.root)
  }
}
