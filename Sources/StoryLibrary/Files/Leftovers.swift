import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Temporary files that a run left behind when it died.
///
/// Most hold what was to be written or what was replaced: the next plan makes the one again, and
/// nobody needs the other. But a run that dies while it takes an unexpected edit back out of its way
/// leaves that edit there, which is somebody's work. The name tells them apart.
public enum Leftovers {
  /// What became of one temporary file.
  public enum Outcome: Sendable, Hashable {
    /// It held what was to be written or what was replaced, and is gone.
    case removed
    /// It held something that somebody had saved, which has its name back.
    case restored
    /// It held something that somebody had saved, whose name is taken by something newer: it lies
    /// beside it under this name, relative to the library's root.
    case saved(as: String)
    /// Nobody knows what it is for, so it stays.
    case unknown
    /// The system refused.
    case failed(FileError)
  }

  /// One temporary file.
  public struct Settled: Sendable, Hashable {
    /// The path it had, relative to the library's root.
    public var path: String
    /// What became of it.
    public var outcome: Outcome
  }

  /// Whether a file of that name is a temporary file of this program.
  public static func isOne(_ name: String) -> Bool { TemporaryName.isPrefix(of: name) }

  /// Settles the temporary files that a scan found, and flushes their folders.
  ///
  /// The caller holds the library's lock, so that none of them is in use. May be done again after a
  /// crash at any point.
  /// - Parameters:
  ///   - paths: ``Scan/leftovers``, relative to the library's root.
  ///   - library: the library.
  /// - Returns: what became of each, in the order of `paths`; nothing is thrown for one of them.
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
    // A flush that fails costs no more than doing this again.
    for folder in folders { try? FileSystem.flushFolder(folder) }
    return settled
  }

  /// Settles one file.
  ///
  /// - Returns: `saved` with the name in the same folder.
  @discardableResult
  static func settle(_ location: some FileLocation) throws(FileError) -> Outcome {
    let temporary = try location.located()
    guard let name = TemporaryName(temporary.name) else { return .unknown }
    guard FileSystem.exists(temporary) else { return .removed }
    if let digest = digest(temporary), name.knows(digest) {
      try FileSystem.remove(temporary)
      return .removed
    }
    let file = temporary.sibling(name.finalName)
    if try wasNeverInPlace(name, temporary, file) {
      // The run died before it had written anything, or all of it.
      try FileSystem.remove(temporary)
      return .removed
    }
    // Somebody's work, or something that cannot be read and so may be.
    if let present = digest(file), name.isNew(present), try exchange(temporary, file) {
      guard let out = digest(temporary), name.isNew(out) else {
        // It was saved once more in this moment: that one is the newest.
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

  /// Whether what lies under a temporary name surely never lay under the final one.
  ///
  /// An edit gets there only by an exchange with something that was to be replaced, and nobody saves
  /// nothing at all. Nor is it an edit if the file is still what was to be replaced, so that there
  /// was no exchange, and the text breaks off: the run died while it wrote it.
  private static func wasNeverInPlace(
    _ name: TemporaryName, _ temporary: LocatedFile, _ file: LocatedFile
  ) throws(FileError) -> Bool {
    if !name.replaces { return true }
    guard let status = try FileSystem.status(temporary) else { return true }
    guard status.type == .regular else { return false }
    if status.size == 0 { return true }
    guard name.writes, let present = digest(file), name.isOld(present),
      let bytes = try? FileSystem.read(temporary)
    else { return false }
    return (try? JSONDocument(parsing: bytes)) == nil
  }

  private static func digest(_ file: LocatedFile) -> ContentDigest? {
    (try? FileSystem.read(file)).map { ContentDigest($0) }
  }

  /// Swaps two names, where the system cannot by replacing the second; `false` where that is gone.
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
    throw FileError(.rename, path: file.path, code: EEXIST)
  }

  /// `luna.saved-1.json` for a record, which is a record of its own then; `luna.json.saved-1` for a
  /// sidecar, which must not become one of a record that is not there.
  private static func savedName(_ file: LocatedFile, _ number: Int) -> String {
    let isRecord =
      file.name.utf8.suffix(5).elementsEqual(".json".utf8)
      && Path.name(Path.parent(file.path)) != ".sync"
    guard isRecord else { return "\(file.name).saved-\(number)" }
    return "\(String(Substring(file.name.utf8.dropLast(5)))).saved-\(number).json"
  }
}
