import Foundation
import Testing

@testable import stories

@Suite struct LibraryVoiceTests {
  /// A library throws cases with data; which command helps is for the program to say.
  @Test func `no library names a command of the program`() throws {
    let sources =
      URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Sources"
    let commands = StoriesCommand.subcommands.map { $0.name }.joined(separator: "|")
    let naming = try Regex("stories (?:-C|(?:\(commands))\\b)|Run `")
    var count = 0
    for file in try #require(FileManager.default.enumerator(atPath: sources)) {
      guard let file = file as? String, file.hasSuffix(".swift"), !file.hasPrefix("stories"),
        // What git is to call stands in what is written for git.
        !file.hasPrefix("StorySync/Git/")
      else { continue }
      count += 1
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(!line.contains(naming), "\(file):\(number + 1)")
      }
    }
    #expect(count > 100)
  }
}
