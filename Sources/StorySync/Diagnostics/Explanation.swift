public import JSONText
import StoryAPI
public import StoryLibrary
import StoryMerge

/// The state of a record: base, local and server side by side, with the deciding rule.
public struct Explanation: Sendable {
  /// One field.
  public struct Field: Sendable {
    /// The field's key in the record.
    public var key: String
    /// The base value in wire form, or null.
    public var base: JSONValue
    /// The local value, or null.
    public var local: JSONValue
    /// The server's value, or `nil` if the server was not asked.
    public var server: JSONValue?
    /// The strategy if both sides change it.
    public var strategy: Strategy
    /// The result for the field.
    public var outcome: Outcome

    /// The result for a field.
    public enum Outcome: Sendable, Hashable {
      /// It is equal on all sides.
      case unchanged
      /// Both sides changed it in the same way.
      case same
      /// Changed locally only; a push sends it.
      case local
      /// Changed locally only, and the record cannot be sent.
      case localUnsent
      /// Changed locally only, and the server deleted the record.
      case localOfDeleted
      /// Changed on the server only, and the record was deleted locally.
      case serverOfDeleted
      /// Changed on the server only; a pull takes it.
      case server
      /// Both sides changed the counter; the changes are added.
      case added
      /// Both sides changed different lines; both changes are kept.
      case lines
      /// Both sides added or removed elements; all these changes are applied.
      case elements
      /// Both sides changed it; the strategy decides.
      case decided
      /// It is in conflict.
      case conflict
      /// It references a record that the server does not have yet.
      case waits
    }
  }

  /// The result for the record as a whole.
  public enum Outcome: Sendable, Hashable {
    /// As its state says.
    case byState
    /// Deleted on the server, unchanged locally.
    case deletedOnServer
    /// Deleted on both sides.
    case deletedOnBoth
    /// Deleted on the server, changed locally.
    case deletedOnServerChangedLocally
    /// Deleted locally, changed on the server; the strategy decides.
    case deletedLocallyChangedOnServer(Strategy)
  }

  /// The record as the scanner found it.
  public var entry: ScanEntry
  /// The fields that differ between any sides, or that are in conflict.
  public var fields: [Field]
  /// The result for the record as a whole.
  public var outcome: Outcome
  /// The local records that it references and that the server does not have yet.
  public var waitsFor: [RecordRef]

  /// Explains one record.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - library: its library.
  ///   - scan: a scan of the library.
  ///   - remote: the server's version, or `nil` if the server was not asked.
  ///   - wasAsked: whether the server was asked; then no `remote` means that it lacks the record.
  /// - Throws: `EditError.noSuchRecord`.
  public init(
    _ ref: RecordRef, in library: Library, scan: Scan, remote: RemoteRecord? = nil,
    wasAsked: Bool = false
  ) throws(EditError) {
    let entry = try scan.existing(ref)
    self.entry = entry
    let policies = library.configuration.policies
    outcome = Self.outcome(entry, policies, remote: remote, wasAsked: wasAsked)
    fields = []
    waitsFor = entry.waitsFor
    // A record that the server never had cannot be compared, and nobody edited an outdated one.
    guard let sidecar = try? library.sidecar(of: entry), !entry.isOutdated else { return }
    let reading = (try? library.file(ref))?.reading(references: scan.references, sidecar: sidecar)
    let local = reading?.values.completed(from: sidecar.base) ?? sidecar.base
    let isDeleted = entry.conflict == .deletedLocally || entry.state == .pendingDelete
    // A record that is back locally is no conflict any more.
    let open = entry.conflict == nil ? [] : sidecar.fieldConflicts
    let pending = Set((reading?.pending ?? []).map(\.kind))
    fields = ref.kind.schema.fields.compactMap { field in
      let conflict = open.first { $0.wireKey == field.wireKey }
      let base = conflict?.base ?? sidecar.base.effective(field)
      let server = remote?.fields.effective(field) ?? conflict?.server
      var explained = Field(
        key: field.key, base: base, local: isDeleted ? .null : local.effective(field),
        server: server, strategy: policies.strategy(for: field, of: ref.kind),
        outcome: .serverOfDeleted)
      let isChangedOnServer = server.map { $0 != base } ?? false
      if isDeleted { return isChangedOnServer ? explained : nil }
      let isPending = field.referencedKind.map(pending.contains) ?? false
      guard base != explained.local || isPending || conflict != nil || isChangedOnServer
      else { return nil }
      explained.outcome = Self.outcome(field, base, explained.local, server ?? base)
      if entry.hasErrors, server == nil { explained.outcome = .localUnsent }
      if entry.conflict == .deletedOnServer { explained.outcome = .localOfDeleted }
      if conflict != nil { explained.outcome = .conflict }
      if isPending { explained.outcome = .waits }
      return explained
    }
  }

  private static func outcome(
    _ entry: ScanEntry, _ policies: Policies, remote: RemoteRecord?, wasAsked: Bool
  ) -> Outcome {
    guard let remote else {
      guard wasAsked, entry.id != nil else { return .byState }
      switch entry.state {
      case .synced, .notCheckedOut: return .deletedOnServer
      case .pendingDelete, .missing: return .deletedOnBoth
      case .conflict: return .byState
      default: return .deletedOnServerChangedLocally
      }
    }
    // If the record has errors, those are reported instead.
    guard entry.state == .pendingDelete, !entry.hasErrors, !entry.isDeleteStated,
      remote.updatedAt != entry.updatedAt
    else { return .byState }
    return .deletedLocallyChangedOnServer(policies.deletedLocally(entry.ref.kind))
  }

  private static func outcome(
    _ field: StoryLibrary.Field, _ base: JSONValue, _ local: JSONValue, _ server: JSONValue
  ) -> Field.Outcome {
    if field.merge == .counter, local != base, server != base { return .added }
    if local == server { return local == base ? .unchanged : .same }
    if local == base { return .server }
    if server == base { return .local }
    guard let settled = Merge.settled(field, base: base, local: local, remote: server) else {
      return .decided
    }
    switch field.merge {
    case .set: return .elements
    case .lines: return .lines
    // A reference that the server cleared.
    case .scalar, .flag, .counter: return settled == local ? .local : .server
    }
  }
}
