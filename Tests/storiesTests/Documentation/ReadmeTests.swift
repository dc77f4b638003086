import Foundation
import TestSupport
import Testing

/// README shows real output: its console blocks are run in a copy of the sample library and compared.
@Suite struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  @Test func consoleBlocksShowWhatIsPrinted() throws {
    let page = try String(contentsOfFile: Self.root + "/README.md", encoding: .utf8)
    let blocks = ConsoleBlock.all(in: page)
    let steps = blocks.flatMap(\.steps)
    #expect(steps.count > 20, "README has lost its tour")
    let folder = try TemporaryFolder()
    let script = ConsoleScript(
      folder: folder.path, program: BuiltProgram.path, sampleData: Self.root + "/SampleData")
    let outputs = try withExtendedLifetime(folder) { try script.run(steps) }
    try #require(outputs.count == steps.count, "the shell ended early: \(outputs.last ?? "")")
    var rest = outputs[...]
    for block in blocks {
      let printed = rest.prefix(block.steps.count)
      rest = rest.dropFirst(block.steps.count)
      let isSame = zip(block.steps, printed).allSatisfy {
        Self.comparable($0.output) == Self.comparable($1)
      }
      #expect(
        isSame, "README.md:\(block.line) should say:\n\n\(block.text(outputs: printed))\n")
    }
  }

  @Test func linkedPagesAreThere() throws {
    let page = try String(contentsOfFile: Self.root + "/README.md", encoding: .utf8)
    let links = page.matches(of: /\]\(([^):]+)\)/).map { String($0.output.1) }
    #expect(!links.isEmpty)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: Self.root + "/" + link), "no \(link)")
    }
  }

  /// Output without what differs from run to run: ids, times, durations and sizes of lists.
  private static func comparable(_ output: String) -> String {
    output
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "<id>")
      .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[0-9:.\-]|%3A)+Z/, with: "<time>")
      .replacing(/[0-9.]+ (ms|s)\b/, with: "<duration>")
      .replacing(/[0-9.]+ KB/, with: "<size>")
  }
}
