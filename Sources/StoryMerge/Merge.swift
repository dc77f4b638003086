public import JSONText
public import StoryLibrary

/// Three-way merge of records, field by field: a pure function of base, local and remote.
public enum Merge {
  /// Who wins one field that neither rule nor content can settle.
  public enum Verdict: Sendable, Equatable {
    /// The local value.
    case local
    /// The server's value.
    case remote
    /// Nobody yet: a person decides.
    case undecided
  }

  /// One field that both sides changed and that a strategy decided.
  public struct Override: Sendable, Hashable {
    /// The field.
    public var field: Field
    /// Whether the server's value stays.
    public var keptRemote: Bool
    /// The value that stays, in wire form.
    public var kept: JSONValue
    /// The value that lost, in wire form.
    public var lost: JSONValue
  }

  /// What comes out of a merge.
  public struct Outcome: Sendable {
    /// What the record holds from now on; a field in conflict keeps the local value.
    public var values: FieldValues
    /// Fields that wait for a person.
    public var conflicts: [Sidecar.FieldConflict] = []
    /// Fields that a strategy decided, with the value that lost.
    public var overridden: [Override] = []
    /// Fields whose local value changes.
    public var taken: [Field] = []
    /// Fields whose value is not (yet) the server's, conflicts left out: what a push has to send.
    public var pending: [Field] = []
  }

  /// Merges one record.
  ///
  /// - Parameters:
  ///   - base: what both sides started from.
  ///   - local: the record here; a field with a default that is absent has no opinion.
  ///   - remote: the record on the server.
  ///   - unresolved: local fields that name a record which has no id yet: changed here to something
  ///     that cannot be compared.
  ///   - open: the conflicts that are recorded already; they stay until a person decides or both
  ///     sides say the same.
  ///   - verdict: who wins a field that is left.
  public static func records(
    base: FieldValues, local: FieldValues, remote: FieldValues, unresolved: [Field] = [],
    open: [Sidecar.FieldConflict] = [], verdict: (Field) -> Verdict
  ) -> Outcome {
    let local = local.completed(from: base)
    var outcome = Outcome(values: local)
    for field in base.kind.schema.fields {
      let (before, here, there) =
        (base.effective(field), local.effective(field), remote.effective(field))
      let known = open.first { $0.wireKey == field.wireKey }
      if unresolved.contains(field) {
        // Servers clear a reference when its record goes; that is no quarrel with another one here.
        outcome.values[field] = before
        if there != before, !there.isNull {
          outcome.conflicts.append(
            Sidecar.FieldConflict(wireKey: field.wireKey, base: before, server: there))
        } else {
          outcome.pending.append(field)
        }
      } else if let known, here != there {
        outcome.conflicts.append(
          Sidecar.FieldConflict(wireKey: field.wireKey, base: known.base, server: there))
      } else if let merged = settled(field, base: before, local: here, remote: there) {
        outcome.set(field, merged, local: here, remote: there)
      } else {
        switch verdict(field) {
        case .local:
          outcome.overridden.append(
            Override(field: field, keptRemote: false, kept: here, lost: there))
          outcome.set(field, here, local: here, remote: there)
        case .remote:
          outcome.overridden.append(
            Override(field: field, keptRemote: true, kept: there, lost: here))
          outcome.set(field, there, local: here, remote: there)
        case .undecided:
          outcome.conflicts.append(
            Sidecar.FieldConflict(wireKey: field.wireKey, base: before, server: there))
        }
      }
    }
    return outcome
  }

  /// The value that follows from the three without a decision; `nil` where there is none.
  package static func settled(
    _ field: Field, base: JSONValue, local: JSONValue, remote: JSONValue
  ) -> JSONValue? {
    if field.merge == .counter, let local = local.integer, let remote = remote.integer,
      let base = base.integer
    {
      // Also where both sides show the same number: each of them counted.
      let (change, isTooLarge) = local.subtractingReportingOverflow(base)
      let (added, overflow) = remote.addingReportingOverflow(change)
      if !isTooLarge, !overflow { return .number(JSONNumber(max(0, added))) }
    }
    if local == remote { return remote }
    if local == base { return remote }
    if remote == base { return local }
    // As above: a reference that the server cleared gives way.
    if field.referencedKind != nil, remote.isNull, !local.isNull { return local }
    switch field.merge {
    case .set:
      guard let base = base.array ?? (base.isNull ? [] : nil), let local = local.array,
        let remote = remote.array
      else { return nil }
      let merged = mergedSet(base: base, local: local, remote: remote)
      // What both sides took away together can be more than a record may lack.
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

  /// The server's elements without those removed here, then those added here, in their order.
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
