import Foundation
package import Testing

/// `epubcheck`, which the W3C publishes to validate books.
package enum EPUBCheck {
  /// The program of Debian's package.
  private static let archive = "/usr/share/java/epubcheck.jar"

  /// A machine for programs that run for a second: its better compiler costs more than it gains.
  private static let quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]

  /// In CI nothing is skipped: without it the tests fail.
  package static let isExpected =
    FileManager.default.fileExists(atPath: archive)
    || ProcessInfo.processInfo.environment["CI"] != nil

  /// Returns what it says about a book, and how it ended: with 0 if it found no error and no warning.
  package static func check(
    _ path: String, in folder: TemporaryFolder
  ) throws -> RunningProgram.Result {
    let running = try RunningProgram(
      ProgramStart(
        words: ["java"] + quick + ["-jar", archive, "--failonwarnings", path],
        folder: folder.path))
    running.send("")
    return running.wait()
  }
}

extension Trait where Self == ConditionTrait {
  /// For tests that validate a book.
  package static var withEPUBCheck: Self {
    .enabled(if: EPUBCheck.isExpected, "epubcheck is not installed (Debian: epubcheck)")
  }
}
