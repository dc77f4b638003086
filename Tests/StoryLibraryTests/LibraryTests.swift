import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Libraries")
struct LibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeLibrary(_ path: String = "library") throws -> Library {
    try Library.create(
      at: folder.path(path), configuration: LibraryConfiguration(server: .embedded))
  }

  @Test("making one")
  func create() throws {
    let library = try makeLibrary("deep/library")
    #expect(
      try folder.files() == [
        "deep/library/.stories/.gitignore", "deep/library/events/", "deep/library/heroes/",
        "deep/library/library.json", "deep/library/stories/",
      ])
    #expect(try folder.read("deep/library/.stories/.gitignore") == "*\n")
    #expect(
      try folder.read("deep/library/library.json")
        == "{\n  \"version\": 1,\n  \"server\": \"embedded\",\n  \"api\": \"auto\"\n}\n")
    #expect(try FileSystem.status(library.statePath())?.mode == 0o700)
    #expect(try Library(root: library.root).configuration.server == .embedded)
    #expect(library.path("heroes/a.json").text == library.root + "/heroes/a.json")
    #expect(library.statePath("lock").text == library.root + "/.stories/lock")
  }

  @Test("files that are there stay; a library that is there stays as it is")
  func createAgain() throws {
    try folder.write(heroText("Luna"), to: "library/heroes/luna.json")
    _ = try makeLibrary()
    #expect(try folder.read("library/heroes/luna.json") == heroText("Luna"))
    try folder.write("{\"version\": 1}", to: "library/library.json")
    try folder.remove("library/events")
    #expect(throws: LibraryError.exists(folder.path("library"))) { try makeLibrary() }
    #expect(try folder.read("library/library.json") == "{\"version\": 1}")
    #expect(!folder.exists("library/events"))
  }

  @Test("a file in a folder's place is an error, not a library without it")
  func obstructed() throws {
    try folder.write("x", to: "library/heroes")
    #expect(throws: FileError.self) { try makeLibrary() }
    #expect(!folder.exists("library/library.json"))
  }

  @Test("found from any folder in it, the nearest one first")
  func find() throws {
    _ = try makeLibrary()
    _ = try makeLibrary("library/stories/inner")
    try folder.makeFolder("library/stories/2026/bed")
    #expect(try Library.find(from: folder.path("library")).root == folder.path("library"))
    #expect(
      try Library.find(from: folder.path("library/stories/2026/bed/")).root
        == folder.path("library"))
    #expect(
      try Library.find(from: folder.path("library/stories/inner/heroes")).root
        == folder.path("library/stories/inner"))
    #expect(
      try Library.find(from: folder.path("library/not/there")).root == folder.path("library"))
    #expect(throws: LibraryError.notFound(from: folder.path)) {
      try Library.find(from: folder.path)
    }
    #expect(throws: LibraryError.notFound(from: "/")) { try Library.find(from: "/") }
  }

  @Test("a marker that cannot be understood is no reason to look further up")
  func brokenMarker() throws {
    _ = try makeLibrary()
    try folder.write("{", to: "library/stories/library.json")
    #expect(throws: Problem.self) { try Library.find(from: folder.path("library/stories")) }
    try folder.remove("library/stories/library.json")
    try folder.link("library/stories/library.json", to: "../library.json")
    #expect(throws: FileError.self) { try Library.find(from: folder.path("library/stories")) }
  }

  @Test("saving settings changes the file, only where they differ")
  func saving() throws {
    let library = try makeLibrary()
    let text = "{\n    \"version\" : 1,\r\n    \"note\": [1.0]\n}"
    try folder.write(text, to: "library/library.json")
    let opened = try Library(root: library.root)
    _ = try opened.saving(opened.configuration)
    #expect(try folder.read("library/library.json") == text)
    let changed = try opened.saving(opened.configuration.setting("api", to: "v0"))
    #expect(changed.configuration.api == .v0)
    #expect(try folder.read("library/library.json").hasPrefix("{\n    \"version\" : 1,"))
    #expect(try folder.read("library/library.json").contains("\"note\": [1.0]"))
    #expect(try Library(root: library.root).configuration.api == .v0)
  }

  @Test("settings that somebody saved meanwhile are not overwritten")
  func savingMeanwhile() throws {
    let library = try makeLibrary()
    let change = try library.configuration.setting(
      "synced", to: ["server": "https://a", "account": "1"])
    try folder.write(
      "{\"version\": 1, \"server\": \"https://a\", \"note\": 1}", to: "library/library.json")
    let saved = try library.saving(change)
    #expect(
      try folder.read("library/library.json")
        == "{\"version\": 1, \"server\": \"https://a\", \"synced\": {\"server\": \"https://a\", \"account\": \"1\"}, \"note\": 1}"
    )
    #expect(saved.configuration.server == .url("https://a"))
    try folder.write("{", to: "library/library.json")
    #expect(throws: Problem.self) { try saved.saving(saved.configuration.setting("api", to: "v1")) }
    #expect(try folder.read("library/library.json") == "{")
  }

  @Test("a newer form is only read")
  func newer() throws {
    let library = try makeLibrary()
    #expect(throws: Never.self) { try library.checkWritable() }
    try folder.write(
      "{\"version\": 2, \"server\": {\"new\": true}, \"policies\": []}", to: "library/library.json")
    let newer = try Library(root: library.root)
    #expect(throws: LibraryError.newerVersion(2)) { try newer.checkWritable() }
    #expect(throws: Never.self) { try Scanner(newer).scan() }
  }

  @Test("the state folder is this user's own and says that git shall not have it")
  func stateFolder() throws {
    let library = try makeLibrary()
    try FileSystem.setMode(library.statePath(), 0o755)
    try folder.remove("library/.stories/.gitignore")
    try library.prepareStateFolder()
    #expect(try FileSystem.status(library.statePath())?.mode == 0o700)
    #expect(try folder.read("library/.stories/.gitignore") == "*\n")
    try folder.remove("library/.stories")
    try library.prepareStateFolder()
    #expect(try FileSystem.status(library.statePath())?.mode == 0o700)
  }

  @Test("a state folder that is a link or a file is refused")
  func unsafeState() throws {
    let library = try makeLibrary()
    try folder.remove("library/.stories")
    try folder.makeFolder("outside")
    try folder.link("library/.stories", to: "../outside")
    #expect(throws: LibraryError.self) { try library.prepareStateFolder() }
    #expect(throws: LibraryError.self) { try LibraryLock(library) }
    #expect(try folder.files(below: "outside").isEmpty)
    try folder.remove("library/.stories")
    try folder.write("x", to: "library/.stories")
    #expect(throws: LibraryError.self) { try library.prepareStateFolder() }
    #expect(throws: Never.self) { try Scanner(library).scan() }
  }
}
