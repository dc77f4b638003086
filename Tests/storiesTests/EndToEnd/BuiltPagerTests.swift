import TestSupport
import Testing

@testable import stories

/// The pager of commands that report, with the program as it was built, at a terminal.
@Suite(.inTurn) struct BuiltPagerTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary()
    for number in 10..<50 {
      try library.folder.write(
        #"{"title": "Story \#(number)", "hero": "luna", "content": ["Snow."]}"#,
        to: "stories/story-\(number).json")
    }
  }

  private func run(
    _ arguments: [String], _ environment: [String: String]
  ) throws -> (code: Int32, shown: String) {
    var program = try BuiltProgram(in: library.folder)
    program.environment["OUT"] = library.folder.path("out")
    program.environment.merge(environment) { $1 }
    let terminal = try PseudoTerminal()
    let result = try program.start(arguments, at: terminal).wait()
    return (result.code, terminal.shown())
  }

  @Test(
    arguments: [
      ["list"], ["search", "snow"], ["diff"], ["show", "stories"], ["help"], ["sync", "--help"],
    ])
  func `long output is shown in the pager`(arguments: [String]) throws {
    let result = try run(arguments, ["PAGER": "cat > $OUT; echo \"LESS=$LESS\" >> $OUT"])
    #expect(result.code == 0 && result.shown == "")
    let text = try library.folder.read("out")
    #expect(text.hasSuffix("\nLESS=FRX\n") && text.split(separator: "\n").count > 24)
  }

  @Test func `it is coloured as on the terminal`() throws {
    let result = try run(
      ["search", "snow", "--color", "always"], ["PAGER": "cat > $OUT"])
    #expect(result.code == 0)
    #expect(try library.folder.read("out").contains("\u{1B}[1;31mSnow\u{1B}[0m.\n"))
  }

  @Test(
    arguments: [
      (["list", "--no-pager"], ["PAGER": "exit 9"]), (["list"], ["PAGER": ""]),
      (["list"], ["PAGER": "cat"]), (["list", "stories/2026"], ["PAGER": "exit 9"]),
      (["list"], ["PAGER": "/no/such/pager 2>/dev/null"]),
      (["status", "--all"], ["PAGER": "exit 9"]),
    ] as [([String], [String: String])])
  func `without a pager it is printed`(
    _ arguments: [String], _ environment: [String: String]
  ) throws {
    let result = try run(arguments, environment)
    #expect(result.code == 0 && result.shown.contains("stories/2026/first-snow"))
    #expect(
      result.shown.contains("could not be started")
        == (environment["PAGER"]?.hasPrefix("/") == true))
  }

  @Test func `notes and errors follow the pager`() throws {
    try library.folder.write("{", to: "stories/broken.json")
    let result = try run(["search", "snow"], ["PAGER": "cat > $OUT; echo closed"])
    #expect(result.code == 1)
    #expect(result.shown.hasPrefix("closed\r\nstories/broken.json:1:2: error: "))
    let missing = try run(["show", "nothing"], ["PAGER": "exit 9"])
    #expect(missing.code == 2 && missing.shown.contains("there is no record “nothing”"))
  }

  @Test func `a pager that fails is an error`() throws {
    let result = try run(["list"], ["PAGER": "cat >/dev/null; exit 3"])
    #expect(result.code == 1 && result.shown.contains("exited with status 3"))
    let quit = try run(["list"], ["PAGER": "head -c 10 >/dev/null"])
    #expect(quit.code == 0 && quit.shown == "")
  }
}
