import StoryLibrary

/// What a sync did to the sidecars since it scanned the library, as far as it can tell.
///
/// With that, how they stand in the end is known without another look at all of them. Where a sidecar
/// went, moved or may have been written, only a scan can tell.
struct SidecarChanges: Sendable {
  /// The sidecars that were written, in that order.
  private(set) var written: [WrittenSidecar] = []
  /// Whether nothing else was done to any sidecar.
  private(set) var isComplete = true

  /// Nothing yet.
  ///
  /// - Parameter count: how many sidecars may be written.
  init(expecting count: Int = 0) { written.reserveCapacity(count) }

  /// Notes that a sidecar is in place.
  ///
  /// - Parameter sidecar: `nil` for something else than a sidecar at its record's name.
  mutating func note(_ sidecar: WrittenSidecar?) {
    guard isComplete else { return }
    guard let sidecar else { return lose() }
    written.append(sidecar)
  }

  /// Notes that something was done of which nothing is known here.
  mutating func lose() {
    isComplete = false
    written = []
  }
}
