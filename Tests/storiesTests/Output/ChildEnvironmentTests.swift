import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// Programs that the built program starts get no token and no key.
@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct ChildEnvironmentTests {
  private static let secrets = [
    "STORIES_TOKEN": "marked-token", "STORIES_STORYTELLER_KEY": "marked-key",
    "STORIES_SOME_OTHER_KEY": "marked-other", "STORIES_INVITE": "marked-invite",
  ]

  private let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    // Each notes its environment, and then does its work.
    for (name, work) in [
      ("git", "PATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\""), ("espeak-ng", "exit 1"),
      ("editor", "exit 0"), ("tool", "exit 1"), ("helper", "exit 0"),
    ] {
      try folder.write(
        "#!/bin/sh\nenv >> '\(folder.path("seen-" + name))'\n\(work)\n", to: "bin/" + name)
      #expect(
        try ChildProcess(
          ["chmod", "755", folder.path("bin/" + name)], environment: GitTree.environment
        ).run().status == 0)
    }
    try folder.write("[credential]\n\thelper = \(folder.path("bin/helper"))\n", to: ".gitconfig")
    var program = try BuiltProgram(in: folder)
    program.environment["PATH"] = folder.path("bin") + ":/usr/local/bin:/usr/bin:/bin"
    program.environment["EDITOR"] = "editor"
    program.environment.merge(Self.secrets) { $1 }
    self.program = program
  }

  private func run(_ words: String..., environment: [String: String] = [:]) async throws {
    var program = program
    program.environment.merge(environment) { $1 }
    let start = program
    _ = try start.run(words)
  }

  @Test func `no child gets a secret`() async throws {
    try await run("init", "lib")
    try folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
    try folder.write(SampleLibrary.snow, to: "lib/stories/snow.json")
    try folder.write(SampleLibrary.tooth, to: "lib/events/lost-tooth.json")
    try GitTree(path: folder.path("lib")).git("init", "-q")
    try await run("-C", "lib", "sync")
    try await run("-C", "lib", "doctor")
    try await run("-C", "lib", "edit", "heroes/luna")
    try await run("-C", "lib", "generate", "audio", "stories/snow")
    let ref = RecordRef(kind: .heroes, name: "luna")
    let path = folder.path("lib/" + ref.sidecarPath)
    var sidecar = try Sidecar(bytes: FileSystem.read(path), ref: ref)
    sidecar.base[ref.kind.schema.fields[1]] = 9
    sidecar.conflict = .fields(
      updatedAt: sidecar.updatedAt, [.init(wireKey: "age", base: 6, server: 9)])
    try AtomicFile.write(sidecar.fileBytes, to: path)
    try await run("-C", "lib", "resolve", "heroes/luna", "--tool", "tool $MERGED")
    try await run("init", "other", "--server", "http://127.0.0.1:9")
    try await run("-C", "other", "whoami", environment: ["STORIES_TOKEN_STORE": "git"])
    for name in ["git", "espeak-ng", "editor", "tool", "helper"] {
      let seen = try folder.exists("seen-" + name) ? folder.read("seen-" + name) : ""
      #expect(seen.contains("HOME="), "\(name) was not started")
      #expect(!seen.contains("marked-"), "\(name)")
    }
  }

  @Test func `a folder of PATH that is not absolute names no program`() async throws {
    try await run("init", "lib")
    try folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
    try GitTree(path: folder.path("lib")).git("init", "-q")
    try await run("-C", "lib", "sync")
    try folder.move("bin/git", to: "lib/git")
    var program = program
    program.folder = folder.path("lib")
    program.environment["PATH"] = ".::/usr/local/bin:/usr/bin:/bin"
    try? folder.remove("seen-git")
    let start = program
    #expect(try start.run("doctor").code == 0)
    #expect(!folder.exists("seen-git"))
  }
}
