import JSONText
import StoryAPI
import StoryLibrary
import TestSupport

@testable import StorySync

/// Records, sidecars and the server's records in memory, with the scan and the listing that go with
/// them: all that a planner sees.
struct MemorySource: RecordSource {
  private(set) var texts: [RecordRef: String] = [:]
  private(set) var sidecars: [RecordRef: Sidecar] = [:]
  private var records: [String: RemoteRecord] = [:]
  private(set) var scan = Scan()
  private(set) var remote = RemoteState()
  /// When every file was written, by the server's clock.
  var modifiedAt: ServerDate?

  init() {
    for kind in EntityKind.writable { remote.kinds[kind] = RemoteState.Kind() }
  }

  func read(_ path: String) throws(Problem) -> [UInt8] {
    throw Problem(.unreadable(nil), file: path)
  }

  func file(_ ref: RecordRef) throws(Problem) -> RecordFile {
    guard let text = texts[ref] else {
      throw Problem(.unreadable(nil), file: ref.path)
    }
    return try RecordFile(ref: ref, bytes: Array(text.utf8))
  }

  func sidecar(at place: RecordRef) throws(Problem) -> Sidecar {
    guard let sidecar = sidecars[place] else {
      throw Problem(.unreadable(nil), file: place.sidecarPath)
    }
    return sidecar
  }

  func record(_ kind: EntityKind, _ entry: RemoteChange) throws -> RemoteRecord {
    guard let record = records[entry.id] else { throw Unexpected("no record \(entry.id)") }
    return record
  }

  func modified(_ ref: RecordRef) -> ServerDate? { modifiedAt }

  // MARK: Filling

  /// Adds a record with its sidecar; either may be missing. Its state follows from the two unless one
  /// is given. Records have to be added in the order of their kinds.
  mutating func add(
    _ name: String, text: String?, sidecar: Sidecar?, renamedFrom old: String? = nil,
    state: RecordState? = nil
  ) throws {
    let ref = try Self.ref(name)
    let place = try old.map { try Self.ref($0) } ?? ref
    var entry = ScanEntry(ref: ref, state: state ?? .pendingDelete)
    entry.renamedFrom = old == nil ? nil : place
    if let sidecar {
      sidecars[place] = sidecar
      entry.id = sidecar.id
      entry.updatedAt = sidecar.updatedAt
      entry.isDeleteStated = sidecar.isDeleteStated
      if text == nil, sidecar.conflict == .deletedLocally {
        entry.conflict = .deletedLocally
        entry.state = state ?? .conflict
      }
    }
    if let text {
      texts[ref] = text
      entry.digest = ContentDigest(text.utf8)
      try compare(sidecar, &entry, state)
    }
    if [.unreadable, .duplicateId].contains(entry.state) {
      entry.problems.append(Problem(.empty(isJSON: true), file: ref.path))
    }
    scan.entries.append(entry)
    if entry.hasRecord { scan.references.add(ref, id: entry.id) }
  }

  private func compare(
    _ sidecar: Sidecar?, _ entry: inout ScanEntry, _ state: RecordState?
  ) throws {
    let file = try file(entry.ref)
    entry.problems = file.problems(references: scan.references, sidecar: sidecar)
    guard let sidecar else {
      entry.state = state ?? .pendingCreate
      return
    }
    let changed = file.reading(references: scan.references, sidecar: sidecar).values
      .changes(from: sidecar.base)
    entry.changes = FieldSet(
      changed.filter { !sidecar.conflictingKeys.contains($0.wireKey) }, of: entry.ref.kind)
    switch sidecar.conflict {
    case .fields: entry.conflict = .fields
    case .deletedOnServer: entry.conflict = .deletedOnServer
    case .deletedLocally, nil: break
    }
    let own: RecordState = entry.changes.isEmpty ? .synced : .pendingUpdate
    entry.state = state ?? (entry.conflict == nil ? own : .conflict)
  }

  /// Adds a record that the listing found to be new or changed.
  mutating func addThere(_ record: RemoteRecord) {
    records[record.id] = record
    remote.kinds[record.kind]?.changed[record.id] = RemoteChange(
      id: record.id, updatedAt: record.updatedAt, createdAt: record.createdAt,
      slug: Slug.make(record.fields.title ?? "", fallback: record.kind.schema.noun),
      location: 0..<0)
  }

  /// Notes that the listing found a record to be deleted.
  mutating func deleteThere(_ kind: EntityKind, _ id: String) {
    remote.kinds[kind]?.deleted.insert(id)
  }

  static func ref(_ name: String) throws -> RecordRef {
    guard let ref = RecordRef(name) else { throw Unexpected("\(name) is no ref") }
    return ref
  }

  /// Plans a sync of all this.
  func plan(
    pulls: Bool = true, pushes: Bool = true, strategy: Strategy? = nil, maximumDeletes: Int? = nil
  ) throws -> Plan {
    let policies = try LibraryConfiguration(server: .embedded).policies
    var options = SyncOptions()
    options.direction = pulls ? pushes ? .both : .pull : .push
    options.maximumDeletes = maximumDeletes
    var planner = Planner(
      scan: scan, remote: remote, source: self,
      decider: Decider(policies: policies, strategy: strategy), options: options)
    return try planner.makePlan()
  }
}
