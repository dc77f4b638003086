import JSONText
import StoryLibrary

/// Puts earlier versions back into records' files, keeping what they hold now in a run.
struct VersionWriter {
  let library: Library
  let references: ReferenceTable
  let run: RunRecorder
  private var changes: [(ref: RecordRef, change: WriteBatch.Change)] = []

  private var files: LibraryFiles { LibraryFiles(library: library) }

  init(library: Library, references: ReferenceTable, run: RunRecorder) {
    self.library = library
    self.references = references
    self.run = run
  }

  /// Adds a version.
  ///
  /// - Returns: whether the record does not hold it already.
  /// - Throws: `Problem` where the record cannot be read.
  mutating func add(_ version: RunHistory.Version) throws -> Bool {
    let ref = version.ref
    let current = FileSystem.exists(library.path(ref.path)) ? try files.read(ref.path) : nil
    let text = try self.text(of: version, current)
    guard text != current else { return false }
    if let current { run.save(ref, .here, text: current) }
    run.note(ref, after: ContentDigest(text))
    changes.append(
      (ref, .write(text, current.map { .content(ContentDigest($0)) } ?? .absent)))
    return true
  }

  private func text(of version: RunHistory.Version, _ current: [UInt8]?) throws -> [UInt8] {
    guard version.isServer else { return version.text }
    let object = try JSONValue(parsing: version.text).object ?? JSONObject()
    let values = FieldValues(kind: version.ref.kind, wire: object)
    guard let current else { return RecordFile.newFile(values, references: references) }
    let file = try RecordFile(ref: version.ref, bytes: current)
    return try file.updated(to: values, references: references, sidecar: nil).bytes
  }

  /// Forgets what was added.
  func discard() { run.discard() }

  /// Writes what was added.
  ///
  /// - Throws: `EditError.changedMeanwhile`, `FileError`.
  func commit(command: String) throws {
    guard !changes.isEmpty else { return run.discard() }
    try run.flush()
    var batch = WriteBatch(root: library.root)
    for (ref, change) in changes {
      batch.add(record: (library.path(ref.path), change), sidecar: sidecarChange(ref))
    }
    for (result, item) in zip(batch.commit(), changes) {
      switch result {
      case .done: break
      case .changedMeanwhile: throw EditError.changedMeanwhile(item.ref)
      case .failed(let error): throw error
      }
    }
    try run.finish(command: command)
  }

  /// A record that is back is not meant to go any more: a later loss of its file must not count as
  /// the delete that somebody stated before.
  private func sidecarChange(_ ref: RecordRef) -> (path: String, change: WriteBatch.Change)? {
    guard let bytes = try? files.read(ref.sidecarPath),
      var sidecar = try? Sidecar(bytes: bytes, ref: ref), sidecar.isDeleteStated
    else { return nil }
    sidecar.isDeleteStated = false
    return (
      library.path(ref.sidecarPath), .write(sidecar.fileBytes, .content(ContentDigest(bytes)))
    )
  }
}
