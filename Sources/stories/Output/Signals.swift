import Dispatch
import Foundation
import Synchronization

/// The signals that ask the program to end.
struct Signals: Sendable {
  /// Calls a function for each signal until the returned value is released and signals end the
  /// program again.
  ///
  /// The function is called on a thread of its own: it must run even if all others are busy.
  var listen: @Sendable (_ handle: @escaping @Sendable (Int32) -> Void) -> Listening

  /// A registration for signals, which ends with its lifetime.
  final class Listening: Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
  }

  /// SIGINT and SIGTERM of this process.
  static let system = Signals { handle in
    let numbers = [SIGINT, SIGTERM]
    // A dispatch source may be used from any thread.
    nonisolated(unsafe) let sources = numbers.map { source(of: $0, handle) }
    return Listening {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
  }

  static let none = Signals { _ in Listening {} }

  /// The signals that came before their source was registered, as bits.
  private static let early = Atomic<UInt64>(0)

  private static func source(
    of number: Int32, _ handle: @escaping @Sendable (Int32) -> Void
  ) -> any DispatchSourceSignal {
    let bit = UInt64(1) << UInt64(number)
    early.bitwiseAnd(~bit, ordering: .relaxed)
    // Without this the signal would still end the program until its source is registered, which
    // takes a moment; if it were ignored, it would be lost.
    signal(number) { Signals.early.bitwiseOr(UInt64(1) << UInt64($0), ordering: .relaxed) }
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { handle(number) }
    source.setRegistrationHandler {
      #if canImport(Darwin)
        signal(number, SIG_IGN)
      #endif
      if early.load(ordering: .relaxed) & bit != 0 { handle(number) }
    }
    source.activate()
    return source
  }
}

extension Context {
  /// Runs work that signals can stop: the first one cancels it so that it can finish cleanly; a
  /// second one ends the program at once.
  func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // The work starts after the registration, or an early signal would end the program.
    let (beginning, begin) = AsyncStream.makeStream(of: Never.self)
    let task = Task {
      for await _ in beginning {}
      return try await work()
    }
    let listening = signals.listen { _ in
      // Nothing is cleaned up or awaited: a second signal means it.
      if task.isCancelled { _exit(ExitCode.interrupted.rawValue) }
      task.cancel()
    }
    defer { withExtendedLifetime(listening) {} }
    begin.finish()
    return try await task.value
  }

  /// Announces that the program is ready, and waits for a signal to end it.
  ///
  /// Signals are received before the announcement, because whoever reads it may send one at once.
  func waitForSignal(after announce: () -> Void) async {
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    let listening = self.signals.listen { continuation.yield($0) }
    defer { withExtendedLifetime(listening) {} }
    announce()
    for await _ in signals { return }
  }
}
