import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// What is only true of the program that people install: `STORIES_TEST_PROGRAM` names it.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STORIES_TEST_PROGRAM"] != nil,
    "needs STORIES_TEST_PROGRAM"))
struct ReleaseBuildTests {
  /// With `$ORIGIN` in its RUNPATH (ld.so(8)) the program would load these.
  @Test func `no library is loaded from beside the program`() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let copy = ChildProcess(
      ["cp", BuiltProgram.path, folder.path("stories")], environment: GitTree.environment)
    #expect(try copy.run().status == 0)
    for name in ["libc.so.6", "libm.so.6", "libcrypt.so.1", "libcurl.so.4", "libstdc++.so.6"] {
      try folder.write("not a library", to: name)
    }
    let result = try program.shell("./stories init lib && ./stories -C lib sync")
    #expect(result.code == 0, "\(result.errors)")
  }
}
