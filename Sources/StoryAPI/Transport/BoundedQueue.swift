import Dispatch
import Foundation

/// A delegate queue that takes new work only while little of it waits.
///
/// On Linux URLSession reads from the network as fast as it can and queues a block for each piece of
/// a body, however far the delegate is behind: the body would wait in memory, before anything could
/// count it. Whoever adds a block to this queue waits instead, and with it the reading. Elsewhere the
/// system looks after that itself.
///
/// Unchecked: a semaphore and a dispatch queue may be used from any thread, and nothing else is added.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  #if !canImport(Darwin)
    /// How many blocks may wait; a piece of a body has about 16 KiB.
    private static let limit = 64

    private let places = DispatchSemaphore(value: limit)
    /// Runs the blocks: an operation queue keeps them for a while after they have run.
    private let blocks = DispatchQueue(label: "stories.answers")

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      places.wait()
      blocks.async { [places] in
        block()
        places.signal()
      }
    }
  #endif
}
