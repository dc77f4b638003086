import StoryLibrary
import StorySync

/// Resolves conflicts with a merge tool.
///
/// The tool gets files `NAME.BASE.json`, `NAME.LOCAL.json`, `NAME.REMOTE.json` and `NAME.json`, the
/// result, which starts with git's conflict markers; their paths are in the environment as `BASE`,
/// `LOCAL`, `REMOTE` and `MERGED`, as with `git mergetool`.
struct ConflictTool: Sendable {
  let context: Context
  let conflicts: ConflictSet
  /// The fields to resolve; empty for all.
  let keys: [String]
  let command: String

  func run(_ item: ConflictSet.Item, _ outcome: inout ConflictOutcome) {
    let asked = item.keys.filter { keys.isEmpty || keys.contains($0) }
    guard !asked.isEmpty else {
      let isWhole = item.fields.isEmpty
      return outcome.leave(item, nil, isWhole ? "nothing to merge: use --local or --server" : "")
    }
    guard item.marked == nil || asked == item.keys else {
      return outcome.leave(item, nil, "--tool merges the file as a whole")
    }
    do {
      outcome.add(item, left: try merge(item, asked), "as merged")
    } catch {
      outcome.fail(item, error, context)
      outcome.leave(item)
    }
  }

  /// Runs the tool on one record; returns the fields that are still in conflict.
  private func merge(_ item: ConflictSet.Item, _ asked: [String]) throws -> [String] {
    let files: ConflictFiles
    switch item.question {
    case .sync(let conflict):
      files = try ConflictFiles(
        conflict, fields: asked, in: conflicts.library, references: conflicts.scan.references)
    case .marked(let record): files = try ConflictFiles(record)
    case .split: throw EditError.cannotMerge(item.ref)
    }
    let folder = conflicts.library.statePath("edit/" + RandomKey.make())
    let name = Path.name(item.ref.name)
    try FileSystem.makeFolder(folder, mode: 0o700)
    // A sync that runs meanwhile leaves temporary files in locked folders alone.
    let lock = try FileLock(folder, .shared, waits: true)
    defer { withExtendedLifetime(lock) {} }
    let result = Path.join(folder, name + ".json")
    var program = ExternalProgram(command: command)
    for (variable, path, bytes) in [
      ("BASE", Path.join(folder, name + ".BASE.json"), files.base),
      ("LOCAL", Path.join(folder, name + ".LOCAL.json"), files.local),
      ("REMOTE", Path.join(folder, name + ".REMOTE.json"), files.server),
      ("MERGED", result, files.marked),
    ] {
      try AtomicFile.writePrivate(bytes, to: path)
      program.variables[variable] = path.text
    }
    context.output.sink.flush()
    let status = try program.run()
    let merged = try? FileSystem.read(result)
    do {
      guard status == 0 else { throw ProgramError.exited(command, status: status) }
      guard let merged else { throw ProgramError.failed(command, reason: "it left no file") }
      let left = try take(merged, of: item, asked, files)
      remove(folder)
      return left
    } catch {
      if merged == nil || merged == files.marked || merged == files.local {
        remove(folder)
      } else {
        context.note("Its result was kept in \(context.shown(result.text))")
      }
      guard var problem = error as? Problem else { throw error }
      // The position is in the merged file, not in the record's own.
      problem.file = result.text
      if case .conflictMarkers(let labels, _) = problem.what {
        problem.what = .conflictMarkers(labels: labels, isToolResult: true)
      }
      throw problem
    }
  }

  private func take(
    _ merged: [UInt8], of item: ConflictSet.Item, _ asked: [String], _ files: ConflictFiles
  ) throws -> [String] {
    let file = try RecordFile(ref: item.ref, bytes: merged)
    let problems = file.problems(
      references: conflicts.scan.references, sidecar: conflicts.reader.sidecar(of: item.entry))
    if let problem = problems.first(where: { $0.severity == .error }) { throw problem }
    return try ConflictResolver(conflicts.library).resolve(
      item.ref, text: merged, replacing: files.replaced, fields: asked, from: item.digest)
  }

  private func remove(_ folder: ConfinedPath) {
    try? FileSystem.removeTree(folder)
    FileSystem.removeFolderIfEmpty(Path.parent(folder))
  }
}

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
    let text = String(decoding: try file.edit(Array((self.text ?? draft.text).utf8)), as: UTF8.self)
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
