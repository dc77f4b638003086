import JSONText

extension Library {
  /// The records of this library that a record names and that the server does not have yet, in the
  /// order in which they are named.
  ///
  /// A scan notes only whether there are any (``ScanEntry/isWaiting``), so the two files are read once
  /// more. Empty where they cannot be read.
  /// - Parameters:
  ///   - entry: the record as the scan found it.
  ///   - references: what names stand for, as the scan found it.
  public func awaited(by entry: ScanEntry, _ references: ReferenceTable) -> [RecordRef] {
    guard entry.isWaiting,
      let bytes = try? FileSystem.read(path(entry.ref.path), limit: JSONDocument.maximumSize),
      let file = try? RecordFile(ref: entry.ref, bytes: bytes)
    else { return [] }
    var sidecar: Sidecar?
    if entry.sidecarDigest != nil, let bytes = try? FileSystem.read(path(entry.sidecarPath)) {
      sidecar = try? Sidecar(bytes: bytes, ref: entry.ref)
    }
    return file.reading(references: references, sidecar: sidecar).pending
  }
}
