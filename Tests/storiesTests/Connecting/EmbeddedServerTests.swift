import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
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

  /// A library that names another server for a moment goes on as before.
  @Test(arguments: ["nothing", "edit", "other address", "library.json"])
  func `a library that comes back goes on as it left`(_ change: String) async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    #expect(await sample.run("generate", "avatar", "luna").code == .done)
    #expect(await sample.run("sync").code == .done)
    let avatar = try sample.avatar()
    #expect(!avatar.isEmpty)
    let files = try sample.folder.files().filter { !$0.hasPrefix(".stories/") }
    #expect(await sample.run("remote", "set", "http://127.0.0.1:9").code == .done)
    switch change {
    case "edit":
      try sample.folder.edit("heroes/luna.json", "7", to: "8")
    case "other address":
      #expect(await sample.run("remote", "set", "http://127.0.0.1:8").code == .done)
    case "library.json":
      // As if the command had been ended after that.
      try sample.folder.edit("library.json", "http://127.0.0.1:9", to: "embedded")
    default: break
    }
    let back = await sample.run("remote", "set", "embedded")
    #expect(back.output.contains("Put back the ids of 4 records."), "\(back)")
    let status = await sample.run("status", "--porcelain=v1").output
    #expect(status == (change == "edit" ? "M. heroes/luna\tage\n" : ""))
    #expect(await sample.run("sync").code == .done)
    #expect(try sample.folder.files().filter { !$0.hasPrefix(".stories/") } == files)
    #expect(try sample.avatar() == avatar)
    #expect(await sample.run("media", "pull").code == .done)
    #expect(await sample.run("status", "--exit-code").code == .done)
    let again = await sample.run("remote", "set", "embedded")
    #expect(again.output == "The library is already synced with embedded.\n", "\(again)")
  }

  /// As when a command was killed before it wrote the file of a story that the server had made.
  @Test func `what only the server has is kept when the library leaves it`() async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    var options = ServerOptions(dataFolder: sample.folder.path(".stories/backend"))
    options.isSignUpOpen = false
    let server = try StoryServer(options: options)
    let made = try server.perform(
      "POST", "/api/heroes", body: ["name": "Luna", "age": 4, "traits": ["brave"]],
      as: EmbeddedServer.account)
    #expect(made.status == 201)
    server.stop()
    let moved = await sample.run("remote", "set", "http://127.0.0.1:9")
    #expect(
      moved.errors.contains("1 hero that only the embedded server had (heroes/luna-2)."), "\(moved)"
    )
    try sample.folder.edit("library.json", "http://127.0.0.1:9", to: "embedded")
    try sample.folder.remove(".stories/backend")
    #expect(await sample.run("sync").code == .done)
    #expect(await sample.run("restore", "luna-2").code == .done)
    #expect(try JSONValue(parsing: sample.folder.bytes("heroes/luna-2.json"))["age"] == 4)
  }
}

extension SampleLibrary {
  /// Where the server has the portrait of Luna.
  fileprivate func avatar() throws -> String {
    let sidecar = try JSONValue(parsing: folder.bytes("heroes/.sync/luna.json"))
    return sidecar["server"]?["avatarUrl"]?.string ?? ""
  }
}
