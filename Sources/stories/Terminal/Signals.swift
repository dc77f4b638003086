import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signals by which a person or the system asks the program to end.
struct Signals: Sendable {
  /// Signals from now on, for as long as somebody listens; otherwise they end the program.
  var incoming: @Sendable () -> AsyncStream<Int32>

  /// SIGINT and SIGTERM of this process.
  static let system = Signals {
    AsyncStream { continuation in
      let sources = SignalSources([SIGINT, SIGTERM]) { continuation.yield($0) }
      continuation.onTermination = { _ in sources.cancel() }
    }
  }

  /// No signal ever comes.
  static let none = Signals { AsyncStream { _ in } }
}

extension Context {
  /// Does work that a signal stops: the first one cancels it, so that it can leave everything in
  /// order; a second one ends the program at once.
  func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await work() }
    let watcher = Task {
      for await _ in signals.incoming() {
        if task.isCancelled { exit(ExitCode.interrupted.rawValue) }
        task.cancel()
      }
    }
    defer { watcher.cancel() }
    return try await task.value
  }

  /// Waits until a signal asks the program to end.
  func waitForSignal() async {
    for await _ in signals.incoming() { return }
  }
}

/// Dispatch sources for signals, which end the program again once they are cancelled.
///
/// Unchecked: the array never changes, and a dispatch source may be used from any thread.
private final class SignalSources: @unchecked Sendable {
  private let numbers: [Int32]
  private let sources: [any DispatchSourceSignal]

  init(_ numbers: [Int32], handle: @escaping @Sendable (Int32) -> Void) {
    self.numbers = numbers
    sources = numbers.map { number in
      // Without this the signal would still end the program.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { handle(number) }
      source.activate()
      return source
    }
  }

  func cancel() {
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
  }
}
