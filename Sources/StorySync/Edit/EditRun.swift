public import StoryAPI
public import StoryLibrary

/// A run that keeps the versions that edits replace, so that `undo` can restore them.
///
/// It takes the library's lock with the first version. If nothing was replaced, it leaves nothing.
public final class EditRun {
  private let library: Library
  private let run: RunRecorder
  private var lock: LibraryLock?

  /// Creates a run; nothing is written yet.
  public init(_ library: Library, time: TimeSource = .system) {
    self.library = library
    run = RunRecorder(library, time)
  }

  /// Keeps a version on disk before it is replaced.
  ///
  /// - Throws: `LibraryError.locked`, `FileError`.
  func keep(_ bytes: [UInt8], of ref: RecordRef, after new: [UInt8]) throws {
    if lock == nil { lock = try LibraryLock(library) }
    run.pending.save(ref, local: bytes)
    run.note(ref, after: ContentDigest(new))
    try run.flush()
  }

  /// Completes the run and releases the lock.
  ///
  /// - Parameter command: the command, as the list of runs shows it.
  /// - Throws: `FileError`.
  public func finish(command: String) throws {
    guard run.isStarted else { return }
    try run.finish(command: command)
    lock = nil
  }
}
