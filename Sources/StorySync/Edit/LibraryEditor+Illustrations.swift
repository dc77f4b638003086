public import StoryLibrary

extension LibraryEditor {
  /// The records of the pictures of stories, by what their sidecars say.
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
  /// The server's ids of those among some records that are stories and have one.
  public func storyIDs(_ refs: [RecordRef]) -> Set<String> {
    Set(refs.lazy.filter { $0.kind == .stories }.compactMap { entry($0)?.id })
  }
}

extension Library {
  /// Removes the folders that a record lay in, up to its kind's, where nothing is left in them.
  func removeEmptyFolders(of ref: RecordRef) {
    FileSystem.removeFolderIfEmpty(path(Path.parent(ref.sidecarPath)))
    var folder = Path.parent(ref.path)
    while folder != ref.kind.folder, FileSystem.removeFolderIfEmpty(path(folder)) {
      folder = Path.parent(folder)
    }
  }
}
