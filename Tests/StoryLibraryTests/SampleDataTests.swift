import JSONText
import Testing

@testable import StoryLibrary

/// The library that comes with the project is one as it should be.
@Suite("The sample library")
struct SampleDataTests {
  private let library: Library

  init() throws {
    var root = #filePath
    for _ in 0..<3 { root = Path.parent(root) }
    library = try Library(root: Path.join(root, "SampleData"))
  }

  /// The records, whatever a sync in this checkout has left beside them.
  private func files() throws -> [RecordFile] {
    try Scanner(library).scan().entries.filter(\.hasRecord).map { entry in
      try RecordFile(ref: entry.ref, bytes: FileSystem.read(library.path(entry.ref.path)))
    }
  }

  private func references(_ files: [RecordFile]) -> ReferenceTable {
    files.reduce(into: ReferenceTable()) { $0.add($1.ref, id: nil) }
  }

  @Test("every record is valid and names records that are there")
  func valid() throws {
    let files = try files()
    let references = references(files)
    for file in files {
      #expect(file.problems(references: references).isEmpty, "\(file.ref)")
      let reading = file.reading(references: references, sidecar: nil)
      #expect(reading.unknown.isEmpty && reading.malformed.isEmpty, "\(file.ref)")
    }
    let scan = try Scanner(library).scan()
    #expect(scan.problems.isEmpty)
    #expect(library.configuration.problems.isEmpty)
    #expect(library.configuration.server == .embedded)
  }

  @Test("every file is in canonical form")
  func canonical() throws {
    for file in try files() { #expect(file.canonicalBytes == file.document.bytes, "\(file.ref)") }
    #expect(
      library.configuration.document.formatted() == library.configuration.document.bytes)
  }

  @Test("a file made of a record's values is that file, but for the defaults that it writes")
  func newFiles() throws {
    for file in try files() {
      var table = references([])
      for name in ["hero", "event"] {
        guard let target = file.document.root[name]?.string else { continue }
        let kind: EntityKind = name == "hero" ? .heroes : .events
        table.add(RecordRef(kind: kind, name: target), id: "id of \(target)")
      }
      let values = file.reading(references: table, sidecar: nil).values
      let defaults = file.ref.kind.schema.fields.filter { values[$0] == $0.defaultValue }
      let expected = try file.document.setting(
        defaults.filter { $0.defaultValue != nil }.map { (key: $0.key, value: nil) })
      #expect(
        RecordFile.newFile(values, references: table).text == expected.bytes.text, "\(file.ref)")
    }
  }

  @Test("there is enough to read, in five languages and two levels of folders")
  func content() throws {
    let files = try files()
    let stories = files.filter { $0.ref.kind == .stories }
    #expect(files.count { $0.ref.kind == .heroes } >= 6)
    #expect(stories.count >= 12)
    #expect(files.count { $0.ref.kind == .events } >= 4)
    let languages = Set(stories.map { $0.document.root["language"]?.string ?? "en" })
    #expect(languages == Set(Schema.languages))
    #expect(files.contains { $0.ref.name.split(separator: "/").count == 3 })
    #expect(stories.allSatisfy { $0.document.root["content"]?.kind == .array })
    let heroes = Set(stories.compactMap { $0.document.root["hero"]?.string })
    #expect(heroes.count >= 6)
  }
}
