import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `stories config` as it was built.
@Suite(.inTurn) struct ConfigCommandTests {
  private let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    program = try BuiltProgram(in: folder)
  }

  private var file: String { ".config/stories/config.json" }

  @Test func aSettingIsWrittenReadAndRemoved() throws {
    let set = try program.run("config", "set", "requestTimeout", "30s")
    #expect(set.output == "Set requestTimeout to 30s in \(file)\n")
    #expect(try folder.read(file) == "{\n  \"requestTimeout\": \"30s\"\n}\n")
    #expect(try program.run("config", "get", "requestTimeout").output == "30s\n")
    let unset = try program.run("config", "unset", "requestTimeout")
    #expect(unset.output == "Removed requestTimeout from \(file)\n")
    #expect(try program.run("config", "get", "requestTimeout").output == "15s\n")
    let again = try program.run("config", "unset", "requestTimeout")
    #expect(again.output == "requestTimeout is not set in \(file)\n")
    #expect(again.code == 0)
  }

  @Test func theRestOfTheFileStays() throws {
    try folder.write("{\n\t\"retry\":   [\"1s\", \"2s\"],\n\t\"maxRequests\": 2\n}\n", to: file)
    #expect(try program.run("config", "set", "maxRequests", "4").code == 0)
    #expect(
      try folder.read(file)
        == "{\n\t\"retry\":   [\"1s\", \"2s\"],\n\t\"maxRequests\": \"4\"\n}\n")
  }

  /// As dot-file managers link it, by a relative or an absolute path.
  @Test(arguments: [true, false]) func aLinkedFileIsReadAndWrittenThrough(isRelative: Bool) throws {
    try folder.write("{\n  \"requestTimeout\": \"7s\"\n}\n", to: "dotfiles/stories.json")
    try folder.setMode("dotfiles/stories.json", 0o644)
    try folder.link(
      file, to: isRelative ? "../../dotfiles/stories.json" : folder.path("dotfiles/stories.json"))
    let get = try program.run("config", "get", "requestTimeout")
    #expect(get.output == "7s\n", "\(get.errors)")
    #expect(try program.run("config", "set", "requestTimeout", "9s").code == 0)
    #expect(try FileSystem.status(folder.path(file))?.type == .link)
    #expect(try folder.read("dotfiles/stories.json") == "{\n  \"requestTimeout\": \"9s\"\n}\n")
    #expect(try folder.mode("dotfiles/stories.json") & 0o777 == 0o644)
    #expect(try program.run("config", "unset", "requestTimeout").code == 0)
    #expect(try folder.read("dotfiles/stories.json") == "{}\n")
    // What others can change is not used, wherever it is.
    try folder.setMode("dotfiles/stories.json", 0o666)
    let open = try program.run("config", "get", "requestTimeout")
    #expect(open.code == 4)
    #expect(open.errors.contains("chmod go-w 'dotfiles/stories.json'"), "\(open.errors)")
    try folder.setMode("dotfiles/stories.json", 0o644)
    try folder.setMode("dotfiles", 0o777)
    #expect(try program.run("config", "get", "requestTimeout").errors.contains("go-w 'dotfiles'"))
  }

  @Test func aLinkThatLeadsNowhereIsAnError() throws {
    try folder.link(file, to: "../missing.json")
    for words in [["config"], ["config", "set", "retry", "1"]] {
      let run = try program.run(words)
      #expect(run.code == 2)
      #expect(
        run.errors == """
          Error: \(file): this symbolic link leads nowhere
          Hint: restore what it points to, or remove the link

          """)
    }
    #expect(try FileSystem.status(folder.path(file))?.type == .link)
  }

  @Test(arguments: [("timeLimit", "10m", "a time"), ("rateLimit", "10/s", "a number and a time")])
  func aLimitCanBeNone(name: String, value: String, expected: String) throws {
    #expect(try program.run("config", "set", name, value).code == 0)
    #expect(try program.run("config", "get", name, "--set", "\(name)=none").output == "none\n")
    #expect(try program.run("config", "set", name, "none").code == 0)
    let list = try program.run("config", "--json")
    let row = try JSONValue(parsing: list.bytes)["settings"]?.array?.first {
      $0["name"] == .string(name)
    }
    #expect(row?["value"] == "none" && row?["origin"] == "config.json")
    let wrong = try program.run("config", "set", name, "off")
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("\(name) must be \(expected)"), "\(wrong.errors)")
    #expect(wrong.errors.contains(", or none, not “off”"), "\(wrong.errors)")
  }

  @Test func theListNamesEveryOrigin() throws {
    #expect(try program.run("config", "set", "keepRuns", "7d").code == 0)
    var program = program
    program.environment["STORIES_RETRY"] = "5"
    let result = try program.run("config", "--json", "--set", "maxRequests=2")
    let rows = try #require(JSONValue(parsing: result.bytes)["settings"]?.array)
    func origin(_ name: String) -> String? {
      rows.first { $0["name"]?.string == name }?["origin"]?.string
    }
    #expect(rows.count == SettingName.allCases.count)
    #expect(origin("keepRuns") == "config.json")
    #expect(origin("retry") == "STORIES_RETRY")
    #expect(origin("maxRequests") == "--set")
    #expect(origin("runSpace") == "default")
    let note = try program.run("config", "set", "retry", "1").errors
    #expect(note == "Note: STORIES_RETRY=5 in the environment overrides it.\n")
  }

  @Test(arguments: [
    (["config", "set", "retyr", "3"], "did you mean “retry”?"),
    (["config", "set", "retry", "often"], "retry must be a number of retries"),
    (["config", "set", "requestTimeout", "30"], "requestTimeout must be a time with its unit"),
    (["config", "get", "color"], "NAME must be tokenStore, timeLimit"),
    (["config", "set", "retry"], "`stories config set` needs VALUE"),
  ])
  func aMistakeWritesNothing(words: [String], message: String) throws {
    let result = try program.run(words)
    #expect(result.code == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(!folder.exists(file))
  }

  /// A mistyped `--set` is an error of every command, not only of those that use settings.
  @Test(arguments: [
    ["list"], ["status"], ["help"], ["completions", "bash"], ["new", "hero", "Ada"],
    ["config", "get", "retry"],
  ])
  func aWrongNameAfterSetIsAnErrorEverywhere(words: [String]) throws {
    #expect(try program.run("init", ".").code == 0)
    let name = try program.run(words + ["--set", "retyr=3"])
    #expect(name.code == 2)
    #expect(name.errors.contains("unknown setting “retyr”"))
    #expect(name.errors.contains("did you mean “retry”?"))
    #expect(try program.run(words + ["--set", "retry=often"]).code == 2)
    #expect(!folder.exists("heroes/ada.json"))
  }

  @Test func aDryRunWritesNothing() throws {
    #expect(try program.run("config", "set", "retry", "3", "--dry-run").code == 0)
    #expect(!folder.exists(file))
  }
}
