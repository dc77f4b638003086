import Foundation
import Testing

/// What stands once in the libraries and the program, and is called everywhere else.
@Suite struct OneOfEachTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What only the one of its kind contains, as a regular expression.
    var sign: String
    var file: String

    init(_ what: String, _ sign: String, in file: String) {
      (testDescription, self.sign, self.file) = (what, sign, file)
    }
  }

  static let cases = [
    Case("file lock", #"\bflock\("#, in: "StoryLibrary/Files/FileLock"),
    Case("write-all loop", #"pwrite\([a-z]+, [a-z]+, rest"#, in: "StoryLibrary/Files/FileSystem"),
    Case("append-only log", #"\bfdatasync\("#, in: "StoryLibrary/Files/AppendLog"),
    Case("private file", #"mode: 0o600\b"#, in: "StoryLibrary/Files/AtomicFile"),
    Case("bounded concurrent map", #"\bconcurrentPerform\("#, in: "StoryLibrary/Files/Parallel"),
    Case("child process", #"\bposix_spawnp?\(|= Process\("#, in: "StoryLibrary/Files/ChildProcess"),
    Case(
      "date codec", #"\btimegm\(|\bgmtime_r\(|\bstrftime\(|DateFormatter\("#,
      in: "StoryLibrary/Records/UTCTime"),
    Case("cryptographic hash", "(?i)0x6a09_?e667", in: "StoryLibrary/Files/SHA256"),
    Case(
      "hash for change detection", "(?i)0x9e37_?79b1_?85eb", in: "StoryLibrary/Files/ContentDigest"),
    Case("hexadecimal digits", #"- 10 \+ 0x61"#, in: "StoryLibrary/Files/Hexadecimal"),
    Case(
      "random key", #"UInt64\.random\(in: 0 \.\.\. \.max"#, in: "StoryLibrary/Files/Hexadecimal"),
    Case("sequence difference", #"\.difference\(from:"#, in: "JSONText/Editing/SequenceDifference"),
    Case("escaping for terminals", #"func escaping\("#, in: "StoryLibrary/Records/VisibleText"),
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
