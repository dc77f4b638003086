import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Staying below the root")
struct PathGuardTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("root/heroes")
    try folder.makeFolder("outside")
    try folder.write("x", to: "root/file")
    try folder.link("root/link", to: "../outside")
  }

  private func code(_ path: String, making: Bool = false) -> Int32 {
    var guardian = PathGuard(root: folder.path("root"))
    do throws(FileError) {
      if making {
        try guardian.makeFolders(above: path)
      } else {
        try guardian.check(above: path)
      }
      return 0
    } catch {
      return error.code
    }
  }

  @Test(
    "folders on the way",
    arguments: [
      ("root/heroes/luna.json", 0), ("root/luna.json", 0), ("root/link/luna.json", ELOOP),
      ("root/link/deep/luna.json", ELOOP), ("root/file/luna.json", ENOTDIR),
      ("root/missing/luna.json", ENOENT), ("outside/luna.json", EXDEV),
      ("root/heroes/../../outside/luna.json", EXDEV), ("root/./luna.json", EXDEV),
      ("rootless/luna.json", EXDEV), ("root/link/\u{301}x/luna.json", ELOOP),
    ])
  func check(_ path: String, _ expected: Int32) {
    #expect(code(folder.path(path)) == expected)
  }

  @Test("missing folders are made, but not through links")
  func making() throws {
    #expect(code(folder.path("root/stories/a/b/c.json"), making: true) == 0)
    #expect(folder.exists("root/stories/a/b"))
    #expect(code(folder.path("root/link/a/c.json"), making: true) == ELOOP)
    #expect(code(folder.path("root/file/a/c.json"), making: true) == ENOTDIR)
    #expect(try folder.files(below: "outside").isEmpty)
  }
}
