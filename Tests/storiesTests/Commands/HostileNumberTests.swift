import StoryLibrary
import TestSupport
import Testing

@testable import stories

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Numbers that nobody means, in every place where one is read. The program is run as a process of its
/// own, for a trap would end the tests.
@Suite("Hostile numbers")
struct HostileNumberTests {
  private let sample: SampleLibrary
  private let program: BuiltProgram

  init() throws {
    sample = try SampleLibrary()
    program = try BuiltProgram(in: sample.folder)
  }

  /// Runs a command line, which must end by itself.
  @discardableResult
  private func run(_ arguments: [String], _ variables: [String: String] = [:]) throws -> String {
    var program = program
    program.environment.merge(variables) { $1 }
    // A shell tells a signal (128 and its number) from an exit code.
    program.launcher = ["/bin/sh", "-c", "\"$@\"; exit $?", "sh"]
    let result = try program.run(arguments)
    #expect(
      ExitCode(rawValue: result.code) != nil,
      "\(arguments) ended with \(result.code): \(result.errors.suffix(500))")
    return result.output + result.errors
  }

  static let numbers = [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "99999999999999999999999",
    "-1", "1e400", "-1e400", "1e18", "4294967296", "1e-400",
  ]

  /// What is read from a word is a number of digits or none, so that one with an exponent is like all.
  static let words = numbers.filter { !$0.contains("e") } + ["1e400"]

  @Test("in arguments", arguments: words)
  func arguments(_ number: String) throws {
    for option in [
      ["sync", "--max-delete=\(number)"], ["sync", "--every=\(number)s"],
      ["media", "prune", "--max-size=\(number)"], ["media", "prune", "--max-size=\(number)GiB"],
      ["serve", "--port=\(number)"],
    ] {
      try run(option + (option[0] == "serve" ? ["--help"] : []))
    }
  }

  @Test("of too large ones the limit is said")
  func tooLarge() throws {
    #expect(
      try run(["sync", "--max-delete", "99999999999999999999"]).contains(
        "--max-delete must be at most 9223372036854775807, not “99999999999999999999”"))
    #expect(try run(["sync", "--max-delete=-1"]).contains("a whole number, 0 or more"))
    try sample.folder.write(
      SampleLibrary.luna.replacing("7", with: "70000000000000000000"), to: "heroes/luna.json")
    let said = try run(["check"])
    #expect(said.contains("“age” is too large"))
    #expect(said.contains("between 3 and 12"))
  }

  @Test("as the width of the terminal", arguments: words + ["1", "2", "3"])
  func width(_ number: String) throws {
    for command in [["status"], ["list"], ["help"], ["diff"], ["show", "luna"]] {
      try run(command, ["COLUMNS": number])
    }
  }

  @Test("in settings", arguments: words)
  func settings(_ number: String) throws {
    for name in SettingName.allCases { try run(["status"], [name.variable: number]) }
  }

  @Test("in records, sidecars and the state", arguments: numbers)
  func files(_ number: String) throws {
    try run(["sync"])
    try run(["generate", "avatar", "luna"])
    for (file, members) in [
      ("events/.sync/lost-tooth.json", ["usageCount"]),
      ("stories/2026/.sync/first-snow.json", ["audioDuration", "illustrationCount", "playCount"]),
    ] {
      var text = try sample.folder.read(file)
      for member in members {
        if let range = text.firstRange(of: "\"\(member)\": ") {
          let rest = text[range.upperBound...].drop { $0 != "," && $0 != "\n" }
          text = text[..<range.upperBound] + number + rest
        } else {
          text = text.replacing(
            "\"server\": {", with: "\"server\": {\n    \"\(member)\": \(number),")
        }
      }
      try sample.folder.write(text, to: file)
    }
    try sample.folder.write(
      SampleLibrary.luna.replacing("7", with: number), to: "heroes/luna.json")
    try sample.folder.write(
      SampleLibrary.snow.replacing("\"language\"", with: "\"playCount\": \(number), \"language\""),
      to: "stories/2026/first-snow.json")
    let state = "{\"version\": \(number), \"entry\": \(number), \"total\": \(number)}"
    for file in ["pulls.json", "failures.json", "api.json", "journal"] {
      try sample.folder.write(state + "\n", to: ".stories/" + file)
    }
    try sample.folder.write(state, to: ".stories/media/partial/x.json")
    for command in [
      ["status"], ["check"], ["list"], ["show", "first-snow"], ["diff"], ["doctor"], ["sync"],
      ["log"], ["media", "pull"], ["media", "list"], ["media", "prune"],
    ] {
      try run(command)
    }
    try sample.folder.remove(".stories/journal")
    for command in [
      ["sync", "--max-delete", "9"], ["generate", "audio", "first-snow"],
      ["generate", "illustrations", "first-snow"],
      ["generate", "story", "--hero", "luna", "--event", "lost-tooth"], ["sync"],
    ] {
      try run(command)
    }
    try sample.folder.write(
      "{\"version\": \(number), \"server\": \"embedded\"}", to: "library.json")
    for command in [["status"], ["sync"], ["doctor"]] { try run(command) }
  }

  @Test("in the times of files", arguments: [13_569_465_600, 9_300_000_000, -13_569_465_600])
  func times(_ seconds: Int) throws {
    try run(["sync"])
    for file in try sample.folder.files().filter({ !$0.hasSuffix("/") }) {
      let time = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
      _ = utimensat(AT_FDCWD, sample.folder.path(file), [time, time], AT_SYMLINK_NOFOLLOW)
    }
    for command in [
      ["status"], ["sync"], ["sync", "--full", "--strategy", "newest"], ["media", "list"],
      ["media", "prune"], ["doctor"], ["log"],
    ] {
      try run(command)
    }
  }

  @Test("a library.json of 1.5 GB is not read")
  func largeConfiguration() throws {
    try #require(truncate(sample.folder.path("library.json"), 1_500_000_000) == 0)
    for command in [["status"], ["sync"], ["list"]] {
      #expect(try run(command).contains("larger than 1 MiB"))
    }
  }

  @Test("state files of 1.5 GB are not read", arguments: ["index", "pulls.json", "failures.json"])
  func largeState(_ file: String) throws {
    try run(["sync"])
    try #require(
      truncate(sample.folder.path(".stories/" + file), 1_500_000_000) == 0
        || !sample.folder.exists(".stories/" + file))
    for command in [["status"], ["sync"]] { try run(command) }
  }

  @Test("settings of others are not gone by", arguments: ["config", "config/config.json"])
  func configurationOfOthers(_ path: String) throws {
    try sample.folder.write("{\"maxRequests\": 3}", to: "config/config.json")
    let variables = ["STORIES_CONFIG_DIR": sample.folder.path("config")]
    #expect(!(try run(["doctor"], variables).contains("others can change")))
    try FileSystem.setMode(sample.folder.path(path), 0o777)
    #expect(try run(["sync"], variables).contains("others can change"))
    guard geteuid() == 0 else { return }
    try FileSystem.setMode(sample.folder.path(path), 0o700)
    #expect(!(try run(["sync"], variables).contains("others can change")))
    try #require(chown(sample.folder.path(path), 12_345, 12_345) == 0)
    #expect(try run(["sync"], variables).contains("others can change"))
  }
}
