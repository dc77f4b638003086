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
  /// The records with versions that cannot be read.
  private(set) var unreadable: Set<RecordRef> = []
  /// The number of lines that cannot be read, wholly or in part.
  private(set) var unreadableLines = 0

  init(_ library: Library, run: String) throws(FileError) {
    let folder = library.statePath("runs/\(run)")
    let path = Path.join(folder, "saved.jsonl")
    guard FileSystem.exists(path) else { return }
    var seen: Set<RecordRef> = []
    let text = try FileSystem.read(path, limit: 1 << 30)
    for line in text.split(separator: 0x0A) {
      guard let value = try? JSONValue(parsing: Array(line)) else {
        // A line that was cut off by a crash was never acted on.
        guard line.endIndex < text.endIndex else { continue }
        unreadableLines += 1
        if let ref = Self.ref(ofLine: line) {
          unreadable.insert(ref)
          if seen.insert(ref).inserted { refs.append(ref) }
        }
        continue
      }
      guard let ref = value["ref"]?.string.flatMap({ RecordRef($0) }) else { continue }
      if seen.insert(ref).inserted { refs.append(ref) }
      func kept(_ key: String) -> [UInt8]? {
        guard let value = value[key], !value.isNull else { return nil }
        let bytes = Self.bytes(value, in: folder)
        if bytes == nil {
          unreadableLines += 1
          unreadable.insert(ref)
        }
        return bytes
      }
      if let bytes = kept("sidecar") {
        sidecarCount += 1
        let place = value["place"]?.string.flatMap { RecordRef($0) } ?? ref
        if sidecars[ref] == nil { sidecars[ref] = (bytes, place) }
        ids[ref] = ids[ref] ?? (try? Sidecar(bytes: bytes, ref: place).id)
      }
      if value["sidecar"]?.isNull == true { withoutSidecar.insert(ref) }
      if let id = value["id"]?.string { ids[ref] = ids[ref] ?? id }
      if let digest = value["after"] {
        after[ref] = .some(digest.string.flatMap { ContentDigest($0) })
      } else if value["absent"]?.bool == true {
        before[ref] = .some(nil)
      } else if let text = kept("text"), !text.isEmpty || value["side"]?.string == "here" {
        let isServer = value["side"]?.string == "server"
        let version = RunHistory.Version(
          run: run, ref: ref, isServer: isServer,
          // Bytes that are not UTF-8 were kept like this by earlier versions of the program.
          text: value["bytes"]?.string.flatMap(Hexadecimal.bytes) ?? text,
          mode: value["mode"]?.string.flatMap { UInt32($0, radix: 8) })
        let known = before[ref]
        if known == nil || known??.isServer == true && !isServer { before[ref] = version }
        versions.append(version)
      }
    }
  }

  /// Returns the bytes that a line says, or `nil` if the file that it refers to does not have them.
  private static func bytes(_ value: JSONValue, in folder: ConfinedPath) -> [UInt8]? {
    if let text = value.string { return Array(text.utf8) }
    guard let digest = value["file"]?.string.flatMap({ ContentDigest($0) }) else { return nil }
    let file = Path.join(folder, digest.description)
    let bytes = try? FileSystem.read(file, limit: 1 << 30)
    return bytes.flatMap { ContentDigest($0) == digest ? $0 : nil }
  }

  /// Returns the record of a line that cannot be parsed, such as one that is too long.
  private static func ref(ofLine line: ArraySlice<UInt8>) -> RecordRef? {
    let end = line.firstRange(of: Array(",\"".utf8))?.lowerBound ?? line.endIndex
    let start = try? JSONValue(parsing: line[..<end] + Array("}".utf8))
    return start?["ref"]?.string.flatMap { RecordRef($0) }
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

  /// Adds the ids of records that were deleted and created again since, as the kept sidecars reference them.
  func addReferencedIDs(to references: inout ReferenceTable) {
    for (bytes, place) in sidecars.values {
      if let sidecar = try? Sidecar(bytes: bytes, ref: place) {
        references.add(formerIDsIn: sidecar)
      }
    }
  }
}
