public import StoryLibrary

/// The reason that nothing, or not everything, was exported.
public enum ExportError: Error, Sendable, Hashable {
  /// There are no stories to export.
  case nothing
  /// The folder has files and no earlier export made any of them.
  case folderInUse(String)
  /// The target is not a folder.
  case notAFolder(String)
  /// A file to be written exists, and no export wrote it.
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
