import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct OpenRecordsTests {
  private let luna = RecordRef(kind: .heroes, name: "luna")
  private let snow = RecordRef(kind: .stories, name: "first-snow")

  @Test(arguments: ["luna", "family/luna.json", "M\u{F6}we 1", "cafe\u{301}"])
  func aRecordIsOpenUntilItIsClosed(name: String) throws {
    let world = try TestWorld()
    let library = try Samples.filled(world).library
    let ref = RecordRef(kind: .heroes, name: name)
    let record = try OpenRecord(ref, in: library)
    let error = EditError.isOpen(ref, holder: FileLock.holder)
    #expect(throws: error) { try OpenRecords(library).check([snow, ref]) }
    #expect(throws: error) { try OpenRecord(ref, in: library) }
    try OpenRecords(library).check([snow])
    let other = try OpenRecord(snow, in: library)
    record.close()
    try OpenRecords(library).check([ref])
    other.close()
    #expect(try FileSystem.list(library.statePath("open")).map(\.name) == ["lock"])
  }

  @Test func whatIsNotLockedIsNotOpen() throws {
    let world = try TestWorld()
    let library = try Samples.filled(world).library
    try OpenRecord(luna, in: library).close()
    for (name, text) in [("0", "process 1 on host\nheroes/luna.json"), ("1", ""), ("2", "{}")] {
      try AtomicFile.write(Array(text.utf8), to: library.statePath("open/\(name)"))
    }
    let locked = try FileLock(library.statePath("open/2"), .exclusive)
    try OpenRecords(library).check([luna])
    #expect(try FileSystem.list(library.statePath("open")).map(\.name) == ["2", "lock"])
    withExtendedLifetime(locked) {}
  }

  @Test func noRecordIsOpenedWhileOthersChange() throws {
    let world = try TestWorld()
    let library = try Samples.filled(world).library
    let gate = library.statePath("open/lock")
    // Where nobody edits, nothing is made.
    _ = OpenRecords(library)
    #expect(!FileSystem.exists(gate))
    try OpenRecord(luna, in: library).close()
    do {
      let changing = OpenRecords(library)
      defer { withExtendedLifetime(changing) {} }
      #expect(try FileLock(gate, .exclusive) == nil)
      // Commands do not wait for each other.
      try OpenRecords(library).check([luna])
    }
    #expect(try FileLock(gate, .exclusive) != nil)
  }
}
