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
  @Test(arguments: [
    "nothing", "edit", "other address", "library.json", "pull", "cut off",
    "cut off on the way back",
    "git",
  ])
  func `a library that comes back goes on as it left`(_ change: String) async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    #expect(await sample.run("generate", "avatar", "luna").code == .done)
    #expect(await sample.run("sync").code == .done)
    let avatar = try sample.avatar()
    #expect(!avatar.isEmpty)
    let files = try sample.folder.files().filter { !$0.hasPrefix(".stories/") }
    let other = try TestServer()
    let address = change == "pull" ? other.url : "http://127.0.0.1:9"
    let sidecar = try sample.folder.read("heroes/.sync/luna.json")
    #expect(await sample.run("remote", "set", address).code == .done)
    switch change {
    case "git":
      // As if a branch that was never moved were checked out after a sync with the other server.
      #expect(await sample.run("remote", "set", "embedded").code == .done)
      let state = #"{"version":1,"server":"\#(address)","account":"a","sidecars":"","marks":{}}"#
      try sample.folder.write(state, to: ".stories/pulls.json")
    case "pull":
      #expect(try await sample.run("sync", "pull", at: other).code == .done)
    case "cut off", "cut off on the way back":
      // As if the command had been ended before it removed the last sidecar and wrote its report, or, on the
      // way back, when it had written the first.
      try sample.folder.write(sidecar, to: "heroes/.sync/luna.json")
      if change == "cut off" {
        let run = try #require(sample.folder.files(below: ".stories/runs").sorted().last)
        #expect(run.hasSuffix("saved.jsonl"))
        try sample.folder.remove(run.replacing("saved.jsonl", with: "report.json"))
      }
    case "edit":
      try sample.folder.edit("heroes/luna.json", "7", to: "8")
    case "other address":
      #expect(await sample.run("remote", "set", "http://127.0.0.1:8").code == .done)
    case "library.json":
      // By hand, by git, or as if the command had been ended after that.
      try sample.folder.edit("library.json", "http://127.0.0.1:9", to: "embedded")
      let sync = await sample.run("sync")
      #expect(sync.code == .stopped, "\(sync)")
      #expect(sync.errors.contains("`stories remote set embedded`"), "\(sync)")
    default: break
    }
    if change == "git" {
      #expect(await sample.run("sync").code == .stopped)
      let back = await sample.run("remote", "set", "embedded")
      #expect(back.output == "The library is already synced with embedded.\n", "\(back)")
    }
    let count = change.hasPrefix("cut off") ? 3 : 4
    let dry = await sample.run("remote", "set", "embedded", "--dry-run")
    let back = await sample.run("remote", "set", "embedded")
    if change != "git" {
      #expect(dry.output.contains("Would put back the ids of \(count) records."), "\(dry)")
      #expect(back.output.contains("Put back the ids of \(count) records."), "\(back)")
    }
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
  @Test(arguments: [true, false])
  func `what only the server has is kept when the library leaves it`(leavesHere: Bool) async throws
  {
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
    let other = try TestServer()
    let note = "1 hero of the embedded server is in no file here (heroes/luna-2)."
    if leavesHere {
      let moved = await sample.run("remote", "set", other.url)
      #expect(moved.errors.contains(note), "\(moved)")
      #expect(try await sample.run("sync", at: other).code == .done)
    } else {
      // Another clone moved, and this one followed by git.
      try sample.folder.move(".stories/backend", to: "backend")
      #expect(await sample.run("remote", "set", other.url).code == .done)
      #expect(try await sample.run("sync", at: other).code == .done)
      try sample.folder.remove(".stories")
      try sample.folder.move("backend", to: ".stories/backend")
      let back = await sample.run("remote", "set", "embedded")
      #expect(back.errors.contains(note), "\(back)")
    }
    #expect(await sample.run("restore", "luna-2").code == .done)
    #expect(try JSONValue(parsing: sample.folder.bytes("heroes/luna-2.json"))["age"] == 4)
  }

  /// They are missing, as in a library that has never left, and not deleted on the server.
  @Test func `records that are removed with their sidecars after a way back are missing`()
    async throws
  {
    let sample = try SampleLibrary()
    try await sample.push()
    #expect(await sample.run("remote", "set", "http://127.0.0.1:9").code == .done)
    #expect(await sample.run("remote", "set", "embedded").code == .done)
    #expect(await sample.run("sync").code == .done)
    let files = try sample.folder.files().filter { !$0.hasPrefix(".stories/") }
    for folder in ["events", "heroes", "stories"] { try sample.folder.remove(folder) }
    let back = await sample.run("remote", "set", "embedded")
    #expect(back.output.contains("Put back the ids of 4 records."), "\(back)")
    let sync = await sample.run("sync")
    #expect(sync.code == .done && !sync.output.contains("eleted"), "\(sync)")
    #expect(try sample.folder.files().filter { !$0.hasPrefix(".stories/") } == files)
    for folder in ["events", "heroes", "stories"] { try sample.folder.remove(folder) }
    #expect(await sample.run("sync", "pull").code == .done)
    #expect(try sample.folder.files().filter { !$0.hasPrefix(".stories/") } == files)
  }

  /// Deleted there, they are not brought back by going back.
  @Test func `a library that was emptied elsewhere does not go on as it left`() async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    let other = try TestServer()
    #expect(await sample.run("remote", "set", other.url).code == .done)
    #expect(try await sample.run("sync", at: other).code == .done)
    #expect(await sample.run("rm", "-r", ".").code == .done)
    #expect(try await sample.run("sync", at: other).code == .done)
    let back = await sample.run("remote", "set", "embedded")
    #expect(!back.output.contains("Put back"), "\(back)")
    #expect(await sample.run("sync").code == .done)
    #expect(try sample.folder.files().allSatisfy { !$0.hasSuffix("luna.json") })
  }

  /// What the other server was sent is not known yet.
  @Test func `a library with an unconfirmed write does not go back`() async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    let other = try TestServer()
    other.server.addFault(FaultRule(.dropAfterHandling) { !$0.isRead })
    #expect(await sample.run("remote", "set", other.url).code == .done)
    #expect(try await sample.run("sync", at: other).code != .done)
    let back = await sample.run("remote", "set", "embedded")
    #expect(back.code == .stopped, "\(back)")
  }

  /// The ids that a run kept are the old server's.
  @Test func `what was removed before a move comes back after it`() async throws {
    let sample = try SampleLibrary()
    try await sample.push()
    let snow = "stories/2026/first-snow.json"
    let text = try sample.folder.read(snow)
    #expect(await sample.run("rm", "first-snow").code == .done)
    #expect(await sample.run("sync").code == .done)
    let other = try TestServer()
    #expect(await sample.run("remote", "set", other.url).code == .done)
    #expect(try await sample.run("sync", at: other).code == .done)
    // The name belongs to another child by now.
    #expect(await sample.run("mv", "luna", "star").code == .done)
    try sample.folder.write(SampleLibrary.otto, to: "heroes/luna.json")
    #expect(await sample.run("restore", "stories/2026/first-snow").code == .done)
    #expect(try sample.folder.read(snow).contains("\"hero\": \"star\""), "\(text)")
    let sync = try await sample.run("sync", at: other)
    #expect(sync.code == .done, "\(sync)")
    #expect(try other.names(.stories).count == 1)
  }
}

extension SampleLibrary {
  /// Runs a command for a server with an account.
  fileprivate func run(_ arguments: String..., at server: TestServer) async throws -> CommandRun {
    var setting = CommandSetting(folder)
    setting.environment["STORIES_SERVER"] = server.url
    setting.environment["STORIES_TOKEN"] = try server.token()
    return await setting.run(arguments)
  }

  /// Where the server has the portrait of Luna.
  fileprivate func avatar() throws -> String {
    let sidecar = try JSONValue(parsing: folder.bytes("heroes/.sync/luna.json"))
    return sidecar["server"]?["avatarUrl"]?.string ?? ""
  }
}
