/// Replacing and removing files so that a crash leaves the old content or the new, never a mix, and
/// so that an edit which somebody saves meanwhile is not overwritten.
///
/// What a crash leaves behind under a temporary name is settled by ``Leftovers``.
public enum AtomicFile {
  /// What a path must hold for a change to go ahead.
  public enum Expectation: Sendable, Hashable {
    /// Nothing is there.
    case absent
    /// A file with exactly these bytes.
    case content(ContentDigest)
    /// Whatever file is there may be replaced.
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
  /// The mode of a file that is replaced is kept. Folders on the way must exist. Without `isFlushed` it
  /// is the old content or the new for everybody who looks, but not after a crash of the system.
  /// - Returns: `changedMeanwhile` where `expectation` does not hold; nothing was written then.
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

  /// Removes a file if it is what was expected, and flushes the folder.
  ///
  /// The file is first moved to a temporary name, so that what is looked at is what is removed. A
  /// crash in between leaves it under that name, see ``Leftovers``.
  /// - Returns: `done` also where there was none; `changedMeanwhile` where something else was there,
  ///   which is back in its place.
  /// - Throws: `FileError`.
  public static func remove(
    _ location: some FileLocation, expecting digest: ContentDigest
  ) throws(FileError) -> Outcome {
    let file = try location.located()
    let outcome = try takeAway(file, expecting: digest)
    try FileSystem.flushFolder(above: file)
    return outcome
  }

  /// Does what ``remove(_:expecting:)`` does without the flush.
  static func takeAway(
    _ location: some FileLocation, expecting digest: ContentDigest, pause: () -> Void = {}
  ) throws(FileError) -> Outcome {
    let file = try location.located()
    let name = try TemporaryName(new: nil, old: digest, for: file.path)
    let taken = file.sibling(name.text)
    if FileSystem.exists(taken) { try Leftovers.settle(taken) }
    do throws(FileError) {
      try FileSystem.rename(file, to: taken)
    } catch {
      if error.isMissing { return .done }
      throw error
    }
    pause()
    if let bytes = try? FileSystem.read(taken), ContentDigest(bytes) == digest {
      try FileSystem.remove(taken)
      return .done
    }
    try Leftovers.settle(taken)
    return .changedMeanwhile
  }

  /// Gives a file a name that nothing has.
  ///
  /// - Throws: `FileError`, EEXIST where something has the name; both are as they were.
  public static func move(
    _ from: some FileLocation, to location: some FileLocation
  ) throws(FileError) {
    try FileSystem.renameIfAbsent(from, to: location)
  }
}
