import JSONText
import StoryLibrary

/// Lets records name a renamed record by its new name.
struct ReferenceRewriter {
  let library: Library

  private var files: LibraryFiles { LibraryFiles(library: library) }

  /// The records here that name `ref` in their files.
  func namers(of ref: RecordRef, _ scan: Scan) -> [RecordRef] {
    guard ReferenceTable.kinds.contains(ref.kind) else { return [] }
    return scan.entries.compactMap { entry in
      guard entry.hasRecord, !keys(naming: ref.kind, in: entry.ref.kind).isEmpty,
        let file = try? files.file(entry.ref)
      else { return nil }
      return namingKeys(file, ref).isEmpty ? nil : entry.ref
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
      guard let bytes = try? files.read(ref.path),
        let file = try? RecordFile(ref: ref, bytes: bytes),
        let changed = try? file.document.setting(
          namingKeys(file, old).map { (key: $0, value: .string(new.name)) })
      else { continue }
      var sidecarBytes: [UInt8]?
      if var sidecar = try? files.sidecar(of: ref, at: ref) {
        for key in keys(naming: old.kind, in: ref.kind)
        where sidecar.refs[key]?.string == old.name {
          sidecar.refs[key] = .string(new.name)
        }
        sidecarBytes = sidecar.fileBytes
      }
      batch.add(
        record: (library.path(ref.path), .write(changed.bytes, .content(ContentDigest(bytes)))),
        sidecar: sidecarBytes.map { (library.path(ref.sidecarPath), .write($0, .anything)) })
    }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
  }
}
