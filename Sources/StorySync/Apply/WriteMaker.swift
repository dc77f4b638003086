import JSONText
import StoryAPI
import StoryLibrary

/// A write of a step that changes the server.
struct Outgoing {
  var step: Plan.Step
  var write: RemoteWrite
  var sent: FieldValues
  /// The values that the server is expected to have, or `nil` for a new record or if they are unknown.
  var base: FieldValues?
  /// The batch that the write is sent in, or `nil` if it is sent alone.
  var batch: String?
  /// Names in the file that may be misspelt fields, which are not sent.
  var warnings: [Problem] = []
  /// The number of the write's journal entry, once it has one.
  var number = 0
  /// Whether some fields of a new record can only be sent in an update after it.
  var leavesRest = false
  /// The digest of the file that was read, and the names of its references, if all of it is sent.
  var file: (digest: ContentDigest, refs: JSONObject)?
  /// The versions that the write replaces.
  var versions = RunRecorder.Versions()
}

/// Makes the writes of a plan's steps from what is on disk. It changes nothing, so that it can do so on
/// several threads.
struct WriteMaker: Sendable {
  let info: ServerInfo
  let source: DiskSource
  let references: ReferenceTable
  /// See ``SyncSession/namedMeanwhile``.
  let namedMeanwhile: [String: RecordRef]

  /// Returns the write of a step, or `nil` if nothing is left to send.
  ///
  /// - Throws: the reason why the step is not sent.
  func write(for step: Plan.Step) throws(SyncReport.Reason) -> Outgoing? {
    do {
      switch step.action {
      case .create: return try create(step)
      case .update: return try update(step)
      case .delete: return try delete(step)
      default: return nil
      }
    } catch {
      let problem = error as? Problem ?? Problem(.failed("\(error)"), file: step.ref.path)
      throw error as? SyncReport.Reason ?? .problem(problem)
    }
  }

  private func create(_ step: Plan.Step) throws -> Outgoing {
    let file = try source.file(step.ref)
    let (reading, warnings) = try checkedReading(of: file, nil)
    let later = info.dialect.refusedInNew(step.ref.kind)
    var sent = reading.values
    for field in step.ref.kind.schema.fields where later.contains(field.wireKey) {
      sent[field] = nil
    }
    let write = RemoteWrite(
      operation: .create, kind: step.ref.kind, idempotencyKey: RemoteWrite.makeKey(),
      body: sent.bodyOfCreate)
    let leavesRest = sent != reading.values
    return Outgoing(
      step: step, write: write, sent: sent, warnings: warnings, leavesRest: leavesRest,
      file: leavesRest ? nil : Self.whole(file, reading))
  }

  private func update(_ step: Plan.Step) throws -> Outgoing? {
    let file = try source.file(step.ref)
    let sidecar = try plannedSidecar(of: step)
    let (reading, warnings) = try checkedReading(of: file, sidecar)
    let values = reading.values.completed(from: sidecar.base)
    let changed = values.changes(from: sidecar.base).filter {
      !sidecar.conflictingKeys.contains($0.wireKey)
    }
    guard !changed.isEmpty else { return nil }
    var body = JSONObject()
    var sent = sidecar.base
    for field in changed {
      body[field.wireKey] = values.effective(field)
      sent[field] = values.effective(field)
    }
    var versions = RunRecorder.Versions()
    versions.save(step.ref, server: sidecar.base)
    let write = RemoteWrite(
      operation: .update, kind: step.ref.kind, id: sidecar.id, revision: sidecar.updatedAt,
      idempotencyKey: RemoteWrite.makeKey(), body: body)
    return Outgoing(
      step: step, write: write, sent: sent, base: sidecar.base, warnings: warnings,
      file: Self.whole(file, reading), versions: versions)
  }

  /// Returns a step's sidecar if it is the one that was planned with, or that this run has written since:
  /// git may have brought another one, whose record comes only later.
  private func plannedSidecar(of step: Plan.Step) throws -> Sidecar {
    let sidecar = try source.sidecar(at: step.place)
    let isPlanned =
      step.updatedAt == nil || sidecar.updatedAt == step.updatedAt
      || sidecar.updatedAt == step.sidecarRevision
    guard isPlanned, step.id == nil || sidecar.id == step.id else {
      throw SyncReport.Reason.fileKeepsChanging
    }
    return sidecar
  }

  /// Returns what is needed to process an answer that repeats what was sent, or `nil` if something
  /// in the file could not be resolved or parsed.
  private static func whole(
    _ file: RecordFile, _ reading: RecordFile.Reading
  ) -> (digest: ContentDigest, refs: JSONObject)? {
    guard reading.unresolved.isEmpty, reading.malformed.isEmpty else { return nil }
    return (ContentDigest(file.document.bytes), reading.refs)
  }

  private func delete(_ step: Plan.Step) throws -> Outgoing? {
    let sidecar = try plannedSidecar(of: step)
    // The record came back since the plan was made, so it is not deleted.
    guard !FileSystem.exists(source.library.path(step.ref.path)) else { return nil }
    try checkReleased(step, sidecar)
    if let ref = namedMeanwhile[sidecar.id] { throw SyncReport.Reason.namedMeanwhile(by: ref) }
    var lost = sidecar.base
    if let location = step.location {
      lost = try source.spool.record(step.ref.kind, at: location).fields
    }
    var versions = RunRecorder.Versions()
    versions.save(step.ref, server: lost, sidecar: sidecar.fileBytes)
    let write = RemoteWrite(
      operation: .delete, kind: step.ref.kind, id: sidecar.id,
      revision: step.updatedAt ?? sidecar.updatedAt, idempotencyKey: RemoteWrite.makeKey())
    return Outgoing(step: step, write: write, sent: lost, base: lost, versions: versions)
  }

  /// Reads a file that must have no errors. Throws for a reference to a record without an id: it
  /// would have one had its create succeeded.
  private func checkedReading(
    of file: RecordFile, _ sidecar: Sidecar?
  ) throws -> (reading: RecordFile.Reading, warnings: [Problem]) {
    let reading = file.reading(references: references, sidecar: sidecar)
    let problems = file.problems(references: references, sidecar: sidecar, reading: reading)
    if let error = problems.first(where: { $0.severity == .error }) { throw error }
    if let missing = reading.pending.first { throw SyncReport.Reason.waits(for: missing) }
    let misspelt = problems.filter { if case .unknownField = $0.what { true } else { false } }
    return (reading, misspelt)
  }

  /// Throws if the server would delete a referrer too because its reference was not removed.
  private func checkReleased(_ step: Plan.Step, _ sidecar: Sidecar) throws(SyncReport.Reason) {
    for ref in step.after {
      guard let referrer = try? source.sidecar(at: ref) else { continue }
      let fields = ref.kind.schema.fields.filter { $0.referencedKind == step.ref.kind }
      guard fields.contains(where: { referrer.base[$0]?.string == sidecar.id }) else { continue }
      throw .waitsForRelease(by: ref)
    }
  }
}

extension FieldValues {
  /// What a create sends of these values: all but null.
  var bodyOfCreate: JSONObject {
    JSONObject(wire.members.lazy.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
  }
}
