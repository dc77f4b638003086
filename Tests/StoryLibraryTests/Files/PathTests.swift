import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Paths")
struct PathTests {
  @Test(
    "parent and name",
    arguments: [
      ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a/b", "a", "b"), ("a", "", "a"), ("/", "/", ""),
      ("a/\u{301}b", "a", "\u{301}b"),
    ])
  func parts(_ path: String, _ parent: String, _ name: String) {
    #expect(Path.parent(path).utf8.elementsEqual(parent.utf8))
    #expect(Path.name(path).utf8.elementsEqual(name.utf8))
  }

  @Test(
    "joining",
    arguments: [
      ("/a", "b", "/a/b"), ("/a/", "b", "/a/b"), ("", "b", "b"), ("/a", "", "/a"),
      ("/a", "/b", "/b"), ("", "", ""),
    ])
  func joining(_ folder: String, _ path: String, _ joined: String) {
    #expect(Path.join(folder, path) == joined)
  }

  @Test(
    "absolute",
    arguments: [
      ("b", "/a/b"), (".", "/a"), ("..", "/"), ("../../..", "/"), ("./b/../c//d/", "/a/c/d"),
      ("/x/./y", "/x/y"), ("x\u{301}/y", "/a/x\u{301}/y"),
    ])
  func absolute(_ path: String, _ result: String) {
    #expect(Path.absolute(path, in: "/a").utf8.elementsEqual(result.utf8))
  }

  @Test(
    "relative",
    arguments: [
      ("/a/b/c", "/a", "b/c"), ("/a", "/a", ""), ("/b", "/", "b"), ("/ab", "/a", nil),
      ("/", "/a", nil),
    ])
  func relative(_ path: String, _ folder: String, _ result: String?) {
    #expect(Path.relative(path, to: folder) == result)
  }

  @Test("behind all links")
  func resolved() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("real/inner")
    try folder.link("link", to: "real")
    #expect(Path.resolved(folder.path("link/inner")) == Path.resolved(folder.path("real/inner")))
    #expect(Path.resolved(folder.path("nothing")) == nil)
    #expect(Path.currentFolder().hasPrefix("/"))
  }
}
