import StoryAPI
import StoryLibrary
import StorySync
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct EmbeddedServerTests {
  /// A sync that waited for the lock opens the data folder as soon as it has it.
  @Test func `a sync gives the data folder back with the lock`() async throws {
    let sample = try SampleLibrary()
    let library = try Library(root: sample.folder.path)
    // As the program does, somebody holds the server until the command ends.
    let held = Box<[EmbeddedServer]>([])
    let synchronizer = Synchronizer(library: library) { scan in
      let server = try EmbeddedServer(library, scan: scan)
      held.value.append(server)
      return try server.connection(ClientConfiguration())
    }
    for _ in 0..<2 {
      let report = try await synchronizer.run(SyncOptions())
      #expect(report.error == nil && report.failed.isEmpty)
      let lock = try LibraryLock(library)
      let scan = try Scanner(library).scan()
      try EmbeddedServer(library, scan: scan).stop()
      withExtendedLifetime(lock) {}
    }
  }
}
