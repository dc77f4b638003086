import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Gives records other versions, or removes them, and keeps their current ones in a run.
struct VersionWriter {
  private struct Change {
    var ref: RecordRef
    var place: RecordRef
    var record: WriteBatch.Change?
    var sidecar: WriteBatch.Change?
    /// The id in a sidecar that is removed.
    var removedID: String?
    var mode: UInt32?
  }

  let library: Library
  let references: ReferenceTable
  let run: RunRecorder
  private let open: OpenRecords
  private var changes: [Change] = []

  init(_ library: Library, references: ReferenceTable, time: TimeSource) {
    self.library = library
    self.references = references
    run = RunRecorder(library, time)
    open = OpenRecords(library)
  }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - text: the new bytes of its file, or `nil` to remove it.
  ///   - mode: the mode of a file that has to be created, if known.
  ///   - sidecar: its kept sidecar; only a conflict and a requested delete are restored from it
  ///     because the server's newer state stays.
  ///   - hadNoSidecar: whether the run noted that it had none.
  ///   - place: the record that the sidecar's path belongs to.
  /// - Returns: whether anything changes.
  /// - Throws: `EditError.isOpen`; `Problem` if the record's file cannot be read, or is in a folder that is
  ///   another library by now; `FileError`.
  mutating func add(
    _ ref: RecordRef, _ text: [UInt8]?, mode: UInt32? = nil, sidecar: [UInt8]? = nil,
    hadNoSidecar: Bool = false, at place: RecordRef
  ) throws -> Bool {
    if let problem = library.nameProblem(of: ref, isNew: false) { throw problem }
    let status = try FileSystem.status(library.path(ref.path))
    let current = status == nil ? nil : try library.read(ref.path)
    let currentSidecar = try? library.read(place.sidecarPath)
    var change = Change(ref: ref, place: place)
    switch (text, current) {
    case (let text?, nil):
      change.record = .write(text, .absent)
      change.mode = mode
    case (let text?, let current?):
      if text != current { change.record = .write(text, .content(ContentDigest(current))) }
    case (nil, let current?): change.record = .remove(ContentDigest(current))
    case (nil, nil): break
    }
    if let text = sidecarText(sidecar, currentSidecar, place, isRemoved: text == nil),
      text != currentSidecar
    {
      change.sidecar = .write(
        text, currentSidecar.map { .content(ContentDigest($0)) } ?? .absent)
    } else if hadNoSidecar, let currentSidecar,
      let sidecar = try? Sidecar(bytes: currentSidecar, ref: place),
      sidecar.conflict == .deletedOnServer
    {
      // The conflict was resolved, which removes the sidecar; an undo brought both back.
      change.sidecar = .remove(ContentDigest(currentSidecar))
      change.removedID = sidecar.id
    }
    guard change.record != nil || change.sidecar != nil else { return false }
    try open.check([ref])
    run.pending.save(
      ref, local: current, sidecar: currentSidecar, hasNoSidecar: currentSidecar == nil,
      at: place, mode: status?.mode)
    run.note(ref, after: text.map { ContentDigest($0) })
    changes.append(change)
    return true
  }

  /// Returns the new text of a record's sidecar, or `nil` if it stays.
  private func sidecarText(
    _ old: [UInt8]?, _ current: [UInt8]?, _ place: RecordRef, isRemoved: Bool
  ) -> [UInt8]? {
    func sidecar(_ bytes: [UInt8]?) -> Sidecar? {
      bytes.flatMap { try? Sidecar(bytes: $0, ref: place) }
    }
    let before = sidecar(old)
    // Without the choice between two records, one's text would be sent to the other.
    if let old, let sides = SidecarSides(old, ref: place), sides.merged == nil { return old }
    guard let current else {
      // Only resolving a conflict with a delete on the server removes a sidecar with a conflict.
      return before?.conflict == .deletedOnServer ? old : nil
    }
    guard var now = sidecar(current) else {
      // The choice was made before, and an undo brought the question back.
      let sides = SidecarSides(current, ref: place).map { [$0.ours, $0.theirs] } ?? []
      let isSide = sides.contains { $0.id == before?.id && $0.updatedAt == before?.updatedAt }
      return isSide ? old : nil
    }
    if let before, before.undecided == now.undecided { return old }
    // A restored record is not to be deleted, so its earlier requested delete is withdrawn: a later
    // loss of its file must not count as one.
    let isDeleteStated =
      isRemoved && before?.id == now.id && before?.isDeleteStated == true
    guard now.isDeleteStated != isDeleteStated else { return nil }
    now.isDeleteStated = isDeleteStated
    return now.fileBytes
  }

  /// Returns the text of a record with `values`: the current text with as few changes as possible,
  /// or a new one if that cannot be read.
  ///
  /// - Parameters:
  ///   - current: the content of the file, or `nil`.
  ///   - sidecar: the record's sidecar, whose `refs` keep the ids of names that are gone.
  func text(
    _ values: FieldValues, of ref: RecordRef, over current: [UInt8]?, sidecar: Sidecar?
  ) -> [UInt8] {
    if let current, let text = updated(current, to: values, ref, sidecar) { return text }
    return RecordFile.newFile(values, references: references)
  }

  private func updated(
    _ current: [UInt8], to values: FieldValues, _ ref: RecordRef, _ sidecar: Sidecar?
  ) -> [UInt8]? {
    guard var file = try? RecordFile(ref: ref, bytes: current) else { return nil }
    let malformed = file.reading(references: references, sidecar: sidecar).malformed
      .flatMap(\.keys).filter { file.document.root[$0] != nil }
    if !malformed.isEmpty {
      // An update keeps a value of the wrong type as an edit, so it is removed first.
      guard let document = try? file.document.setting(malformed.map { (key: $0, value: nil) }),
        let valid = try? RecordFile(ref: ref, bytes: document.bytes)
      else { return nil }
      file = valid
    }
    let text = try? file.updated(to: values, references: references, sidecar: sidecar).bytes
    guard let text, let result = try? RecordFile(ref: ref, bytes: text) else { return nil }
    let changes = result.reading(references: references, sidecar: sidecar).changes(from: values)
    let isEqual = changes.allSatisfy { field in
      // The name of a record that was created again has another id, or none yet.
      guard let kind = field.referencedKind, let id = values[field]?.string,
        let name = references.name(of: kind, id: id)
      else { return false }
      return result.document.root[field.key]?.string == name
    }
    return isEqual ? text : nil
  }

  /// Writes the added records, or drops them in a dry run.
  ///
  /// - Returns: the records that were skipped: with `EditError.changedMeanwhile` those that were saved at
  ///   the same time, with a `FileError` those whose file or sidecar cannot be written.
  /// - Throws: `FileError` if the run cannot be written.
  func commit(command: String, isDryRun: Bool = false) throws -> [RunHistory.Skipped] {
    guard !changes.isEmpty, !isDryRun else { return [] }
    defer { withExtendedLifetime(open) {} }
    try run.flush()
    var batch = WriteBatch(root: library.root)
    for change in changes {
      batch.add(
        change.ref, in: library, record: change.record, sidecar: change.sidecar, at: change.place,
        mode: change.mode)
    }
    var skipped: [RunHistory.Skipped] = []
    for (result, change) in zip(batch.commit(), changes) {
      switch result {
      case .done: if let id = change.removedID { library.forgetSeen(id, of: change.ref.kind) }
      case .changedMeanwhile:
        skipped.append((change.ref, EditError.changedMeanwhile(change.ref)))
      case .failed(let error): skipped.append((change.ref, error))
      }
    }
    try run.finish(command: command)
    return skipped
  }
}

extension Sidecar {
  /// The sidecar without a conflict or a requested delete.
  fileprivate var undecided: [UInt8] {
    var sidecar = self
    sidecar.conflict = nil
    sidecar.isDeleteStated = false
    return sidecar.fileBytes
  }
}
