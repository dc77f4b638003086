import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

/// Merges the answers to writes with what is on disk. It changes nothing, so that it can do so on several
/// threads.
///
/// The answer to a push is itself merged: base is the old base plus what was sent, remote is the
/// answer, local is the current file. So what a server normalizes is written back, and an edit made
/// meanwhile stays an edit.
struct AnswerMerger: Sendable {
  let source: DiskSource
  let decider: Decider
  let references: ReferenceTable
  /// Whether the files keep changing and are not read any more.
  let isLast: Bool

  enum Task {
    /// `sent` is what the server is known to have from this side; `answer` is its version now.
    case merge(sent: FieldValues, answer: RemoteRecord, isRefused: Bool)
    /// The new sidecar, or `nil` to remove it.
    case sidecar(Sidecar?)
    /// The record's file is written again.
    case bringBack(RemoteRecord)
  }

  struct Entry {
    var item: Outgoing
    var task: Task

    var ref: RecordRef { item.step.ref }
  }

  struct Write {
    var record: WriteBatch.Change?
    /// The new sidecar, or `nil` to remove it.
    var sidecar: [UInt8]?
    /// The digest of the record after the write, or `nil` if there is no record.
    var digest: ContentDigest?
    var merged: MergedRecord?
    /// The versions that the write replaces.
    var versions = RunRecorder.Versions()
  }

  /// Returns what an answer writes, or `nil` for nothing.
  func write(for entry: Entry) -> Write? {
    switch entry.task {
    case .sidecar(let sidecar): return Write(sidecar: sidecar?.fileBytes)
    case .bringBack(let current):
      let text = RecordFile.newFile(current.fields, references: references)
      return Write(
        record: .write(text, .absent), sidecar: Sidecar(current, references: references).fileBytes,
        digest: ContentDigest(text))
    case .merge(let sent, let answer, let isRefused):
      guard var sidecar = sidecar(for: entry, answer) else { return nil }
      // The server repeats what it was sent, so the file needs no merge, whatever it contains now.
      if !isRefused, sidecar.conflict == nil, let file = entry.item.file, answer.fields == sent {
        sidecar.rebase(on: answer)
        sidecar.refs = file.refs
        sidecar.isDeleteStated = false
        return Write(sidecar: sidecar.fileBytes, digest: file.digest)
      }
      sidecar.base = sent
      guard !isLast, let file = try? source.file(entry.ref) else {
        return knownOnly(entry, sidecar, answer)
      }
      let bytes = file.document.bytes
      let echoed = isRefused ? [] : Set(entry.item.write.body.members.map(\.key))
      let merged = source.merge(
        file, sidecar, with: answer, by: decider, references, echoed: echoed)
      var versions = RunRecorder.Versions()
      if merged.text != nil { versions.save(entry.ref, local: bytes) }
      if !merged.outcome.overridden.isEmpty {
        versions.save(entry.ref, server: answer.fields)
      }
      return Write(
        record: merged.text.map { .write($0, .content(ContentDigest(bytes))) },
        sidecar: merged.sidecar.fileBytes, digest: ContentDigest(merged.text ?? bytes),
        merged: merged, versions: versions)
    }
  }

  /// Returns the sidecar that an answer is merged into, or `nil` if it no longer exists.
  private func sidecar(for entry: Entry, _ answer: RemoteRecord) -> Sidecar? {
    if let sidecar = try? source.sidecar(at: entry.item.step.place) {
      // The sidecar is another record's now, or newer: a repeated answer is as old as its write.
      guard sidecar.id == answer.id else { return nil }
      if let has = ServerDate(sidecar.updatedAt), let comes = ServerDate(answer.updatedAt),
        comes < has
      {
        return nil
      }
      return sidecar
    }
    // Both files of a record that was only updated are gone, so nothing is written.
    let isNew = entry.item.write.operation == .create
    guard isNew || FileSystem.exists(source.library.path(entry.ref.path)) else { return nil }
    return Sidecar(answer, references: references)
  }

  /// Returns a write of the known facts about a record whose file is gone, unreadable or changing.
  ///
  /// Changes made by others cannot be merged into it now. So the sidecar keeps its revision, and
  /// the next listing brings these changes again.
  private func knownOnly(_ entry: Entry, _ sidecar: Sidecar, _ answer: RemoteRecord) -> Write {
    var next = sidecar
    if case .merge(_, _, isRefused: false) = entry.task {
      // The server's rendition of the sent values is not an edit.
      for field in entry.ref.kind.schema.fields
      where field.merge != .counter && entry.item.write.body[field.wireKey] != nil {
        next.base[field] = answer.fields[field]
      }
    }
    if answer.fields == next.base { next.rebase(on: answer) }
    // A new sidecar has no older revision: if the file comes back, it is compared with the changes.
    if case .merge(_, _, isRefused: true) = entry.task, entry.item.write.operation == .create {
      next.setDeletedLocally(answer)
    }
    return Write(sidecar: next.fileBytes)
  }
}
