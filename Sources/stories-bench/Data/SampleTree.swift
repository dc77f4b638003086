import JSONText
import StoryLibrary

/// Libraries of made-up records on disk.
enum SampleTree {
  /// Writes a library in which every record has its sidecar and nothing is pending.
  static func makeSettled(_ root: String, records count: Int, server: String = "embedded") throws {
    try make(root, records: count, server: server, withSidecars: true)
  }

  /// Writes a library of records that no server has.
  static func makeNew(_ root: String, records count: Int, server: String = "embedded") throws {
    try make(root, records: count, server: server, withSidecars: false)
  }

  private static func make(
    _ root: String, records count: Int, server: String, withSidecars: Bool
  ) throws {
    let library = try Library.create(
      at: root, configuration: LibraryConfiguration(server: .init(server), api: .v0))
    for kind in EntityKind.writable {
      try FileSystem.makeFolder(library.path("\(kind.folder)/.sync"))
    }
    var tale = Tale()
    try tale.records(count) { record, references in
      let text = RecordFile.newFile(record.fields, references: references)
      try RawTree.write(text, to: library.path(record.ref.path))
      guard withSidecars else { return }
      try RawTree.write(
        sidecar(record, references).fileBytes, to: library.path(record.ref.sidecarPath))
    }
  }

  /// What a server would have answered.
  static func sidecar(_ record: Tale.Record, _ references: ReferenceTable) -> Sidecar {
    Sidecar(
      id: record.id, updatedAt: "2026-11-20T10:00:00.000Z", base: record.fields,
      refs: RecordFile.refs(of: record.fields, references: references),
      server: [
        "createdAt": "2026-11-20T10:00:00.000Z", "audioGenerationStatus": "pending",
        "illustrationStatus": "none", "illustrationCount": 0,
      ])
  }
}
