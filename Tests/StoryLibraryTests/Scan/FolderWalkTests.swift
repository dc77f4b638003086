import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Finding records")
struct FolderWalkTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test("sub-folders, and files that are no records")
  func listing() throws {
    for name in ["a", "sub/b", "sub/deep/er/c", "x.y", "with space", "é"] {
      try test.write(RecordRef(kind: .stories, name: name), "{}")
    }
    for other in [
      ".hidden.json", "README.md", "a.json~", "a.JSON", ".json", ".git/a.json", "sub/.sync/x.txt",
      "sub/.sync/.hidden.json", "sub/.#a.json",
    ] {
      try test.folder.write("{}", to: "library/stories/" + other)
    }
    try test.folder.write("{}", to: "library/odd/a.json")
    try test.folder.write("{}", to: "library/illustrations/a/01.json")
    let scan = try test.scan()
    #expect(
      scan.entries.map(\.ref.name) == ["a", "sub/b", "sub/deep/er/c", "with space", "x.y", "é"])
    #expect(scan.problems.map(\.file) == ["stories/a.JSON"])
    #expect(scan.staleFiles.isEmpty)
  }

  @Test("the sidecar lies in the record's own folder")
  func sidecars() throws {
    try test.synced("stories/2026/bed/a", id: "1", #"{"title": "A"}"#)
    #expect(test.folder.exists("library/stories/2026/bed/.sync/a.json"))
    try test.synced("stories/a", id: "2", #"{"title": "A"}"#)
    #expect(try test.scan().entries.map(\.id) == ["1", "2"])
  }

  @Test("folders that nest too deep are told")
  func depth() throws {
    let fine = Array(repeating: "d", count: FolderWalk.maximumDepth).joined(separator: "/")
    try test.write(RecordRef(kind: .heroes, name: fine + "/a"), "{}")
    try test.write(RecordRef(kind: .heroes, name: fine + "/d/b"), "{}")
    let scan = try test.scan()
    #expect(scan.entries.map(\.ref.name) == [fine + "/a"])
    #expect(scan.problems.map(\.file) == ["heroes/" + fine + "/d"])
  }

  @Test(
    "a name with a control character is refused, whatever is there",
    arguments: ["a\u{9B}31m", "a\nb", "a\tb", "sub\u{7F}/a"])
  func controlCharacters(_ name: String) throws {
    try test.write(RecordRef(kind: .heroes, name: name), #"{"name": "A"}"#)
    try test.synced("heroes/plain", id: "1", #"{"name": "B", "age": 7, "traits": []}"#)
    for _ in 0..<2 {
      let scan = try test.scan()
      let entry = try #require(scan.entries.first { $0.ref.name == name })
      #expect(entry.state == .unreadable)
      #expect(entry.problems.map(\.code) == [.name])
      #expect(entry.problems.first?.file == "heroes/\(name).json")
      #expect(scan.entries.first { $0.ref.name == "plain" }?.problems == [])
    }
  }

  @Test("a record with a refused name is renamed like any other")
  func renamedControlCharacters() throws {
    try test.synced(
      RecordRef(kind: .heroes, name: "a\u{9B}31m"), id: "1",
      #"{"name": "A", "age": 7, "traits": []}"#)
    #expect(try test.scan().entries.map(\.state) == [.unreadable])
    try test.folder.move("library/heroes/a\u{9B}31m.json", to: "library/heroes/a.json")
    let entry = try #require(try test.scan().entries.first)
    #expect(entry.ref.name == "a" && entry.id == "1" && entry.state == .synced)
    #expect(entry.renamedFrom?.name == "a\u{9B}31m")
  }

  // MARK: Links

  @Test("a kind's folder that is a link or a file stops the scan")
  func kindFolder() throws {
    try test.folder.remove("library/events")
    try test.folder.makeFolder("outside")
    try test.folder.link("library/events", to: "../outside")
    #expect(throws: LibraryError.self) { try test.scan() }
    try test.folder.remove("library/events")
    try test.folder.write("x", to: "library/events")
    #expect(throws: LibraryError.self) { try test.scan() }
  }

  @Test("a .sync that is a link or a file stops the scan: its records would look new")
  func syncFolder() throws {
    try test.synced("heroes/luna", id: "1", heroText("Luna"))
    try test.folder.move("library/heroes/.sync", to: "outside")
    try test.folder.link("library/heroes/.sync", to: "../../outside")
    let error = #expect(throws: LibraryError.self) { try test.scan() }
    #expect(
      error
        == .unsafeState(
          path: test.library.path("heroes/.sync").text, reason: "it is a symbolic link"))
    try test.folder.remove("library/heroes/.sync")
    try test.folder.write("x", to: "library/heroes/.sync")
    #expect(throws: LibraryError.self) { try test.scan() }
  }

  @Test("a linked sub-folder is not followed, and told")
  func linkedFolder() throws {
    try test.folder.write("{}", to: "outside/a.json")
    try test.folder.link("library/stories/linked", to: "../../outside")
    try test.folder.link("library/stories/loop", to: ".")
    let scan = try test.scan()
    #expect(scan.entries.isEmpty)
    #expect(scan.problems.map(\.file) == ["stories/linked", "stories/loop"])
    #expect(scan.problems.map(\.code) == [.notAFile, .notAFile])
    #expect(scan.problems.map(\.severity) == [.warning, .warning])
  }

  @Test(
    "a folder that cannot be listed is told, and what is in it is not gone",
    .enabled(if: getuid() != 0, "root may list everything"))
  func closedFolder() throws {
    try test.synced("stories/a/b", id: "1", #"{"title": "A"}"#)
    try test.sidecar("stories/c", id: "2", base: ["title": "C"])
    try FileSystem.setMode(test.library.path("stories/a"), 0)
    defer { try? FileSystem.setMode(test.library.path("stories/a"), 0o700) }
    let scan = try test.scan()
    #expect(scan.problems.map(\.file) == ["stories/a"])
    #expect(scan.problems.map(\.severity) == [.error])
    #expect(scan.incompleteKinds == [.stories])
    #expect(scan.entry("stories/c")?.state == .missing)
  }

  // MARK: Names

  @Test("a record and a sidecar whose names differ in Unicode form belong together")
  func unicodeForms() throws {
    let composed: RecordRef = "heroes/caf\u{E9}"
    let decomposed: RecordRef = "heroes/cafe\u{301}"
    try test.write(composed, heroText("Café"))
    try test.sidecar(
      decomposed, id: "1", base: ["name": "Café", "age": 7, "traits": ["brave"]])
    let scan = try test.scan()
    try #require(scan.entries.count == 1)
    let entry = scan.entries[0]
    #expect(entry.state == .synced)
    #expect(entry.ref.path.utf8.elementsEqual(composed.path.utf8))
    #expect(entry.sidecarPath.utf8.elementsEqual(decomposed.sidecarPath.utf8))
    #expect(entry.renamedFrom == entry.ref)
    #expect(scan.references.meaning(of: decomposed) == .id("1"))
  }

  @Test("also in a folder's name")
  func unicodeFolders() throws {
    try test.write("heroes/\u{E9}/luna", heroText("Luna"))
    try test.sidecar(
      "heroes/e\u{301}/luna", id: "1", base: ["name": "Luna", "age": 7, "traits": ["brave"]])
    #expect(try test.scan().entries.map(\.state) == [.synced])
  }

  @Test("two records whose names differ in Unicode form alone are both left alone")
  func collision() throws {
    try test.synced("heroes/caf\u{E9}", id: "1", heroText("Café"))
    try test.write("heroes/cafe\u{301}", heroText("Other"))
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [.unreadable])
    #expect(scan.entries.first?.problems.map(\.code) == [.nameCollision])
    #expect(scan.entries.first?.id == "1")
    #expect(scan.entries.first?.hasErrors == true)
  }

  @Test("so are two sidecars")
  func sidecarCollision() throws {
    try test.synced("heroes/caf\u{E9}", id: "1", heroText("Café"))
    try test.sidecar("heroes/cafe\u{301}", id: "2", base: ["name": "Other"])
    let scan = try test.scan()
    #expect(scan.entries.map(\.state) == [.unreadable])
    #expect(scan.entries.first?.problems.map(\.code) == [.nameCollision])
  }

  @Test("names that differ in case alone are two records with a warning")
  func cases() throws {
    for name in ["Luna", "luna", "sub/Mia", "Sub/mia", "mia"] {
      try test.write(RecordRef(kind: .heroes, name: name), heroText(name))
    }
    let scan = try test.scan()
    #expect(scan.entries.count == 5)
    #expect(scan.problems.map(\.file).sorted() == ["heroes/luna.json", "heroes/sub/Mia.json"])
    #expect(scan.problems.allSatisfy { $0.severity == .warning && $0.code == .nameCollision })
  }

  @Test("a name that is not UTF-8 is told")
  func undecodable() throws {
    let path =
      Array(test.library.path("heroes/caf").text.utf8CString.dropLast()) + [
        CChar(bitPattern: 0xE9), 0,
      ]
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0, "this file system takes only UTF-8")
    close(descriptor)
    defer { unlink(path) }
    let scan = try test.scan()
    #expect(scan.entries.isEmpty)
    #expect(scan.problems.map(\.file) == ["heroes/caf\u{FFFD}"])
  }

  @Test("temporary files are no records, wherever they lie")
  func staleFiles() throws {
    let name = ".stories-tmp-0000000000000000-0000000000000000-luna.json"
    let paths = [
      "", ".stories/", "heroes/", "heroes/.sync/", "stories/2026/", "stories/2026/.sync/",
    ]
    for path in paths { try test.folder.write("{}", to: "library/" + path + name) }
    let scan = try test.scan()
    #expect(scan.entries.isEmpty)
    #expect(scan.staleFiles.sorted() == paths.map { $0 + name }.sorted())
  }

  @Test("equal new records are reported, except those that only the server makes")
  func twins() throws {
    for name in ["a", "b"] {
      try test.write(RecordRef(kind: .events, name: name), #"{"title": "Twin"}"#)
      try test.write(RecordRef(kind: .illustrations, name: name), #"{"scene": "Twin"}"#)
    }
    var scanner = Scanner(test.library)
    scanner.kinds = EntityKind.allCases
    #expect(try scanner.scan().problems.map(\.file) == ["events/b.json"])
  }
}
