import Foundation
import StoryLibrary
import Synchronization
import TestSupport
import Testing

struct FileLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A descriptor that is closed twice may be another file's by the second time.
  @Test func aLockThatIsHeldClosesNoOtherFile() throws {
    let path = folder.path("lock")
    let held = try #require(try FileLock(path, .exclusive, makesFile: true))
    let isOver = Mutex(false)
    let refused = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for _ in 0..<20_000 where (try? FileLock(path, .exclusive)) != nil { break }
      isOver.withLock { $0 = true }
      refused.signal()
    }
    var lost = 0
    while !isOver.withLock({ $0 }) {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if close(file) != 0 { lost += 1 }
    }
    refused.wait()
    #expect(lost == 0)
    withExtendedLifetime(held) {}
  }

  @Test func oneHolderAtATime() throws {
    let path = folder.path("lock")
    var held = try FileLock(path, .exclusive, makesFile: true)
    #expect(held != nil)
    #expect(try FileLock(path, .shared) == nil)
    held = nil
    let shared = try FileLock(path, .shared)
    #expect(shared != nil)
    #expect(try FileLock(path, .shared) != nil)
    #expect(try FileLock(path, .exclusive) == nil)
    withExtendedLifetime(shared) {}
  }
}
