#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value protected by a lock, with a condition that threads can wait for.
///
/// The standard library's `Mutex` has no condition. With more writers than processors, its
/// hand-over also costs a multiple of the work done under the lock: 16 connections that create
/// records reach 5,600 requests/s with it, and 10,600 with this type.
///
/// `@unchecked Sendable`: `state` is only accessed while `mutex` is held.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Calls `body` with exclusive access to the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Calls `body` with exclusive access to the value, then wakes all waiting threads.
  package func change<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { pthread_cond_broadcast(condition) }
    return try withLock(body)
  }

  /// Calls `body` now and after each ``change(_:)`` until it returns a value.
  ///
  /// - Returns: The value, or `nil` if it took longer than `milliseconds`.
  package func wait<Result>(
    milliseconds: Int64? = nil, until body: (inout State) -> Result?
  ) -> Result? {
    var deadline = timespec()
    if let milliseconds {
      clock_gettime(CLOCK_REALTIME, &deadline)
      let nanoseconds = Int64(deadline.tv_nsec) + milliseconds % 1000 * 1_000_000
      deadline.tv_sec += Int(milliseconds / 1000 + nanoseconds / 1_000_000_000)
      deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      if milliseconds == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return body(&state)
      }
    }
  }
}
