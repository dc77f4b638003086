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
    let all = item.fields.map(\.field.key)
    let asked = all.filter { keys.isEmpty || keys.contains($0) }
    guard !asked.isEmpty else {
      let detail = all.isEmpty ? "nothing to merge: use --local or --server" : ""
      outcome.left.append(.init(ref: item.ref, fields: all, detail: detail))
      return
    }
    guard item.marked == nil || asked.count == all.count else {
      outcome.left.append(
        .init(ref: item.ref, fields: all, detail: "--tool merges the file as a whole"))
      return
    }
    do {
      let left = try merge(item, asked)
      let settled = all.filter { !left.contains($0) }
      if !settled.isEmpty {
        outcome.settled.append(.init(item, fields: settled, detail: "as merged"))
      }
      if !left.isEmpty { outcome.left.append(.init(ref: item.ref, fields: left)) }
    } catch {
      outcome.failed.append(.init(ref: item.ref, error: ErrorReport(error, in: context)))
      outcome.left.append(.init(ref: item.ref, fields: all))
    }
  }

  /// Runs the tool on one record; returns the fields that are still in conflict.
  private func merge(_ item: ConflictSet.Item, _ asked: [String]) throws -> [String] {
    let files =
      try ConflictFiles(item.entry, in: conflicts.library)
      ?? ConflictFiles(
        ConflictResolver.Conflict(item), fields: asked, in: conflicts.library,
        references: conflicts.scan.references)
    let folder = conflicts.library.statePath("edit/" + RandomKey.make())
    let name = Path.name(item.ref.name)
    try FileSystem.makeFolder(folder, mode: 0o700)
    let versions: [(variable: String, suffix: String, bytes: [UInt8])] = [
      ("BASE", ".BASE", files.base), ("LOCAL", ".LOCAL", files.local),
      ("REMOTE", ".REMOTE", files.server), ("MERGED", "", files.marked),
    ]
    var program = ExternalProgram(command: command)
    for version in versions {
      let path = Path.join(folder, name + version.suffix + ".json")
      try AtomicFile.write(version.bytes, to: path, mode: 0o600)
      program.variables.append((version.variable, path.text))
    }
    let result = Path.join(folder, name + ".json")
    context.output.sink.flush()
    let status = try program.run()
    let merged = try? FileSystem.read(result)
    do {
      guard status == 0 else {
        throw ProgramError.failed(command, reason: "it exited with status \(status)")
      }
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
      if problem.code == .conflictMarkers { problem.hint = nil }
      throw problem
    }
  }

  private func take(
    _ merged: [UInt8], of item: ConflictSet.Item, _ asked: [String], _ files: ConflictFiles
  ) throws -> [String] {
    let file = try RecordFile(ref: item.ref, bytes: merged)
    let problems = file.problems(
      references: conflicts.scan.references,
      sidecar: conflicts.reader.sidecar(of: item.entry))
    if let problem = problems.first(where: { $0.severity == .error }) { throw problem }
    return try ConflictResolver(conflicts.library).resolve(
      item.ref, text: merged, replacing: files.replaced, fields: asked)
  }

  private func remove(_ folder: ConfinedPath) {
    try? FileSystem.removeTree(folder)
    FileSystem.removeFolderIfEmpty(Path.parent(folder))
  }
}

extension ConflictResolver.Conflict {
  fileprivate init(_ item: ConflictSet.Item) {
    self.init(
      ref: item.ref, place: item.entry.renamedFrom ?? item.ref, kind: .fields, fields: item.fields)
  }
}
