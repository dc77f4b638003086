import StoryLibrary
import StorySync

/// The draft of a conflict in a file that a person edits, as often as it takes.
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

  /// Opens the draft, or what was made of it so far, and reads it back.
  ///
  /// - Throws: `ProgramError`, `FileError`; what was written stays in its file.
  mutating func edit() throws -> ConflictDraft.Reading {
    let file = try self.file ?? EditedText(context, name: Path.name(draft.ref.name) + ".txt")
    self.file = file
    let text = try file.edit(self.text ?? draft.text)
    self.text = text
    let reading = draft.reading(text)
    isTaken = reading.problems.isEmpty && reading.open.isEmpty
    return reading
  }

  /// Ends the work with the file. It goes, unless something in it was not taken over.
  func finish() {
    guard let file else { return }
    if isTaken || isUntouched { return file.remove() }
    keep()
  }

  private var isUntouched: Bool { file?.text == nil || file?.text == draft.text }

  /// Ends the work with a file that could not be taken over. It stays if anything was written in it.
  func keep() {
    guard let file else { return }
    if isUntouched { return file.remove() }
    context.note("What you wrote is kept in \(context.shown(file.path))")
  }
}
