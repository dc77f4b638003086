import StoryAPI
import StoryLibrary

/// A text that a person changes in an editor, in a private temporary file.
///
/// The file is in the library's `.stories/edit/` and stays until ``remove()``, so that no text is
/// lost.
struct EditedText: Sendable {
  private let editor: Editor
  private let library: Library
  private let time: TimeSource
  private let folder: ConfinedPath
  private let file: ConfinedPath
  var path: String { file.text }
  /// Whether the editor returned at once with the same text, so that it may still have the file open.
  private(set) var mayBeOpen = false

  /// Creates a text for the context's editor.
  ///
  /// - Parameter name: the file's name, which tells an editor its type.
  /// - Throws: `ProgramError.noEditor`; as `Context.library()`.
  init(_ context: Context, name: String) throws {
    editor = try Editor(context)
    library = try context.library()
    time = context.time
    folder = library.statePath("edit/" + RandomKey.make())
    file = Path.join(folder, name)
  }

  /// Opens the editor and returns the file's content when it is closed.
  ///
  /// - Parameter line: the line to show, from 1, or `nil`.
  /// - Throws: `ProgramError` if the editor failed; `FileError`.
  mutating func edit(_ bytes: [UInt8], line: Int? = nil) throws -> [UInt8] {
    try library.prepareStateFolder()
    try FileSystem.makeFolder(folder, mode: 0o700)
    try write(bytes)
    let start = time.uptime()
    try editor.open(path, line: line)
    let edited = try FileSystem.read(file)
    mayBeOpen = edited == bytes && !editor.isKnownToWait && time.uptime() - start < .seconds(2)
    return edited
  }

  /// Writes the file. A sync that runs meanwhile leaves temporary files in locked folders alone.
  private func write(_ bytes: [UInt8]) throws {
    let lock = try FileLock(folder, .shared, waits: true)
    defer { withExtendedLifetime(lock) {} }
    try AtomicFile.writePrivate(bytes, to: file)
  }

  /// Finishes with a text that was not used: the file stays if somebody edited it, or may do so.
  ///
  /// - Returns: the path of the file that stays, or `nil`.
  func keep(unlessItIs original: [UInt8]) -> String? {
    guard let bytes = try? FileSystem.read(file), bytes != original || mayBeOpen else {
      remove()
      return nil
    }
    return path
  }

  func remove() {
    try? FileSystem.removeTree(folder)
    FileSystem.removeFolderIfEmpty(Path.parent(folder))
  }
}
