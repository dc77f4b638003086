import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

/// What repositories do while another process has the library's lock.
extension RepositoryTests {
  /// Repositories whose first wait ends as `wait` says.
  private func repositories(
    whenLocked wait: @escaping @Sendable () throws -> Void
  ) throws -> Repositories {
    var time = TimeSource.unwaiting
    time.sleep = { _ in try wait() }
    return try world.repositories(of: library, time: time)
  }

  @Test func `a read or a delete waits for it`() async throws {
    try library.write("heroes/luna.json", Samples.luna)
    let lock = Box<LibraryLock?>(nil)
    let repositories = try repositories(whenLocked: { lock.value = nil })
    for read in 0..<3 {
      lock.value = try LibraryLock(library.library)
      switch read {
      case 0: _ = try await repositories.heroes.fetchAll(policy: .networkOnly)
      case 1: _ = try await repositories.illustrations.fetchAll(policy: .networkOnly)
      default: try await repositories.heroes.delete("luna")
      }
      #expect(lock.value == nil)
    }
    #expect(!library.exists("heroes/luna.json"))
  }

  @Test func `a cancelled wait is a cancelled request`() async throws {
    let lock = try LibraryLock(library.library)
    let repositories = try repositories(whenLocked: { throw CancellationError() })
    await #expect(throws: APIError.cancelled) {
      try await repositories.heroes.fetchAll(policy: .networkOnly)
    }
    await #expect(throws: APIError.cancelled) {
      try await repositories.illustrations.fetchAll(policy: .networkOnly)
    }
    withExtendedLifetime(lock) {}
  }
}
