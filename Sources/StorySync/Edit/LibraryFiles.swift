import JSONText
package import StoryLibrary

/// Reads records and sidecars of a library, with problems that name the file.
package struct LibraryFiles: Sendable {
  let library: Library

  package init(library: Library) { self.library = library }

  func read(_ path: String) throws(Problem) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.read(library.path(path), limit: JSONDocument.maximumSize)
    } catch {
      throw Problem(error, file: path)
    }
  }

  func file(_ ref: RecordRef) throws(Problem) -> RecordFile {
    try RecordFile(ref: ref, bytes: read(ref.path))
  }

  /// Returns a record's sidecar from the path of the sidecar of `place`.
  package func sidecar(of ref: RecordRef, at place: RecordRef) throws(Problem) -> Sidecar {
    try Sidecar(bytes: read(place.sidecarPath), ref: place)
  }
}
