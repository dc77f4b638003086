import Synchronization
import Testing

@testable import stories

@Suite struct ProgressTests {
  /// A clock that a test moves, and what was written meanwhile.
  private final class Desk: Sendable {
    let now = Mutex(Duration.zero)
    let written = Mutex("")

    func progress() -> Progress {
      let sink = OutputSink(isBuffered: false) { [self] bytes in
        written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        return 0
      }
      let output = Output(sink: sink, isTerminal: true, width: 40)
      return Progress(output) { [self] in now.withLock { $0 } }
    }

    func pass(_ time: Duration) { now.withLock { $0 += time } }

    var text: String { written.withLock { $0 } }
  }

  @Test func shortWorkSaysNothing() {
    let desk = Desk()
    let progress = desk.progress()
    progress.update("Sending", done: 1, of: 3)
    desk.pass(.milliseconds(900))
    progress.update("Sending", done: 2, of: 3)
    progress.finish()
    #expect(desk.text.isEmpty)
  }

  @Test func longWorkIsToldAndWipedAway() {
    let desk = Desk()
    let progress = desk.progress()
    desk.pass(.seconds(1))
    progress.update("Sending", done: 1, of: 30)
    desk.pass(.milliseconds(50))
    progress.update("Sending", done: 2, of: 30)
    desk.pass(.milliseconds(100))
    progress.update("Reading something with a name that is longer than the line")
    progress.finish()
    progress.finish()
    let wipe = "\r\u{1B}[K"
    #expect(
      desk.text == "\(wipe)Sending 1 of 30\(wipe)Reading something with a name that is …\(wipe)")
  }

  @Test func notesDoNotRunIntoIt() {
    let desk = Desk()
    let progress = desk.progress()
    desk.pass(.seconds(2))
    progress.update("Sending")
    progress.output?.line("A note")
    desk.pass(.seconds(2))
    progress.update("Sending")
    progress.finish()
    let wipe = "\r\u{1B}[K"
    #expect(desk.text == "\(wipe)Sending\(wipe)A note\n\(wipe)Sending\(wipe)")
  }
}
