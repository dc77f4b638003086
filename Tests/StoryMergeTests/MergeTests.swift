import JSONText
import StoryLibrary
import Testing

@testable import StoryMerge

@Suite struct MergeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: EntityKind = .stories
    var key: String
    var base: JSONValue
    var local: JSONValue
    var remote: JSONValue
    var verdict = Merge.Verdict.undecided
    /// The value that the record has afterwards.
    var value: JSONValue
    var isConflict = false
    var keptRemote: Bool?
    var isPending = false

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    // Scalars.
    Case(name: "unchanged", key: "title", base: "a", local: "a", remote: "a", value: "a"),
    Case(name: "changed there", key: "title", base: "a", local: "a", remote: "b", value: "b"),
    Case(
      name: "changed here", key: "title", base: "a", local: "b", remote: "a", value: "b",
      isPending: true),
    Case(name: "the same on both", key: "title", base: "a", local: "b", remote: "b", value: "b"),
    Case(
      name: "both, ask", key: "title", base: "a", local: "b", remote: "c", value: "b",
      isConflict: true),
    Case(
      name: "both, server", key: "title", base: "a", local: "b", remote: "c", verdict: .remote,
      value: "c", keptRemote: true),
    Case(
      name: "both, local", key: "title", base: "a", local: "b", remote: "c", verdict: .local,
      value: "b", keptRemote: false, isPending: true),
    Case(
      name: "cleared here", kind: .heroes, key: "height", base: "tall", local: .null,
      remote: "tall", value: .null, isPending: true),
    Case(
      name: "cleared there", kind: .heroes, key: "height", base: "tall", local: "tall",
      remote: .null, value: .null),
    Case(
      name: "cleared here, changed there", kind: .heroes, key: "height", base: "tall",
      local: .null, remote: "small", value: .null, isConflict: true),
    Case(
      name: "reference cleared there, another one here", key: "event", base: "e1",
      local: "e2", remote: .null, value: "e2", isPending: true),
    Case(
      name: "reference cleared here, another one there", key: "event", base: "e1",
      local: .null, remote: "e2", value: .null, isConflict: true),
    Case(
      name: "by value, not by literal", kind: .heroes, key: "age", base: .number(JSONNumber(7)),
      local: .number(JSONNumber(literal: "7.0") ?? JSONNumber(0)), remote: 8, value: 8),
    // Lists that have to have something in them.
    Case(
      name: "all taken away together, server", kind: .heroes, key: "traits", base: ["a", "b"],
      local: ["a"], remote: ["b"], verdict: .remote, value: ["b"], keptRemote: true),
    Case(
      name: "all taken away together, ask", kind: .heroes, key: "traits", base: ["a", "b"],
      local: ["a"], remote: ["b"], value: ["a"], isConflict: true),
    Case(
      name: "all taken away together, nothing needed", kind: .events, key: "keywords",
      base: ["a", "b"], local: ["a"], remote: ["b"], value: [], isPending: true),
    // Counters.
    Case(
      name: "counted here", key: "playCount", base: 3, local: 5, remote: 3, value: 5,
      isPending: true),
    Case(name: "counted there", key: "playCount", base: 3, local: 3, remote: 4, value: 4),
    Case(
      name: "counted on both", key: "playCount", base: 3, local: 5, remote: 4, value: 6,
      isPending: true),
    Case(
      name: "counted to the same number", key: "playCount", base: 3, local: 4, remote: 4,
      value: 5, isPending: true),
    Case(
      name: "set back here", key: "playCount", base: 3, local: 0, remote: 4, value: 1,
      isPending: true),
    Case(
      name: "never below zero", key: "playCount", base: 3, local: 0, remote: 1, value: 0,
      isPending: true),
    // Flags.
    Case(
      name: "flag here", key: "isFavorite", base: false, local: true, remote: false, value: true,
      isPending: true),
    Case(
      name: "flag there", key: "isFavorite", base: false, local: false, remote: true, value: true),
    Case(name: "flag both", key: "isFavorite", base: false, local: true, remote: true, value: true),
    // Sets.
    Case(
      name: "added on both", kind: .heroes, key: "traits", base: ["a"], local: ["a", "b"],
      remote: ["a", "c"], value: ["a", "c", "b"], isPending: true),
    Case(
      name: "added here, removed there", kind: .heroes, key: "traits", base: ["a", "b"],
      local: ["a", "b", "c"], remote: ["b"], value: ["b", "c"], isPending: true),
    Case(
      name: "removed on both", kind: .heroes, key: "traits", base: ["a", "b", "c"],
      local: ["a", "b"], remote: ["b", "c"], value: ["b"], isPending: true),
    Case(
      name: "only the order differs there", kind: .heroes, key: "traits", base: ["a", "b"],
      local: ["a", "b"], remote: ["b", "a"], value: ["b", "a"]),
    // Long text.
    Case(
      name: "lines apart", key: "content", base: "a\nb\nc", local: "A\nb\nc", remote: "a\nb\nC",
      value: "A\nb\nC", isPending: true),
    Case(
      name: "same line", key: "content", base: "a\nb\nc", local: "a\nX\nc", remote: "a\nY\nc",
      value: "a\nX\nc", isConflict: true),
  ]

  private func field(_ test: Case) throws -> Field {
    try #require(test.kind.schema.fields.first { $0.key == test.key })
  }

  private func values(_ test: Case, _ value: JSONValue) throws -> FieldValues {
    var values = FieldValues(kind: test.kind)
    values[try field(test)] = value
    return values
  }

  @Test(arguments: cases) func mergesOneField(_ test: Case) throws {
    let field = try field(test)
    let outcome = Merge.records(
      base: try values(test, test.base), local: try values(test, test.local),
      remote: try values(test, test.remote)
    ) { _ in test.verdict }
    #expect(outcome.values.effective(field) == test.value)
    #expect(outcome.conflicts.map(\.wireKey) == (test.isConflict ? [field.wireKey] : []))
    #expect(outcome.overridden.map(\.keptRemote) == [test.keptRemote].compactMap { $0 })
    #expect(outcome.pending.contains(field) == test.isPending)
    #expect(outcome.taken.contains(field) == (test.value != test.local))
  }

  @Test func namesTheValueThatLost() throws {
    let test = Self.cases[5]
    let outcome = Merge.records(
      base: try values(test, "a"), local: try values(test, "b"), remote: try values(test, "c")
    ) { _ in .remote }
    #expect(outcome.overridden.map(\.lost) == ["b"])
  }

  @Test func absentFieldWithDefaultHasNoOpinion() throws {
    let kind = EntityKind.stories
    let base = FieldValues(kind: kind, wire: ["isFavorite": true, "playCount": 4])
    let outcome = Merge.records(
      base: base, local: FieldValues(kind: kind),
      remote: FieldValues(kind: kind, wire: ["isFavorite": false, "playCount": 4])
    ) { _ in .undecided }
    #expect(outcome.conflicts.isEmpty)
    #expect(outcome.pending.isEmpty)
    #expect(outcome.values.wire["isFavorite"] == false)
  }

  @Test func openConflictStaysUntilBothSidesAgree() throws {
    let kind = EntityKind.stories
    func title(_ text: String) -> FieldValues {
      FieldValues(kind: kind, wire: ["title": .string(text)])
    }
    let open = [Sidecar.FieldConflict(wireKey: "title", base: "a", server: "c")]
    // The base is the server's version already, so without the note the local value would be sent.
    let stays = Merge.records(
      base: title("c"), local: title("b"), remote: title("c"), open: open
    ) { _ in .undecided }
    #expect(stays.conflicts == open)
    #expect(stays.pending.isEmpty)
    let moves = Merge.records(
      base: title("c"), local: title("b"), remote: title("d"), open: open
    ) { _ in .undecided }
    #expect(moves.conflicts == [.init(wireKey: "title", base: "a", server: "d")])
    let settled = Merge.records(
      base: title("c"), local: title("d"), remote: title("d"), open: open
    ) { _ in .undecided }
    #expect(settled.conflicts.isEmpty)
    #expect(settled.pending.isEmpty)
  }

  @Test func unresolvedReferenceIsNeverOverwritten() throws {
    let kind = EntityKind.stories
    let hero = try #require(kind.schema.fields.first { $0.key == "hero" })
    func naming(_ id: String) -> FieldValues {
      FieldValues(kind: kind, wire: ["heroId": .string(id)])
    }
    let outcome = Merge.records(
      base: naming("1"), local: FieldValues(kind: kind), remote: naming("2"), unresolved: [hero]
    ) { _ in .remote }
    #expect(outcome.conflicts.map(\.wireKey) == ["heroId"])
    #expect(outcome.taken.isEmpty)
    // The conflict stays as it was until somebody decides, or the server clears the reference.
    for remote in [naming("2"), naming("3"), FieldValues(kind: kind)] {
      let later = Merge.records(
        base: naming("2"), local: FieldValues(kind: kind), remote: remote, unresolved: [hero],
        open: outcome.conflicts
      ) { _ in .remote }
      #expect(later.conflicts.map(\.base) == (remote[hero] == nil ? [] : ["1"]))
      #expect(later.conflicts.map(\.server) == (remote[hero] == nil ? [] : [remote[hero]]))
    }
  }
}
