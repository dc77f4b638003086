import JSONText
import StoryLibrary
import StoryServer
import Synchronization

/// The records of a server as the sidecars of a library remember them, read one by one.
final class SidecarImport: Sequence, Sendable {
  private let library: Library
  private let entries: [ScanEntry]
  private let failure = Mutex<Problem?>(nil)

  init(library: Library, scan: Scan) {
    self.library = library
    var seen: Set<String> = []
    // Of two sidecars with one id the first one speaks; both stay blocked until somebody decides.
    entries = scan.entries.filter { entry in
      guard let id = entry.id else { return false }
      return seen.insert("\(entry.ref.kind)/\(id)").inserted
    }
  }

  /// The first sidecar that could not be read; the sequence ended there.
  var problem: Problem? { failure.withLock { $0 } }

  func makeIterator() -> AnyIterator<ImportedRecord> {
    var rest = entries[...]
    return AnyIterator { [self] in
      while let entry = rest.popFirst() {
        do throws(Problem) {
          if let record = try record(of: entry) { return record }
        } catch {
          failure.withLock { $0 = error }
          return nil
        }
      }
      return nil
    }
  }

  /// What the server had; `nil` where the sidecar says that it has it no more.
  private func record(of entry: ScanEntry) throws(Problem) -> ImportedRecord? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(library.path(entry.sidecarPath))
    } catch {
      throw Problem(
        .unreadable, file: entry.sidecarPath, message: "cannot be read: \(error.reason)")
    }
    let sidecar = try Sidecar(bytes: bytes, ref: entry.ref)
    if sidecar.conflict == .deletedOnServer { return nil }
    var values = sidecar.base
    if case .fields(_, let fields)? = sidecar.conflict {
      for conflict in fields {
        if let index = entry.ref.kind.schema.fieldIndex(wireKey: conflict.wireKey) {
          values[entry.ref.kind.schema.fields[index]] = conflict.server
        }
      }
    }
    var object = values.wire
    for member in sidecar.server.members { object[member.key] = member.value }
    guard let kind = RecordKind(rawValue: entry.ref.kind.schema.wirePath) else { return nil }
    return ImportedRecord(
      kind: kind, id: sidecar.id, updatedAt: sidecar.updatedAt,
      json: JSONValue.object(object).compactBytes)
  }
}
