#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A dedicated thread for work that blocks in system calls.
///
/// Connections wait in `recv` for seconds. On Swift's cooperative pool they would starve the rest
/// of a process that embeds the server.
struct ServerThread: Sendable {
  /// The size in bytes. It reserves address space, not memory, which is used only as deep as the
  /// thread goes. JSON nests up to 512 levels, and in a debug build their frames exceed Darwin's
  /// default of 512 KiB.
  private static let stackSize = 4 << 20

  #if canImport(Glibc)
    private let handle: pthread_t
  #else
    // A handle is only passed to `pthread_join`, which any thread may call.
    private nonisolated(unsafe) let handle: pthread_t
  #endif

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread, which must be joined.
  ///
  /// - Returns: `nil` if the system cannot start a thread.
  init?(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run))
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
      pthread_attr_destroy(attributes)
      attributes.deallocate()
    }
    pthread_attr_setstacksize(attributes, Self.stackSize)
    #if canImport(Glibc)
      var started = pthread_t()
    #else
      var started: pthread_t?
    #endif
    let result = pthread_create(
      &started, attributes,
      { argument in
        // Not optional on Darwin.
        let body: UnsafeMutableRawPointer? = argument
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    // Optional on Darwin.
    let thread: pthread_t? = started
    guard result == 0, let thread else {
      body.release()
      return nil
    }
    handle = thread
  }

  /// Waits for the thread to end and frees it. Call this exactly once.
  func join() { pthread_join(handle, nil) }
}
