import StoryLibrary
import StorySync

/// The draft of a conflict in a file that a person edits, once or more.
struct DraftFile: Sendable {
  let context: Context
  let draft: ConflictDraft
  private var file: EditedText?
  private var text: String?
  private var isTaken = false

  init(context: Context, draft: ConflictDraft) {
    self.context = context
    self.draft = draft
  }

  /// Opens the draft, or its current text, and parses the result.
  ///
  /// - Throws: `ProgramError`, `FileError`; the text stays in its file.
  mutating func edit() throws -> ConflictDraft.Reading {
    var file = try self.file ?? EditedText(context, name: Path.name(draft.ref.name) + ".txt")
    self.file = file
    defer { self.file = file }
    let text = String(
      decoding: try file.edit(Array((self.text ?? draft.text).utf8)), as: UTF8.self)
    self.text = text
    let reading = draft.reading(text)
    isTaken = reading.problems.isEmpty && reading.open.isEmpty
    return reading
  }

  /// Finishes with the file. It is removed unless it has text that was not applied.
  func finish() {
    if isTaken { file?.remove() } else { keep() }
  }

  /// Finishes with a file that could not be applied. It stays if its text was edited.
  func keep() {
    guard let path = file?.keep(unlessItIs: Array(draft.text.utf8)) else { return }
    context.note(
      file?.mayBeOpen == true
        ? "The editor returned at once; its file stays, in case it is still open: \(context.shown(path))"
        : "Your text was kept in \(context.shown(path))")
  }
}
