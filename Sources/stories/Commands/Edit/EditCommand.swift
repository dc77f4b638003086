import JSONText
import StoryLibrary
import StorySync

struct EditCommand: Command {
  var word = ""
  var isText = false

  static let name = "edit"
  static let summary = "Edit a record in your editor, and check it"
  static let discussion = """
    Uses the editor in VISUAL or EDITOR, or vi. When you close it, the record is checked as by \
    `stories check`. If it has an error, you can open it again at that line; without a terminal, \
    and if you leave it as it is, exits with 1. What a sync changed in other fields or lines while \
    the editor was open is kept. Meanwhile, other commands do not change the record: they exit with \
    4, or skip it and do the others.

    With --text, a story is opened as Markdown, as `stories export markdown` writes it: its fields \
    between two lines of ---, then its text. Only what you changed is written back to the record. A \
    text with an error is not written back but kept, and the command says where. If the record was \
    changed on disk meanwhile, both changes are kept, unless they are to the same lines or field. \
    An editor must wait until the file is closed: if it returns at once, the file stays for it.
    """
  static let examples = [
    Example("stories edit luna", "a hero"),
    Example("stories edit --text first-snow", "a story as Markdown"),
    Example("EDITOR='code --wait' stories edit first-snow", "with another editor"),
  ]
  static let parameters: [Parameter<EditCommand>] = [
    .argument("REF", \.word, help: "The record", completion: .record),
    .flag("text", \.isText, help: "Edit a story as Markdown instead of JSON"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let library = opened.library
    let ref = try opened.resolver().record(word)
    try opened.scan.entry(ref)?.checkNameIsUnique()
    // A text is merged with what the record has become when it is written back.
    let open = isText ? nil : try keepOthers(from: ref, library, context)
    guard FileSystem.exists(library.path(ref.path)) else { throw EditingError.removed(ref) }
    guard isText else { return finish(ref, try editFile(ref, opened, open), opened) }
    guard ref.kind == .stories else { throw EditingError.notAStory(ref) }
    var outcome = try StoryTextEdit(opened: opened, ref: ref).run()
    if !outcome.hasErrors {
      let after = try context.scan(library)
      outcome.problems += after.problems(of: [ref], in: library)
    }
    return finish(ref, outcome, opened)
  }

  /// Keeps other commands from changing a record, if `.stories` can be written.
  private func keepOthers(
    from ref: RecordRef, _ library: Library, _ context: Context
  ) throws -> OpenRecord? {
    do {
      return try OpenRecord(ref, in: library)
    } catch let error as FileError {
      context.note("Other commands may change \(ref) while the editor is open: \(error.reason)")
      return nil
    }
  }

  private func editFile(
    _ ref: RecordRef, _ opened: OpenLibrary, _ open: OpenRecord?
  ) throws -> EditOutcome {
    let (library, context) = (opened.library, opened.context)
    let path = library.path(ref.path)
    let editor = try Editor(context)
    defer { open?.close() }
    let before = try? FileSystem.read(path)
    var original = RecordBeingEdited(before, of: ref, in: opened.scan, library)
    var line: Int?
    while true {
      let closed = Result { try editor.open(path.text, line: line) }
      guard FileSystem.exists(path) else {
        try closed.get()
        throw EditingError.removed(ref)
      }
      let isChanged = (try? FileSystem.read(path)) != before
      var after = try context.scan(library)
      if let opening = original, try keepPulledChanges(since: opening, after, open, context) {
        after = try context.scan(library)
        original = RecordBeingEdited(try? FileSystem.read(path), of: ref, in: after, library)
      }
      // An editor that failed may have saved the file before.
      try closed.get()
      let problems = after.problems(of: [ref], in: library)
      if try context.editsAgain(after: problems, in: library) {
        line = problems.first { $0.severity == .error && $0.file == ref.path }?.position?.line
        continue
      }
      var outcome = EditOutcome(isChanged: isChanged, problems: problems)
      outcome.areShown = context.isInteractive && outcome.hasErrors
      return outcome
    }
  }

  /// Keeps what a sync has pulled since the editor opened, and says so.
  ///
  /// - Returns: whether the file was changed.
  private func keepPulledChanges(
    since opening: RecordBeingEdited, _ scan: Scan, _ open: OpenRecord?, _ context: Context
  ) throws -> Bool {
    let result = try opening.keepPulledChanges(scan, whileOpen: open, time: context.time)
    let (kept, clashes) = (result.kept.map(\.key), result.clashes.map(\.key))
    let missed = result.missed.map(\.key)
    if !kept.isEmpty {
      context.note("A sync changed \(Phrases.list(kept)) while the editor was open; that was kept.")
    }
    if !clashes.isEmpty {
      context.note(
        "A sync changed \(Phrases.list(clashes)) while the editor was open, and so did you: the next"
          + " push sends your version.")
    }
    if !missed.isEmpty {
      context.note(
        "A sync changed \(Phrases.list(missed)) while the editor was open; your file cannot be read, and"
          + " still has what was there before. Once it is correct, `stories diff` shows that.")
    }
    return !kept.isEmpty
  }

  private func finish(_ ref: RecordRef, _ outcome: EditOutcome, _ opened: OpenLibrary) -> ExitCode {
    let (context, isOpen) = (opened.context, outcome.isOpen)
    context.tell([
      "schema": "stories.edit/1", "ref": ref, "changed": outcome.isChanged,
      "problems": outcome.problems, "kept": Omitted(outcome.kept.map(context.shown)),
    ]) {
      if !outcome.areShown { opened.write(outcome.problems, to: context.output) }
      if let kept = outcome.kept {
        // `import` reads paths from the folder of -C.
        let path = ShellWord.quoting(Path.relative(kept, to: context.folder) ?? kept)
        let kept = context.shown(kept)
        context.note(
          isOpen
            ? "\(ref) was not changed: the editor returned at once, and may still have \(kept) open"
            : "\(ref) was not changed; your text was kept in \(kept)")
        // The name that `import` makes of the file's may be another one.
        let command =
          "stories import --replace --name \(ShellWord.quoting(ref.description)) \(path)"
        context.note("\(isOpen ? "Save" : "Correct") it there, then: \(command)")
        if isOpen {
          context.note("Give it the option that makes it wait, such as EDITOR='… --wait'.")
        }
      } else if outcome.problems.isEmpty {
        context.aside(outcome.isChanged ? "\(ref): no problems." : "\(ref) was not changed.")
      }
    }
    return outcome.hasErrors ? .failed : .done
  }
}

extension Context {
  /// Shows the problems of an edit and asks whether to open the file again; returns `false` without a
  /// terminal or an error, and then shows nothing.
  ///
  /// - Throws: `CancellationError` for Ctrl-C.
  func editsAgain(after problems: [Problem], in library: Library) throws -> Bool {
    guard isInteractive, problems.contains(where: { $0.severity == .error }) else { return false }
    write(problems, of: library, to: output)
    return try ask([
      .init("edit", label: "[e]dit again", "open it again, at the first error"),
      .init("quit", "leave it as it is; nothing you wrote is lost"),
    ]) == "e"
  }
}
