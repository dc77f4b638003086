public import StoryLibrary

extension LibraryEditor {
  /// Returns the illustration records of stories, according to their sidecars.
  ///
  /// - Parameter ids: the stories' ids.
  /// - Throws: `LibraryError.unsafeState`, `FileError`.
  public func illustrations(ofStories ids: Set<String>) throws -> [RecordRef] {
    guard !ids.isEmpty, FileSystem.exists(library.path(EntityKind.illustrations.folder)) else {
      return []
    }
    let records = try IllustrationRecords(library)
    return ids.flatMap { records.byStory[$0] ?? [] }.map(\.ref).sorted()
  }
}

extension Scan {
  /// Returns the server's ids of those records that are stories.
  public func storyIDs(_ refs: [RecordRef]) -> Set<String> {
    Set(refs.lazy.filter { $0.kind == .stories }.compactMap { entry($0)?.id })
  }
}

extension Library {
  /// Removes a record's folders, up to its kind's folder, if they are empty.
  func removeEmptyFolders(of ref: RecordRef) {
    FileSystem.removeFolderIfEmpty(path(Path.parent(ref.sidecarPath)))
    var folder = Path.parent(ref.path)
    while folder != ref.kind.folder, FileSystem.removeFolderIfEmpty(path(folder)) {
      folder = Path.parent(folder)
    }
  }
}
