public import StoryLibrary

/// The reason that nothing, or not everything, was exported.
public enum ExportError: Error, Sendable, Hashable {
  /// There are no stories to export.
  case nothing
  /// The folder has files and no earlier export made any of them.
  case folderInUse(String)
  /// The target is not a folder.
  case notAFolder(String)
  /// A file to be written exists, and no export wrote it, or it is a book that was edited since.
  case foreignFile(String)
  /// The target is the library itself, or one of its own folders.
  case insideLibrary(String)
  /// The list of an earlier export's files cannot be read.
  case unreadableManifest(String)
  /// A record was changed during the export so that it can no longer be read.
  case changed(RecordRef)
  /// A book would have more than 65,535 files or 4 GiB.
  case tooLarge
}

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
