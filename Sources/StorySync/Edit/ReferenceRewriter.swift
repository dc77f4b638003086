import JSONText
import StoryLibrary

/// Lets records name a renamed record by its new name.
struct ReferenceRewriter {
  let library: Library

  private var files: LibraryFiles { LibraryFiles(library: library) }

  /// The records here that name `ref` in their files.
  func namers(of ref: RecordRef, _ scan: Scan) -> [RecordRef] {
    guard ReferenceTable.kinds.contains(ref.kind) else { return [] }
    return library.possibleNamers(of: ref, scan).filter { namer in
      (try? files.file(namer)).map { !namingKeys($0, ref).isEmpty } ?? false
    }
  }

  /// The records here whose sidecars remember `ref` as the name of what they refer to.
  func rememberers(of ref: RecordRef, _ scan: Scan) -> [RecordRef] {
    scan.entries.compactMap { entry in
      let keys = keys(naming: ref.kind, in: entry.ref.kind)
      guard !keys.isEmpty, entry.id != nil,
        let sidecar = try? files.sidecar(of: entry.ref, at: entry.ref)
      else { return nil }
      return keys.contains { sidecar.refs[$0]?.string == ref.name } ? entry.ref : nil
    }
  }

  private func keys(naming kind: EntityKind, in other: EntityKind) -> [String] {
    other.schema.fields.filter { $0.referencedKind == kind }.map(\.key)
  }

  private func namingKeys(_ file: RecordFile, _ ref: RecordRef) -> [String] {
    keys(naming: ref.kind, in: file.ref.kind).filter {
      file.document.root[$0]?.string == ref.name
    }
  }

  /// Rewrites the reference in each record and the name that its sidecar remembers; all other bytes
  /// stay. A record that is saved at the same moment keeps the old name, which still finds the id.
  ///
  /// - Throws: `FileError`.
  func rewrite(_ namers: [RecordRef], from old: RecordRef, to new: RecordRef) throws {
    var batch = WriteBatch(root: library.root)
    for ref in namers {
      let record = change(of: ref, from: old, to: new)
      let sidecar = sidecarChange(of: ref, from: old, to: new)
      if record != nil || sidecar != nil { batch.add(record: record, sidecar: sidecar) }
    }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
  }

  private func change(
    of ref: RecordRef, from old: RecordRef, to new: RecordRef
  ) -> (path: String, change: WriteBatch.Change)? {
    guard let bytes = try? files.read(ref.path), let file = try? RecordFile(ref: ref, bytes: bytes)
    else { return nil }
    let keys = namingKeys(file, old)
    guard !keys.isEmpty,
      let changed = try? file.document.setting(
        keys.map { (key: $0, value: .string(new.name)) })
    else { return nil }
    return (library.path(ref.path), .write(changed.bytes, .content(ContentDigest(bytes))))
  }

  private func sidecarChange(
    of ref: RecordRef, from old: RecordRef, to new: RecordRef
  ) -> (path: String, change: WriteBatch.Change)? {
    guard var sidecar = try? files.sidecar(of: ref, at: ref) else { return nil }
    let keys = keys(naming: old.kind, in: ref.kind).filter {
      sidecar.refs[$0]?.string == old.name
    }
    guard !keys.isEmpty else { return nil }
    for key in keys { sidecar.refs[key] = .string(new.name) }
    return (library.path(ref.sidecarPath), .write(sidecar.fileBytes, .anything))
  }
}
