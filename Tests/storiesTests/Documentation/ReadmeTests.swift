import Foundation
import TestSupport
import Testing

/// README and the page on reading show real output: their console blocks are run in a copy of the sample
/// library and compared.
@Suite struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  @Test(arguments: ["README.md", "Sources/stories/stories.docc/Reading.md"])
  func consoleBlocksShowWhatIsPrinted(_ page: String) throws {
    let folder = try TemporaryFolder()
    let script = ConsoleScript(
      folder: folder.path, program: BuiltProgram.path, sampleData: Self.root + "/SampleData")
    let mismatches = try withExtendedLifetime(folder) {
      try script.mismatches(on: page, in: Self.root)
    }
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }

  @Test func linkedPagesAreThere() throws {
    let page = try String(contentsOfFile: Self.root + "/README.md", encoding: .utf8)
    let links = page.matches(of: /\]\(([^):]+)\)/).map { String($0.output.1) }
    #expect(!links.isEmpty)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: Self.root + "/" + link), "no \(link)")
    }
  }
}
