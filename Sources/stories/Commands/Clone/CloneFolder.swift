import StoryLibrary

/// The folder that a clone goes to, and how it is left where the clone fails.
struct CloneFolder: Sendable {
  /// Its absolute path.
  let root: String
  /// The folders that were not there before, it and those above it, the innermost first.
  private let made: [String]

  /// A folder that is empty or not there yet.
  init(_ root: String) {
    self.root = root
    var made: [String] = []
    var path = root
    while path != "/", !FileSystem.exists(path) {
      made.append(path)
      path = Path.parent(path)
    }
    self.made = made
  }

  /// Takes the library back where nothing was written in it but what makes it a library: its settings,
  /// its state and empty folders. Records, whether they were received or somebody wrote them in the
  /// meantime, keep it.
  ///
  /// - Returns: whether it was taken back. A folder that was there before stays, as somebody may stand
  ///   in it.
  func takeBack() -> Bool {
    let settings = Path.join(root, LibraryConfiguration.fileName)
    let state = Path.join(root, Library.stateFolderName)
    guard isBare(root, but: [settings, state]) else { return false }
    // While there are settings it is a library, which can be gone on with.
    try? FileSystem.removeTree(state)
    try? FileSystem.remove(settings)
    for kind in EntityKind.allCases {
      let folder = Path.join(root, kind.folder)
      FileSystem.removeFolderIfEmpty(Path.join(folder, ".sync"))
      FileSystem.removeFolderIfEmpty(folder)
    }
    for folder in made {
      guard FileSystem.removeFolderIfEmpty(folder) else { break }
    }
    return true
  }

  /// Whether there is nothing but folders in a folder, apart from some paths.
  private func isBare(_ folder: String, but known: [String] = []) -> Bool {
    guard let entries = try? FileSystem.list(folder) else { return !FileSystem.exists(folder) }
    return entries.allSatisfy { entry in
      let path = Path.join(folder, entry.name)
      return known.contains(path) || entry.type == .folder && isBare(path)
    }
  }
}
