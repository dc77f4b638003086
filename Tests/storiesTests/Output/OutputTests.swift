import JSONText
import Synchronization
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct OutputTests {
  /// A sink that the reader leaves after some bytes.
  private func sink(failingAfter limit: Int, with code: Int32) -> (OutputSink, () -> Int) {
    let count = Mutex(0)
    let sent = Shared(count: 0)
    let sink = OutputSink(isBuffered: false) { bytes in
      count.withLock { count in
        guard count + bytes.count <= limit else { return code }
        count += bytes.count
        sent.set(count)
        return 0
      }
    }
    return (sink, { sent.value })
  }

  private final class Shared: Sendable {
    private let count: Mutex<Int>
    init(count: Int) { self.count = Mutex(count) }
    func set(_ value: Int) { count.withLock { $0 = value } }
    var value: Int { count.withLock { $0 } }
  }

  private func run(_ sink: OutputSink) async -> (ExitCode, String) {
    let errors = Mutex("")
    let errorSink = OutputSink(isBuffered: false) { bytes in
      errors.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      return 0
    }
    let context = Context(
      output: Output(sink: sink, isTerminal: false, width: 80),
      errors: Output(sink: errorSink, isTerminal: false, width: 80),
      input: Input(isTerminal: false) { nil }, environment: [:], folder: "/")
    let code = await Program().run(["help"], in: context)
    return (code, errors.withLock { $0 })
  }

  /// Where there is no room beside a command, what it does is below it.
  @Test func aNarrowTerminalGetsTheLastColumnBelow() {
    let text = Box("")
    let output = Output(
      sink: OutputSink(isBuffered: false) { bytes in
        text.change { $0 += String(decoding: bytes, as: UTF8.self) }
        return 0
      }, isTerminal: true, width: 40)
    var table = Table(indent: 0)
    table.add("stories resolve first-snow --local", "keep the local version; or --server")
    table.add("stories sync", "go on")
    table.write(to: output)
    #expect(
      text.value == """
        stories resolve first-snow --local
            keep the local version; or --server
        stories sync
            go on

        """)
  }

  @Test func aReaderThatGoesAwayIsNoError() async {
    let (sink, sent) = sink(failingAfter: 100, with: 32)
    let (code, errors) = await run(sink)
    #expect(code == .done)
    #expect(errors.isEmpty)
    #expect(sent() <= 100)
    #expect(sink.failure == 32)
  }

  @Test func aFullDiskIsOne() async {
    let (sink, _) = sink(failingAfter: 0, with: 28)
    let (code, errors) = await run(sink)
    #expect(code == .failed)
    #expect(errors.contains("Error: the results could not be written"))
    #expect(errors.contains("Caused by: No space left on device"))
  }

  @Test func jsonSteersNoTerminal() throws {
    let bytes = Mutex([UInt8]())
    let sink = OutputSink(isBuffered: false) { new in
      bytes.withLock { $0 += new }
      return 0
    }
    let value: JSONValue = ["a": "x\u{9B}31m \u{202E}y\u{7F}z é 雪"]
    Output(sink: sink, isTerminal: true, width: 80).json(value)
    let written = bytes.withLock { $0 }
    #expect(try JSONValue(parsing: written) == value)
    let text = String(decoding: written, as: UTF8.self)
    #expect(text.contains("x\\u009b31m \\u202ey\\u007fz é 雪"))
  }

  @Test func colourOnlyWhereAPersonSeesIt() async throws {
    let library = try SampleLibrary()
    func output(
      isTerminal: Bool, _ environment: [String: String] = [:], _ more: String...
    ) async -> String {
      var setting = CommandSetting(library.folder)
      setting.isTerminal = isTerminal
      setting.environment = environment
      return await setting.run(["status"] + more).output
    }
    let escape = "\u{1B}["
    #expect(await output(isTerminal: true).contains(escape))
    #expect(await !output(isTerminal: false).contains(escape))
    #expect(await !output(isTerminal: true, ["NO_COLOR": "1"]).contains(escape))
    #expect(await output(isTerminal: true, ["NO_COLOR": ""]).contains(escape))
    #expect(await !output(isTerminal: true, ["TERM": "dumb"]).contains(escape))
    #expect(await !output(isTerminal: true, [:], "--color", "never").contains(escape))
    #expect(await output(isTerminal: false, ["NO_COLOR": "1"], "--color=always").contains(escape))
    #expect(await !output(isTerminal: true, [:], "--json").contains(escape))
  }
}
