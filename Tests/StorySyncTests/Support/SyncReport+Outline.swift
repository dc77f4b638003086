import StoryLibrary

@testable import StorySync

extension SyncReport {
  /// What the report says record by record, without what a dry run cannot know.
  var outline: [String: [String]] {
    func refs(_ refs: [RecordRef]) -> [String] { refs.map(\.description).sorted() }
    func fields(_ items: [(ref: RecordRef, fields: [String])]) -> [String] {
      items.map { "\($0.ref)[\($0.fields.sorted().joined(separator: ","))]" }.sorted()
    }
    let outline = [
      "created": refs(created), "updated": fields(updated), "deleted": refs(deleted),
      "renamed": renamed.map { "\($0.from)>\($0.to)" }.sorted(), "new": refs(receivedNew),
      "changed": fields(receivedChanges), "removed": refs(receivedDeletes),
      "merged": refs(merged), "adopted": refs(adopted),
      "conflicts": fields(conflicts.map { ($0.ref, $0.fields) }),
      "overridden": overridden.map { "\($0.ref).\($0.field)=\($0.kept)" }.sorted(),
    ]
    return outline.filter { !$0.value.isEmpty }
  }

  /// Leaves records out of what was, or would be, sent.
  mutating func forget(_ refs: [RecordRef]) {
    created.removeAll(where: refs.contains)
    updated.removeAll { refs.contains($0.ref) }
    deleted.removeAll(where: refs.contains)
  }
}
