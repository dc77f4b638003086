public import StoryLibrary
import Synchronization

/// The records that are open in an editor, which other commands leave alone: the editor writes what
/// it has read, so it would take back their changes.
///
/// While this exists, no other record is opened (``OpenRecord``). A sync needs none of this, as its
/// changes are merged into what the editor saved (``RecordBeingEdited``).
public struct OpenRecords: Sendable {
  private let gate: FileLock?
  private let holders: [RecordRef: String]

  /// Looks up which records are open.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - own: A record that the caller has open itself, and may change.
  public init(_ library: Library, except own: OpenRecord? = nil) {
    // The first editor creates the file.
    gate = try? FileLock(Self.gate(library), .shared, waits: true)
    holders = gate == nil ? [:] : Self.holders(library, except: own)
  }

  /// Refuses to change records if one of them is open.
  ///
  /// - Throws: `EditError.isOpen`.
  public func check(_ refs: some Sequence<RecordRef>) throws(EditError) {
    for ref in refs {
      if let holder = holders[ref] { throw .isOpen(ref, holder: holder) }
    }
  }

  fileprivate static func folder(_ library: Library) -> ConfinedPath { library.statePath("open") }

  /// The file that is locked while records are opened or changed.
  fileprivate static func gate(_ library: Library) -> ConfinedPath {
    Path.join(folder(library), "lock")
  }

  /// Returns the open records, each with the process that waits for its editor. The caller has the
  /// gate's lock, so a file without a lock is that of a process that was killed.
  fileprivate static func holders(
    _ library: Library, except own: OpenRecord? = nil
  ) -> [RecordRef: String] {
    var holders: [RecordRef: String] = [:]
    let others = [Path.name(gate(library)), own?.name]
    for entry in (try? FileSystem.list(folder(library))) ?? [] where !others.contains(entry.name) {
      let file = Path.join(folder(library), entry.name)
      guard let isLocked = try? FileLock(file, .shared) == nil else { continue }
      guard isLocked, let bytes = try? FileSystem.read(file, limit: 8_192) else {
        if !isLocked { try? FileSystem.remove(file) }
        continue
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1)
      if lines.count == 2, let ref = RecordRef(String(lines[1])) { holders[ref] = String(lines[0]) }
    }
    return holders
  }
}

/// A record that this process opens in an editor.
///
/// It is a file in `.stories/open` that names the process and the record. The process locks it, so
/// that the system lets go of the record with the process. Its name is random and never used again, so
/// nobody removes a file that another process has made since.
public final class OpenRecord: Sendable {
  private let file: ConfinedPath
  fileprivate var name: String { Path.name(file) }
  private let lock: Mutex<FileLock?>

  /// Keeps other commands from changing a record until ``close()``; waits for those that are changing
  /// records.
  ///
  /// - Throws: `EditError.isOpen` if the record is open already; `LibraryError`, `FileError`.
  public init(_ ref: RecordRef, in library: Library) throws {
    try library.prepareStateFolder()
    try FileSystem.makeFolder(OpenRecords.folder(library), mode: 0o700)
    let gate = try FileLock(
      OpenRecords.gate(library), .exclusive, makesFile: true, waits: true)
    defer { withExtendedLifetime(gate) {} }
    if let holder = OpenRecords.holders(library)[ref] {
      throw EditError.isOpen(ref, holder: holder)
    }
    file = Path.join(OpenRecords.folder(library), RandomKey.make())
    let lock = try FileLock(file, .exclusive, makesFile: true)
    // Without the record's name, nobody would know that it is open.
    if let code = lock?.setContent("\(FileLock.holder)\n\(ref.path)"), code != 0 {
      try? FileSystem.remove(file)
      throw FileError(.write, path: file.text, code: code)
    }
    self.lock = Mutex(lock)
  }

  /// Lets other commands change the record again.
  public func close() {
    lock.withLock { lock in
      guard lock != nil else { return }
      try? FileSystem.remove(file)
      lock = nil
    }
  }

  deinit { close() }
}
