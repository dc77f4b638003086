import StoryAPI
import StoryLibrary
@_exported public import StoryMerge

/// Decides, from the strategies, who wins a field of a record.
struct Decider: Sendable {
  var policies: Policies
  /// The strategy for this run, which overrides the library's.
  var strategy: Strategy?

  /// Returns who wins a field that both sides changed.
  ///
  /// - Parameters:
  ///   - modified: when the local file was written, by the server's clock, or `nil` if that is
  ///     unknown. Without it `newest` decides nothing.
  ///   - updatedAt: the revision of the server's record.
  func verdict(
    for field: Field, of kind: EntityKind, modified: ServerDate?, updatedAt: String
  ) -> Merge.Verdict {
    switch strategy ?? policies.strategy(for: field, of: kind) {
    case .server: return .remote
    case .local: return .local
    case .merge, .ask: return .undecided
    case .newest:
      guard let modified, let changed = ServerDate(updatedAt) else { return .undecided }
      return changed < modified ? .local : .remote
    }
  }

  /// Returns who wins if a record was deleted locally and changed on the server.
  func deletedLocally(_ kind: EntityKind) -> Merge.Verdict {
    switch strategy ?? policies.deletedLocally(kind) {
    case .server: .remote
    case .local: .local
    case .merge, .ask, .newest: .undecided
    }
  }
}
