public import StoryLibrary
import StoryMerge

extension Sidecar {
  /// What a sidecar says in which git left conflict markers: the newer of its two sides, as the next
  /// sync mends it. `nil` where there are no markers, or where the sides name two records.
  public init?(mending bytes: [UInt8], ref: RecordRef) {
    guard let merged = SidecarSides(bytes, ref: ref)?.merged else { return nil }
    self = merged
  }
}
