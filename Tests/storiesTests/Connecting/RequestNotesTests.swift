import Synchronization
import TestSupport
import Testing

@testable import StoryAPI
@testable import stories

/// What is told while a server wants to be left alone.
@Suite(.inTurn) struct RequestNotesTests {
  private final class Desk: Sendable {
    let written = Mutex("")
    let clock = SteppingClock()

    func context(isTerminal: Bool, isQuiet: Bool = false) -> Context {
      let sink = OutputSink(isBuffered: false) { [self] bytes in
        written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        return 0
      }
      let output = Output(sink: sink, isTerminal: isTerminal, width: 40)
      var context = Context(
        output: output, errors: output, input: Input(isTerminal: isTerminal) { nil },
        environment: [:], folder: "/")
      context.time = clock.source
      context.global.isQuiet = isQuiet
      return context
    }

    var text: String { written.withLock { $0 } }
  }

  private let notice = RetryNotice(
    request: "GET /api/heroes", error: .rateLimited(until: nil), attempt: 1, wait: .seconds(3))

  @Test func aTerminalCountsDownAndForgets() async throws {
    let desk = Desk()
    let notes = RequestNotes(desk.context(isTerminal: true))
    notes.tell(.waiting(notice))
    try await eventually { desk.text.contains("in 1 s.") }
    notes.tell(.resumed)
    for seconds in [3, 2, 1] {
      #expect(
        desk.text.contains("\u{1B}[KRetrying in \(seconds) s. Too many r"), "\(desk.text)")
    }
    #expect(desk.text.hasSuffix("\r\u{1B}[K"))
    #expect(!desk.text.contains("\n"))
  }

  @Test func elsewhereItIsOneLine() {
    let desk = Desk()
    let notes = RequestNotes(desk.context(isTerminal: false))
    notes.tell(.waiting(notice))
    notes.tell(.resumed)
    #expect(desk.text == "Too many requests. Retrying in 3 s.\n")
  }

  @Test(arguments: [true, false]) func quietSaysNothing(isTerminal: Bool) {
    let desk = Desk()
    let notes = RequestNotes(desk.context(isTerminal: isTerminal, isQuiet: true))
    notes.tell(.waiting(notice))
    notes.tell(.resumed)
    #expect(desk.text.isEmpty)
  }
}
