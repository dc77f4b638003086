import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

/// Scans that follow others in one process.
@Suite struct EarlierScanTests {
  private let test: TestLibrary
  private let picture = RecordRef(kind: .illustrations, name: "first-snow/01")

  init() throws {
    test = try TestLibrary()
    try test.synced(picture, id: "p1", "{\"scene\": \"Snow\", \"order\": 1}")
  }

  private func scan(after earlier: Scan? = nil) throws -> Scan {
    var scanner = Scanner(test.library)
    scanner.kinds = EntityKind.allCases
    scanner.earlier = earlier
    return try scanner.scan()
  }

  @Test func `illustrations are read again only if one has changed`() throws {
    var first = try scan()
    #expect(first.entries.map(\.ref) == [picture])
    #expect(try scan(after: first).entries == first.entries)
    // Marked, to tell what was taken from what was read.
    first.sums[.illustrations]?.entries[0].updatedAt = "marked"
    #expect(try scan(after: first).entries.map(\.updatedAt) == ["marked"])
    let second = RecordRef(kind: .illustrations, name: "first-snow/02")
    try test.synced(second, id: "p2", "{\"scene\": \"Stars\", \"order\": 2}")
    let changed = try scan(after: first)
    #expect(changed.entries.map(\.ref) == [picture, second])
    #expect(changed.entries == (try scan().entries))
    try test.folder.remove("library/" + second.path)
    try test.folder.remove("library/" + second.sidecarPath)
    #expect(try scan(after: changed).entries.map(\.ref) == [picture])
  }
}
