import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("System calls")
struct FileSystemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return 0
    } catch {
      return (error as? FileError)?.code ?? -1
    }
  }

  @Test("reading files of all sizes", arguments: [0, 1, 4_095, 4_096, 200_000])
  func reading(_ size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    try folder.write(bytes, to: "x")
    #expect(try FileSystem.read(folder.path("x")) == bytes)
    #expect(try FileSystem.read(folder.path("x"), limit: size) == bytes)
    if size > 0 {
      #expect(code { _ = try FileSystem.read(folder.path("x"), limit: size - 1) } == EFBIG)
    }
  }

  @Test("what is not read")
  func notRead() throws {
    try folder.makeFolder("folder")
    try folder.write("x", to: "file")
    try folder.link("link", to: "file")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(code { _ = try FileSystem.read(folder.path("nothing")) } == ENOENT)
    #expect(code { _ = try FileSystem.read(folder.path("file/x")) } == ENOTDIR)
    #expect(code { _ = try FileSystem.read(folder.path("folder")) } == EISDIR)
    #expect(code { _ = try FileSystem.read(folder.path("link")) } == ELOOP)
    #expect(code { _ = try FileSystem.read(folder.path("pipe")) } == EINVAL)
    for name in ["folder", "link", "pipe"] {
      let error = #expect(throws: FileError.self) { try FileSystem.read(folder.path(name)) }
      #expect(error?.isNotAFile == true)
      #expect(error?.isMissing == false)
    }
  }

  @Test("a file without permission", .enabled(if: getuid() != 0, "root may read everything"))
  func denied() throws {
    try folder.write("x", to: "x")
    try FileSystem.setMode(folder.path("x"), 0)
    let error = #expect(throws: FileError.self) { try FileSystem.read(folder.path("x")) }
    #expect(error?.code == EACCES)
    #expect(error?.isReadOnly == true)
  }

  @Test("status does not follow links")
  func status() throws {
    try folder.write("abc", to: "file")
    try folder.link("link", to: "file")
    try folder.link("nowhere", to: "nothing")
    let status = try #require(try FileSystem.status(folder.path("file")))
    #expect(status.type == .regular)
    #expect(status.size == 3)
    #expect(status.mode == 0o644)
    #expect(status.modified > 1_600_000_000 * 1_000_000_000)
    #expect(try FileSystem.status(folder.path("link"))?.type == .link)
    #expect(try FileSystem.status(folder.path)?.type == .folder)
    #expect(try FileSystem.status(folder.path("nothing")) == nil)
    #expect(try FileSystem.status(folder.path("file/x")) == nil)
    #expect(FileSystem.exists(folder.path("nowhere")))
    #expect(!FileSystem.exists(folder.path("nothing")))
  }

  @Test("names in a folder, in the order of their bytes")
  func listing() throws {
    for name in ["b", "B", "a", "é", ".hidden", "e\u{301}"] { try folder.write("", to: name) }
    try folder.makeFolder("c")
    try folder.link("d", to: "a")
    let entries = try FileSystem.list(folder.path)
    #expect(
      entries.map(\.name).map { Array($0.utf8) }
        == [".hidden", "B", "a", "b", "c", "d", "e\u{301}", "é"].map { Array($0.utf8) })
    #expect(
      entries.map(\.type).prefix(6) == [.regular, .regular, .regular, .regular, .folder, .link])
    #expect(code { _ = try FileSystem.list(folder.path("nothing")) } == ENOENT)
    #expect(code { _ = try FileSystem.list(folder.path("d")) } == ELOOP)
  }

  @Test("names that are not UTF-8 are told apart")
  func undecodable() throws {
    let path = Array(folder.path("caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0, "this file system takes only UTF-8")
    close(descriptor)
    defer { unlink(path) }
    try folder.write("", to: "x")
    let listing = try FolderListing(folder.path)
    #expect(listing.entries.map(\.name) == ["x"])
    #expect(listing.unreadable.map(\.name) == ["caf\u{FFFD}"])
  }

  @Test("folders are made with those above, and a file in the way is an error")
  func makingFolders() throws {
    try FileSystem.makeFolder(folder.path("a/b/c"))
    try FileSystem.makeFolder(folder.path("a/b/c"))
    try folder.link("link", to: "a")
    try FileSystem.makeFolder(folder.path("link"))
    try folder.write("", to: "file")
    #expect(code { try FileSystem.makeFolder(folder.path("file")) } == EEXIST)
    #expect(code { try FileSystem.makeFolder(folder.path("file/x")) } == ENOTDIR)
    try FileSystem.makeFolder(folder.path("new/private"), mode: 0o700)
    #expect(try FileSystem.status(folder.path("new/private"))?.mode == 0o700)
    #expect(try FileSystem.status(folder.path("new"))?.mode != 0o700)
  }

  @Test("renaming without replacing")
  func renameIfAbsent() throws {
    try folder.write("a", to: "a")
    try folder.write("b", to: "b")
    #expect(
      code { try FileSystem.renameIfAbsent(folder.path("a"), to: folder.path("b")) } == EEXIST)
    #expect(try folder.read("b") == "b")
    try FileSystem.renameIfAbsent(folder.path("a"), to: folder.path("c"))
    #expect(try folder.files() == ["b", "c"])
    #expect(
      code { try FileSystem.renameIfAbsent(folder.path("a"), to: folder.path("d")) } == ENOENT)
  }

  @Test("exchanging names")
  func exchange() throws {
    try folder.write("a", to: "a")
    try folder.write("b", to: "b")
    try #require(try FileSystem.exchange(folder.path("a"), folder.path("b")))
    #expect(try folder.read("a") == "b")
    #expect(try folder.read("b") == "a")
    #expect(code { _ = try FileSystem.exchange(folder.path("a"), folder.path("c")) } == ENOENT)
    #expect(try folder.files() == ["a", "b"])
  }

  @Test("removing")
  func removing() throws {
    try folder.write("a", to: "deep/inner/a")
    try folder.write("b", to: "outside/b")
    try folder.link("deep/link", to: "../outside")
    #expect(!FileSystem.removeFolderIfEmpty(folder.path("deep")))
    try FileSystem.remove(folder.path("nothing"))
    try FileSystem.removeTree(folder.path("deep"))
    #expect(try folder.files() == ["outside/b"])
    try FileSystem.removeTree(folder.path("deep"))
    try FileSystem.remove(folder.path("outside/b"))
    #expect(FileSystem.removeFolderIfEmpty(folder.path("outside")))
    #expect(try folder.files().isEmpty)
  }

  @Test("errors say what, which and why")
  func errors() {
    let error = FileError(.makeFolder, path: "/x", code: ENOSPC)
    #expect(error.description == "cannot make the folder /x: No space left on device")
    #expect(error.isDiskFull)
    #expect(FileError(.write, path: "/x", code: EROFS).isReadOnly)
    #expect(FileError(.read, path: "/x", code: ENOTDIR).isMissing)
    #expect(FileError(.rename, path: "/x", code: EEXIST).isPresent)
  }
}
