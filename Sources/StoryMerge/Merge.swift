public import JSONText
public import StoryLibrary

/// A three-way merge of records by field: a pure function of base, local and remote.
public enum Merge {
  /// The decision about a field that its merge rule cannot settle.
  public enum Verdict: Sendable, Equatable {
    /// The local value wins.
    case local
    /// The server's value wins.
    case remote
    /// The user must decide.
    case undecided
  }

  /// A field that both sides changed and a strategy decided.
  public struct Override: Sendable, Hashable {
    /// The field.
    public var field: Field
    /// Whether the server's value was kept.
    public var keptRemote: Bool
    /// The kept value in wire form.
    public var kept: JSONValue
    /// The lost value in wire form.
    public var lost: JSONValue
  }

  /// The result of a merge.
  public struct Outcome: Sendable {
    /// The new values of the record. A conflicting field keeps its local value.
    public var values: FieldValues
    /// The fields that the user must decide.
    public var conflicts: [Sidecar.FieldConflict] = []
    /// The fields that a strategy decided.
    public var overridden: [Override] = []
    /// The fields whose local values change.
    public var taken: [Field] = []
    /// The fields that differ from the server, except conflicts: those that a push must send.
    public var pending: [Field] = []
  }

  /// Merges a record.
  ///
  /// - Parameters:
  ///   - base: The values that both sides started from.
  ///   - local: The local record. An absent field with a default expresses no opinion.
  ///   - remote: The record on the server.
  ///   - unresolved: The local fields that reference a record without an id: changed, but not
  ///     comparable.
  ///   - open: The recorded conflicts, which remain until the user decides or both sides agree.
  ///   - verdict: Decides a field that is not settled otherwise.
  public static func records(
    base: FieldValues, local: FieldValues, remote: FieldValues, unresolved: [Field] = [],
    open: [Sidecar.FieldConflict] = [], verdict: (Field) -> Verdict
  ) -> Outcome {
    let local = local.completed(from: base)
    var outcome = Outcome(values: local)
    for field in base.kind.schema.fields {
      let (baseValue, localValue, remoteValue) =
        (base.effective(field), local.effective(field), remote.effective(field))
      let known = open.first { $0.wireKey == field.wireKey }
      func addConflict(base: JSONValue) {
        outcome.conflicts.append(
          Sidecar.FieldConflict(wireKey: field.wireKey, base: base, server: remoteValue))
      }
      if unresolved.contains(field) {
        outcome.values[field] = baseValue
        // Servers clear references to a deleted record; a new local reference does not conflict.
        if !remoteValue.isNull, known != nil || remoteValue != baseValue {
          addConflict(base: known?.base ?? baseValue)
        } else {
          outcome.pending.append(field)
        }
      } else if let known, localValue != remoteValue {
        addConflict(base: known.base)
      } else if let merged = settled(field, base: baseValue, local: localValue, remote: remoteValue)
      {
        outcome.set(field, merged, local: localValue, remote: remoteValue)
      } else {
        let verdict = verdict(field)
        guard verdict != .undecided else {
          addConflict(base: baseValue)
          continue
        }
        let isRemote = verdict == .remote
        let (kept, lost) = isRemote ? (remoteValue, localValue) : (localValue, remoteValue)
        outcome.overridden.append(
          Override(field: field, keptRemote: isRemote, kept: kept, lost: lost))
        outcome.set(field, kept, local: localValue, remote: remoteValue)
      }
    }
    return outcome
  }

  /// Returns the value that follows from the three without a decision, or `nil`.
  package static func settled(
    _ field: Field, base: JSONValue, local: JSONValue, remote: JSONValue
  ) -> JSONValue? {
    if field.merge == .counter, let local = local.integer, let remote = remote.integer,
      let base = base.integer
    {
      // Even if both sides have the same number, each of them counted.
      let (change, isTooLarge) = local.subtractingReportingOverflow(base)
      let (added, overflow) = remote.addingReportingOverflow(change)
      if !isTooLarge, !overflow { return .number(max(0, added)) }
    }
    if local == remote || local == base { return remote }
    if remote == base { return local }
    // As above: a reference that the server cleared is overridden.
    if field.referencedKind != nil, remote.isNull, !local.isNull { return local }
    switch field.merge {
    case .set:
      guard let base = base.array ?? (base.isNull ? [] : nil), let local = local.array,
        let remote = remote.array
      else { return nil }
      let merged = mergedSet(base: base, local: local, remote: remote)
      // Both sides together may have removed more elements than a record allows.
      if case .list(let count, _) = field.shape, !count.contains(merged.count) { return nil }
      return .array(merged)
    case .lines:
      guard let base = base.string, let local = local.string, let remote = remote.string,
        let lines = LineMerge.merge(
          base: RecordFile.lines(of: base), local: RecordFile.lines(of: local),
          remote: RecordFile.lines(of: remote))
      else { return nil }
      return .string(lines.joined(separator: "\n"))
    case .scalar, .flag, .counter: return nil
    }
  }

  /// Returns the server's elements without those removed locally, then those added locally.
  private static func mergedSet(
    base: [JSONValue], local: [JSONValue], remote: [JSONValue]
  ) -> [JSONValue] {
    let (baseSet, localSet, remoteSet) = (Set(base), Set(local), Set(remote))
    let kept = remote.filter { localSet.contains($0) || !baseSet.contains($0) }
    return kept + local.filter { !remoteSet.contains($0) && !baseSet.contains($0) }
  }
}

extension Merge.Outcome {
  fileprivate mutating func set(
    _ field: Field, _ value: JSONValue, local: JSONValue, remote: JSONValue
  ) {
    if value != local {
      values[field] = value
      taken.append(field)
    }
    if value != remote { pending.append(field) }
  }
}
