import Testing

@testable import stories

@Suite struct ExitCodeTests {
  @Test(
    arguments: [
      ([], ExitCode.done),
      ([.done], .done),
      ([.conflictsLeft, .failed], .failed),
      ([.failed, .unreachable], .unreachable),
      ([.unreachable, .signInFirst], .signInFirst),
      ([.signInFirst, .stopped], .stopped),
      ([.stopped, .interrupted], .interrupted),
      ([.pending, .done], .pending),
    ] as [([ExitCode], ExitCode)])
  func worstOfSeveral(codes: [ExitCode], expected: ExitCode) {
    #expect(ExitCode.worst(codes) == expected)
    #expect(ExitCode.worst(codes.reversed()) == expected)
  }

  @Test func numbersAreFrozen() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 10, 130])
  }
}
