import Testing

@testable import StoryServer

@Suite struct RecordRulesTests {
  @Test(
    arguments: [
      (
        .heroes,
        [
          "name", "age", "traits", "specialAbilities", "appearance", "hairColor", "eyeColor",
          "skinTone", "height",
        ]
      ),
      (
        .stories,
        ["title", "content", "heroId", "eventType", "customEventId", "language", "isFavorite"]
      ),
      (
        .customEvents,
        [
          "title", "description", "promptSeed", "category", "ageRange", "tone", "keywords",
          "isFavorite",
        ]
      ),
    ] as [(RecordKind, [String])])
  func `v1 takes these fields of a new record`(_ kind: RecordKind, _ names: [String]) {
    let fields = ServerAPI.v1.fields(of: kind, isPartial: false).filter(\.isOwned)
    #expect(fields.map(\.sentName) == names)
    let changed = ServerAPI.v1.fields(of: kind, isPartial: true).filter(\.isOwned)
    let fixed = kind == .stories ? ["heroId", "eventType"] : []
    #expect(changed.map(\.sentName) == names.filter { !fixed.contains($0) })
  }
}
