import JSONText
import StoryAPI
import StoryLibrary

/// Finds out what became of writes whose answers were lost, where they cannot just be sent again:
/// on a server that does not remember keys, and in a pull, which sends nothing but reads.
///
/// It looks at what the server lists now. What it finds is noted in sidecars, and the next plan
/// goes on from there, with every edit and rename made since.
struct LostWriteResolver {
  let library: Library
  let source: DiskSource
  let scan: Scan
  let remote: RemoteState

  /// What came out.
  struct Outcome {
    /// Whether a sidecar changed, so that the library has to be scanned again.
    var isChanged = false
    /// New records of which one of the same name has come to the server: perhaps the same one.
    var doubtful: [RecordRef] = []
    /// The entries of the journal that are settled.
    var finished: [Int] = []
  }

  /// Settles the journal's open writes.
  func resolve(_ leftovers: [(number: Int, entry: Journal.Entry)]) throws -> Outcome {
    var outcome = Outcome()
    var batch = WriteBatch(root: library.root)
    var taken: Set<String> = []
    for (number, entry) in leftovers {
      guard case .write(let ref, let place, let write) = entry else { continue }
      switch write.operation {
      case .create:
        switch try fate(of: write, ref, &taken) {
        case .made(let record):
          let sidecar = Sidecar(
            record, refs: RecordFile.refs(of: record.fields, references: scan.references))
          batch.add(
            record: nil,
            sidecar: (library.path(ref.sidecarPath), .write(sidecar.fileBytes, .absent)))
          outcome.isChanged = true
        case .doubtful:
          outcome.doubtful.append(ref)
          continue
        case .notMade: break
        }
      case .update:
        if let sidecar = try rebased(ref, place, write) {
          batch.add(
            record: nil,
            sidecar: (library.path(place.sidecarPath), .write(sidecar.fileBytes, .anything)))
          outcome.isChanged = true
        }
      case .delete: break  // the listing says whether it is gone
      }
      outcome.finished.append(number)
    }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
    return outcome
  }

  private enum Fate {
    case made(RemoteRecord)
    case doubtful
    case notMade
  }

  /// Looks for the record that a lost create may have made, among those that no sidecar names.
  private func fate(
    of write: RemoteWrite, _ ref: RecordRef, _ taken: inout Set<String>
  ) throws -> Fate {
    guard scan.entry(ref)?.id == nil else { return .notMade }
    let sent = FieldValues(kind: write.kind, wire: write.body)
    let known = Set(scan.entries.lazy.filter { $0.ref.kind == write.kind }.compactMap(\.id))
    var namesakes = 0
    for entry in (remote.kinds[write.kind]?.changed ?? [:]).values.sorted(by: { $0.id < $1.id })
    where !known.contains(entry.id) && !taken.contains(entry.id) {
      let record = try source.record(write.kind, entry)
      if record.fields == sent {
        taken.insert(entry.id)
        return .made(record)
      }
      if let title = sent.title, record.fields.title == title { namesakes += 1 }
    }
    return namesakes == 1 ? .doubtful : .notMade
  }

  /// The sidecar of a record whose update may have arrived, with the sent values as base where the
  /// server has them now; `nil` where nothing is to be noted.
  ///
  /// A counter that has some third value takes the larger of both sides: whoever counted, no count
  /// is doubled.
  private func rebased(
    _ ref: RecordRef, _ place: RecordRef, _ write: RemoteWrite
  ) throws -> Sidecar? {
    guard let id = write.id, let entry = remote.kinds[write.kind]?.changed[id],
      var sidecar = try? source.sidecar(of: ref, at: place)
    else { return nil }
    let record = try source.record(write.kind, entry)
    let local = (try? source.file(ref))?
      .reading(references: scan.references, sidecar: sidecar).values
    var isChanged = false
    for field in ref.kind.schema.fields {
      guard let sent = write.body[field.wireKey] else { continue }
      let there = record.fields.effective(field)
      let base = sidecar.base.effective(field)
      if there == sent {
        sidecar.base[field] = sent
      } else if field.merge == .counter, there != base,
        let here = local?.effective(field).integer, let count = there.integer
      {
        sidecar.base[field] = .number(JSONNumber(min(here, count)))
      } else {
        continue
      }
      isChanged = isChanged || sidecar.base.effective(field) != base
    }
    return isChanged ? sidecar : nil
  }
}
