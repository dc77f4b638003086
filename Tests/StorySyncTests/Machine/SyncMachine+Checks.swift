import JSONText
import StoryAPI
import StoryLibrary
import StoryServer

@testable import StorySync

@testable import stories

extension SyncMachine {
  /// Checks what has to hold once everything is quiet.
  func check() throws {
    try checkAgreement()
    try checkBirths()
    try checkMarks()
    try checkCounters()
  }

  /// Every library has what the server has, record by record.
  private func checkAgreement() throws {
    for clone in clones {
      let scan = try clone.library.scan()
      let name = clone.hand.name
      try require(scan.staleFiles.isEmpty, "\(name) has staleFiles: \(scan.staleFiles)")
      let failures = FailureStore(try clone.library.library).failures
      for kind in EntityKind.writable {
        var live = try server.live(kind)
        for entry in scan.entries where entry.ref.kind == kind {
          if let failure = failures[entry.ref] {
            try require(isExpected(failure.message), "\(name) \(entry.ref): \(failure.message)")
            if let id = entry.id { live[id] = nil }
            continue
          }
          // Such a record is not sent, which the scan says by itself.
          if [.pendingCreate, .pendingUpdate, .conflict].contains(entry.state),
            !entry.problems.isEmpty,
            entry.problems.allSatisfy({ isExpected($0.message) })
          {
            if let id = entry.id { live[id] = nil }
            continue
          }
          try compare(entry, with: entry.id.flatMap { live[$0] }, clone, scan.references)
          if let id = entry.id { live[id] = nil }
        }
        try require(live.isEmpty, "\(name) lacks \(kind): \(live.values.map(\.compactText))")
      }
    }
  }

  /// Failures that are the right answer to what happened.
  private func isExpected(_ message: String) -> Bool {
    if message.hasPrefix("maybe created") { return !hasKeys }
    // Its hero or event was deleted by somebody else.
    return message.contains("names no hero") || message.contains("names no custom event")
      || message.hasPrefix("there is no") || message.hasPrefix("waits for")
  }

  private func compare(
    _ entry: ScanEntry, with there: JSONValue?, _ clone: Clone, _ references: ReferenceTable
  ) throws {
    let place = "\(clone.hand.name) \(entry.ref)"
    switch (entry.state, entry.conflict) {
    case (.conflict, .deletedOnServer):
      return try require(there == nil, "\(place) is on the server, the conflict says it is not")
    case (.conflict, .deletedLocally):
      return try require(there != nil && !entry.hasRecord, "\(place) is not what its conflict says")
    case (.synced, _), (.conflict, .fields): break
    default: throw Unexpected("\(place) is \(entry.state): \(entry.problems)")
    }
    guard let there else { throw Unexpected("\(place) is not on the server") }
    try require(entry.changes.isEmpty, "\(place) has changes \(entry.changedFields.map(\.key))")
    let sidecar = try clone.library.sidecar(
      (entry.renamedFrom ?? entry.ref).description)
    let file = try RecordFile(
      ref: entry.ref, bytes: FileSystem.read(clone.library.path(entry.ref.path)))
    let values = file.reading(references: references, sidecar: sidecar).values
      .completed(from: sidecar.base)
    let theirs = FieldValues(kind: entry.ref.kind, wire: there.object ?? JSONObject())
    for field in entry.ref.kind.schema.fields
    where !sidecar.conflictingKeys.contains(field.wireKey) {
      try require(
        values.effective(field) == theirs.effective(field),
        "\(place) \(field.key): here \(values.effective(field).compactText), there"
          + " \(theirs.effective(field).compactText)")
    }
    try require(sidecar.updatedAt == there["updatedAt"]?.string, "\(place) has an old sidecar")
  }

  /// Nothing was created twice.
  private func checkBirths() throws {
    var found: [String: Int] = [:]
    for kind in EntityKind.writable {
      for value in try server.live(kind).values {
        for birth in Ledger.births(in: value.textWithoutIDs) { found[birth, default: 0] += 1 }
      }
    }
    let gone = ledger.kept.filter { found[$0] == nil }
    try require(gone.isEmpty, "deleted though nobody wanted it: \(gone.sorted())")
    let allowed = ledger.births
    for (birth, count) in found {
      try require(
        count <= allowed[birth] ?? 0,
        "\(birth) is there \(count) times, allowed are \(allowed[birth] ?? 0)")
    }
  }

  /// No edit is lost: it is in a record, in a conflict or in a run.
  private func checkMarks() throws {
    var text = try server.text()
    for clone in clones {
      for (path, bytes) in try clone.library.tracked() {
        guard path.contains("/.sync/") else {
          text += String(decoding: bytes, as: UTF8.self)
          continue
        }
        text += (try? JSONValue(parsing: bytes))?["conflict"]?.compactText ?? ""
      }
      guard clone.library.exists(".stories/runs") else { continue }
      for run in try FileSystem.list(clone.library.path(".stories/runs")) {
        let saved = ".stories/runs/\(run.name)/saved.jsonl"
        if clone.library.exists(saved) { text += try clone.library.read(saved) }
      }
    }
    let found = Ledger.marks(in: text)
    let lost = ledger.expected.filter { !found.contains($0.key) }
    try require(lost.isEmpty, "lost: \(lost.sorted { $0.key < $1.key })")
  }

  /// What was counted in different places is added up.
  private func checkCounters() throws {
    guard features.contains(.etag) || features.contains(.idempotency) else { return }
    let counted = ledger.counted
    // What the server refuses waits here, and the count with it.
    var waiting: Set<String> = []
    for clone in clones {
      let failures = FailureStore(try clone.library.library).failures
      for entry in try clone.library.scan().entries
      where failures[entry.ref] != nil || !entry.problems.isEmpty {
        if let id = entry.id { waiting.insert(id) }
      }
    }
    for (id, value) in try server.live(.stories) where !waiting.contains(id) {
      guard let birth = Ledger.births(in: value.textWithoutIDs).first, let expected = counted[birth]
      else { continue }
      try require(
        value["playCount"]?.integer ?? 0 == expected,
        "\(birth) was counted \(expected) times, the server has \(value["playCount"] ?? .null)")
    }
  }
}
