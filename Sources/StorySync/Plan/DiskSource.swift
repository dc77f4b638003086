import JSONText
import StoryAPI
import StoryLibrary

/// Reads records and sidecars from a library's files, and the server's from the spool.
struct DiskSource: RecordSource {
  let library: Library
  let spool: Spool
  /// How far the server's clock is ahead of this machine's; `nil` where the server did not say.
  var clockDifference: Duration?

  func file(_ ref: RecordRef) throws(Problem) -> RecordFile {
    try RecordFile(ref: ref, bytes: read(ref.path))
  }

  func sidecar(of ref: RecordRef, at place: RecordRef) throws(Problem) -> Sidecar {
    try Sidecar(bytes: read(place.sidecarPath), ref: place)
  }

  func record(_ kind: EntityKind, _ entry: RemoteState.Entry) throws -> RemoteRecord {
    try spool.record(kind, at: entry.location)
  }

  func modified(_ ref: RecordRef) -> ServerDate? {
    guard let clockDifference,
      let status = try? FileSystem.status(library.path(ref.path))
    else { return nil }
    let (seconds, nanoseconds) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    return ServerDate(seconds: Int64(seconds), nanoseconds: Int64(nanoseconds))
      .advanced(by: clockDifference)
  }

  func read(_ path: String) throws(Problem) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.read(library.path(path), limit: JSONDocument.maximumSize)
    } catch {
      throw Problem(error, file: path)
    }
  }
}
