import JSONText
import StoryLibrary

/// The versions that one run kept, read from its `saved.jsonl`.
struct SavedVersions {
  private(set) var versions: [RunHistory.Version] = []
  /// The digest of each record after the run's change; an inner `nil` if it was removed.
  private(set) var after: [RecordRef: ContentDigest?] = [:]
  /// The file of each record before the run, or the server's version if the file's was not kept; an
  /// inner `nil` if it had no file.
  private(set) var before: [RecordRef: RunHistory.Version?] = [:]
  /// The ids of the records, as far as their sidecars were kept.
  private(set) var ids: [RecordRef: String] = [:]
  /// The first kept sidecar of each record, and the record that its path belongs to.
  private(set) var sidecars: [RecordRef: (bytes: [UInt8], place: RecordRef)] = [:]
  private(set) var sidecarCount = 0
  /// The records that are noted to have had no sidecar before the run.
  private(set) var withoutSidecar: Set<RecordRef> = []
  /// The records in the order in which they were kept.
  private(set) var refs: [RecordRef] = []

  init(_ library: Library, run: String) throws(FileError) {
    let path = library.statePath("runs/\(run)/saved.jsonl")
    guard FileSystem.exists(path) else { return }
    var seen: Set<RecordRef> = []
    for line in try FileSystem.read(path, limit: 1 << 30).split(separator: 0x0A) {
      // A line that was cut off by a crash was never acted on.
      guard let value = try? JSONValue(parsing: Array(line)),
        let ref = value["ref"]?.string.flatMap({ RecordRef($0) })
      else { continue }
      if seen.insert(ref).inserted { refs.append(ref) }
      if let sidecar = value["sidecar"]?.string {
        sidecarCount += 1
        let place = value["place"]?.string.flatMap { RecordRef($0) } ?? ref
        let bytes = Array(sidecar.utf8)
        if sidecars[ref] == nil { sidecars[ref] = (bytes, place) }
        ids[ref] = ids[ref] ?? (try? Sidecar(bytes: bytes, ref: place).id)
      }
      if value["sidecar"]?.isNull == true { withoutSidecar.insert(ref) }
      if let id = value["id"]?.string { ids[ref] = ids[ref] ?? id }
      if let digest = value["after"] {
        after[ref] = .some(digest.string.flatMap { ContentDigest($0) })
      } else if value["absent"]?.bool == true {
        before[ref] = .some(nil)
      } else if let text = value["text"]?.string,
        !text.isEmpty || value["side"]?.string == "here"
      {
        let isServer = value["side"]?.string == "server"
        let version = RunHistory.Version(
          run: run, ref: ref, isServer: isServer,
          text: value["bytes"]?.string.flatMap(Hexadecimal.bytes) ?? Array(text.utf8),
          mode: value["mode"]?.string.flatMap { UInt32($0, radix: 8) })
        let known = before[ref]
        if known == nil || known??.isServer == true && !isServer { before[ref] = version }
        versions.append(version)
      }
    }
  }

  /// Returns the library's names and ids, with those of records that the run removed. A restored
  /// record references them by name, also if they were restored before it, because an id that the
  /// server has deleted means nothing any more.
  func references(_ present: ReferenceTable) -> ReferenceTable {
    var result = present
    for (ref, id) in ids {
      // A record that was renamed since has its id already.
      if present.meaning(of: ref) == .unknown, present.name(of: ref.kind, id: id) == nil {
        result.add(ref, id: id)
      } else {
        result.add(ref, formerID: id)
      }
    }
    return result
  }
}
