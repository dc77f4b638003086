import Foundation
import Testing

/// The server has its own idea of records, so that it and the client check each other.
@Suite struct IndependenceTests {
  @Test func `the server takes no rule of records from the library`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let sources = tests.appending(path: "../../Sources/StoryServer").standardizedFileURL
    let rules = [
      "EntityKind", "Field", "FieldValues", "RecordChecker", "RecordFile", "RecordRef",
      "RemoteRecord",
      "Schema", "Sidecar",
    ]
    let files = try #require(FileManager.default.subpaths(atPath: sources.path))
    #expect(files.contains("StoryServer.swift"))
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let words = Set(text.split { !$0.isLetter && !$0.isNumber })
      for rule in rules where words.contains(rule[...]) {
        Issue.record("\(file) uses \(rule)")
      }
    }
  }
}
