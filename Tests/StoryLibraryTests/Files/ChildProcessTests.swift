import Foundation
import StoryLibrary
import TestSupport
import Testing

@Suite(.inTurn) struct ChildProcessTests {
  private let environment = ["PATH": "/usr/bin:/bin", "WORD": "hello"]

  private func shell(_ script: String) -> ChildProcess {
    ChildProcess(["sh", "-c", script], environment: environment)
  }

  @Test func answersWithWhatItPrintsAndItsStatus() throws {
    let result = try shell("echo $WORD; echo no >&2; exit 3").run()
    #expect(String(decoding: result.output, as: UTF8.self) == "hello\n")
    #expect(result.status == 3)
  }

  @Test func carriesMoreThanABufferBothWays() throws {
    let text = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try shell("cat").run(input: text).output == text)
  }

  @Test func aProgramThatReadsNothingIsNoError() throws {
    let text = [UInt8](repeating: 65, count: 1_000_000)
    #expect(try shell("exit 0").run(input: text).status == 0)
  }

  @Test func aMissingProgramIsToldByName() {
    #expect(throws: ChildProcess.Failure.notStarted(program: "no-such-program", code: 2)) {
      try ChildProcess(["no-such-program"], environment: environment).run()
    }
  }

  @Test func `a program is an executable file, wherever a link leads to it`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("folder/git")
    try folder.write("", to: "plain/git")
    try folder.setMode("plain/git", 0o644)
    try folder.link("dangling/git", to: "nothing")
    try folder.link("linked/git", to: folder.path("program"))
    try folder.write("", to: "program")
    try folder.setMode("program", 0o755)
    let places = ["folder", "plain", "dangling", "linked"].map(folder.path)
    func find(_ places: [String]) -> String? {
      ChildProcess.file(of: "git", in: places.joined(separator: ":"))
    }
    #expect(find(places) == folder.path("linked/git"))
    #expect(find(places.dropLast() + ["", ".", "linked"]) == nil)
  }

  @Test func aProgramThatTakesTooLongEndsWithAllItStarted() {
    #expect(throws: ChildProcess.Failure.timedOut(program: "sh")) {
      try shell("sleep 60 & sleep 60").run(seconds: 0)
    }
  }

  @Test func `a program that writes without end is ended`() {
    #expect(throws: ChildProcess.Failure.tooMuchOutput(program: "sh")) {
      try shell("while :; do echo yes; done").run(limit: 1_000_000)
    }
  }

  @Test func aSignalIsTold() throws {
    #expect(try shell("kill -9 $$").run().status == 137)
  }

  /// URLSession opens its sockets for every program to inherit.
  @Test func theProgramGetsNoneOfTheFilesThatAreOpen() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let result = try shell("test -e /dev/fd/\(file) && echo open; test -e /dev/fd/1").run()
    #expect(result.output.isEmpty)
    #expect(result.status == 0)
  }

  /// The threads of tasks block signals; a program started from one must not inherit that.
  @Test func noSignalIsBlockedInTheProgram() async throws {
    let result = try await Task.detached { [self] in try shell("kill -TERM $$; echo alive").run() }
      .value
    #expect(result.status == 143)
    #expect(result.output.isEmpty)
  }
}
