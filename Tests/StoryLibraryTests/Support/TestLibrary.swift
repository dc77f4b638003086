import JSONText
import TestSupport

@testable public import StoryLibrary

/// A library in a temporary folder, with short ways to fill it.
struct TestLibrary {
  let folder: TemporaryFolder
  let library: Library
  /// Whether a sidecar without its record is one whose record git has, so that a person removed it.
  var gitHasRecords = true

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.create(
      at: folder.path("library"), configuration: LibraryConfiguration(server: .embedded))
  }

  /// Writes a record's text.
  func write(_ ref: RecordRef, _ text: String) throws {
    try folder.write(text, to: "library/" + ref.path)
  }

  /// Writes a sidecar.
  func write(_ ref: RecordRef, _ sidecar: Sidecar) throws {
    try folder.write(sidecar.fileBytes, to: "library/" + ref.sidecarPath)
  }

  /// Writes a sidecar whose base is `base`.
  func sidecar(
    _ ref: RecordRef, id: String, updatedAt: String = "2026-11-20T10:00:00.000Z",
    base: JSONObject, refs: JSONObject = JSONObject(),
    conflict: Sidecar.Conflict? = nil, isDeleteStated: Bool = false
  ) throws {
    try write(
      ref,
      Sidecar(
        id: id, updatedAt: updatedAt,
        base: FieldValues(kind: ref.kind, wire: base), refs: refs,
        server: ["createdAt": "2026-11-19T10:00:00.000Z"], conflict: conflict,
        isDeleteStated: isDeleteStated))
  }

  /// Writes a record with a sidecar whose base it equals; it must name no other record.
  func synced(_ ref: RecordRef, id: String, _ text: String) throws {
    try write(ref, text)
    let values = try RecordFile(ref: ref, bytes: text.bytes)
      .reading(references: ReferenceTable(), sidecar: nil).values
    try sidecar(ref, id: id, base: values.wire)
  }

  func scan(workers: Int = 1) throws -> Scan {
    var scanner = Scanner(library)
    scanner.workers = workers
    if gitHasRecords { scanner.assumeRecordsInGit() }
    return try scanner.scan()
  }

  /// What a record waits for; `nil` where the scan does not have it.
  func waitsFor(_ ref: RecordRef, in scan: Scan) -> [RecordRef]? {
    scan.entry(ref)?.waitsFor
  }

  /// `ref state` of each entry, in order.
  func states() throws -> [String] {
    try scan().entries.map { "\($0.ref) \($0.state.rawValue)" }
  }
}

extension Scanner {
  /// Answers as git does if it has every record and has written every sidecar.
  mutating func assumeRecordsInGit() {
    gitTraces = { Dictionary(uniqueKeysWithValues: $0.map { ($0, .tracked) }) }
    indexedSidecars = {
      Dictionary(uniqueKeysWithValues: $0.map { ($0, IndexedSidecar(counts: true)) })
    }
  }
}

extension RecordRef: ExpressibleByStringLiteral {
  /// The ref that `RecordRef.description` writes so.
  public init(stringLiteral value: String) {
    let parts = value.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let kind = EntityKind(rawValue: String(parts[0])) else {
      preconditionFailure("“\(value)” is no ref")
    }
    self.init(kind: kind, name: String(parts[1]))
  }
}

extension RecordFile {
  /// A record from its text.
  init(_ ref: RecordRef, _ text: String) throws(Problem) {
    try self.init(ref: ref, bytes: text.bytes)
  }
}

extension EntityKind {
  /// The field that a record file calls `key`.
  func field(_ key: String) -> Field {
    guard let index = schema.fieldIndex(key: key) else {
      preconditionFailure("\(self) has no field “\(key)”")
    }
    return schema.fields[index]
  }
}

/// The least text that makes a valid hero.
func heroText(_ name: String, age: Int = 7) -> String {
  "{\n  \"name\": \(JSONValue.string(name).compactText),\n  \"age\": \(age),\n"
    + "  \"traits\": [\"brave\"]\n}\n"
}
