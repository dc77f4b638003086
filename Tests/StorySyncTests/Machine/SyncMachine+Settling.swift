import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport

@testable import StorySync

@testable import stories

/// How a history ends.
extension SyncMachine {
  /// Everything works again, and all sync until each of them in turn had nothing to do: sent reads
  /// alone and changed no tracked byte.
  func settle() async throws {
    world.server.removeFaults()
    for clone in clones { clone.stops.arm() }
    var idle = 0
    for turn in 0..<36 where idle < clones.count {
      clock.advance(milliseconds: 1_000)
      idle = try await isIdle(turn % clones.count) ? idle + 1 : 0
    }
    try require(idle == clones.count, "the libraries do not come to rest")
  }

  /// Syncs once without any trouble; whether there was nothing to do.
  private func isIdle(_ place: Int) async throws -> Bool {
    let library = clones[place].library
    let before = try library.tracked()
    _ = world.takeRequests()
    guard let report = try await run(place, SyncOptions()) else { return false }
    if let error = report.error { throw Unexpected("a sync without faults failed: \(error)") }
    guard report.stops.isEmpty else {
      try await answer(report.stops, place, SyncOptions())
      return false
    }
    if report.failed.contains(where: { $0.message.contains("has the same id") }) {
      try clones[place].hand.removeDoubles()
      return false
    }
    // What failed is tried again each time.
    let isFailing = !report.failed.isEmpty
    let sendsReads = world.takeRequests().allSatisfy { $0.isRead }
    let isUnchanged = try library.tracked() == before
    let isFinished = try isFailing || Journal(library.library).unfinished.isEmpty
    return report.isQuiet && (sendsReads || isFailing) && isUnchanged && isFinished
  }

  /// Somebody settles every conflict; whether there was any.
  func resolveAll() throws -> Bool {
    var isAny = false
    for clone in clones {
      for _ in 0..<100 {
        guard try !ConflictResolver(clone.library.library).conflicts().isEmpty else { break }
        try clone.hand.resolve(&random)
        isAny = true
      }
    }
    return isAny
  }
}
