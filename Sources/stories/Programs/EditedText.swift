import StoryLibrary

/// A text that a person changes in an editor, in a private temporary file.
///
/// The file is in the library's `.stories/edit/` and stays until ``remove()``, so that no text is
/// lost.
struct EditedText: Sendable {
  private let editor: Editor
  private let library: Library
  private let folder: ConfinedPath
  private let file: ConfinedPath
  var path: String { file.text }

  /// Creates a text for the context's editor.
  ///
  /// - Parameter name: the file's name, which tells an editor its type.
  /// - Throws: `ProgramError.noEditor`; as `Context.library()`.
  init(_ context: Context, name: String) throws {
    editor = try Editor(context)
    library = try context.library()
    folder = library.statePath("edit/" + RandomKey.make())
    file = Path.join(folder, name)
  }

  /// Opens the editor and returns the file's content when it is closed.
  ///
  /// - Throws: `ProgramError` if the editor failed; `FileError`.
  func edit(_ text: String) throws -> String {
    try library.prepareStateFolder()
    try FileSystem.makeFolder(folder, mode: 0o700)
    try AtomicFile.write(Array(text.utf8), to: file, mode: 0o600)
    try editor.open(path)
    return String(decoding: try FileSystem.read(file), as: UTF8.self)
  }

  /// The file's content, or `nil`.
  var text: String? {
    (try? FileSystem.read(file)).map { String(decoding: $0, as: UTF8.self) }
  }

  func remove() {
    try? FileSystem.removeTree(folder)
    FileSystem.removeFolderIfEmpty(Path.parent(folder))
  }
}
