import JSONText

extension ScanEntry {
  /// The records of its library that the record names and that the server does not have yet, in the
  /// order in which they are named.
  ///
  /// A scan notes only whether there are any (``isWaiting``), so the two files are read once more. Empty
  /// where they cannot be read.
  /// - Parameters:
  ///   - library: the library that was scanned.
  ///   - references: what names stand for, as the scan found it.
  public func waitsFor(in library: Library, _ references: ReferenceTable) -> [RecordRef] {
    guard isWaiting,
      let bytes = try? FileSystem.read(library.path(ref.path), limit: JSONDocument.maximumSize),
      let file = try? RecordFile(ref: ref, bytes: bytes)
    else { return [] }
    var sidecar: Sidecar?
    if sidecarDigest != nil, let bytes = try? FileSystem.read(library.path(sidecarPath)) {
      sidecar = try? Sidecar(bytes: bytes, ref: ref)
    }
    return file.reading(references: references, sidecar: sidecar).pending
  }
}
