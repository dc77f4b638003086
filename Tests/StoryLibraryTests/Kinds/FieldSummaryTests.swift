import JSONText
import Testing

@testable import StoryLibrary

/// Whatever of a field decides what a value means shows in its summary.
@Suite struct FieldSummaryTests {
  static let fields: [Field] = [
    Field("a", .text(length: 1...2), strategy: .merge),
    Field("b", .text(length: 1...2), strategy: .merge),
    Field("a", wireKey: "b", .text(length: 1...2), strategy: .merge),
    Field("a", .text(length: 0...2), strategy: .merge),
    Field("a", .text(length: 1...3), strategy: .merge),
    Field("a", .text(length: 1...2), isRequired: true, strategy: .merge),
    Field("a", .text(length: 1...2), defaultValue: "x", strategy: .merge),
    Field("a", .text(length: 1...2), merge: .set, strategy: .merge),
    Field("a", .text(length: 1...2), strategy: .server),
    Field("a", .choice(["x"]), strategy: .merge), Field("a", .choice(["y"]), strategy: .merge),
    Field("a", .lines, strategy: .merge), Field("a", .number, strategy: .merge),
    Field("a", .boolean, strategy: .merge), Field("a", .integer(1...2), strategy: .merge),
    Field("a", .integer(1...3), strategy: .merge),
    Field("a", .phrases(count: 1...2, length: 1...2), strategy: .merge),
    Field("a", .phrases(count: 1...2, length: 1...3), strategy: .merge),
    Field("a", .list(count: 1...2, length: 1...2), strategy: .merge),
    Field("a", .list(count: 1...3, length: 1...2), strategy: .merge),
    Field("a", .reference(.heroes), strategy: .merge),
    Field("a", .reference(.events), strategy: .merge),
  ]

  @Test func noTwoFieldsHaveTheSame() {
    #expect(Set(Self.fields.map(\.summary)).count == Self.fields.count)
  }
}
