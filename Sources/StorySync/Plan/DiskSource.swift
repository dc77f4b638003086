import JSONText
import StoryAPI
import StoryLibrary

/// Reads records and sidecars from a library's files, and server records from the spool.
struct DiskSource: RecordSource {
  let library: Library
  let spool: Spool
  /// The seconds by which the server's clock is ahead of this machine's, or `nil` if unknown.
  var clockDifference: Duration?
  /// See ``Scanner/assumedSidecars``.
  var assumedSidecars: [RecordRef: [UInt8]?] = [:]

  private var files: LibraryFiles { LibraryFiles(library: library) }

  func read(_ path: String) throws(Problem) -> [UInt8] { try files.read(path) }

  func file(_ ref: RecordRef) throws(Problem) -> RecordFile { try files.file(ref) }

  func sidecar(of ref: RecordRef, at place: RecordRef) throws(Problem) -> Sidecar {
    if let assumed = assumedSidecars[place], let assumed {
      return try Sidecar(bytes: assumed, ref: place)
    }
    return try files.sidecar(of: ref, at: place)
  }

  func record(_ kind: EntityKind, _ entry: RemoteChange) throws -> RemoteRecord {
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

  /// Returns the ids of the local records of `kind` whose sidecars have an optional reference to a
  /// record of kind `other` with an id that satisfies `isMeant`.
  func referrers(
    _ kind: EntityKind, of other: EntityKind, _ scan: Scan, _ isMeant: (String) -> Bool
  ) -> [String] {
    let fields = kind.schema.fields.filter { $0.referencedKind == other && !$0.isRequired }
    guard !fields.isEmpty else { return [] }
    return scan.entries.compactMap { entry in
      guard entry.ref.kind == kind, let id = entry.id,
        let sidecar = try? sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref),
        fields.contains(where: { sidecar.base[$0]?.string.map(isMeant) ?? false })
      else { return nil }
      return id
    }
  }
}
