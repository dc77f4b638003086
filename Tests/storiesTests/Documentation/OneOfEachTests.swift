import Foundation
import Testing

/// What stands once in the libraries and the program, and is called everywhere else.
@Suite struct OneOfEachTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What only the one of its kind contains, as a regular expression.
    var sign: String
    var file: String
  }

  static let cases = [
    Case(testDescription: "file lock", sign: #"\bflock\("#, file: "StoryLibrary/Files/FileLock"),
    Case(
      testDescription: "write-all loop", sign: #"pwrite\([a-z]+, [a-z]+, rest"#,
      file: "StoryLibrary/Files/FileSystem"),
    Case(
      testDescription: "append-only log", sign: #"\bfdatasync\("#,
      file: "StoryLibrary/Files/AppendLog"),
    Case(
      testDescription: "bounded concurrent map", sign: #"\bconcurrentPerform\("#,
      file: "StoryLibrary/Files/Parallel"),
    Case(
      testDescription: "child process", sign: #"\bposix_spawnp?\(|= Process\("#,
      file: "StoryLibrary/Files/ChildProcess"),
    Case(
      testDescription: "date codec", sign: #"\btimegm\(|\bgmtime_r\(|\bstrftime\(|DateFormatter\("#,
      file: "StoryLibrary/Records/UTCTime"),
    Case(
      testDescription: "cryptographic hash", sign: "(?i)0x6a09_?e667",
      file: "StoryLibrary/Files/SHA256"),
    Case(
      testDescription: "hash for change detection", sign: "(?i)0x9e37_?79b1_?85eb",
      file: "StoryLibrary/Files/ContentDigest"),
    Case(
      testDescription: "random key", sign: #"UInt64\.random\(in: 0 \.\.\. \.max"#,
      file: "StoryLibrary/Files/Hexadecimal"),
    Case(
      testDescription: "sequence difference", sign: #"\.difference\(from:"#,
      file: "JSONText/Editing/SequenceDifference"),
    Case(
      testDescription: "escaping for terminals", sign: #"func escaping\("#,
      file: "StoryLibrary/Records/VisibleText"),
  ]

  /// The benchmark has its own, so that it measures without what it measures.
  private static let sources: [(file: String, code: String)] = {
    let root =
      URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Sources"
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("stories-bench") }.map { file in
      let text = (try? String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)) ?? ""
      let code = text.split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }
      return (String(file.dropLast(6)), code.joined(separator: "\n"))
    }
  }()

  @Test(arguments: cases) func standsInOneFile(_ test: Case) throws {
    let sign = try Regex(test.sign).wordBoundaryKind(.simple)
    #expect(Self.sources.filter { $0.code.contains(sign) }.map(\.file) == [test.file])
  }
}
