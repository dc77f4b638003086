import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// A library from elsewhere may have links anywhere; what they lead to is nobody's business here.
@Suite("Links that lead out of a library", .inTurn)
struct LinkedFoldersTests {
  private static let commands = [
    ["status"], ["check"], ["list"], ["show", "otto"], ["diff"], ["log"], ["doctor"],
    ["sync", "push"], ["sync", "pull"], ["undo"], ["restore", "otto"],
    ["generate", "avatar", "otto"],
    ["media", "pull"], ["media", "list"], ["media", "prune", "--max-size", "0"], ["fmt"],
    ["mv", "otto", "moon"], ["sync"], ["rm", "lost-tooth"], ["sync", "--max-delete", "9"],
    ["doctor", "--fix"],
  ]

  /// A library that was synced, with a picture, a run and an edit to push.
  private func library(in folder: TemporaryFolder) async throws -> CommandSetting {
    _ = try Library.create(
      at: folder.path("library"), configuration: LibraryConfiguration(server: .embedded))
    for (path, text) in [
      ("heroes/luna.json", SampleLibrary.luna), ("heroes/family/otto.json", SampleLibrary.otto),
      ("events/lost-tooth.json", SampleLibrary.tooth), ("stories/snow.json", SampleLibrary.snow),
    ] {
      try folder.write(text, to: "library/" + path)
    }
    let setting = CommandSetting(folder.path("library"))
    for command in [["sync"], ["generate", "avatar", "luna"], ["media", "pull"]] {
      let result = await setting.run(command)
      try #require(result.code == .done, "\(command): \(result.errors)")
    }
    try folder.write(
      SampleLibrary.luna.replacing("\"age\": 7", with: "\"age\": 8"), to: "library/heroes/luna.json"
    )
    return setting
  }

  /// Every file below a folder, with its bytes and mode.
  private func snapshot(_ folder: TemporaryFolder) throws -> [String: String] {
    var found: [String: String] = [:]
    for file in try folder.files(below: "outside") {
      let status = try FileSystem.status(folder.path(file))
      let bytes = try? FileSystem.read(folder.path(file))
      found[file] = "\(status?.mode ?? 0) \(bytes.map { "\(ContentDigest($0))" } ?? "-")"
    }
    return found
  }

  @Test(
    "no command goes through it, and one names it",
    arguments: [
      ".stories", ".stories/runs", ".stories/cache", ".stories/backend", ".stories/index",
      ".stories/journal", ".stories/media", ".stories/media/avatars", ".stories/backend/media",
      ".stories/backend/media/0", "heroes", "heroes/.sync", "heroes/family", "illustrations",
    ])
  func link(_ path: String) async throws {
    let folder = try TemporaryFolder()
    let setting = try await library(in: folder)
    // What is there goes outside, with things that somebody would miss.
    if folder.exists("library/" + path) {
      try folder.makeFolder("outside")
      try folder.move("library/" + path, to: "outside/target")
    }
    let isFile = try FileSystem.status(folder.path("outside/target"))?.type == .regular
    if !isFile {
      for name in [
        "witness.txt", "witness.json", ".sync/witness.json", "deep/inner/witness.png",
        ".new-witness", "log.new", ".stories-tmp-0000000000000000-0000000000000000-witness.json",
      ] {
        try folder.write("somebody's own", to: "outside/target/" + name)
      }
    }
    try folder.link("library/" + path, to: folder.path("outside/target"))
    let before = try snapshot(folder)
    var said = ""
    for command in Self.commands {
      let result = await setting.run(command)
      said += result.output + result.errors
      #expect(try snapshot(folder) == before, "stories \(command.joined(separator: " "))")
      #expect(try FileSystem.status(folder.path("library/" + path))?.type == .link)
    }
    #expect(said.contains(path))
    #expect(said.contains("symbolic link"))
  }

  @Test("a server's data folder is not left either")
  func dataFolder() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("library/.stories")
    try folder.write("theirs", to: "outside/log")
    try folder.link("library/.stories/backend", to: folder.path("outside"))
    var options = ServerOptions(dataFolder: folder.path("library/.stories/backend"))
    options.dataFolderRoot = folder.path("library")
    #expect(throws: StoryServerError.self) { try StoryServer(options: options) }
    #expect(try folder.files(below: "outside") == ["outside/log"])
    #expect(try folder.read("outside/log") == "theirs")
  }
}

@Suite("The state folder of a library from elsewhere", .inTurn)
struct ForeignStateTests {
  @Test(
    "one that git tracks is refused by every command", .enabled(if: GitTree.isThere),
    arguments: [nil, "2", "3", "4", "split"])
  func tracked(_ index: String?) async throws {
    let sample = try SampleLibrary()
    let tree = GitTree(path: sample.folder.path)
    try tree.git("init", "-q", "-b", "main")
    #expect(await sample.run("status").code == .done)
    if let index {
      try tree.git(
        "update-index", "--force-write-index",
        index == "split" ? "--split-index" : "--index-version=\(index)")
    }
    try tree.git("add", "-A")
    #expect(await sample.run("status").code == .done)
    try sample.folder.write("{}", to: ".stories/failures.json")
    try tree.git("add", "-f", ".stories/failures.json")
    for command in [
      ["status"], ["check"], ["list"], ["show", "luna"], ["sync"], ["sync", "push", "--dry-run"],
      ["log"], ["undo"], ["rm", "luna"], ["media", "list"], ["generate", "avatar", "luna"],
    ] {
      let result = await CommandSetting(sample.folder).run(command)
      #expect(result.code == .stopped, "\(command): \(result.output)\(result.errors)")
      #expect(result.errors.contains("git rm -r --cached .stories"), "\(command)")
    }
    let doctor = await sample.run("doctor")
    #expect(doctor.output.contains("git tracks .stories"))
    try tree.git("rm", "-rq", "--cached", ".stories")
    #expect(await sample.run("status").code == .done)
  }

  @Test(
    "its .gitignore leaves out everything",
    arguments: [nil, "", "!*\n", "*\n!runs\n", "runs\n", "# *\n"])
  func ignored(_ text: String?) async throws {
    let sample = try SampleLibrary()
    if let text {
      try sample.folder.write(text, to: ".stories/.gitignore")
    } else {
      try sample.folder.remove(".stories/.gitignore")
    }
    #expect(await sample.run("list").code == .done)
    #expect(try sample.folder.read(".stories/.gitignore") == "*\n")
    // What leaves out everything in other words stays.
    try sample.folder.write("# not for git\n*\n", to: ".stories/.gitignore")
    #expect(await sample.run("list").code == .done)
    #expect(try sample.folder.read(".stories/.gitignore") == "# not for git\n*\n")
  }

  @Test("temporary files of dead runs go from every folder of it")
  func staleFiles() async throws {
    let sample = try SampleLibrary()
    let name = ".stories-tmp-0123456789abcdef-0000000000000000-report.json"
    for folder in ["", "runs/2026-11-20T10-00-00.000Z/", "edit/1234/", "cache/abcd/"] {
      try sample.folder.write("half", to: ".stories/" + folder + name)
    }
    try await sample.push()
    let left = try sample.folder.files(below: ".stories").filter { $0.hasSuffix(name) }
    #expect(left.isEmpty)
  }

  @Test("a temporary file that an editor is writing stays")
  func fileInUse() async throws {
    let sample = try SampleLibrary()
    let file = ".stories/edit/1234/.stories-tmp-0123456789abcdef-0000000000000000-first-snow.md"
    try sample.folder.write("half", to: file)
    do {
      let lock = try #require(
        try FileLock(Path.parent(sample.folder.path(file)), .shared))
      defer { withExtendedLifetime(lock) {} }
      try await sample.push()
      #expect(sample.folder.exists(file))
    }
    try await sample.push()
    #expect(!sample.folder.exists(file))
  }
}
