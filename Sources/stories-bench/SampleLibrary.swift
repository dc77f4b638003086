import Foundation
import JSONText
import StoryLibrary

/// A generated library, identical in each run. Of a hundred records, four are heroes and one is an
/// event; a story has about 1.3 KB.
struct SampleLibrary {
  /// A record with the id that a server would have assigned.
  struct Record {
    var ref: RecordRef
    var id: String
    /// The members in a create request.
    var wire: JSONObject
    var fields: FieldValues { FieldValues(kind: ref.kind, wire: wire) }
  }

  private(set) var records: [Record] = []
  /// The targets of references in record files.
  private(set) var references = ReferenceTable()

  init(count: Int) {
    srand48(7)
    let (heroes, events) = (max(1, count / 25), count / 100)
    for index in 0..<count {
      let kind: EntityKind = index < heroes ? .heroes : index < heroes + events ? .events : .stories
      let title = sentence(3)
      var wire: JSONObject
      switch kind {
      case .heroes:
        wire = [
          "name": .string(title), "age": .number(3 + index % 10),
          "traits": [.string(word()), .string(word())], "appearance": .string(sentence(14)),
        ]
      case .events:
        wire = [
          "title": .string(title), "description": .string(sentence(20)),
          "promptSeed": .string(sentence(12)), "keywords": [.string(word()), .string(word())],
        ]
      default:
        let lines = (0..<11).map { $0 % 3 == 1 ? "" : sentence(22) }
        wire = [
          "title": .string(title), "heroId": .string(records[index % heroes].id),
          "content": .string(lines.joined(separator: "\n")),
        ]
        if index % 4 == 0, events > 0 {
          wire["customEventId"] = .string(records[heroes + index % events].id)
        }
      }
      let id = String(format: "%08x-0000-4000-8000-%012x", lrand48(), index)
      let name = Slug.make("\(title) \(index)", fallback: kind.schema.noun)
      let record = Record(ref: RecordRef(kind: kind, name: name), id: id, wire: wire)
      references.add(record.ref, id: id)
      records.append(record)
    }
  }

  /// Writes the library to disk, optionally with sidecars as if it had been synced.
  func write(
    to root: String, server: String = "embedded", api: LibraryConfiguration.API = .v0,
    synced: Bool = false
  ) throws {
    let library = try Library.create(
      at: root, configuration: LibraryConfiguration(server: .init(server), api: api))
    for kind in EntityKind.writable {
      try FileManager.default.createDirectory(
        atPath: library.path("\(kind.folder)/.sync").text, withIntermediateDirectories: true)
    }
    for record in records {
      let text = RecordFile.newFile(record.fields, references: references)
      try RawFiles.write(text, to: library.path(record.ref.path).text)
      if synced { try writeSidecar(of: record, to: root) }
    }
  }

  private func writeSidecar(of record: Record, day: Int = 20, to root: String) throws {
    let sidecar = Sidecar(
      id: record.id, updatedAt: "2026-11-\(day)T10:00:00.000Z", base: record.fields,
      refs: RecordFile.refs(of: record.fields, references: references),
      server: ["createdAt": "2026-11-20T10:00:00.000Z"])
    try RawFiles.write(sidecar.fileBytes, to: Path.join(root, record.ref.sidecarPath))
  }

  /// Edits every record, as one of two synced clones that each edit a different field.
  func edit(_ root: String, side: Int) throws {
    for var record in records {
      let title = record.ref.kind == .heroes ? "name" : "title"
      let prose =
        [.heroes: "appearance", .events: "promptSeed"][record.ref.kind, default: "content"]
      let key = side == 1 ? title : prose
      record.wire[key] = .string((record.wire[key]?.string ?? "") + " and on")
      try RawFiles.write(
        RecordFile.newFile(record.fields, references: references),
        to: Path.join(root, record.ref.path))
      try writeSidecar(of: record, day: 20 + side, to: root)
    }
  }

  private static let syllables = [
    "lu", "na", "mi", "ro", "sel", "ta", "ven", "ko", "ri", "mar", "the", "o", "win", "ter", "bär",
    "é", "stern", "moon", "ly", "sh",
  ]

  private func word() -> String {
    (0...lrand48() % 4).map { _ in Self.syllables[lrand48() % Self.syllables.count] }.joined()
  }

  private func sentence(_ words: Int) -> String {
    let text = (0..<words).map { _ in word() }.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
