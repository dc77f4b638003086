#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of its own for work that blocks in system calls.
///
/// Connections wait in `recv` for seconds; on Swift's cooperative pool they would starve everyone
/// else in a process that embeds the server.
struct ServerThread: Sendable {
  /// Address space, not memory: pages are taken only as deep as the thread goes. JSON nests up to
  /// 512 levels, which a debug build's frames turn into more than Darwin's default of 512 KiB.
  private static let stackSize = 4 << 20

  #if canImport(Glibc)
    private let handle: pthread_t
  #else
    // A handle is only ever passed to `pthread_join`, which may be done from any thread.
    private nonisolated(unsafe) let handle: pthread_t
  #endif

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that must be joined.
  ///
  /// - Returns: `nil` where the system has no thread left.
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
      let result = pthread_create(&started, attributes, Self.main, body.toOpaque())
      guard result == 0 else {
        body.release()
        return nil
      }
      handle = started
    #else
      var started: pthread_t?
      let result = pthread_create(&started, attributes, Self.main, body.toOpaque())
      guard result == 0, let started else {
        body.release()
        return nil
      }
      handle = started
    #endif
  }

  #if canImport(Glibc)
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      { argument in
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }
  #endif

  /// Waits until the thread has ended and frees it; to be called once.
  func join() { pthread_join(handle, nil) }
}
