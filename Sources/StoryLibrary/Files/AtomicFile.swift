/// Replaces and removes files atomically: a crash leaves either the old or the new content, and an
/// edit saved in the meantime is not overwritten.
///
/// A crash can leave a temporary file, which ``StaleFiles`` settles.
public enum AtomicFile {
  /// The content a path must have for a change to proceed.
  public enum Expectation: Sendable, Hashable {
    /// Nothing exists at the path.
    case absent
    /// A file with exactly these bytes.
    case content(ContentDigest)
    /// Anything, including nothing.
    case anything
  }

  /// The outcome of changing one file.
  public enum Outcome: Sendable, Hashable {
    /// The file has its new content or was removed.
    case done
    /// The path held something unexpected, which was left or restored.
    case changedMeanwhile
  }

  /// Writes a temporary file in the same folder, flushes it, renames it and flushes the folder.
  ///
  /// Keeps the mode of a replaced file. The parent folder must exist. Without `isFlushed`, other
  /// processes still see only the old or the new content, but a system crash can lose both.
  /// - Returns: `changedMeanwhile` if `expectation` does not hold; then nothing is written.
  /// - Throws: `FileError`; the old content stays.
  @discardableResult
  public static func write(
    _ bytes: [UInt8], to location: some FileLocation,
    expecting expectation: Expectation = .anything, mode: UInt32? = nil, isFlushed: Bool = true
  ) throws(FileError) -> Outcome {
    let file = try location.located()
    let staged = try StagedFile(bytes, for: file, expecting: expectation, mode: mode)
    guard isFlushed else { return try staged.commit() }
    do throws(FileError) {
      try FileSystem.flush(staged.temporary)
    } catch {
      staged.discard()
      throw error
    }
    let outcome = try staged.commit()
    try FileSystem.flushFolder(above: file)
    return outcome
  }

  /// Writes a file as ``write(_:to:expecting:mode:isFlushed:)`` does, readable and writable for this user
  /// alone.
  package static func writePrivate(
    _ bytes: [UInt8], to location: some FileLocation, isFlushed: Bool = true
  ) throws(FileError) {
    try write(bytes, to: location, mode: 0o600, isFlushed: isFlushed)
  }

  /// Removes a file if it has the expected content, and flushes the folder.
  ///
  /// The file is checked, moved to a temporary name and checked again, so that the content that is checked
  /// is the content that is removed. A crash in between leaves it under that name; see ``StaleFiles``.
  /// - Returns: `done`, also if there was no file; `changedMeanwhile` if the content was different,
  ///   in which case the file stayed or was restored.
  /// - Throws: `FileError`.
  public static func remove(
    _ location: some FileLocation, expecting digest: ContentDigest
  ) throws(FileError) -> Outcome {
    let file = try location.located()
    let outcome = try takeAway(file, expecting: digest)
    try FileSystem.flushFolder(above: file)
    return outcome
  }

  /// Does the same as ``remove(_:expecting:)`` without the flush.
  ///
  /// - Parameter pause: Called before the file is moved, with `false`, and after it, with `true`.
  static func takeAway(
    _ location: some FileLocation, expecting digest: ContentDigest,
    pause: (_ isMoved: Bool) -> Void = { _ in }
  ) throws(FileError) -> Outcome {
    let file = try location.located()
    let name = try TemporaryName(new: nil, old: digest, for: file.path)
    let taken = file.sibling(name.text)
    let lock = FileLock.onFolder(of: file)
    defer { withExtendedLifetime(lock) {} }
    if FileSystem.exists(taken) { try StaleFiles.settle(taken) }
    do throws(FileError) {
      // An edited file is not taken away even for a moment, in which others would miss it.
      guard ContentDigest(try FileSystem.read(file)) == digest else { return .changedMeanwhile }
    } catch {
      return error.isMissing ? .done : .changedMeanwhile
    }
    pause(false)
    do throws(FileError) {
      try FileSystem.rename(file, to: taken)
    } catch {
      if error.isMissing { return .done }
      throw error
    }
    pause(true)
    if !FileSystem.isBeingWritten(taken), FileSystem.digest(taken) == digest {
      try FileSystem.remove(taken)
      return .done
    }
    try StaleFiles.settle(taken, wasEdited: true)
    return .changedMeanwhile
  }
}
