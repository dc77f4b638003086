import Foundation
import Synchronization

@testable import stories

/// The program as it was built, run as a process of its own: in a cleared environment, with a home
/// folder that is empty.
struct BuiltProgram: Sendable {
  struct Result: Sendable {
    var code: Int32
    var output: String
    var errors: String
  }

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

  /// The binary lies beside the tests' own.
  static let path: String = {
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.environment = self.environment.merging(environment) { $1 }
      .merging(["stories": Self.path]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let running = try RunningProgram(process)
    running.send("")
    return running.wait()
  }

  /// Starts a command line.
  func start(_ arguments: [String]) throws -> RunningProgram {
    let process = Process()
    let words = launcher + [Self.path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    return try RunningProgram(process)
  }
}

/// A program that runs beside the tests.
///
/// Unchecked: the process is used by whoever holds this one at a time; what its threads collect is
/// guarded by a condition.
final class RunningProgram: @unchecked Sendable {
  private let process: Process
  private let input = Pipe()
  private let condition = NSCondition()
  private var texts: [String] = ["", ""]
  private var open = 2

  init(_ process: Process) throws {
    self.process = process
    let pipes = [Pipe(), Pipe()]
    process.standardInput = input
    process.standardOutput = pipes[0]
    process.standardError = pipes[1]
    try process.run()
    // Pipes are drained while the process runs: a full one would make it wait for ever.
    for (place, pipe) in pipes.enumerated() {
      let handle = pipe.fileHandleForReading
      Thread.detachNewThread { [self] in
        while true {
          let data = handle.availableData
          condition.withLock {
            texts[place] += String(decoding: data, as: UTF8.self)
            if data.isEmpty { open -= 1 }
            condition.broadcast()
          }
          if data.isEmpty { return }
        }
      }
    }
  }

  /// Types a text and closes the input.
  func send(_ text: String) {
    input.fileHandleForWriting.write(Data(text.utf8))
    try? input.fileHandleForWriting.close()
  }

  /// Waits until the errors and notes hold a text; `false` where the process ends without it, or half a
  /// minute goes by.
  func hasSaid(_ text: String) -> Bool {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: 30)
      while !texts[1].contains(text), open > 0, condition.wait(until: deadline) {}
      return texts[1].contains(text)
    }
  }

  /// Whether it still runs.
  var isRunning: Bool { process.isRunning }

  /// The first line of the output, once it is there; `nil` where the process ends without one, or
  /// says nothing for half a minute.
  func firstLine() -> String? {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: 30)
      while !texts[0].contains("\n"), open > 0, condition.wait(until: deadline) {}
      return texts[0].split(separator: "\n").first.map(String.init)
    }
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Its number, for what tells of it.
  var identifier: Int32 { process.processIdentifier }

  /// Waits for the end.
  func wait() -> BuiltProgram.Result {
    process.waitUntilExit()
    return condition.withLock {
      while open > 0 { condition.wait() }
      return BuiltProgram.Result(
        code: process.terminationStatus, output: texts[0], errors: texts[1])
    }
  }
}
