import JSONText
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

  /// A library that names another server for a moment finds its pictures where they were.
  @Test(arguments: [false, true])
  func `a library that comes back finds what is there`(isEdited: Bool) async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    #expect(await sample.run("generate", "avatar", "luna").code == .done)
    #expect(await sample.run("sync").code == .done)
    let avatar = try sample.avatar()
    #expect(!avatar.isEmpty)
    let files = try sample.folder.files().filter { !$0.hasPrefix(".stories/") }
    #expect(await sample.run("remote", "set", "http://127.0.0.1:9").code == .done)
    if isEdited { try sample.folder.edit("stories/2026/first-snow.json", "woke up", to: "sat up") }
    #expect(await sample.run("remote", "set", "embedded").code == .done)
    let status = await sample.run("status", "--porcelain=v1").output
    #expect(status == (isEdited ? "M. stories/2026/first-snow\tcontent\n" : ""))
    #expect(await sample.run("sync").code == .done)
    #expect(try sample.folder.files().filter { !$0.hasPrefix(".stories/") } == files)
    #expect(try sample.avatar() == avatar)
    #expect(await sample.run("media", "pull").code == .done)
    #expect(await sample.run("status", "--exit-code").code == .done)
  }
}

extension SampleLibrary {
  /// Where the server has the portrait of Luna.
  fileprivate func avatar() throws -> String {
    let sidecar = try JSONValue(parsing: folder.bytes("heroes/.sync/luna.json"))
    return sidecar["server"]?["avatarUrl"]?.string ?? ""
  }
}
