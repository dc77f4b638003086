import JSONText
import StoryAPI
import StoryLibrary
import Testing

@testable import StorySync

/// What pages add up to.
@Suite("What the pages of a list add up to")
struct PageTallyTests {
  /// What comes in a list.
  enum Row: Sendable {
    case record(String, String = "1")
    case tombstone(String)
    case malformed(String?)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var pages: [[Row]]
    var total: Int
    var count: Int
    var isComplete: Bool
    var present: [String] = []
    var absent: [String] = []
  }

  static let cases: [Case] = [
    Case(
      testDescription: "nothing", pages: [[]], total: 0, count: 0, isComplete: true, absent: [""]),
    Case(
      testDescription: "each record once", pages: [[.record("a"), .record("b")], [.record("c")]],
      total: 3, count: 3, isComplete: true, present: ["a", "b", "c"], absent: ["d", ""]),
    Case(
      testDescription: "a record twice counts once",
      pages: [[.record("a"), .record("b")], [.record("b"), .record("c")]], total: 3, count: 3,
      isComplete: true, present: ["b"]),
    Case(
      testDescription: "ids are equal byte for byte only",
      pages: [[.record("\u{E9}"), .record("e\u{301}"), .record("\0")]], total: 3,
      count: 3, isComplete: true, present: ["\u{E9}", "e\u{301}", "\0"], absent: ["e"]),
    Case(
      testDescription: "one is missing", pages: [[.record("a")]], total: 2, count: 1,
      isComplete: false),
    Case(
      testDescription: "one that went is not there", pages: [[.record("a")], [.tombstone("a")]],
      total: 0, count: 0, isComplete: true, absent: ["a"]),
    Case(
      testDescription: "one that came back is",
      pages: [[.record("a")], [.tombstone("a")], [.record("a", "2")]], total: 1, count: 1,
      isComplete: true, present: ["a"]),
    Case(
      testDescription: "a tombstone of what never came", pages: [[.tombstone("a"), .record("b")]],
      total: 1, count: 1, isComplete: true, present: ["b"], absent: ["a"]),
    Case(
      testDescription: "what cannot be understood counts",
      pages: [[.malformed("a"), .malformed(nil), .malformed(nil), .record("b")]], total: 4,
      count: 4, isComplete: true, present: ["a", "b"]),
  ]

  private static func page(_ rows: [Row], total: Int) throws -> RecordPage {
    var page = RecordPage(records: [], total: total)
    for row in rows {
      switch row {
      case .record(let id, let version):
        page.records.append(
          try RemoteRecord(
            kind: .heroes,
            wire: [
              "id": .string(id), "updatedAt": .string(version), "createdAt": "1", "name": "Luna",
              "age": 7, "traits": [],
            ]))
      case .tombstone(let id): page.tombstones.append(Tombstone(id: id, updatedAt: "2"))
      case .malformed(let id): page.malformed.append(MalformedRecord(id: id, error: .notFound))
      }
    }
    return page
  }

  @Test("counts", arguments: cases)
  func counts(_ row: Case) throws {
    var tally = PageTally(kind: .heroes)
    for rows in row.pages { tally.add(try Self.page(rows, total: row.total), overlaps: false) }
    #expect(tally.count == row.count)
    #expect(tally.isComplete == row.isComplete)
    for id in row.present { #expect(tally.contains(id), "\(id.debugDescription)") }
    for id in row.absent { #expect(!tally.contains(id), "\(id.debugDescription)") }
  }

  @Test("together with what is here, each record counts once")
  func together() throws {
    var tally = PageTally(kind: .heroes)
    tally.add(
      try Self.page([.record("a"), .record("b"), .record("c"), .tombstone("c")], total: 2),
      overlaps: false)
    #expect(tally.count(with: Scan()) == 2)
    var scan = Scan()
    for (id, state) in [
      ("a", RecordState.synced), ("d", .duplicateId), ("d", .duplicateId), ("e", .synced),
      ("c", .synced), ("f", .conflict),
    ] {
      var entry = ScanEntry(
        ref: RecordRef(kind: .heroes, name: "h\(scan.entries.count)"), state: state)
      entry.id = id
      entry.updatedAt = "2026-11-20T10:00:00.000Z"
      if state == .conflict { entry.conflict = .deletedOnServer }
      scan.entries.append(entry)
    }
    #expect(tally.count(with: scan) == 4)
  }

  @Test(
    "pages that bring nothing new for ever",
    arguments: [
      ("the same record", [.record("a")], true), ("the same tombstone", [.tombstone("a")], true),
      ("what cannot be understood", [.malformed("a")], true), ("nothing", [], true),
      ("what has no name may be new each time", [.malformed(nil)], false),
    ] as [(String, [Row], Bool)])
  func stuck(_ row: (name: String, rows: [Row], isStuck: Bool)) throws {
    var tally = PageTally(kind: .heroes)
    for _ in 0..<5 { tally.add(try Self.page(row.rows, total: 9), overlaps: false) }
    #expect(tally.isStuck == row.isStuck)
  }

  @Test("a new version of a record is new")
  func versions() throws {
    var tally = PageTally(kind: .heroes)
    for number in 0..<9 {
      tally.add(try Self.page([.record("a", "\(number)")], total: 1), overlaps: false)
    }
    #expect(!tally.isStuck)
    #expect(tally.count == 1)
  }
}
