import JSONText
import StoryAPI
import StoryLibrary
import StoryMerge

struct Settlement: Sendable {
  enum Outcome: Sendable {
    /// The write is settled; the change, if any, is made to a record's sidecar.
    case settled((ref: RecordRef, change: WriteBatch.Change)?)
    /// Unknown: the write stays in the journal with the ids of the records it may have made.
    case open
    case sentAgain
  }

  var write: UnconfirmedWrite
  var outcome: Outcome

  var isSentAgain: Bool { if case .sentAgain = outcome { true } else { false } }
}

/// Finds out what became of unconfirmed writes from the server's current listing.
///
/// The result is recorded in sidecars, and the next plan continues from there with every edit and
/// rename made since. A write that is not found is sent again if the server remembers its key.
struct UnconfirmedWritePlanner {
  let source: any RecordSource
  let scan: Scan
  let remote: RemoteState
  /// Whether writes are sent again in this run; a pull does not.
  let sends: Bool

  struct Outcome {
    var settlements: [Settlement] = []
    /// New local records that the server may already have.
    var doubts: Set<RecordRef> = []
    /// Those of ``doubts`` that no push settles: only a person can tell whether the server has them.
    var failures: [SyncReport.Failure] = []
    /// The ids of server records that may come from a create which the next push sends again, or have
    /// a count from such an update. They are pulled once that has settled it.
    var awaited: Set<String> = []
  }

  private enum Fate {
    case made(RemoteRecord)
    /// Settled by a push that sends the create again; `isPossible` if it may have arrived.
    case askedByPush(isPossible: Bool)
    /// A person has to decide: one of these records may be it.
    case doubtful([String])
    case notMade
  }

  func plan(_ writes: [UnconfirmedWrite]) throws -> Outcome {
    var outcome = Outcome()
    var listings: [EntityKind: Listing] = [:]
    var twins: [FieldValues: Int] = [:]
    for write in writes where write.write.operation == .create {
      twins[write.sent, default: 0] += 1
    }
    for var write in writes {
      func settle(_ result: Settlement.Outcome) {
        outcome.settlements.append(Settlement(write: write, outcome: result))
      }
      if write.wasTried, write.write.operation != .create { continue }
      let isWanted = write.canBeSentAgain && isStillWanted(write)
      let isSent = sends && isWanted && !write.wasTried
      guard write.write.operation == .create else {
        if !isSent, isWanted, let id = write.write.id, write.counts,
          remote.kinds[write.write.kind]?.changed[id] != nil
        {
          // The values cannot tell whose count it is, but the answer to a repeated write can.
          outcome.awaited.insert(id)
          continue
        }
        settle(try isSent ? .sentAgain : .settled(changeOfSidecar(write)))
        continue
      }
      let entry = scan.entry(of: write, source)
      // The record may be in a file that cannot be read now.
      if entry == nil, isUnreadable(write.ref) { continue }
      let ref = entry?.ref ?? write.ref
      guard entry?.id == nil else {
        settle(.settled(nil))
        continue
      }
      let kind = write.write.kind
      // It was created, and somebody deleted it. (A record that is created again on purpose has a
      // tombstone from before.)
      if let id = write.newID, write.former == nil, isGone(kind, id),
        let date = write.listedAt ?? write.sentAt
      {
        let made = RemoteRecord(
          kind: kind, id: id, updatedAt: date.wire, fields: write.sent, server: JSONObject())
        let sidecar = Sidecar(made, references: scan.references)
        settle(.settled(entry.map { ($0.ref, .write(sidecar.fileBytes, .absent)) }))
        continue
      }
      var listing = try listings[kind] ?? listing(kind)
      defer { listings[kind] = listing }
      if let sidecar = former(of: write, entry, &listing) {
        settle(.settled((ref, .write(sidecar.fileBytes, .absent))))
        continue
      }
      switch try fate(of: write, entry, &listing, twins: &twins[write.sent, default: 1]) {
      case .made(let record):
        let sidecar = Sidecar(record, references: scan.references)
        settle(.settled((ref, .write(sidecar.fileBytes, .absent))))
      case .askedByPush(let isPossible) where isSent:
        // A record that exists on neither side is not created any more, nor is a draft.
        let isWanted = entry.map { $0.state != .draft } ?? false
        settle(isWanted || isPossible ? .sentAgain : .settled(nil))
      case .askedByPush:
        outcome.doubts.insert(ref)
        listing.awaitedSince.insert(write.listedAt)
      case .doubtful(let doubles):
        outcome.doubts.insert(ref)
        outcome.failures.append(
          .init(ref: ref, reason: .mayBeCreated(isMadeAgain: write.former != nil)))
        guard doubles != write.doubles else { continue }
        write.doubles = doubles
        settle(.open)
      case .notMade: settle(.settled(nil))
      }
    }
    outcome.awaited.formUnion(listings.values.flatMap(\.awaited))
    return outcome
  }

  /// Returns the sidecar change for an unconfirmed update or delete, or `nil`.
  private func changeOfSidecar(
    _ lost: UnconfirmedWrite
  ) throws -> (ref: RecordRef, change: WriteBatch.Change)? {
    if lost.write.operation == .update {
      return try rebased(lost).map { ($0.place, .write($0.sidecar.fileBytes, .anything)) }
    }
    // If the listing shows that the delete arrived and the record exists locally again, somebody
    // restored it: it becomes a new record.
    guard let entry = scan.entry(of: lost, source), entry.hasRecord, let id = lost.write.id,
      isGone(lost.write.kind, id)
    else { return nil }
    return (entry.place, .removeAnything)
  }

  /// Returns whether a write may be sent again.
  ///
  /// A delete is planned anew instead, with all that protects records from it. An update that the
  /// file no longer asks for was taken back, with its sidecar perhaps, as git does.
  private func isStillWanted(_ lost: UnconfirmedWrite) -> Bool {
    switch lost.write.operation {
    case .create: return true
    case .delete: return false
    case .update:
      guard let entry = scan.entry(of: lost, source),
        entry.state == .synced || entry.state == .pendingUpdate
      else { return true }
      return entry.changedFields.contains { lost.write.body[$0.wireKey] != nil }
    }
  }

  private func isUnreadable(_ ref: RecordRef) -> Bool {
    scan.entry(ref).map { $0.state == .unreadable && $0.id == nil } ?? false
  }

  // MARK: Creates

  /// One kind's server changes and local ids.
  private struct Listing {
    /// The changes that no sidecar references, with the creation time if known.
    var candidates: [(change: RemoteChange, made: ServerDate?)] = []
    /// Indices into `candidates`, by hash of the fields.
    var unknown: [Int: [Int]] = [:]
    /// Indices into `candidates`, by name or title.
    var titled: [String: [Int]] = [:]
    /// The ids referenced by the sidecars of records, including those not checked out.
    var kept: Set<String>
    /// The ids already matched with one of the writes.
    var taken: Set<String> = []
    /// The times, if known, since when creates that the next push sends again may have made records.
    var awaitedSince: Set<ServerDate?> = []

    /// The ids of the records that such creates may have made.
    var awaited: [String] {
      candidates.indices.filter { place in awaitedSince.contains { isOpen(place, since: $0) } }
        .map { candidates[$0].change.id }
    }

    /// Returns whether a candidate is unmatched and, as far as is known, made since `moment`.
    func isOpen(_ place: Int, since moment: ServerDate?) -> Bool {
      let (change, made) = candidates[place]
      guard !taken.contains(change.id) else { return false }
      guard let moment, let made else { return true }
      return made >= moment
    }
  }

  private func listing(_ kind: EntityKind) throws -> Listing {
    let entries = scan.entries.lazy.filter { $0.ref.kind == kind }
    let known = Set(entries.flatMap(\.namedIDs))
    var listing = Listing(
      kept: Set(entries.filter { $0.hasRecord || $0.isAwaited }.flatMap(\.namedIDs)))
    let changes = remote.kinds[kind]?.changed ?? [:]
    for change in changes.values.sorted(by: { $0.id < $1.id }) where !known.contains(change.id) {
      let fields = try source.record(kind, change).fields
      let place = listing.candidates.count
      listing.candidates.append((change, ServerDate(change.createdAt)))
      listing.unknown[fields.hashValue, default: []].append(place)
      listing.titled[fields.title ?? "", default: []].append(place)
    }
    return listing
  }

  /// Looks for the record that an unconfirmed create may have made.
  ///
  /// - Parameter twins: the number of such creates of equal content; one less if this is found.
  private func fate(
    of lost: UnconfirmedWrite, _ entry: ScanEntry?, _ listing: inout Listing, twins: inout Int
  ) throws -> Fate {
    let kind = lost.write.kind
    let sent = lost.sent
    let isSettledByPush = lost.canBeSentAgain
    var equal: [RemoteRecord] = []
    for place in listing.unknown[sent.hashValue] ?? [] where listing.isOpen(place, since: nil) {
      let record = try source.record(kind, listing.candidates[place].change)
      if record.fields == sent { equal.append(record) }
    }
    // Among several equal creates, only their keys tell which arrived.
    if let record = equal.first, !isSettledByPush || equal.count >= twins {
      listing.taken.insert(record.id)
      twins -= 1
      return .made(record)
    }
    // Candidates that an earlier sync pulled; a person decides by deleting one of the two.
    let pulled = lost.doubles.filter { listing.kept.contains($0) && !isGone(kind, $0) }
    // Any record made since the create was sent may be it, under any name, if a push decides.
    if isSettledByPush {
      let isPossible =
        !pulled.isEmpty
        || listing.candidates.indices.contains { listing.isOpen($0, since: lost.listedAt) }
      return .askedByPush(isPossible: isPossible)
    }
    let namesakes = (listing.titled[sent.title ?? ""] ?? [])
      .filter { listing.isOpen($0, since: lost.listedAt) }
    let doubles = Set(namesakes.map { listing.candidates[$0].change.id } + pulled).sorted()
    guard let entry, !doubles.isEmpty else { return .notMade }
    let local = (try? source.file(entry.ref))?
      .reading(references: scan.references, sidecar: nil).values
    // Another name means another record.
    guard local?.title == sent.title else { return .notMade }
    return .doubtful(doubles)
  }

  /// Returns the sidecar of a record to be created again if the server has it after all: the record
  /// itself, or one that another machine created. Edits made since are merged from the old base.
  private func former(
    of lost: UnconfirmedWrite, _ entry: ScanEntry?, _ listing: inout Listing
  ) -> Sidecar? {
    guard var sidecar = lost.former, entry != nil else { return nil }
    sidecar.conflict = nil
    if remote.kinds[lost.write.kind]?.changed[sidecar.id] != nil { return sidecar }
    guard lost.wasRefused else { return nil }
    let titles = Set([lost.sent.title, sidecar.base.title].compactMap(\.self))
    let made = titles.flatMap { listing.titled[$0] ?? [] }
      .filter { listing.isOpen($0, since: lost.listedAt) }
      .map { listing.candidates[$0].change.id }
    guard made.count == 1 else { return nil }
    listing.taken.insert(made[0])
    sidecar.id = made[0]
    return sidecar
  }

  private func isGone(_ kind: EntityKind, _ id: String) -> Bool {
    remote.kinds[kind]?.deleted.contains(id) ?? false
  }

  // MARK: Updates

  /// Returns the sidecar of a record whose update may have arrived, with base values replaced by
  /// the sent ones that the server now has, or `nil` if the base does not change.
  ///
  /// Where the file equals the base again, it has no edit, and the server's value is a change.
  /// A counter with a third value ends at the larger of both sides, so that no count is doubled.
  private func rebased(_ lost: UnconfirmedWrite) throws -> (place: RecordRef, sidecar: Sidecar)? {
    guard let id = lost.write.id, let change = remote.kinds[lost.write.kind]?.changed[id],
      let entry = scan.entry(of: lost, source)
    else { return nil }
    guard var sidecar = try? source.sidecar(of: entry) else { return nil }
    let record = try source.record(lost.write.kind, change)
    let local = (try? source.file(entry.ref))?
      .reading(references: scan.references, sidecar: sidecar).values
    var isChanged = false
    for field in entry.ref.kind.schema.fields {
      guard let sent = lost.write.body[field.wireKey] else { continue }
      let remoteValue = record.fields.effective(field)
      let base = sidecar.base.effective(field)
      if let local, local.completed(from: sidecar.base).effective(field) == base { continue }
      if remoteValue == sent {
        sidecar.base[field] = sent
      } else if field.merge == .counter, remoteValue != base, let count = remoteValue.integer,
        let localCount = (local?.completed(from: sidecar.base).effective(field) ?? sent).integer
      {
        sidecar.base[field] = .number(min(localCount, count))
      } else {
        continue
      }
      isChanged = isChanged || sidecar.base.effective(field) != base
    }
    return isChanged ? (entry.place, sidecar) : nil
  }
}

extension UnconfirmedWrite {
  /// The sent values of the fields that people own.
  fileprivate var sent: FieldValues { FieldValues(kind: write.kind, wire: write.body) }

  /// Whether the write changes a counter.
  fileprivate var counts: Bool {
    write.kind.schema.fields.contains { $0.merge == .counter && write.body[$0.wireKey] != nil }
  }
}
