import Foundation
import Synchronization
import TestSupport

@testable import stories

/// The program as it was built, run as a process of its own: in a cleared environment, with a home
/// folder that is empty.
struct BuiltProgram: Sendable {
  typealias Result = RunningProgram.Result

  var folder: String
  var environment: [String: String]
  /// Words in front of the program's own, the first of them a program's path.
  var launcher: [String] = []

  init(in folder: TemporaryFolder) throws {
    self.folder = folder.path
    environment = [
      "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
    ]
  }

  /// The binary lies beside the tests' own; `STORIES_TEST_PROGRAM` names another one, such as that of
  /// the release build.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["STORIES_TEST_PROGRAM"] { return path }
    #if os(Linux)
      let tests =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    #else
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? ""
    #endif
    return (tests as NSString).deletingLastPathComponent + "/stories"
  }()

  /// Runs a command line to its end.
  func run(_ arguments: String..., input: String = "") throws -> Result {
    try run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") throws -> Result {
    let running = try start(arguments)
    running.send(input)
    return running.wait()
  }

  /// Runs a shell script in the program's folder and environment; `$stories` is the program.
  func shell(_ script: String, _ environment: [String: String] = [:]) throws -> Result {
    let running = try RunningProgram(
      ProgramStart(
        words: ["/bin/sh", "-c", script],
        environment: self.environment.merging(environment) { $1 }
          .merging(["stories": Self.path]) { $1 },
        folder: folder))
    running.send("")
    return running.wait()
  }

  /// Starts a command line at a terminal.
  func start(_ arguments: [String], at terminal: PseudoTerminal) throws -> RunningProgram {
    try RunningProgram(
      ProgramStart(
        words: [Self.path] + arguments,
        environment: environment.merging(["NO_COLOR": "1"]) { $1 }, folder: folder),
      at: terminal.program)
  }

  /// Starts a command line.
  func start(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(
      ProgramStart(
        words: launcher + [Self.path] + arguments, environment: environment, folder: folder))
  }
}
