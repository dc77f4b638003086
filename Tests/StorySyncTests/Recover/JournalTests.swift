import JSONText
import StoryAPI
import StoryLibrary
import Testing

@testable import StorySync

/// The journal after crashes.
@Suite struct JournalTests {
  private static let ref = RecordRef(kind: .heroes, name: "luna")

  private func entry(_ text: String) -> Journal.FileChange {
    .init(ref: Self.ref, after: ContentDigest(text.utf8), sidecar: Array(text.utf8))
  }

  private func append(_ text: String, to library: TestLibrary) throws {
    let path = library.path(".stories/journal")
    let old = try FileSystem.read(path)
    try AtomicFile.write(old + Array(text.utf8), to: path)
  }

  @Test func tornLastLineSpoilsNoLaterEntry() throws {
    let library = try TestWorld().library("a")
    _ = try Journal(library.library).begin([entry("one")])
    try append("{\"entry\":7,\"ref\":\"her", to: library)
    let second = try Journal(library.library)
    #expect(second.unfinished.count == 1)
    _ = try second.begin([entry("two")])
    let third = try Journal(library.library)
    #expect(third.unfinished.count == 2)
  }

  @Test func finishedEntriesDoNotComeBack() throws {
    let library = try TestWorld().library("a")
    let first = try Journal(library.library)
    let numbers = try first.begin([entry("one"), entry("two"), entry("three")])
    try first.finish([numbers[1]])
    #expect(try Journal(library.library).unfinished == [numbers[0], numbers[2]])
    try first.finish([numbers[0], numbers[2]])
    #expect(try Journal(library.library).unfinished.isEmpty)
    #expect(try FileSystem.read(library.path(".stories/journal")).isEmpty)
  }

  @Test func damageWithinIsReported() throws {
    let library = try TestWorld().library("a")
    _ = try Journal(library.library).begin([entry("one")])
    try append("rubbish\n{\"done\":0}\n", to: library)
    #expect(throws: Problem.self) { try Journal(library.library) }
  }
}
