import StoryLibrary
import Testing

@testable import StorySync

@Suite struct StepQueueTests {
  private static func steps(_ count: Int, _ action: Plan.Action = .create) -> [Plan.Step] {
    (0..<count).map { number in
      Plan.Step(
        ScanEntry(ref: RecordRef(kind: .stories, name: "s\(number)"), state: .pendingCreate), action
      )
    }
  }

  @Test(arguments: [0, 1, 999, 16_383, 16_384, 16_385, 40_000])
  func givesAllStepsInTheirOrder(_ count: Int) {
    let steps = Self.steps(count)
    var queue = StepQueue(steps[...])
    #expect(queue.count == count)
    var taken: [Plan.Step] = []
    while let first = queue.first {
      let next = queue.take(1_000) { _ in true }
      #expect(next.first == first)
      #expect(next.count == min(1_000, count - taken.count))
      taken += next
      #expect(queue.count == count - taken.count)
    }
    #expect(taken == steps)
    #expect(queue.take(1_000) { _ in true }.isEmpty)
  }

  @Test func stopsBeforeAnotherStep() {
    var queue = StepQueue((Self.steps(3) + Self.steps(2, .delete) + Self.steps(20_000))[...])
    #expect(queue.take(10) { $0.action == .create }.count == 3)
    #expect(queue.take(10) { $0.action == .create }.isEmpty)
    #expect(queue.first?.action == .delete)
    #expect(queue.take(1) { $0.action == .delete }.count == 1)
    #expect(queue.take(10) { $0.action == .delete }.count == 1)
    // More than a block.
    #expect(queue.take(17_000) { $0.action == .create }.count == 17_000)
    #expect(queue.count == 3_000)
  }

  @Test func takesAPartOfAPlan() {
    let steps = Self.steps(5)
    var queue = StepQueue(steps[2...])
    #expect(queue.take(10) { _ in true } == Array(steps[2...]))
    #expect(queue.first == nil)
  }
}
