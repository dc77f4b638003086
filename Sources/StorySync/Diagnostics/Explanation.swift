public import JSONText
import StoryAPI
public import StoryLibrary
import StoryMerge

/// Why a record stands as it does: base, local and server side by side, with the rule that decides.
public struct Explanation: Sendable {
  /// One field.
  public struct Field: Sendable {
    /// The field's key in the record.
    public var key: String
    /// The last agreed value, in wire form; null where there was none.
    public var base: JSONValue
    /// The value here; null where there is none.
    public var local: JSONValue
    /// The server's value; `nil` where the server was not asked.
    public var server: JSONValue?
    /// Who wins if both sides change it.
    public var strategy: Strategy
    /// What happens to the field, in a sentence.
    public var verdict: String
  }

  /// The record as the scanner found it.
  public var entry: ScanEntry
  /// The fields that differ anywhere, or that are in conflict; the others are alike everywhere.
  public var fields: [Field]
  /// What happens to the record as a whole, in a sentence.
  public var verdict: String
  /// The records here that it names and that the server does not have yet.
  public var waitsFor: [RecordRef]

  /// Explains one record.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - library: its library.
  ///   - scan: what was found in it; `nil` to look.
  ///   - remote: the server's version; `nil` where the server was not asked.
  ///   - wasAsked: whether the server was asked: with no `remote` it does not have the record then.
  /// - Throws: `EditError.noSuchRecord`; as `Scanner.scan()`.
  public init(
    _ ref: RecordRef, in library: Library, scan: Scan? = nil, remote: RemoteRecord? = nil,
    wasAsked: Bool = false
  ) throws {
    let scan = try scan ?? Scanner(library).scan()
    guard let entry = scan.entry(ref) else {
      throw EditError.noSuchRecord(ref, nearest: LibraryEditor.nearest(ref, scan))
    }
    self.entry = entry
    let policies = library.configuration.policies
    verdict = Self.verdict(entry, policies, remote: remote, wasAsked: wasAsked)
    fields = []
    waitsFor = entry.waitsFor
    let files = LibraryFiles(library: library)
    // Of a record that the server never had there is nothing to compare with.
    guard let sidecar = try? files.sidecar(of: ref, at: entry.renamedFrom ?? ref) else { return }
    let reading = (try? files.file(ref))?.reading(references: scan.references, sidecar: sidecar)
    let local = reading?.values.completed(from: sidecar.base) ?? sidecar.base
    var open: [Sidecar.FieldConflict] = []
    if case .fields(_, let conflicts)? = sidecar.conflict { open = conflicts }
    let versions = Versions(
      base: sidecar.base, local: local, remote: remote?.fields, open: open,
      pending: Set((reading?.pending ?? []).map(\.kind)))
    fields = ref.kind.schema.fields.compactMap { field in
      Self.explain(field, versions, entry, policies.strategy(for: field, of: ref.kind))
    }
  }

  /// What the sides say of one record.
  private struct Versions {
    var base: FieldValues
    var local: FieldValues
    /// The server's; `nil` where it was not asked.
    var remote: FieldValues?
    /// The fields in conflict.
    var open: [Sidecar.FieldConflict]
    /// The kinds of the records that are named and have no id yet.
    var pending: Set<EntityKind>
  }

  /// Explains one field; `nil` for one that is the same everywhere.
  private static func explain(
    _ field: StoryLibrary.Field, _ versions: Versions, _ entry: ScanEntry, _ strategy: Strategy
  ) -> Field? {
    let conflict = versions.open.first { $0.wireKey == field.wireKey }
    let base = conflict?.base ?? versions.base.effective(field)
    let here = versions.local.effective(field)
    let server = versions.remote?.effective(field) ?? conflict?.server
    let isPending = field.referencedKind.map(versions.pending.contains) ?? false
    guard base != here || isPending || conflict != nil || (server.map { $0 != base } ?? false)
    else { return nil }
    var verdict = verdict(field, base, here, server ?? base, strategy)
    if entry.hasErrors, server == nil { verdict = "changed locally" }
    if entry.conflict == .deletedOnServer { verdict = "changed locally, deleted on the server" }
    if conflict != nil { verdict = "in conflict: `stories resolve \(entry.ref)` settles it" }
    if isPending {
      verdict = "names a record that the server does not have yet, and waits for it"
    }
    return Field(
      key: field.key, base: base, local: here, server: server, strategy: strategy,
      verdict: verdict)
  }

  private static func verdict(
    _ entry: ScanEntry, _ policies: Policies, remote: RemoteRecord?, wasAsked: Bool
  ) -> String {
    if wasAsked, remote == nil, entry.id != nil {
      switch entry.state {
      case .synced, .notCheckedOut:
        return "deleted on the server, unchanged locally: the next pull removes it, kept in the run"
      case .pendingDelete, .missing: return "deleted on both sides: the next sync forgets it"
      case .conflict: return "waits for a decision: `stories resolve \(entry.ref)`"
      default: return "deleted on the server, changed locally: the next sync makes that a conflict"
      }
    }
    switch entry.state {
    case .synced: return "equal to what the server said last"
    case _ where entry.hasErrors && entry.state != .unreadable && entry.state != .duplicateId:
      return "something is wrong with it, so it is not sent until that is mended"
    case .pendingCreate: return "has no sidecar: the next push makes it on the server"
    case .draft: return "a draft: it has no text yet, so it is not sent"
    case .pendingUpdate: return "differs from its base: the next push sends the changed fields"
    case .pendingDelete: return deleteVerdict(entry, policies, remote)
    case .unreadable: return "cannot be read, so it is left alone on both sides"
    case .conflict: return "waits for a decision: `stories resolve \(entry.ref)`"
    case .duplicateId: return "another sidecar names the same id, so it is left alone"
    case .missing:
      return
        "its file is missing, and nothing shows that anyone removed it: the next pull writes it"
        + " again; `stories rm \(entry.ref)` deletes it on the server"
    case .notCheckedOut: return "git keeps it out of the working tree; it is not deleted"
    }
  }

  private static func deleteVerdict(
    _ entry: ScanEntry, _ policies: Policies, _ remote: RemoteRecord?
  ) -> String {
    if let remote, remote.updatedAt != entry.updatedAt, !entry.isDeleteStated {
      let start = "its file is gone, and the server's version is newer: "
      switch policies.deletedHere(entry.ref.kind) {
      case .server: return start + "policy “server” brings it back"
      case .local: return start + "policy “local” deletes it on the server as well"
      case .merge, .ask, .newest: return start + "the next sync makes that a conflict"
      }
    }
    return entry.isDeleteStated
      ? "removed with `stories rm`: the next push deletes it on the server"
      : "its file is gone: the next push deletes it on the server, unless too many are gone;"
        + " `stories restore \(entry.ref)` brings it back"
  }

  private static func verdict(
    _ field: StoryLibrary.Field, _ base: JSONValue, _ local: JSONValue, _ server: JSONValue,
    _ strategy: Strategy
  ) -> String {
    if field.merge == .counter, local != base, server != base {
      return "counted on both sides: the numbers add up"
    }
    if local == server { return local == base ? "unchanged" : "the same on both sides" }
    if local == base { return "changed on the server: the next pull takes it" }
    if server == base { return "changed locally: the next push sends it" }
    if Merge.settled(field, base: base, local: local, remote: server) != nil {
      return field.merge == .lines
        ? "changed on both sides in different lines: both changes stay"
        : "changed on both sides: additions and removals come together"
    }
    switch strategy {
    case .server: return "changed on both sides: policy “server” takes the server's value"
    case .local: return "changed on both sides: policy “local” keeps the local value"
    case .newest: return "changed on both sides: policy “newest” takes the later one"
    case .merge, .ask: return "changed on both sides: the next sync makes it a conflict"
    }
  }
}
