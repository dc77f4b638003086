public import StoryLibrary

extension Library {
  /// Checks that an export's file or folder is neither the library itself nor in one of its record
  /// folders or hidden folders, such as `stories`, `.sync` or `.git`.
  ///
  /// - Parameter path: The absolute path, which need not exist.
  /// - Throws: ``ExportError/insideLibrary(_:)``.
  public func checkExport(to path: String) throws(ExportError) {
    let own = Path.resolved(root) ?? root
    guard let inner = Path.relative(Self.resolvedAncestor(of: path), to: own) else { return }
    let parts = inner.split(separator: "/")
    let isOwn = EntityKind.allCases.contains { $0.folder == parts.first?.lowercased() }
    if parts.isEmpty || isOwn || parts.contains(where: { $0.hasPrefix(".") }) {
      throw ExportError.insideLibrary(path)
    }
  }

  /// Returns a path with the links of its nearest existing ancestor resolved.
  private static func resolvedAncestor(of path: String) -> String {
    if let resolved = Path.resolved(path) { return resolved }
    let parent = Path.parent(path)
    if parent.isEmpty || parent == path { return path }
    return Path.join(resolvedAncestor(of: parent), Path.name(path))
  }
}
