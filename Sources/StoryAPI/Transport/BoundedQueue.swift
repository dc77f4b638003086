import Dispatch
import Foundation

/// A delegate queue that takes new work only while little of it waits.
///
/// On Linux URLSession reads from the network as fast as it can and queues a block for each piece of
/// a body, however far the delegate is behind: a slow disk would have a whole file wait in memory.
/// Whoever adds a block to this queue waits instead, and with it the reading. Elsewhere the system
/// looks after that itself.
///
/// Unchecked: a semaphore may be used from any thread, and nothing else is added.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  /// How many blocks may wait; a piece of a body has about 16 KiB.
  private static let limit = 64

  private let places = DispatchSemaphore(value: limit)

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  #if !canImport(Darwin)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      places.wait()
      super.addOperation { [places] in
        block()
        places.signal()
      }
    }
  #endif
}
