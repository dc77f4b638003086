import Foundation
import StoryLibrary

/// A text that a person changes in an editor, in a temporary file that nobody else can read.
///
/// The file lies in the library's `.stories/edit/` and stays until ``remove()``, so that nothing that
/// was written in it is lost.
struct EditedText: Sendable {
  private let editor: Editor
  private let library: Library
  private let folder: ConfinedPath
  private let file: ConfinedPath
  /// The file's path.
  var path: String { file.text }

  /// A text for the context's editor.
  ///
  /// - Parameter name: the file's name, which tells an editor what is in it.
  /// - Throws: `ProgramError.noEditor`; as `Context.library()`.
  init(_ context: Context, name: String) throws {
    editor = try Editor(context)
    library = try context.library()
    folder = library.statePath("edit/" + UUID().uuidString)
    file = Path.join(folder, name)
  }

  /// Opens the editor and gives back what the file holds when it is closed.
  ///
  /// - Throws: `ProgramError` where the editor ended badly; `FileError`.
  func edit(_ text: String) throws -> String {
    try library.prepareStateFolder()
    try FileSystem.makeFolder(folder, mode: 0o700)
    try AtomicFile.write(Array(text.utf8), to: file, mode: 0o600)
    try editor.open(path)
    return String(decoding: try FileSystem.read(file), as: UTF8.self)
  }

  /// What the file holds; `nil` where there is none.
  var text: String? {
    (try? FileSystem.read(file)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Removes the file.
  func remove() {
    try? FileSystem.removeTree(folder)
    FileSystem.removeFolderIfEmpty(Path.parent(folder))
  }
}
