public import JSONText
import StoryAPI
public import StoryLibrary

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

  /// Explains one record.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - library: its library.
  ///   - remote: the server's version; `nil` where the server was not asked.
  ///   - wasAsked: whether the server was asked: with no `remote` it does not have the record then.
  /// - Throws: `EditError.noSuchRecord`; as `Scanner.scan()`.
  public init(
    _ ref: RecordRef, in library: Library, remote: RemoteRecord? = nil, wasAsked: Bool = false
  ) throws {
    let scan = try Scanner(library).scan()
    guard let entry = scan.entry(ref) else {
      throw EditError.noSuchRecord(ref, nearest: LibraryEditor.nearest(ref, scan))
    }
    self.entry = entry
    verdict = Self.verdict(entry, remote: remote, wasAsked: wasAsked)
    fields = []
    let files = LibraryFiles(library: library)
    let sidecar = try? files.sidecar(of: ref, at: entry.renamedFrom ?? ref)
    let reading = (try? files.file(ref))?.reading(references: scan.references, sidecar: sidecar)
    let base = sidecar?.base ?? FieldValues(kind: ref.kind)
    let local = reading?.values.completed(from: base) ?? FieldValues(kind: ref.kind)
    let policies = library.configuration.policies
    for field in ref.kind.schema.fields {
      let values = (base: base.effective(field), local: local.effective(field))
      let server = remote?.fields.effective(field)
      let isInConflict = sidecar?.conflictingKeys.contains(field.wireKey) ?? false
      guard
        values.base != values.local || (server.map { $0 != values.base } ?? false) || isInConflict
      else { continue }
      let strategy = policies.strategy(for: field, of: ref.kind)
      fields.append(
        Field(
          key: field.key, base: values.base, local: values.local, server: server,
          strategy: strategy,
          verdict: isInConflict
            ? "in conflict: `stories resolve \(ref)` settles it"
            : Self.verdict(field, values.base, values.local, server ?? values.base, strategy)))
    }
  }

  private static func verdict(_ entry: ScanEntry, remote: RemoteRecord?, wasAsked: Bool) -> String {
    if wasAsked, remote == nil, entry.id != nil {
      return entry.state == .synced
        ? "deleted on the server and unchanged here: the next pull removes it, kept in the run"
        : "deleted on the server but changed here: the next sync makes that a conflict"
    }
    switch entry.state {
    case .synced: return "equal to what the server said last"
    case .pendingCreate: return "has no sidecar: the next push makes it on the server"
    case .pendingUpdate: return "differs from its base: the next push sends the changed fields"
    case .pendingDelete:
      return entry.isDeleteStated
        ? "removed with `stories rm`: the next push deletes it on the server"
        : "its file is gone: the next push deletes it on the server, unless too many are gone"
    case .unreadable: return "cannot be read, so it is left alone on both sides"
    case .conflict: return "waits for a decision: `stories resolve \(entry.ref)`"
    case .duplicateId: return "another sidecar names the same id, so it is left alone"
    case .notCheckedOut: return "git keeps it out of the working tree; it is not deleted"
    }
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
    if server == base { return "changed here: the next push sends it" }
    if Merge.settled(field, base: base, local: local, remote: server) != nil {
      return field.merge == .lines
        ? "changed on both sides in different lines: both changes stay"
        : "changed on both sides: additions and removals come together"
    }
    switch strategy {
    case .server: return "changed on both sides: policy “server” takes the server's value"
    case .local: return "changed on both sides: policy “local” keeps the value here"
    case .newest: return "changed on both sides: policy “newest” takes the later one"
    case .merge, .ask: return "changed on both sides: the next sync makes it a conflict"
    }
  }
}
