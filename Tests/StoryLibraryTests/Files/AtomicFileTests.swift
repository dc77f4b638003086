import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Atomic writes")
struct AtomicFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("luna.json") }

  init() throws { folder = try TemporaryFolder() }

  private func digest(_ text: String) -> ContentDigest { ContentDigest(text.utf8) }

  private func code(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return 0
    } catch {
      return (error as? FileError)?.code ?? -1
    }
  }

  // MARK: Writing

  @Test("a new file, where nothing is")
  func absent() throws {
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: .absent) == .done)
    #expect(try folder.read("luna.json") == "new")
    #expect(
      try AtomicFile.write("other".bytes, to: path, expecting: .absent) == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "new")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("a file that is what was expected")
  func expected() throws {
    try folder.write("old", to: "luna.json")
    #expect(
      try AtomicFile.write("new".bytes, to: path, expecting: .content(digest("old"))) == .done)
    #expect(try folder.read("luna.json") == "new")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("a file that is something else, or gone")
  func unexpected() throws {
    try folder.write("edited", to: "luna.json")
    let expecting = AtomicFile.Expectation.content(digest("old"))
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: expecting) == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    try folder.remove("luna.json")
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: expecting) == .changedMeanwhile)
    #expect(try folder.files().isEmpty)
  }

  @Test("a folder, a link or a pipe in the file's place stays there")
  func obstacles() throws {
    let expecting = AtomicFile.Expectation.content(digest("old"))
    try folder.write("old", to: "luna.json/inner")
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: expecting) == .changedMeanwhile)
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: .absent) == .changedMeanwhile)
    #expect(code { try AtomicFile.write("new".bytes, to: path) } == EISDIR)
    #expect(try folder.files() == ["luna.json/inner"])
    try folder.remove("luna.json")

    try folder.write("old", to: "target")
    try folder.link("luna.json", to: "target")
    for expecting in [expecting, .absent, .anything] {
      #expect(code { try AtomicFile.write("new".bytes, to: path, expecting: expecting) } == ELOOP)
    }
    #expect(try FileSystem.status(path)?.type == .link)
    #expect(try folder.read("target") == "old")
    try folder.remove("luna.json")
    try folder.remove("target")

    #expect(mkfifo(path, 0o600) == 0)
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: expecting) == .changedMeanwhile)
    #expect(try FileSystem.status(path)?.type == .other)
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("the mode is kept", arguments: [0o600, 0o644, 0o755, 0o444, 0o640] as [UInt32])
  func mode(_ mode: UInt32) throws {
    try folder.write("old", to: "luna.json")
    try FileSystem.setMode(path, mode)
    for (old, new) in [("old", "new"), ("new", "newer")] {
      #expect(
        try AtomicFile.write(new.bytes, to: path, expecting: .content(digest(old))) == .done)
      #expect(try FileSystem.status(path)?.mode == mode)
    }
    try AtomicFile.write("newest".bytes, to: path)
    #expect(try FileSystem.status(path)?.mode == mode)
  }

  @Test("a new file gets the mode that is asked for, or the user's usual one")
  func newMode() throws {
    try AtomicFile.write("x".bytes, to: path, mode: 0o600)
    #expect(try FileSystem.status(path)?.mode == 0o600)
    // What another program makes shows the usual one: to ask umask(2) is to change it, for all tests.
    try AtomicFile.write("x".bytes, to: folder.path("other"))
    let touch = ChildProcess(
      ["touch", folder.path("usual")], environment: ["PATH": "/usr/bin:/bin"])
    #expect(try touch.run().status == 0)
    #expect(
      try FileSystem.status(folder.path("other"))?.mode
        == FileSystem.status(folder.path("usual"))?.mode)
  }

  @Test("a missing folder is an error")
  func missingFolder() {
    #expect(code { try AtomicFile.write("x".bytes, to: folder.path("no/x.json")) } == ENOENT)
  }

  @Test(
    "a folder that cannot be written to", .enabled(if: getuid() != 0, "root may write anywhere"))
  func readOnlyFolder() throws {
    try folder.write("old", to: "closed/luna.json")
    try FileSystem.setMode(folder.path("closed"), 0o500)
    defer { try? FileSystem.setMode(folder.path("closed"), 0o700) }
    let path = folder.path("closed/luna.json")
    #expect(code { try AtomicFile.write("x".bytes, to: path) } == EACCES)
    #expect(code { _ = try AtomicFile.remove(path, expecting: digest("old")) } == EACCES)
    #expect(try folder.read("closed/luna.json") == "old")
  }

  @Test("a file system that cannot be written to", .enabled(if: FileSystem.exists("/proc/version")))
  func readOnlyFileSystem() throws {
    #expect(code { try AtomicFile.write("x".bytes, to: "/proc/story.json") } != 0)
  }

  @Test("names that leave no room for a temporary one")
  func longNames() throws {
    let fits = String(repeating: "x", count: 200) + ".json"
    try AtomicFile.write("x".bytes, to: folder.path(fits))
    #expect(try AtomicFile.remove(folder.path(fits), expecting: digest("x")) == .done)
    let long = String(repeating: "x", count: 201) + ".json"
    #expect(code { try AtomicFile.write("x".bytes, to: folder.path(long)) } == ENAMETOOLONG)
    try folder.write("x", to: long)
    #expect(
      code { _ = try AtomicFile.remove(folder.path(long), expecting: digest("x")) } == ENAMETOOLONG)
    #expect(try folder.files() == [long])
  }

  // MARK: An editor in between

  @Test("what an editor saves between the look and the exchange survives")
  func savedBefore() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    try folder.write("edited", to: "luna.json")
    #expect(try staged.commit() == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("what an editor renames into place before the exchange survives")
  func renamedBefore() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    try folder.write("edited", to: "luna.json~")
    try folder.move("luna.json~", to: "luna.json")
    #expect(try staged.commit() == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try folder.files() == ["luna.json"])
  }

  #if os(Linux)
    /// Opens the file as an editor does that writes in place.
    private func edit(_ flags: Int32) throws -> Int32 {
      let editor = open(path, flags | O_CLOEXEC)
      try #require(editor >= 0)
      return editor
    }

    /// Saves as that editor does, and checks that the file has what it wrote.
    private func expectSaved(by editor: Int32) throws {
      #expect(ftruncate(editor, 0) == 0)
      #expect(write(editor, "edited", 6) == 6)
      close(editor)
      #expect(try folder.read("luna.json") == "edited")
      #expect(try folder.files() == ["luna.json"])
    }

    @Test("a file that an editor has open for writing is not replaced", arguments: [0, O_TRUNC])
    func openedBefore(_ flags: Int32) throws {
      try folder.write("old", to: "luna.json")
      let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
      let editor = try edit(O_RDWR | flags)
      #expect(try staged.commit() == .changedMeanwhile)
      try expectSaved(by: editor)
    }

    @Test("a file that an editor has open is put back after a crash", arguments: [0, O_TRUNC])
    func openedBeforeAndKilled(_ flags: Int32) throws {
      try folder.write("old", to: "luna.json")
      let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
      let editor = try edit(O_WRONLY | flags)
      try #require(try FileSystem.exchange(staged.temporary, path))
      #expect(try StaleFiles.settle(staged.temporary) == .restored)
      try expectSaved(by: editor)
    }

    @Test("a file that an editor has open for writing is not removed", arguments: [0, O_TRUNC])
    func openedBeforeRemoval(_ flags: Int32) throws {
      try folder.write("old", to: "luna.json")
      let editor = try edit(O_WRONLY | flags)
      #expect(try AtomicFile.remove(path, expecting: digest("old")) == .changedMeanwhile)
      try expectSaved(by: editor)
    }

    @Test("a file that is only being read is replaced and removed")
    func read() throws {
      try folder.write("old", to: "luna.json")
      let reader = try edit(O_RDONLY)
      defer { close(reader) }
      #expect(
        try AtomicFile.write("new".bytes, to: path, expecting: .content(digest("old"))) == .done)
      #expect(try AtomicFile.remove(path, expecting: digest("new")) == .done)
      #expect(try folder.files().isEmpty)
    }
  #endif

  @Test("what an editor saves while an edit is put back survives, and so does that edit")
  func savedTwice() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    let outcome = try staged.commit { isExchanged in
      try? folder.write(isExchanged ? "second edit" : "first edit", to: "luna.json")
    }
    #expect(outcome == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "second edit")
    #expect(try folder.read("luna.saved-1.json") == "first edit")
    #expect(try folder.files() == ["luna.json", "luna.saved-1.json"])
  }

  /// Others would read it, and build on what is taken back.
  @Test("a file that was edited is not replaced even for a moment", arguments: [true, false])
  func neverShown(isRemoved: Bool) throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    try folder.write("edited", to: "luna.json")
    let outcome =
      try isRemoved
      ? AtomicFile.takeAway(path, expecting: digest("old")) { _ in Issue.record("taken away") }
      : staged.commit { _ in Issue.record("replaced") }
    #expect(outcome == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
  }

  /// Between check and exchange another one could put new content in place, which is then taken back.
  @Test("this program's writers of a folder take turns", arguments: [true, false])
  func turns(isRemoved: Bool) throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    var isFree: [Bool] = []
    func look() { isFree.append((try? FileLock(folder.path("."), .exclusive)) != nil) }
    let outcome =
      try isRemoved
      ? AtomicFile.takeAway(path, expecting: digest("old")) { _ in look() }
      : staged.commit { _ in look() }
    look()
    #expect(outcome == .done)
    #expect(isFree == [false, false, true])
  }

  @Test("what an editor saves right after the exchange survives")
  func savedAfter() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    let outcome = try staged.commit { if $0 { try? folder.write("edited", to: "luna.json") } }
    #expect(outcome == .done)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("an edit whose file is removed in between comes back")
  func removedMeanwhile() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    let outcome = try staged.commit { isExchanged in
      if isExchanged {
        try? folder.remove("luna.json")
      } else {
        try? folder.write("edited", to: "luna.json")
      }
    }
    #expect(outcome == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("a write counts as done when a sync removes what it replaced")
  func settledMeanwhile() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    let outcome = try staged.commit { if $0 { _ = try? StaleFiles.settle(staged.temporary) } }
    #expect(outcome == .done)
    #expect(try folder.read("luna.json") == "new")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("a write does not count as done when a sync puts an edit back")
  func restoredMeanwhile() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    let outcome = try staged.commit { isExchanged in
      if isExchanged {
        _ = try? StaleFiles.settle(staged.temporary)
      } else {
        try? folder.write("edited", to: "luna.json")
      }
    }
    #expect(outcome == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("nothing is lost when the file is gone before the exchange")
  func goneBefore() throws {
    try folder.write("old", to: "luna.json")
    let staged = try StagedFile("new".bytes, for: path, expecting: .content(digest("old")))
    try folder.remove("luna.json")
    #expect(try staged.commit() == .changedMeanwhile)
    #expect(try folder.files().isEmpty)
  }

  @Test("a new file does not replace one that an editor made meanwhile")
  func madeMeanwhile() throws {
    let staged = try StagedFile("new".bytes, for: path, expecting: .absent)
    try folder.write("edited", to: "luna.json")
    #expect(try staged.commit() == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try folder.files() == ["luna.json"])
  }

  // MARK: Removing

  @Test("a file that is what was expected goes; a missing one is gone")
  func remove() throws {
    try folder.write("old", to: "luna.json")
    #expect(try AtomicFile.remove(path, expecting: digest("old")) == .done)
    #expect(try AtomicFile.remove(path, expecting: digest("old")) == .done)
    #expect(try folder.files().isEmpty)
  }

  @Test("a file that was edited stays")
  func removeEdited() throws {
    try folder.write("edited", to: "luna.json")
    try FileSystem.setMode(path, 0o640)
    #expect(try AtomicFile.remove(path, expecting: digest("old")) == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "edited")
    #expect(try FileSystem.status(path)?.mode == 0o640)
    #expect(try folder.files() == ["luna.json"])
  }

  @Test("a folder or link in its place stays")
  func removeObstacle() throws {
    try folder.write("old", to: "luna.json/inner")
    #expect(try AtomicFile.remove(path, expecting: digest("old")) == .changedMeanwhile)
    #expect(try folder.files() == ["luna.json/inner"])
    try folder.remove("luna.json")
    try folder.link("luna.json", to: "target")
    #expect(try AtomicFile.remove(path, expecting: digest("old")) == .changedMeanwhile)
    #expect(try FileSystem.status(path)?.type == .link)
  }

  @Test("an edit and a file that an editor makes anew meanwhile both stay")
  func removeMadeAnew() throws {
    try folder.write("old", to: "luna.json")
    let outcome = try AtomicFile.takeAway(path, expecting: digest("old")) { isMoved in
      try? folder.write(isMoved ? "made anew" : "edited", to: "luna.json")
    }
    #expect(outcome == .changedMeanwhile)
    #expect(try folder.read("luna.json") == "made anew")
    #expect(try folder.read("luna.saved-1.json") == "edited")
    #expect(try folder.files().count == 2)
  }

  // MARK: Remains of a dead run

  @Test("a write clears away its own remains, but not somebody's work in them")
  func ownRemains() throws {
    try folder.write("old", to: "luna.json")
    let expecting = AtomicFile.Expectation.content(digest("old"))
    let first = try StagedFile("new".bytes, for: path, expecting: expecting)
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: expecting) == .done)
    #expect(try folder.files() == ["luna.json"])

    try folder.write("old", to: "luna.json")
    try folder.write("\"somebody's edit\"", to: first.temporary.name)
    #expect(try AtomicFile.write("new".bytes, to: path, expecting: expecting) == .done)
    #expect(try folder.read("luna.json") == "new")
    #expect(try folder.read("luna.saved-1.json") == "\"somebody's edit\"")
    #expect(try folder.files().count == 2)
  }

  @Test("so does a removal")
  func removalRemains() throws {
    try folder.write("old", to: "luna.json")
    let name = try TemporaryName(new: nil, old: digest("old"), for: path)
    try folder.write("somebody's edit", to: name.text)
    #expect(try AtomicFile.remove(path, expecting: digest("old")) == .done)
    #expect(try folder.files() == ["luna.saved-1.json"])
  }
}
