import JSONText
import StoryLibrary
import StoryMerge
import StorySync

/// Merging records that both sides changed.
enum MergeArea: Area {
  static let name = "merge"
  static let summary = "three-way merges, in processor time"

  static func measure(_ bench: Bench) async throws {
    let count = 10_000
    var cases: [(file: RecordFile, sidecar: Sidecar, remote: RemoteRecord)] = []
    var tale = Tale()
    var references = ReferenceTable()
    try tale.records(count) { record, table in
      references = table
      guard record.ref.kind == .stories else { return }
      var (local, remote) = (record.fields.wire, record.fields.wire)
      let text = local["content"]?.string ?? ""
      local["content"] = .string("Here: " + text)
      local["playCount"] = 3
      remote["content"] = .string(text + "\nThere.")
      remote["playCount"] = 5
      let bytes = RecordFile.newFile(
        FieldValues(kind: .stories, wire: local), references: table)
      var server = SampleTree.sidecar(record, table).server
      server["createdAt"] = "2026-11-20T10:00:00.000Z"
      cases.append(
        (
          try RecordFile(ref: record.ref, bytes: bytes), SampleTree.sidecar(record, table),
          RemoteRecord(
            kind: .stories, id: record.id, updatedAt: "2026-11-21T10:00:00.000Z",
            fields: FieldValues(kind: .stories, wire: remote), server: server)
        ))
    }
    let merger = RecordMerger(
      decider: Decider(policies: Policies()), references: references)
    var values: [Double] = []
    for round in 0...bench.options.rounds {
      let seconds = Bench.processorSeconds {
        for one in cases {
          _ = merger.merge(file: one.file, sidecar: one.sidecar, remote: one.remote)
        }
      }
      if round > 0 { values.append(seconds / Double(cases.count)) }
    }
    bench.add(
      Measurement(
        area: name, what: "a story changed on both sides", samples: Samples(values),
        bound: .value(atMost: 0.0002)))
  }
}
