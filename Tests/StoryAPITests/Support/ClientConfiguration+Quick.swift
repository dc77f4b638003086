import StoryAPI
import TestSupport

extension ClientConfiguration {
  /// Clocks that never wait, no retries, and patience with a busy machine: what most tests want.
  static func quick(
    _ clock: SteppingClock = SteppingClock(), dialect: Dialect? = .v0,
    retries: RetryPolicy = .never
  ) -> ClientConfiguration {
    var configuration = ClientConfiguration(dialect: dialect, time: clock.source)
    configuration.timeout = patience
    configuration.retryPolicy = retries
    configuration.random = { 0.5 }
    return configuration
  }
}
