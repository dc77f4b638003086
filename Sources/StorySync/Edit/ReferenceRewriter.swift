import JSONText
import StoryLibrary

struct ReferenceRewriter {
  let library: Library

  /// Returns the local referrers of `refs` by their files, grouped by referenced record.
  ///
  /// Outdated records (``ScanEntry/isOutdated``) are left out: the next pull replaces their text.
  func referrers(of refs: Set<RecordRef>, _ scan: Scan) -> [RecordRef: [RecordRef]] {
    var result: [RecordRef: [RecordRef]] = [:]
    for referrer in scan.possibleReferrers(of: refs) {
      guard scan.entry(referrer)?.isOutdated != true,
        let root = try? library.file(referrer).document.root
      else { continue }
      add(referrer, naming: refs, to: &result) { root[$0]?.string }
    }
    return result
  }

  /// Returns the local referrers of `refs` by their sidecars, grouped by referenced record.
  func rememberers(of refs: Set<RecordRef>, _ scan: Scan) -> [RecordRef: [RecordRef]] {
    var result: [RecordRef: [RecordRef]] = [:]
    for entry in scan.entries where entry.id != nil && !entry.isOutdated {
      guard !entry.ref.kind.schema.references.isEmpty,
        let names = try? library.sidecar(at: entry.ref).refs
      else { continue }
      add(entry.ref, naming: refs, to: &result) { names[$0]?.string }
    }
    return result
  }

  /// Adds a record under each of `refs` that one of its fields references.
  private func add(
    _ referrer: RecordRef, naming refs: Set<RecordRef>, to result: inout [RecordRef: [RecordRef]],
    _ name: (String) -> String?
  ) {
    let named = referrer.kind.schema.fields.compactMap { field -> RecordRef? in
      guard let kind = field.referencedKind, let name = name(field.key) else { return nil }
      return RecordRef(kind: kind, name: name)
    }
    for ref in Set(named).intersection(refs) { result[ref, default: []].append(referrer) }
  }

  /// Returns the records that were moved with their sidecars and are still referenced by old names.
  func moved(from entry: ScanEntry, _ scan: Scan) -> [(old: RecordRef, new: RecordRef)] {
    // The sidecar of a renamed record has yet to follow.
    guard entry.renamedFrom == nil, let file = try? library.file(entry.ref),
      let sidecar = try? library.sidecar(at: entry.ref)
    else { return [] }
    let reading = file.reading(references: scan.references, sidecar: sidecar)
    return reading.outdated.compactMap { field in
      guard let kind = field.referencedKind, let id = reading.values[field]?.string,
        let target = scan.entry(id: id, of: kind), target.renamedFrom == nil,
        let name = file.document.root[field.key]?.string, name != target.ref.name
      else { return nil }
      return (RecordRef(kind: kind, name: name), target.ref)
    }
  }

  private func keys(naming kind: EntityKind, in other: EntityKind) -> [String] {
    other.schema.fields.filter { $0.referencedKind == kind }.map(\.key)
  }

  /// Rewrites the reference in each record and in its sidecar; all other bytes stay. A record that is
  /// saved at the same time, or cannot be read, keeps the old name, which still leads to the id.
  ///
  /// A sidecar may remember the new name for another record, which the rewritten reference would
  /// then mean. Such sidecars forget it first.
  /// - Throws: `FileError`.
  func rewrite(_ referrers: [RecordRef], from old: RecordRef, to new: RecordRef) throws {
    var forgetting = WriteBatch(root: library.root)
    var batch = WriteBatch(root: library.root)
    for ref in referrers {
      let file = try? library.file(ref)
      guard file != nil || !FileSystem.exists(library.path(ref.path)) else { continue }
      let record = file.flatMap { change(of: $0, from: old, to: new) }
      let sidecar = sidecarChange(of: ref, from: old, to: new)
      if record != nil, sidecar == nil, let change = sidecarChange(of: ref, from: new, to: nil) {
        forgetting.add(ref, in: library, sidecar: change)
      }
      if record != nil || sidecar != nil {
        batch.add(ref, in: library, record: record, sidecar: sidecar)
      }
    }
    for result in forgetting.commit() { _ = try result.isDone() }
    for result in batch.commit() { _ = try result.isDone() }
  }

  private func change(
    of file: RecordFile, from old: RecordRef, to new: RecordRef
  ) -> WriteBatch.Change? {
    let keys = keys(naming: old.kind, in: file.ref.kind).filter {
      file.document.root[$0]?.string == old.name
    }
    guard !keys.isEmpty,
      let changed = try? file.document.setting(
        keys.map { (key: $0, value: .string(new.name)) })
    else { return nil }
    return .write(changed.bytes, .content(ContentDigest(file.document.bytes)))
  }

  /// - Parameter new: the name to remember instead, or `nil` to remember none.
  private func sidecarChange(
    of ref: RecordRef, from old: RecordRef, to new: RecordRef?
  ) -> WriteBatch.Change? {
    guard var sidecar = try? library.sidecar(at: ref) else { return nil }
    let keys = keys(naming: old.kind, in: ref.kind).filter {
      sidecar.refs[$0]?.string == old.name
    }
    guard !keys.isEmpty else { return nil }
    for key in keys { sidecar.refs[key] = new.map { .string($0.name) } }
    return .sidecar(sidecar.fileBytes)
  }
}
