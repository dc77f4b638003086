public import StoryLibrary
import StoryMerge

extension Sidecar {
  /// Merges a sidecar with git's conflict markers into the newer of its two sides, as the next sync
  /// does. `nil` without markers, or if the sides have two ids.
  public init?(repairing bytes: [UInt8], ref: RecordRef) {
    guard let merged = SidecarSides(bytes, ref: ref)?.merged else { return nil }
    self = merged
  }
}
