import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

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
  /// Whether the server does a write that is sent again once in all.
  var canBeSentAgain: (LostWrite) -> Bool = { _ in false }

  /// What came out.
  struct Outcome {
    /// Whether a sidecar changed, so that the library has to be scanned again.
    var isChanged = false
    /// New records of which one of the same name has come to the server: perhaps the same one.
    var doubtful: [Doubt] = []
    /// The entries of the journal that are settled.
    var finished: [Int] = []
    /// Entries of the journal that take the place of finished ones.
    var kept: [LostWrite] = []
  }

  /// A record that the server may have already.
  struct Doubt: Sendable {
    var ref: RecordRef
    /// The ids of those that it may be.
    var doubles: [String]
    /// Whether the next push can send the create again and so finds out.
    var isSettledByPush: Bool
  }

  private enum Fate {
    case made(RemoteRecord)
    case doubtful([String])
    case notMade
  }

  private var locator: LostWriteLocator { LostWriteLocator(scan: scan, source: source) }

  /// Settles the journal's open writes.
  func resolve(_ writes: [(number: Int, lost: LostWrite)]) throws -> Outcome {
    var outcome = Outcome()
    var batch = WriteBatch(root: library.root)
    var taken: Set<String> = []
    var listings: [EntityKind: Listing] = [:]
    for (number, lost) in writes {
      var change: (ref: RecordRef, change: WriteBatch.Change)?
      switch lost.write.operation {
      case .create:
        let entry = try locator.entry(lost)
        // A file that cannot be read now may be it.
        if entry == nil, isUnreadable(lost.ref) { continue }
        guard entry?.id == nil else { break }
        let kind = lost.write.kind
        let listing = listings[kind] ?? listing(kind)
        listings[kind] = listing
        switch try fate(of: lost, entry, listing, &taken) {
        case .made(let record):
          let ref = entry?.ref ?? lost.ref
          let sidecar = Sidecar(
            record, refs: RecordFile.refs(of: record.fields, references: scan.references))
          change = (ref, .write(sidecar.fileBytes, .absent))
        case .doubtful(let doubles):
          outcome.doubtful.append(
            Doubt(
              ref: entry?.ref ?? lost.ref, doubles: doubles, isSettledByPush: canBeSentAgain(lost)))
          guard doubles != lost.doubles else { continue }
          var kept = lost
          kept.doubles = doubles
          outcome.kept.append(kept)
        case .notMade: break
        }
      case .update:
        if let (place, sidecar) = try rebased(lost) {
          change = (place, .write(sidecar.fileBytes, .anything))
        }
      case .delete:
        // The listing says whether it is gone. If it is, and the record is back here, then somebody
        // wants it after all: it is a new one.
        if let entry = try locator.entry(lost), entry.hasRecord, isDeleted(lost) {
          change = (entry.renamedFrom ?? entry.ref, .removeAnything)
        }
      }
      if let change {
        batch.add(record: nil, sidecar: (library.path(change.ref.sidecarPath), change.change))
        outcome.isChanged = true
      }
      outcome.finished.append(number)
    }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
    return outcome
  }

  private func isUnreadable(_ ref: RecordRef) -> Bool {
    scan.entry(ref).map { $0.state == .unreadable && $0.id == nil } ?? false
  }

  private func isDeleted(_ lost: LostWrite) -> Bool {
    lost.write.id.map { remote.kinds[lost.write.kind]?.deleted.contains($0) ?? false } ?? false
  }

  // MARK: Creates

  /// What is known of one kind here and there.
  private struct Listing {
    var news: RemoteNews
    /// The places of the news that no sidecar names.
    var unknown: [Int32]
    /// The ids that the sidecars of records name.
    var kept: Set<String>
  }

  private func listing(_ kind: EntityKind) -> Listing {
    let entries = scan.entries.lazy.filter { $0.ref.kind == kind }
    let known = Set(entries.flatMap(\.namedIDs))
    let news = remote.kinds[kind]?.changed ?? RemoteNews()
    return Listing(
      news: news, unknown: news.places(by: .id) { !known.contains($0) },
      kept: Set(entries.filter(\.hasRecord).flatMap(\.namedIDs)))
  }

  /// Looks for the record that a lost create may have made.
  private func fate(
    of lost: LostWrite, _ entry: ScanEntry?, _ listing: Listing, _ taken: inout Set<String>
  ) throws -> Fate {
    let kind = lost.write.kind
    let sent = FieldValues(kind: kind, wire: lost.write.body)
    // Records that were not there when the create was sent. Where the next push finds out for sure,
    // any of them may be it, whatever it is called by now.
    let isSettledByPush = canBeSentAgain(lost)
    var doubles: [String] = []
    for place in listing.unknown {
      let candidate = listing.news.entry(at: Int(place))
      if taken.contains(candidate.id) { continue }
      let record = try source.record(kind, candidate)
      if record.fields == sent {
        taken.insert(candidate.id)
        return .made(record)
      }
      if isSince(lost, candidate), isSettledByPush || record.fields.title == sent.title {
        doubles.append(candidate.id)
      }
    }
    // Those that an earlier sync has brought here; a person tells by removing one of the two.
    for id in lost.doubles where listing.kept.contains(id) && !isGone(kind, id) {
      doubles.append(id)
    }
    if isSettledByPush { return .doubtful(Set(doubles).sorted()) }
    guard let entry, !doubles.isEmpty else { return .notMade }
    let local = (try? source.file(entry.ref))?
      .reading(references: scan.references, sidecar: nil).values
    // Another name says that it is another record.
    guard local?.title == sent.title else { return .notMade }
    return .doubtful(Set(doubles).sorted())
  }

  private func isSince(_ lost: LostWrite, _ candidate: RemoteState.Entry) -> Bool {
    guard let listedAt = lost.listedAt, let made = ServerDate(candidate.createdAt) else {
      return true
    }
    return made >= listedAt
  }

  private func isGone(_ kind: EntityKind, _ id: String) -> Bool {
    remote.kinds[kind]?.deleted.contains(id) ?? false
  }

  // MARK: Updates

  /// The sidecar of a record whose update may have arrived, with the sent values as base where the
  /// server has them now; `nil` where nothing is to be noted.
  ///
  /// A counter that has some third value takes the larger of both sides: whoever counted, no count
  /// is doubled.
  private func rebased(_ lost: LostWrite) throws -> (place: RecordRef, sidecar: Sidecar)? {
    guard let id = lost.write.id, let news = remote.kinds[lost.write.kind]?.changed[id],
      let entry = try locator.entry(lost)
    else { return nil }
    let place = entry.renamedFrom ?? entry.ref
    guard var sidecar = try? source.sidecar(of: entry.ref, at: place) else { return nil }
    let record = try source.record(lost.write.kind, news)
    let local = (try? source.file(entry.ref))?
      .reading(references: scan.references, sidecar: sidecar).values
    var isChanged = false
    for field in entry.ref.kind.schema.fields {
      guard let sent = lost.write.body[field.wireKey] else { continue }
      let there = record.fields.effective(field)
      let base = sidecar.base.effective(field)
      if there == sent {
        sidecar.base[field] = sent
      } else if field.merge == .counter, there != base, let count = there.integer,
        let here = (local?.completed(from: sidecar.base).effective(field) ?? sent).integer
      {
        sidecar.base[field] = .number(JSONNumber(min(here, count)))
      } else {
        continue
      }
      isChanged = isChanged || sidecar.base.effective(field) != base
    }
    return isChanged ? (place, sidecar) : nil
  }
}
