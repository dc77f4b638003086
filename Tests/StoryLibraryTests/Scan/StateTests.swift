import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// DESIGN's table of states, row by row.
@Suite("States")
struct StateTests {
  private let test: TestLibrary
  private let ref: RecordRef = "heroes/luna"
  private let base: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]

  init() throws { test = try TestLibrary() }

  private func entry(_ ref: RecordRef? = nil) throws -> ScanEntry {
    try #require(try test.scan().entry(ref ?? self.ref))
  }

  @Test("an empty library, also without any folder")
  func empty() throws {
    #expect(try test.scan().entries.isEmpty)
    for kind in EntityKind.writable { try test.folder.remove("library/\(kind.folder)") }
    let scan = try test.scan()
    #expect(scan.entries.isEmpty)
    #expect(scan.problems.isEmpty)
  }

  @Test("a record without a sidecar: pendingCreate")
  func pendingCreate() throws {
    try test.write(ref, #"{"name": "Luna", "age": 7, "mood": 1}"#)
    let entry = try entry()
    #expect(entry.state == .pendingCreate)
    #expect(entry.id == nil)
    #expect(entry.hasRecord)
    #expect(entry.changedFields.map(\.key) == ["name", "age"])
    #expect(entry.problems.map(\.code) == [.missing])
    #expect(entry.hasErrors)
    #expect(entry.digest == ContentDigest(#"{"name": "Luna", "age": 7, "mood": 1}"#.utf8))
  }

  @Test(
    "a story without a sidecar and without text: draft",
    arguments: [
      "", #", "content": []"#, #", "content": ["", ""]"#, #", "content": "\n""#,
      ", \"content\": null",
    ]
  )
  func draft(content: String) throws {
    try test.write("heroes/luna", heroText("Luna"))
    try test.write("stories/snow", "{\"title\": \"Snow\", \"hero\": \"luna\"\(content)}")
    let entry = try entry("stories/snow")
    #expect(entry.state == .draft)
    #expect(entry.problems.isEmpty)
    try test.write("stories/snow", "{\"title\": \"\", \"hero\": \"luna\"\(content)}")
    #expect(try self.entry("stories/snow").problems.map(\.code) == [.length])
    // What nobody understands is no draft.
    try test.write("stories/snow", #"{"title": "Snow", "hero": "luna", "content": 1}"#)
    #expect(try self.entry("stories/snow").state == .pendingCreate)
  }

  @Test(
    "a record that means what its base does: synced",
    arguments: [
      NamedCase("as it is", #"{"name":"Luna","age":7,"traits":["brave"]}"#),
      NamedCase(
        "touched, ordered and laid out anew",
        "\u{FEFF}{\r\n\t\"traits\": [\r\n\"brave\"],\"age\": 70e-1,\r\n\"name\": \"\\u004cuna\"}"),
      NamedCase("unknown members", #"{"name":"Luna","age":7,"traits":["brave"],"x":{"y":[1]}}"#),
      NamedCase("null for absent", #"{"name":"Luna","age":7,"traits":["brave"],"height":null}"#),
    ])
  func synced(_ row: NamedCase<String>) throws {
    try test.write(ref, row.value)
    try test.sidecar(ref, id: "1", base: base)
    let entry = try entry()
    #expect(entry.state == .synced)
    #expect(entry.changes.isEmpty)
    #expect(entry.id == "1")
    #expect(entry.updatedAt == "2026-11-20T10:00:00.000Z")
    #expect(entry.sidecarDigest != nil)
    #expect(entry.problems.isEmpty)
    #expect(entry.renamedFrom == nil)
    #expect(entry.sidecarPath == "heroes/.sync/luna.json")
  }

  @Test("a record that differs from its base: pendingUpdate with the fields")
  func pendingUpdate() throws {
    try test.write(ref, #"{"age": 99, "name": "Mond", "hairColour": "x"}"#)
    try test.sidecar(ref, id: "1", base: base)
    let entry = try entry()
    #expect(entry.state == .pendingUpdate)
    #expect(entry.changedFields.map(\.key) == ["name", "age", "traits"])
    #expect(entry.problems.map(\.code) == [.missing, .range, .unknownKey])
  }

  @Test("a sidecar without a record: pendingDelete")
  func pendingDelete() throws {
    try test.sidecar(ref, id: "1", base: base)
    let entry = try entry()
    #expect(entry.state == .pendingDelete)
    #expect(entry.id == "1")
    #expect(!entry.hasRecord)
    #expect(!entry.isDeleteStated)
    #expect(entry.digest == nil)
  }

  @Test("a stated delete")
  func statedDelete() throws {
    try test.sidecar(ref, id: "1", base: base, conflict: .deletedLocally, isDeleteStated: true)
    let stated = try entry()
    #expect(stated.state == .pendingDelete)
    #expect(stated.isDeleteStated)
    #expect(stated.conflict == nil)
    // The record is back, so nobody wants it gone.
    try test.write(ref, heroText("Luna"))
    let back = try entry()
    #expect(back.state == .synced)
    #expect(!back.isDeleteStated)
    #expect(back.hasVoidDelete)
  }

  @Test("a record that is back is in conflict where the server changed it meanwhile")
  func backAfterDelete() throws {
    let record = try RemoteRecord(
      kind: .heroes,
      wire: ["id": "1", "updatedAt": "u2", "name": "Dort", "age": 7, "traits": ["a"]])
    var sidecar = Sidecar(
      id: "1", updatedAt: "u1", base: FieldValues(kind: .heroes, wire: base))
    sidecar.setDeletedLocally(record)
    try test.write(ref, sidecar)
    try test.write(ref, heroText("Luna"))
    let back = try entry()
    #expect(back.state == .conflict)
    #expect(back.conflict == .fields)
    let known = try test.library.sidecar(at: ref)
    #expect(known.conflict == .fields(updatedAt: "u2", sidecar.serverChanges))
    #expect(known.conflictingKeys.contains("name"))
  }

  @Test("missing, but git keeps it out of the working tree: notCheckedOut")
  func notCheckedOut() throws {
    try test.sidecar(ref, id: "1", base: base)
    try test.sidecar("heroes/mia", id: "2", base: ["name": "Mia"], conflict: .deletedLocally)
    try test.sidecar("heroes/noa", id: "3", base: ["name": "Noa"], isDeleteStated: true)
    try test.sidecar("heroes/gone", id: "4", base: ["name": "Gone"])
    try test.synced("heroes/here", id: "5", heroText("Here"))
    try test.write("stories/a", #"{"title": "A", "hero": "luna", "content": "a"}"#)
    var scanner = Scanner(test.library)
    scanner.assumeRecordsInGit()
    scanner.notCheckedOut = { paths in
      #expect(paths == ["heroes/gone.json", "heroes/luna.json", "heroes/mia.json"])
      return ["heroes/luna.json", "heroes/mia.json", "heroes/here.json", "heroes/noa.json"]
    }
    let scan = try scanner.scan()
    #expect(
      scan.entries.map { "\($0.ref.name) \($0.state.rawValue)" } == [
        "gone pendingDelete", "here synced", "luna notCheckedOut", "mia notCheckedOut",
        "noa pendingDelete", "a pendingCreate",
      ])
    #expect(scan.references.meaning(of: ref) == .id("1"))
    #expect(scan.references.meaning(of: "heroes/gone") == .unknown)
    #expect(scan.entry("stories/a")?.problems.isEmpty == true)
  }

  @Test("git is asked only where records are missing")
  func gitIsNotAsked() throws {
    try test.synced(ref, id: "1", heroText("Luna"))
    try test.write("heroes/new", heroText("New"))
    var scanner = Scanner(test.library)
    scanner.notCheckedOut = { paths in
      Issue.record("asked for \(paths)")
      return []
    }
    _ = try scanner.scan()
  }

  // MARK: Unreadable

  @Test(
    "a record that cannot be understood: unreadable, with its place",
    arguments: [
      NamedCase("bad JSON", ("{\n  \"name\": ,\n}", Problem.Code.syntax, "2:11")),
      NamedCase("conflict markers", ("{\n<<<<<<< HEAD\n", .conflictMarkers, "2:1")),
      NamedCase("empty", ("", .empty, "1:1")),
      NamedCase("no object", ("[]", .notAnObject, "1:1")),
    ])
  func unreadable(_ row: NamedCase<(String, Problem.Code, String)>) throws {
    try test.write(ref, row.value.0)
    for hasSidecar in [false, true] {
      if hasSidecar { try test.sidecar(ref, id: "1", base: base) }
      let entry = try entry()
      #expect(entry.state == .unreadable)
      #expect(entry.hasRecord)
      #expect(entry.digest == nil)
      #expect(entry.id == (hasSidecar ? "1" : nil))
      #expect(entry.problems.map(\.code) == [row.value.1])
      #expect(entry.problems.first?.position?.description == row.value.2)
      #expect(entry.problems.first?.file == "heroes/luna.json")
    }
  }

  @Test("a folder, a link or a pipe of a record's name is present and left alone")
  func obstacles() throws {
    try test.write("heroes/inner.json/luna", heroText("Luna"))
    try test.folder.write("x", to: "library/target")
    try test.folder.link("library/heroes/link.json", to: "../target")
    try test.folder.link("library/heroes/nowhere.json", to: "nothing")
    #expect(mkfifo(test.library.path("heroes/pipe.json").text, 0o600) == 0)
    for name in ["inner", "link", "nowhere", "pipe"] {
      try test.sidecar(RecordRef(kind: .heroes, name: name), id: name, base: base)
    }
    let scan = try test.scan()
    #expect(scan.entries.map(\.ref.name) == ["inner", "link", "nowhere", "pipe"])
    for entry in scan.entries {
      #expect(entry.state == .unreadable)
      #expect(entry.hasRecord)
      #expect(entry.problems.map(\.code) == [.notAFile])
      #expect(scan.references.meaning(of: entry.ref) == .id(entry.ref.name))
    }
  }

  @Test("a record without permission", .enabled(if: getuid() != 0, "root may read everything"))
  func denied() throws {
    try test.synced(ref, id: "1", heroText("Luna"))
    try FileSystem.setMode(test.library.path(ref.path), 0)
    let entry = try entry()
    #expect(entry.state == .unreadable)
    #expect(entry.problems.map(\.code) == [.unreadable])
  }

  @Test("a record that is larger than what is parsed")
  func tooLarge() throws {
    try test.write(ref, "{")
    #expect(truncate(test.library.path(ref.path).text, 64 << 20 + 1) == 0)
    let entry = try entry()
    #expect(entry.state == .unreadable)
    guard case .unreadable(let error?)? = entry.problems.first?.what else {
      Issue.record("\(entry.problems)")
      return
    }
    #expect(error.isTooLarge)
  }

  @Test(
    "a sidecar that cannot be understood blocks its record, and its id is not forgotten",
    arguments: [
      NamedCase(
        "a wrong type", (#"{"id": "1", "updatedAt": "u", "base": 7}"#, Problem.Code.sidecar)),
      NamedCase(
        "a newer form", (#"{"version": 9, "id": "1", "base": "?"}"#, .newerVersion)),
      NamedCase(
        "git's conflict",
        (
          "{\n  \"id\": \"1\",\n<<<<<<< HEAD\n  \"updatedAt\": \"a\",\n=======\n  \"updatedAt\": \"b\",\n>>>>>>> x\n}",
          .conflictMarkers
        )),
      NamedCase(
        "git's conflict with carriage returns",
        ("{\r\n  \"id\": \"1\",\r\n<<<<<<< HEAD\r\n", .conflictMarkers)),
      NamedCase("cut short", ("{\n  \"id\": \"1\",\n  \"updated", .sidecar)),
    ])
  func brokenSidecar(_ row: NamedCase<(String, Problem.Code)>) throws {
    try test.folder.write(row.value.0, to: "library/" + ref.sidecarPath)
    for hasRecord in [false, true] {
      if hasRecord { try test.write(ref, heroText("Luna")) }
      let entry = try entry()
      #expect(entry.state == .unreadable)
      #expect(entry.hasRecord == hasRecord)
      #expect(entry.id == "1")
      #expect(entry.problems.map(\.code) == [row.value.1])
      #expect(entry.problems.first?.file == "heroes/.sync/luna.json")
      #expect(entry.sidecarDigest == nil)
    }
    let scan = try test.scan()
    let newer = LibraryError.newerVersion(9, file: "heroes/.sync/luna.json")
    #expect(scan.newerSidecar == (row.value.1 == .newerVersion ? newer : nil))
    #expect(scan.references.meaning(of: ref) == .id("1"))
  }

  @Test("a sidecar of which nothing can be made out, and one that is a link")
  func hopelessSidecars() throws {
    try test.write(ref, heroText("Luna"))
    try test.folder.write("\0\0\0", to: "library/" + ref.sidecarPath)
    try test.write("heroes/mia", heroText("Mia"))
    try test.folder.link("library/heroes/.sync/mia.json", to: "luna.json")
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [.unreadable, .unreadable])
    #expect(scan.entries.map(\.id) == [nil, nil])
    #expect(scan.entries.map { $0.problems.first?.code } == [.sidecar, .notAFile])
  }

  // MARK: Conflicts

  @Test("a conflict of fields: the others go on")
  func fieldConflict() throws {
    try test.write(ref, #"{"name": "Hier", "age": 8, "traits": ["brave"]}"#)
    try test.sidecar(
      ref, id: "1", base: base,
      conflict: .fields(
        updatedAt: "u", [.init(wireKey: "name", base: "Luna", server: "Dort")]))
    let entry = try entry()
    #expect(entry.state == .conflict)
    #expect(entry.conflict == .fields)
    #expect(entry.changedFields.map(\.key) == ["age"])
  }

  @Test("a conflict of fields whose record is gone is a delete of something newer")
  func fieldConflictWithoutRecord() throws {
    try test.sidecar(
      ref, id: "1", base: base,
      conflict: .fields(
        updatedAt: "u", [.init(wireKey: "name", base: "Luna", server: "Dort")]))
    let entry = try entry()
    #expect(entry.state == .conflict)
    #expect(entry.conflict == .deletedLocally)
  }

  @Test(
    "deletes in conflict, with and without the record",
    arguments: [
      (Sidecar.Conflict.deletedOnServer, true, RecordState.conflict, ConflictKind.deletedOnServer),
      (.deletedOnServer, false, .pendingDelete, nil), (.deletedLocally, true, .synced, nil),
      (.deletedLocally, false, .conflict, .deletedLocally),
    ] as [(Sidecar.Conflict, Bool, RecordState, ConflictKind?)])
  func deletes(
    _ conflict: Sidecar.Conflict, _ hasRecord: Bool, _ state: RecordState, _ kind: ConflictKind?
  ) throws {
    if hasRecord { try test.write(ref, heroText("Luna")) }
    try test.sidecar(ref, id: "1", base: base, conflict: conflict)
    let entry = try entry()
    #expect(entry.state == state)
    #expect(entry.conflict == kind)
  }

  // MARK: All at once

  @Test("one bad record does not stop the others, whatever the number of workers")
  func workers() throws {
    for number in 0..<300 {
      let ref = RecordRef(kind: .heroes, name: "group-\(number % 7)/hero-\(number)")
      switch number % 6 {
      case 0: try test.write(ref, heroText("Hero \(number)"))
      case 1: try test.synced(ref, id: "id-\(number)", heroText("Hero \(number)"))
      case 2:
        try test.synced(ref, id: "id-\(number)", heroText("Hero \(number)"))
        try test.write(ref, heroText("Hero \(number)", age: 8))
      case 3: try test.write(ref, "{ broken")
      case 4: try test.sidecar(ref, id: "id-\(number)", base: ["name": .string("Gone \(number)")])
      default: try test.synced(ref, id: "same", heroText("Same \(number)"))
      }
    }
    let one = try test.scan(workers: 1)
    let eight = try test.scan(workers: 8)
    #expect(one.entries == eight.entries)
    #expect(one.problems == eight.problems)
    #expect(one.staleSidecars == eight.staleSidecars)
    #expect(
      one.counts == [
        .pendingCreate: 50, .synced: 50, .pendingUpdate: 50, .unreadable: 50, .pendingDelete: 50,
        .duplicateId: 50,
      ])
    #expect(one.entries.map(\.ref) == one.entries.map(\.ref).sorted())
  }

  @Test("looking up entries, also after they were changed")
  func lookup() throws {
    try test.write(ref, heroText("Luna"))
    try test.write("heroes/mia", heroText("Mia"))
    var scan = try test.scan()
    #expect(scan.entry("heroes/mia")?.ref == "heroes/mia")
    #expect(scan.entry("heroes/none") == nil)
    scan.entries.removeFirst()
    #expect(scan.entry(ref) == nil)
    #expect(scan.entry("heroes/mia")?.ref == "heroes/mia")
  }

  @Test("scanning writes nothing but its index and what it saw")
  func readOnly() throws {
    try test.synced(ref, id: "1", heroText("Luna"))
    try test.write("heroes/new", "{")
    let before = try test.folder.files()
    var scanner = Scanner(test.library)
    scanner.usesIndex = false
    _ = try scanner.scan()
    #expect(try test.folder.files() == before)
    _ = try test.scan()
    // Files of the same clock tick are not indexed.
    let written = Set(try test.folder.files()).subtracting(before)
    #expect(written.contains("library/.stories/seen"))
    #expect(written.isSubset(of: ["library/.stories/index", "library/.stories/seen"]))
  }
}
