import JSONText
import StoryLibrary
import StoryServer
import StorySync
import Synchronization

/// The records of a server according to the sidecars of a library, read one by one.
///
/// An unreadable sidecar does not stop the others. If it contains git's conflict markers, the import uses
/// the version that the next sync will choose. Otherwise the server keeps its record; if it has none, the
/// next sync creates the record again.
final class SidecarImport: Sequence, Sendable {
  private let library: Library
  private let entries: [(entry: ScanEntry, id: String)]
  private let hidden: [RecordRef: [UInt8]]
  private let present: @Sendable (RecordKind, String) -> ImportedRecord?
  private let failure = Mutex<Problem?>(nil)

  /// Creates an import of the sidecars of a scan.
  ///
  /// - Parameters:
  ///   - hidden: the sidecars that are not checked out, with their texts.
  ///   - present: the server's current record, or `nil` if it has none.
  init(
    library: Library, scan: Scan, hidden: [(ref: RecordRef, bytes: [UInt8])] = [],
    present: @escaping @Sendable (RecordKind, String) -> ImportedRecord?
  ) {
    self.library = library
    self.present = present
    self.hidden = Dictionary(hidden.map { ($0.ref, $0.bytes) }, uniquingKeysWith: { $1 })
    var seen: Set<String> = []
    // Of two sidecars with one id, the first is used; both stay blocked until a person decides. One
    // with several ids is not used, so the records with these ids stay unless another sidecar has them.
    let several = scan.entries.filter { $0.id == nil && !$0.possibleIDs.isEmpty }
    entries = (scan.entries.filter { $0.id != nil } + several).flatMap { entry in
      entry.namedIDs.filter { seen.insert("\(entry.ref.kind)/\($0)").inserted }
        .map { (entry, $0) }
    }
  }

  /// The first sidecar that could not be read; the sequence ended there.
  var problem: Problem? { failure.withLock { $0 } }

  func makeIterator() -> AnyIterator<ImportedRecord> {
    var rest = entries[...]
    return AnyIterator { [self] in
      while let entry = rest.popFirst() {
        do throws(Problem) {
          if let record = try record(of: entry.entry, id: entry.id) { return record }
        } catch {
          failure.withLock { $0 = error }
          return nil
        }
      }
      return nil
    }
  }

  /// The server's version, or `nil` if the sidecar says that it was deleted there.
  private func record(of entry: ScanEntry, id: String) throws(Problem) -> ImportedRecord? {
    guard let kind = RecordKind(rawValue: entry.ref.kind.schema.wirePath) else { return nil }
    let bytes: [UInt8]
    if entry.state == .notCheckedOut, let text = hidden[entry.renamedFrom ?? entry.ref] {
      bytes = text
    } else {
      do throws(FileError) {
        bytes = try FileSystem.read(library.path(entry.sidecarPath))
      } catch {
        // The record stays as it is until its sidecar can be read.
        if let record = present(kind, id) { return record }
        throw Problem(.unreadable(error), file: entry.sidecarPath)
      }
    }
    let sidecar: Sidecar
    do throws(Problem) {
      sidecar = try Sidecar(bytes: bytes, ref: entry.ref)
    } catch {
      // The meaning of a newer program's sidecar is unknown.
      if error.code == .newerVersion { throw error }
      guard let fixed = SidecarSides(bytes, ref: entry.ref)?.merged else {
        return present(kind, id)
      }
      sidecar = fixed
    }
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
    return ImportedRecord(
      kind: kind, id: sidecar.id, updatedAt: sidecar.updatedAt,
      json: JSONValue.object(object).compactBytes)
  }
}
