import JSONText
import StoryAPI
import StoryLibrary

/// Finishes what an interrupted run left in the journal.
struct JournalRecovery {
  let library: Library

  /// Finishes changes of files: the sidecar of a record that did get its new content is written; one
  /// of a record that did not, or that was edited since, is left for the next plan.
  ///
  /// - Returns: whether anything was left.
  func finishFiles(_ journal: Journal) throws -> Bool {
    var numbers: [Int] = []
    var batch = WriteBatch(root: library.root)
    for (number, entry) in journal.leftovers {
      guard case .files(let ref, let digest, let sidecar, let old) = entry else { continue }
      numbers.append(number)
      let bytes = try? FileSystem.read(library.path(ref.path))
      guard bytes.map({ ContentDigest($0) }) == digest else { continue }
      batch.add(
        record: nil,
        sidecar: (
          library.path(ref.sidecarPath),
          sidecar.map { .write($0, .anything) } ?? .removeAnything
        ))
      if let old {
        batch.add(record: nil, sidecar: (library.path(old.sidecarPath), .removeAnything))
      }
    }
    guard !numbers.isEmpty else { return false }
    for result in batch.commit() {
      if case .failed(let error) = result { throw error }
    }
    try journal.finish(numbers)
    return true
  }
}

extension RemoteApplier {
  /// Finishes writes that were sent without an answer: they are sent again, unchanged and with the
  /// same keys, and their answers are taken in like any other.
  ///
  /// - Throws: as ``apply(_:references:report:progress:)``.
  func finish(
    _ leftovers: [(number: Int, entry: Journal.Entry)], _ references: inout ReferenceTable,
    _ report: inout SyncReport
  ) async throws {
    var numbers: [Int] = []
    var outgoing: [Outgoing] = []
    for (number, entry) in leftovers {
      guard case .write(let ref, let place, let write) = entry else { continue }
      var step = Plan.Step(ref: ref, action: write.action, id: write.id ?? "")
      step.renamedFrom = place == ref ? nil : place
      var sent = (try? source.sidecar(of: ref, at: place))?.base ?? FieldValues(kind: ref.kind)
      for field in ref.kind.schema.fields {
        if let value = write.body[field.wireKey] { sent[field] = value }
      }
      numbers.append(number)
      outgoing.append(Outgoing(step: step, write: write, sent: sent))
    }
    var rest = outgoing[...]
    var restNumbers = numbers[...]
    while !rest.isEmpty {
      let group = Array(rest.prefix(info.batchLimit))
      let groupNumbers = Array(restNumbers.prefix(group.count))
      rest = rest.dropFirst(group.count)
      restNumbers = restNumbers.dropFirst(group.count)
      try await settle(group, groupNumbers, &references, &report)
    }
  }
}

extension RemoteWrite {
  fileprivate var action: Plan.Action {
    switch operation {
    case .create: .create
    case .update: .update
    case .delete: .delete
    }
  }
}
