import JSONText
import Testing

@testable import StoryLibrary

/// A scan that takes in written sidecars says of all of them what another scan says.
@Suite struct WrittenSidecarTests {
  /// What of an entry depends on its sidecar alone.
  private struct Said: Equatable {
    var ref: RecordRef
    var ids: [String]
    var version: String?
    var conflict: ConflictKind?

    init(_ entry: ScanEntry) {
      ref = entry.ref
      ids = entry.namedIDs
      version = entry.updatedAt
      conflict = entry.conflict
    }
  }

  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func sidecar(
    _ ref: RecordRef, id: String, version: Int, conflict: Sidecar.Conflict? = nil
  ) -> Sidecar {
    Sidecar(
      id: id, updatedAt: "2026-11-20T10:00:00.\(100 + version)Z",
      base: FieldValues(kind: ref.kind, wire: ["title": "T"]), conflict: conflict)
  }

  /// Writes sidecars, and compares what the first scan makes of them with a second one.
  private func compare(_ written: [(RecordRef, Sidecar)], _ note: Comment? = nil) throws {
    let scan = try test.scan()
    for (ref, sidecar) in written { try test.write(ref, sidecar) }
    var taken = scan
    taken.take(written.map { WrittenSidecar($1, of: $0) })
    let whole = try test.scan()
    #expect(taken.entries.map(Said.init) == whole.entries.map(Said.init), note)
    for entry in whole.entries {
      #expect(taken.entry(entry.ref)?.id == entry.id, note)
      guard let id = entry.id else { continue }
      #expect(taken.entry(id: id, of: entry.ref.kind)?.ref == entry.ref, note)
    }
  }

  /// The same of records that come together with their sidecars.
  private func compareWithRecords(_ written: [(RecordRef, Sidecar)]) throws {
    let scan = try test.scan()
    for (ref, sidecar) in written {
      try test.write(ref, #"{"title": "T"}"#)
      try test.write(ref, sidecar)
    }
    var taken = scan
    taken.take(written.map { WrittenSidecar($1, of: $0) })
    #expect(taken.entries.map(Said.init) == (try test.scan().entries.map(Said.init)))
  }

  @Test func newRecordsGetTheirIDs() throws {
    let refs: [RecordRef] = ["stories/b", "stories/a", "heroes/luna"]
    for ref in refs { try test.write(ref, #"{"title": "T", "name": "N"}"#) }
    try compare(refs.enumerated().map { ($1, sidecar($1, id: "id-\($0)", version: 0)) })
  }

  @Test func recordsThatCameStandAmongTheOthers() throws {
    try test.synced("stories/m", id: "m", #"{"title": "T"}"#)
    let refs: [RecordRef] = ["stories/z", "events/party", "stories/a", "stories/m-1"]
    let written = refs.enumerated().map { ($1, sidecar($1, id: "id-\($0)", version: 0)) }
    try compareWithRecords(written)
  }

  @Test func lastOneOfARecordThatCameCounts() throws {
    let refs: [RecordRef] = ["stories/b", "stories/a", "stories/b", "stories/a", "stories/c"]
    try compareWithRecords(
      refs.enumerated().map { ($1, sidecar($1, id: "id-\($1.name)", version: $0)) })
  }

  @Test func lastOneCounts() throws {
    try test.write("stories/a", #"{"title": "T"}"#)
    let ref: RecordRef = "stories/a"
    try compare([
      (ref, sidecar(ref, id: "one", version: 0)), (ref, sidecar(ref, id: "one", version: 1)),
    ])
  }

  @Test(arguments: [
    Sidecar.Conflict.fields(
      updatedAt: "2026-11-20T10:00:00.500Z",
      [.init(wireKey: "title", base: "T", server: "S")]),
    .deletedOnServer,
  ])
  func conflictsComeAndGo(_ conflict: Sidecar.Conflict) throws {
    let ref: RecordRef = "stories/a"
    try test.synced(ref, id: "a", #"{"title": "T"}"#)
    try test.write(ref, #"{"title": "Mine"}"#)
    try compare([(ref, sidecar(ref, id: "a", version: 1, conflict: conflict))], "comes")
    try compare([(ref, sidecar(ref, id: "a", version: 2))], "goes")
  }

  @Test func deletedHere() throws {
    let ref: RecordRef = "stories/a"
    try test.write(ref, sidecar(ref, id: "a", version: 0))
    try compare([(ref, sidecar(ref, id: "a", version: 1, conflict: .deletedHere))])
  }

  @Test func sidecarThatNamedSeveralIsClearNow() throws {
    let ref: RecordRef = "stories/a"
    try test.write(ref, #"{"title": "T"}"#)
    let marked = """
      {"id": "one", "updatedAt": "x"
      <<<<<<< ours
      , "id": "two"}
      =======
      , "id": "three"}
      >>>>>>> theirs
      """
    try test.folder.write(marked, to: "library/" + ref.sidecarPath)
    #expect(try test.scan().entry(ref)?.id == nil)
    try compare([(ref, sidecar(ref, id: "two", version: 0))])
  }

  @Test func otherRecordsStayAsTheyWere() throws {
    for number in 0..<20 {
      let ref = RecordRef(kind: .stories, name: "s\(number)")
      try test.synced(ref, id: "id-\(number)", #"{"title": "T"}"#)
    }
    try test.write("stories/s3", #"{"title": "Edited"}"#)
    let scan = try test.scan()
    let ref: RecordRef = "stories/s7"
    var taken = scan
    taken.take([WrittenSidecar(sidecar(ref, id: "id-7", version: 5), of: ref)])
    for entry in scan.entries where entry.ref != ref { #expect(taken.entry(entry.ref) == entry) }
  }
}
