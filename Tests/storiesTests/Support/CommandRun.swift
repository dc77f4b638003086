import JSONText
import StoryAPI
import Synchronization
import TestSupport

@testable import stories

/// What came of a command line that was run within the tests' own process.
struct CommandRun: Sendable {
  var code: ExitCode
  var output: String
  var errors: String

  /// The output as JSON.
  var json: JSONValue? { try? JSONValue(parsing: Array(output.utf8)) }
  /// The output's lines.
  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A line of the output, from 0 on, or an empty string: a test that misses one fails without ending
  /// the others.
  func line(_ number: Int) -> String { lines.indices.contains(number) ? lines[number] : "" }
}

/// The surroundings of a command: nothing of the tests' own environment reaches it.
struct CommandSetting: Sendable {
  var folder: String
  var environment: [String: String] = [:]
  var isTerminal = false
  var width = 80
  var typed: [String] = []
  var signals = Signals.none
  var time = TimeSource.system
  /// The addresses by which others reach the machine.
  var networkAddresses: [String] = []
  /// The whole environment of programs that are started; ``environment`` where it is `nil`.
  var childEnvironment: [String: String]?
  /// Told each line of output as soon as it is flushed.
  var observe: @Sendable (String) -> Void = { _ in }

  init(_ folder: String) { self.folder = folder }

  init(_ folder: TemporaryFolder) { self.folder = folder.path }

  /// Runs a command line.
  func run(_ arguments: String...) async -> CommandRun { await run(arguments) }

  func run(_ arguments: [String], program: Program = Program()) async -> CommandRun {
    let output = Captured()
    let errors = Captured()
    let lines = Mutex(typed[...])
    var context = Context(
      output: stream(output), errors: stream(errors),
      input: Input(isTerminal: isTerminal) { lines.withLock { $0.popFirst() } },
      environment: environment, folder: folder)
    context.signals = signals
    context.time = time
    context.networkAddresses = { [networkAddresses] in networkAddresses }
    context.random = { 0.5 }
    if let childEnvironment { context.childEnvironment = childEnvironment }
    context.programPath = BuiltProgram.path
    let code = await program.run(arguments, in: context)
    return CommandRun(code: code, output: output.text, errors: errors.text)
  }

  private func stream(_ captured: Captured) -> Output {
    let sink = OutputSink(isBuffered: true) { [observe] bytes in
      captured.append(bytes)
      observe(String(decoding: bytes, as: UTF8.self))
      return 0
    }
    captured.sink = sink
    return Output(sink: sink, isTerminal: isTerminal, width: width)
  }
}

/// Bytes that were written.
private final class Captured: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var sink: OutputSink?
  }

  private let state = Mutex(State())

  var sink: OutputSink? {
    get { state.withLock { $0.sink } }
    set { state.withLock { $0.sink = newValue } }
  }

  func append(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }

  var text: String {
    sink?.flush()
    return state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
  }
}

extension Signals {
  /// What a test sends.
  init(_ incoming: @escaping @Sendable () -> AsyncStream<Int32>) {
    self.init { handle in
      let task = Task { for await number in incoming() { handle(number) } }
      return Listening { task.cancel() }
    }
  }
}
