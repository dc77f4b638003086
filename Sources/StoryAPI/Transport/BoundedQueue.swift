import Dispatch
import Foundation

/// A delegate queue that blocks its producer while too much work is waiting.
///
/// On Linux, URLSession reads from the network as fast as it can and queues a block for each chunk
/// of a body, however slow the delegate is: the body would pile up in memory before anything could
/// count it. This queue blocks the caller that adds a block, and thereby the reading. On other
/// systems this is not necessary.
///
/// Unchecked: semaphores and dispatch queues are thread-safe, and there is no other state.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  #if !canImport(Darwin)
    /// The maximum number of waiting blocks; a chunk of a body has about 16 KiB.
    private static let limit = 64

    private let places = DispatchSemaphore(value: limit)
    /// Runs the blocks. An operation queue would keep them for a while after they have run.
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
