import JSONText
import StoryAPI
import StoryLibrary

/// The source of the few records whose content the planner needs.
protocol RecordSource: Sendable {
  /// Returns the bytes of a file, by its path relative to the library's root.
  func read(_ path: String) throws(Problem) -> [UInt8]
  func file(_ ref: RecordRef) throws(Problem) -> RecordFile
  /// Returns the sidecar with the name of `place`.
  func sidecar(at place: RecordRef) throws(Problem) -> Sidecar
  func record(_ kind: EntityKind, _ entry: RemoteChange) throws -> RemoteRecord
  /// Returns when a record's file was written, by the server's clock, or `nil` if that is unknown.
  func modified(_ ref: RecordRef) -> ServerDate?
}

extension RecordSource {
  /// Returns the sidecar of a scanned record, which may still have the record's former name.
  func sidecar(of entry: ScanEntry) throws(Problem) -> Sidecar { try sidecar(at: entry.place) }
}

/// Reads records and sidecars from a library's files, and server records from the spool.
struct DiskSource: RecordSource {
  var library: Library
  let spool: Spool
  /// How many seconds the server's clock is ahead of this machine's, or `nil` if unknown.
  var clockDifference: Duration?
  /// See ``Scanner/assumedSidecars``.
  var assumedSidecars: [RecordRef: [UInt8]?] = [:]

  /// Returns the source for one group of records; see ``Library/keepingFoldersOpen()``.
  func keepingFoldersOpen() -> DiskSource {
    var source = self
    source.library = library.keepingFoldersOpen()
    return source
  }

  func read(_ path: String) throws(Problem) -> [UInt8] { try library.read(path) }

  func file(_ ref: RecordRef) throws(Problem) -> RecordFile { try library.file(ref) }

  func sidecar(at place: RecordRef) throws(Problem) -> Sidecar {
    if let assumed = assumedSidecars[place], let assumed {
      return try Sidecar(bytes: assumed, ref: place)
    }
    return try library.sidecar(at: place)
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
        let sidecar = try? sidecar(of: entry),
        fields.contains(where: { sidecar.base[$0]?.string.map(isMeant) ?? false })
      else { return nil }
      return id
    }
  }
}
