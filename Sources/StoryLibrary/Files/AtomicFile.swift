import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Replacing and removing files so that a crash leaves the old content or the new, never a mix, and
/// so that an edit which somebody saves meanwhile is not overwritten.
public enum AtomicFile {
  /// What a path must hold for a change to go ahead.
  public enum Expectation: Sendable, Hashable {
    /// Nothing is there.
    case absent
    /// A file with exactly these bytes.
    case content(ContentDigest)
    /// Whatever is there may be replaced.
    case anything
  }

  /// How a change of one file ended.
  public enum Outcome: Sendable, Hashable {
    /// The file is as wanted.
    case done
    /// Something else than expected was there; it was left or put back.
    case changedMeanwhile
  }

  /// Writes a file: temporary name in the same folder, flush, rename, flush of the folder.
  ///
  /// The mode of a file that is replaced is kept. Folders on the way must exist.
  /// - Returns: `changedMeanwhile` where `expectation` does not hold; nothing was written then.
  /// - Throws: `FileError`; the old content stays.
  @discardableResult
  public static func write(
    _ bytes: [UInt8], to path: String, expecting expectation: Expectation = .anything,
    mode: UInt32? = nil
  ) throws(FileError) -> Outcome {
    let staged = try StagedFile(bytes, for: path, expecting: expectation, mode: mode)
    do throws(FileError) {
      try flush(staged.temporaryPath)
      let outcome = try staged.commit()
      try FileSystem.flushFolder(Path.parent(path))
      return outcome
    } catch {
      staged.discard()
      throw error
    }
  }

  /// Removes a file if it is what was expected.
  ///
  /// The file is first moved to a temporary name, so that what is looked at is what is removed. A crash
  /// in between leaves it under that name.
  /// - Returns: `changedMeanwhile` where something else was there; it is back in its place. `done` also
  ///   where nothing was there.
  /// - Throws: `FileError`.
  public static func remove(
    _ path: String, expecting digest: ContentDigest
  ) throws(FileError) -> Outcome {
    let name = TemporaryName(new: nil, old: digest, finalName: Path.name(path)).text
    let taken = Path.join(Path.parent(path), name)
    do throws(FileError) {
      try FileSystem.rename(path, to: taken)
    } catch {
      if error.isMissing { return .done }
      throw error
    }
    guard let bytes = try? FileSystem.read(taken), ContentDigest(bytes) == digest else {
      try putBack(taken, to: path)
      return .changedMeanwhile
    }
    try FileSystem.remove(taken)
    return .done
  }

  /// Gives a file that was taken away its name again, without replacing what took its place.
  static func putBack(_ taken: String, to path: String) throws(FileError) {
    do throws(FileError) {
      try renameIfAbsent(taken, to: path)
    } catch {
      guard error.isPresent else { throw error }
      // An editor made the file anew: both versions stay, the older under a name that says so.
      let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
      for number in 1...1_000 {
        do throws(FileError) {
          return try renameIfAbsent(taken, to: "\(stem).saved-\(number).json")
        } catch {
          guard error.isPresent else { throw error }
        }
      }
      throw error
    }
  }

  static func renameIfAbsent(_ from: String, to: String) throws(FileError) {
    #if canImport(Darwin)
      let result = renamex_np(from, to, UInt32(RENAME_EXCL))
    #else
      var result = stories_renameat2(from, to, STORIES_RENAME_NOREPLACE)
      if result != 0, errno == EINVAL || errno == ENOSYS {
        result = link(from, to)
        if result == 0 { unlink(from) }
      }
    #endif
    guard result == 0 else { throw .last(.rename, to) }
  }

  /// Swaps two names; `false` where the system cannot.
  static func exchange(_ left: String, _ right: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      let result = renamex_np(left, right, UInt32(RENAME_SWAP))
    #else
      let result = stories_renameat2(left, right, STORIES_RENAME_EXCHANGE)
    #endif
    if result == 0 { return true }
    if errno == EINVAL || errno == ENOSYS || errno == ENOTSUP { return false }
    throw .last(.rename, right)
  }

  static func flush(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .last(.flush, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last(.flush, path) }
  }

  /// Flushes all that was written to the file system of `folder`; `false` where the system cannot
  /// do it in one call.
  static func flushFileSystem(of folder: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last(.flush, folder) }
      defer { close(descriptor) }
      guard stories_syncfs(descriptor) == 0 else { throw .last(.flush, folder) }
      return true
    #endif
  }
}
