import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// Manual pages come from the declarations of commands.
@Suite struct ManPageTests {
  private static let hasMandoc = FileSystem.exists("/usr/bin/mandoc")

  @Test func everyCommandHasAPage() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let result = try program.run("help", "--man-pages", "man")
    #expect(result.code == 0, "\(result.errors)")
    let names = try FileSystem.list(folder.path("man")).map(\.name)
    #expect(names.count == DeclarationTests.all.count)
    #expect(names.contains("stories.1") && names.contains("stories-git-setup.1"))
    let page = try folder.read("man/stories-sync.1")
    #expect(try program.run("help", "sync", "--man").output == page)
    for word in ["\\-\\-strategy", ".SH \"EXAMPLES\"", ".BR stories (1)"] {
      #expect(page.contains(word), "\(word)")
    }
  }

  /// mandoc(1) has no complaint about any page.
  @Test(.enabled(if: hasMandoc, "needs mandoc"))
  func theyAreClean() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    #expect(try program.run("help", "--man-pages", "man").code == 0)
    let lint = try program.shell("/usr/bin/mandoc -Tlint man/*.1")
    #expect(lint.output.isEmpty && lint.code == 0, "\(lint.output.prefix(3_000))")
    let shown = try program.shell("/usr/bin/mandoc -Tascii man/stories-schedule-install.1")
    #expect(shown.output.contains("STORIES-SCHEDULE-INSTALL"))
  }
}
