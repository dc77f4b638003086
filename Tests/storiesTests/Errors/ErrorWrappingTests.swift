import TestSupport
import Testing

@testable import stories

/// How errors fit a terminal.
@Suite struct ErrorWrappingTests {
  private func written(_ report: ErrorReport, isTerminal: Bool) -> [String] {
    let text = Box("")
    report.write(
      to: Output(
        sink: OutputSink(isBuffered: false) { bytes in
          text.change { $0 += String(decoding: bytes, as: UTF8.self) }
          return 0
        }, isTerminal: isTerminal, width: 50))
    return text.value.split(separator: "\n").map(String.init)
  }

  private let report = ErrorReport(
    "x", "the library was not created on this machine, and would be synced with a server",
    causes: ["a cause with more words than fit on one line of fifty columns"],
    hint: "to sync it with that account: "
      + "stories -C my/library sync --yes --server https://x.example",
    exitCode: .failed)

  @Test func onATerminalWordsStayWhole() {
    #expect(
      written(report, isTerminal: true) == [
        "Error: the library was not created on this",
        "machine, and would be synced with a server",
        "Caused by: a cause with more words than fit on one",
        "           line of fifty columns",
        "Hint: to sync it with that account:",
        "  stories -C my/library sync --yes --server https://x.example",
      ])
  }

  @Test func elsewhereEachIsOneLine() {
    #expect(written(report, isTerminal: false).count == 3)
  }
}
