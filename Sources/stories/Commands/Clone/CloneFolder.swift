import StoryLibrary

/// The folder of a clone, and its cleanup if the clone fails.
struct CloneFolder: Sendable {
  let root: String
  /// The folders that did not exist before, the clone's and its parents, innermost first.
  private let made: [String]

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

  /// Removes the library if it contains nothing but its settings, its state and empty folders.
  /// Records, whether received or written by somebody meanwhile, keep it.
  ///
  /// - Returns: whether it was removed. An earlier folder stays: a shell may be in it.
  func takeBack() -> Bool {
    let settings = Path.join(root, LibraryConfiguration.fileName)
    let state = Path.join(root, Library.stateFolderName)
    guard isBare(root, but: [settings, state]) else { return false }
    // While there are settings it is a library, so they are removed after the state.
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

  /// Returns whether a folder contains only folders, apart from some paths.
  private func isBare(_ folder: String, but known: [String] = []) -> Bool {
    guard let entries = try? FileSystem.list(folder) else { return !FileSystem.exists(folder) }
    return entries.allSatisfy { entry in
      let path = Path.join(folder, entry.name)
      return known.contains(path) || entry.type == .folder && isBare(path)
    }
  }
}
