import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Staying below the root")
struct ConfinedPathTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("root/heroes")
    try folder.write("theirs", to: "outside/witness.json")
    try folder.write("x", to: "root/file")
    try folder.link("root/link", to: "../outside")
    try folder.link("root/heroes/deep", to: "../../outside")
  }

  private func path(_ relative: String) -> ConfinedPath {
    ConfinedPath(root: folder.path("root"), relative)
  }

  private func failure(_ body: () throws -> Void) -> FileError? {
    do {
      try body()
      return nil
    } catch {
      return error as? FileError
    }
  }

  @Test(
    "folders on the way",
    arguments: [
      ("heroes/luna.json", 0), ("luna.json", 0), ("link/luna.json", ELOOP),
      ("link/deep/luna.json", ELOOP), ("heroes/deep/luna.json", ELOOP), ("file/luna.json", ENOTDIR),
      ("missing/luna.json", ENOENT), ("../outside/witness.json", EXDEV), ("..", EXDEV),
      ("heroes/../../outside/luna.json", EXDEV), ("./luna.json", EXDEV), ("heroes/.", EXDEV),
      ("link/\u{301}x/luna.json", ELOOP), ("heroes//luna.json", 0),
    ])
  func onTheWay(_ relative: String, _ expected: Int32) {
    #expect(failure { _ = try path(relative).located() }?.code ?? 0 == expected)
  }

  @Test("an error names the link and not what was wanted behind it")
  func namesTheLink() {
    let error = failure { _ = try FileSystem.read(path("heroes/deep/inner/luna.json")) }
    #expect(error?.path == folder.path("root/heroes/deep"))
  }

  @Test("missing folders are made, but not through links")
  func making() throws {
    try FileSystem.makeFolder(path("stories/a/b"))
    #expect(folder.exists("root/stories/a/b"))
    #expect(failure { try FileSystem.makeFolder(path("link/a/b")) }?.code == ELOOP)
    #expect(failure { try FileSystem.makeFolder(path("link")) }?.code == ELOOP)
    #expect(failure { try FileSystem.makeFolder(path("file/a")) }?.code == ENOTDIR)
    #expect(try folder.files(below: "outside") == ["outside/witness.json"])
  }

  @Test("no operation goes through a link")
  func operations() throws {
    let own = path("heroes/luna.json")
    try AtomicFile.write("own".bytes, to: own)
    let theirs = path("link/witness.json")
    let digest = ContentDigest("theirs".utf8)
    let operations: [() throws -> Void] = [
      { _ = try FileSystem.read(theirs) }, { _ = try FileSystem.status(theirs) },
      { _ = try FileSystem.list(path("link")) }, { _ = try FileSystem.list(path("link/x")) },
      { _ = try FolderListing(path("link")) }, { try FileSystem.remove(theirs) },
      { try FileSystem.removeTree(theirs) }, { try FileSystem.setMode(theirs, 0o600) },
      { try FileSystem.setModified(theirs, 0) }, { try FileSystem.flushFolder(path("link")) },
      { try FileSystem.rename(theirs, to: own) }, { try FileSystem.rename(own, to: theirs) },
      { try FileSystem.renameIfAbsent(own, to: path("link/new.json")) },
      { try FileSystem.renameIfAbsent(theirs, to: path("heroes/new.json")) },
      { try AtomicFile.write("new".bytes, to: theirs) },
      { try AtomicFile.write("new".bytes, to: path("link/new.json"), expecting: .absent) },
      { _ = try AtomicFile.remove(theirs, expecting: digest) },
      { _ = try FileLock(theirs, .exclusive) },
      { _ = try FileSystem.open(path("link/new.json"), O_WRONLY | O_CREAT) },
    ]
    for (place, operation) in operations.enumerated() {
      #expect(failure(operation)?.code == ELOOP, "operation \(place)")
    }
    #expect(!FileSystem.exists(theirs))
    #expect(!FileSystem.removeFolderIfEmpty(path("link")))
    #expect(try folder.files(below: "outside") == ["outside/witness.json"])
    #expect(try folder.read("outside/witness.json") == "theirs")
    #expect(try folder.read("root/heroes/luna.json") == "own")
  }

  @Test("a tree is removed without what its links lead to")
  func removeTree() throws {
    try FileSystem.removeTree(path("heroes"))
    #expect(!folder.exists("root/heroes"))
    try FileSystem.removeTree(path("link"))
    #expect(!folder.exists("root/link"))
    #expect(try folder.read("outside/witness.json") == "theirs")
  }

  @Test("a folder that is replaced by a link while it is used stays the one that was opened")
  func replacedMeanwhile() throws {
    let file = try path("heroes/luna.json").located()
    try folder.move("root/heroes", to: "root/moved")
    try folder.link("root/heroes", to: "../outside")
    try AtomicFile.write("own".bytes, to: file)
    #expect(try folder.read("root/moved/luna.json") == "own")
    #expect(try folder.files(below: "outside") == ["outside/witness.json"])
  }

  @Test("a batch refuses what is behind a link and does the rest")
  func batch() throws {
    var batch = WriteBatch(root: folder.path("root"))
    batch.add(
      record: (path("link/new.json"), .write("new".bytes, .anything)),
      sidecar: (path("heroes/.sync/new.json"), .write("new".bytes, .anything)))
    batch.add(record: (path("link/witness.json"), .removeAnything), sidecar: nil)
    batch.add(record: (path("heroes/mila.json"), .write("new".bytes, .absent)), sidecar: nil)
    let results = batch.commit()
    let link = folder.path("root/link")
    #expect(results[0] == .failed(FileError(.makeFolder, path: link, code: ELOOP)))
    #expect(results[1] == .failed(FileError(.read, path: link, code: ELOOP)))
    #expect(results[2] == .done)
    #expect(try folder.files(below: "outside") == ["outside/witness.json"])
    #expect(
      try folder.files(below: "root/heroes") == ["root/heroes/deep", "root/heroes/mila.json"])
  }

  @Test("more folders than a batch keeps open")
  func manyFolders() throws {
    var batch = WriteBatch(root: folder.path("root"))
    for number in 0..<300 {
      batch.add(
        record: (path("stories/\(number)/a.json"), .write("a".bytes, .absent)),
        sidecar: (path("stories/\(number)/.sync/a.json"), .write("b".bytes, .absent)))
    }
    #expect(batch.commit().allSatisfy { $0 == .done })
    #expect(try folder.files(below: "root/stories").count == 600)
  }

  @Test("a time that nanoseconds cannot hold is the last that they can")
  func farTimes() throws {
    try folder.write("x", to: "root/far")
    for (year, expected) in [(13_569_465_600, Int.max), (-13_569_465_600, Int.min)] {
      let time = timespec(tv_sec: year, tv_nsec: 5)
      guard utimensat(AT_FDCWD, folder.path("root/far"), [time, time], 0) == 0 else { continue }
      var status = stat()
      try #require(lstat(folder.path("root/far"), &status) == 0)
      // Some file systems keep fewer bits.
      guard status.st_mtim.tv_sec == year else { continue }
      #expect(try FileSystem.status(path("far"))?.modified == expected)
    }
  }
}
