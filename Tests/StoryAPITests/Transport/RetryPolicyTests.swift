import StoryAPI
import Testing

@Suite struct RetryPolicyTests {
  @Test func `waits double, with full jitter, up to the maximum`() {
    let policy = RetryPolicy(retries: 9)
    let longest = (1...9).map {
      policy.delay(after: $0, serverWait: nil, random: 0.999_999)!.formatted
    }
    #expect(longest == [1, 2, 4, 8, 16, 30, 30, 30, 30])
    #expect(policy.delay(after: 3, serverWait: nil, random: 0) == .zero)
    #expect(policy.delay(after: 3, serverWait: nil, random: 0.25) == .seconds(1))
    #expect(policy.delay(after: 10, serverWait: nil, random: 0.5) == nil)
    #expect(RetryPolicy.never.delay(after: 1, serverWait: nil, random: 0.5) == nil)
  }

  @Test func `takes a fixed list as well`() {
    let policy = RetryPolicy(
      retries: 4,
      backoff: .fixed([.milliseconds(200), .milliseconds(500), .seconds(1)]))
    #expect(
      (1...5).map { policy.delay(after: $0, serverWait: nil, random: 0.9) } == [
        .milliseconds(200), .milliseconds(500), .seconds(1), .seconds(1), nil,
      ])
    let empty = RetryPolicy(retries: 1, backoff: .fixed([]))
    #expect(empty.delay(after: 1, serverWait: nil, random: 0.9) == .zero)
  }

  @Test func `obeys the server up to five minutes`() {
    let policy = RetryPolicy()
    #expect(policy.delay(after: 1, serverWait: .seconds(300), random: 0.5) == .seconds(300))
    #expect(policy.delay(after: 1, serverWait: .seconds(301), random: 0.5) == nil)
    #expect(policy.delay(after: 1, serverWait: .zero, random: 0.5) == .milliseconds(500))
  }
}

extension Duration {
  /// Whole seconds, rounded.
  fileprivate var formatted: Int { Int((self / .seconds(1)).rounded()) }
}
