import JSONText

/// Stale temporary files, left by a run that crashed.
///
/// Most hold content that was to be written, which the next plan produces again, or content that
/// was replaced. But if a run crashes while it is restoring an unexpected edit, the temporary file
/// holds that edit and must be kept. Its name tells these cases apart.
public enum StaleFiles {
  /// The outcome for one temporary file.
  public enum Outcome: Sendable, Hashable {
    /// It held new or replaced content and was removed.
    case removed
    /// It held an edit, or new content whose file a crash took away, which has its original name again.
    case restored
    /// It held an edit whose original name is in use by a newer version. The edit is next to it
    /// under this name, relative to the library's root.
    case saved(as: String)
    /// Its purpose is unknown, so it was left alone.
    case unknown
    /// The system refused.
    case failed(FileError)
  }

  /// A temporary file and its outcome.
  public struct Settled: Sendable, Hashable {
    /// Its former path, relative to the library's root.
    public var path: String
    /// The outcome.
    public var outcome: Outcome
  }

  /// Returns whether a file of that name is a temporary file of this program.
  public static func isOne(_ name: String) -> Bool { TemporaryName.isPrefix(of: name) }

  /// Returns whether the name of a temporary file says what to do with it. Nobody knows the purpose
  /// of another one, so it is left alone.
  public static func canSettle(_ name: String) -> Bool { TemporaryName(name) != nil }

  /// Settles the temporary files that a scan found, and flushes their folders.
  ///
  /// The caller must hold the library's lock, so that none is in use. Repeatable after a crash.
  /// - Parameters:
  ///   - paths: ``Scan/staleFiles``, relative to the library's root.
  ///   - library: The library.
  /// - Returns: The outcomes in the order of `paths`; errors are outcomes too.
  public static func settle(_ paths: [String], in library: Library) -> [Settled] {
    var folders: Set<ConfinedPath> = []
    let settled = paths.map { path in
      var outcome: Outcome
      do throws(FileError) {
        outcome = try settle(library.path(path))
        folders.insert(Path.parent(library.path(path)))
      } catch {
        outcome = .failed(error)
      }
      if case .saved(let name) = outcome {
        outcome = .saved(as: Path.join(Path.parent(path), name))
      }
      return Settled(path: path, outcome: outcome)
    }
    // If a flush fails, at worst this is repeated.
    for folder in folders { try? FileSystem.flushFolder(folder) }
    return settled
  }

  /// Settles one file.
  ///
  /// - Parameters:
  ///   - location: The temporary file.
  ///   - wasEdited: Whether the caller has seen that it holds an edit or is about to get one.
  /// - Returns: The outcome; for `saved`, with the name in the same folder.
  /// - Throws: `FileError`.
  @discardableResult
  public static func settle(
    _ location: some FileLocation, wasEdited: Bool = false
  ) throws(FileError) -> Outcome {
    let temporary = try location.located()
    guard let name = TemporaryName(temporary.name) else { return .unknown }
    guard FileSystem.exists(temporary) else { return .removed }
    let file = temporary.sibling(name.finalName)
    let hasNew = FileSystem.digest(file).map(name.isNew) ?? false
    // An editor that opened the file before it was taken out of its place is about to save it.
    let isEdited =
      (hasNew || !name.writes) && (wasEdited || FileSystem.isBeingWritten(temporary))
    if !isEdited {
      if let digest = FileSystem.digest(temporary), name.knows(digest) {
        if name.writes, name.replaces, name.isNew(digest), temporary.isOfCutRename(to: file) {
          try FileSystem.renameIfAbsent(temporary, to: file)
          return .restored
        }
        try FileSystem.remove(temporary)
        return .removed
      }
      if try wasNeverInPlace(name, temporary, file) {
        // The run crashed before it had finished writing.
        try FileSystem.remove(temporary)
        return .removed
      }
    }
    // An edit, or something unreadable that may be one.
    if hasNew, try exchange(temporary, file) {
      guard let out = FileSystem.digest(temporary), name.isNew(out) else {
        // The file was saved again at this moment, and that version is the newest.
        _ = try exchange(temporary, file)
        return try keepBeside(temporary, file)
      }
      try FileSystem.remove(temporary)
      return .restored
    }
    do throws(FileError) {
      try FileSystem.renameIfAbsent(temporary, to: file)
      return .restored
    } catch {
      guard error.isPresent else { throw error }
      return try keepBeside(temporary, file)
    }
  }

  /// Returns whether the content of a temporary file can never have been in place.
  ///
  /// An edit gets there only by an exchange with content to be replaced, and no editor saves an
  /// empty file. Truncated text is not an edit either if the file still has the content to be
  /// replaced, so that there was no exchange: the run crashed while writing.
  private static func wasNeverInPlace(
    _ name: TemporaryName, _ temporary: LocatedFile, _ file: LocatedFile
  ) throws(FileError) -> Bool {
    if !name.replaces { return true }
    guard let status = try FileSystem.status(temporary) else { return true }
    guard status.type == .regular else { return false }
    if status.size == 0 { return true }
    guard name.writes, let present = FileSystem.digest(file), name.isOld(present),
      let bytes = try? FileSystem.read(temporary)
    else { return false }
    return (try? JSONDocument(parsing: bytes)) == nil
  }

  /// Swaps two names, or replaces the second if unsupported. Returns `false` if either is missing.
  private static func exchange(
    _ left: LocatedFile, _ right: LocatedFile
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      if try !FileSystem.exchange(left, right) { try FileSystem.rename(left, to: right) }
      return true
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  private static func keepBeside(
    _ temporary: LocatedFile, _ file: LocatedFile
  ) throws(FileError) -> Outcome {
    for number in 1...1_000 {
      let name = savedName(file, number)
      do throws(FileError) {
        try FileSystem.renameIfAbsent(temporary, to: file.sibling(name))
        return .saved(as: name)
      } catch {
        guard error.isPresent else { throw error }
      }
    }
    throw .nameInUse(file.path)
  }

  /// Returns `luna.saved-1.json` for a record, which becomes a record of its own, and
  /// `luna.json.saved-1` for a sidecar, which must not become the sidecar of a missing record.
  private static func savedName(_ file: LocatedFile, _ number: Int) -> String {
    guard let name = Path.withoutJSON(file.name), Path.name(Path.parent(file.path)) != ".sync"
    else { return "\(file.name).saved-\(number)" }
    return "\(name).saved-\(number).json"
  }
}
