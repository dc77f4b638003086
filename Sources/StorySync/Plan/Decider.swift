public import StoryAPI
public import StoryLibrary
@_exported public import StoryMerge

/// Turns strategies into verdicts for the fields of one record.
public struct Decider: Sendable {
  /// The strategies of the library.
  public var policies: Policies
  /// A strategy for this run that goes before the library's.
  public var strategy: Strategy?

  /// A decider for a run.
  public init(policies: Policies, strategy: Strategy? = nil) {
    self.policies = policies
    self.strategy = strategy
  }

  /// Who wins a field that both sides changed.
  ///
  /// - Parameters:
  ///   - field: the field.
  ///   - kind: the kind of the record.
  ///   - modified: when the local file was written, by the server's clock; `nil` where it is not
  ///     known, which leaves `newest` undecided.
  ///   - updatedAt: when the server's record changed.
  public func verdict(
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

  /// Who wins where a record was deleted here and changed on the server.
  public func deletedHere(_ kind: EntityKind) -> Merge.Verdict {
    switch strategy ?? policies.deletedHere(kind) {
    case .server: .remote
    case .local: .local
    case .merge, .ask, .newest: .undecided
    }
  }
}
