import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

/// The whole table of what a sync does: every state here, every state there, every kind, direction
/// and strategy.
@Suite struct PlannerTableTests {
  // MARK: The two sides

  enum Here: String, CaseIterable, Sendable {
    case unchanged, edited, editedElsewhere, renamed, renamedAndEdited, deleted, deletedByCommand
    case new, newAndEqual, unreadable, duplicate, notCheckedOut, invalid
    case fieldConflict, fieldConflictAndEdited, deletedOnServer, deletedLocally
    case deletedOnServerAndHere
    case missing, missingAndDeletedOnServer
  }

  enum There: String, CaseIterable, Sendable {
    /// Nothing is new there.
    case unchanged
    /// Another field than the one that is edited here.
    case changedElsewhere
    /// The field that is edited here, to something else.
    case changed
    /// The field that is edited here, to the same.
    case changedAlike
    case deleted
  }

  /// Who wins what neither side nor a merge rule decides.
  enum Winner { case server, local, nobody }

  /// Three directions in the order both, pull, push; one text for all of them where they are alike.
  /// Steps are joined by `+`, failures and open conflicts are steps as well.
  struct Row: Sendable {
    var here: Here
    var there: There
    var expected: @Sendable (Winner) -> [String]

    init(_ here: Here, _ there: There, _ expected: String...) {
      self.here = here
      self.there = there
      self.expected = { _ in
        expected.count == 1 ? [expected[0], expected[0], expected[0]] : expected
      }
    }

    init(_ here: Here, _ there: There, decided expected: @escaping @Sendable (Winner) -> [String]) {
      self.here = here
      self.there = there
      self.expected = expected
    }
  }

  static let rows: [Row] = [
    Row(.unchanged, .unchanged, ""),
    Row(.unchanged, .changed, "merge", "merge", ""),
    Row(.unchanged, .deleted, "deleteLocally", "deleteLocally", ""),

    Row(.edited, .unchanged, "update", "", "update"),
    Row(.edited, .changedElsewhere, "merge+update", "merge", "merge+update"),
    Row(.edited, .changedAlike, "rebase"),
    Row(.edited, .changed) { decided($0) },
    Row(.edited, .deleted, "conflict(deletedOnServer)"),
    Row(.editedElsewhere, .changed, "merge+update", "merge", "merge+update"),

    Row(.renamed, .unchanged, "moveSidecar"),
    Row(.renamed, .changed, "merge", "merge", "moveSidecar"),
    Row(.renamed, .deleted, "deleteLocally", "deleteLocally", ""),
    Row(.renamedAndEdited, .unchanged, "moveSidecar+update", "moveSidecar", "moveSidecar+update"),
    Row(.renamedAndEdited, .changedElsewhere, "merge+update", "merge", "merge+update"),
    Row(.renamedAndEdited, .changedAlike, "rebase"),
    Row(.renamedAndEdited, .changed) { decided($0) },
    Row(.renamedAndEdited, .deleted, "conflict(deletedOnServer)"),

    Row(.deleted, .unchanged, "delete", "", "delete"),
    Row(.deleted, .changed) { winner in
      switch winner {
      case .server: ["bringBack", "bringBack", "bringBack"]
      case .local: ["delete", "", "delete"]
      case .nobody: Array(repeating: "conflict(deletedLocally)", count: 3)
      }
    },
    Row(.deleted, .deleted, "forget"),
    Row(.deletedByCommand, .unchanged, "delete", "", "delete"),
    Row(.deletedByCommand, .changed, "delete", "", "delete"),
    Row(.deletedByCommand, .deleted, "forget"),

    Row(.new, .unchanged, "create", "", "create"),
    Row(.newAndEqual, .changed, "adopt"),

    Row(.unreadable, .unchanged, "failure"), Row(.unreadable, .changed, "failure"),
    Row(.unreadable, .deleted, "failure"),
    Row(.duplicate, .unchanged, "failure"), Row(.duplicate, .changed, "failure"),
    Row(.duplicate, .deleted, "failure"),
    Row(.notCheckedOut, .unchanged, ""), Row(.notCheckedOut, .changed, ""),
    Row(.notCheckedOut, .deleted, ""),
    Row(.invalid, .unchanged, "failure", "", "failure"),
    Row(.invalid, .changed, "failure"),
    Row(.invalid, .deleted, "conflict(deletedOnServer)"),

    Row(.fieldConflict, .unchanged, "open"),
    Row(.fieldConflict, .changedElsewhere, "merge"),
    Row(.fieldConflict, .changed, "merge"),
    Row(.fieldConflict, .changedAlike, "rebase"),
    Row(.fieldConflict, .deleted, "conflict(deletedOnServer)"),
    Row(.fieldConflictAndEdited, .unchanged, "update+open", "open", "update+open"),
    Row(.fieldConflictAndEdited, .changed, "merge+update", "merge", "merge+update"),
    Row(.deletedOnServer, .unchanged, "open"), Row(.deletedOnServer, .deleted, "open"),
    Row(.deletedOnServer, .changed) { decided($0) },
    Row(.deletedLocally, .unchanged, "open"),
    Row(.deletedLocally, .changed, "conflict(deletedLocally)"),
    Row(.deletedLocally, .deleted, "forget"),
    Row(.deletedOnServerAndHere, .unchanged, "forget"),
    Row(.deletedOnServerAndHere, .deleted, "forget"),

    Row(.missing, .unchanged, "bringBack", "bringBack", ""),
    Row(.missing, .changed, "bringBack", "bringBack", ""),
    Row(.missing, .deleted, "forget"),
    Row(.missingAndDeletedOnServer, .unchanged, "forget"),
    Row(.missingAndDeletedOnServer, .deleted, "forget"),
  ]

  /// Both sides changed one field.
  static func decided(_ winner: Winner) -> [String] {
    switch winner {
    case .server, .nobody: ["merge", "merge", "merge"]
    case .local: ["rebase+update", "rebase", "rebase+update"]
    }
  }

  // MARK: Strategies

  enum Chosen: String, CaseIterable, Sendable {
    case policy, server, local, merge, ask, newestHere, newestThere, newestUnknown

    var strategy: Strategy? {
      switch self {
      case .policy: nil
      case .newestHere, .newestThere, .newestUnknown: .newest
      default: Strategy(rawValue: rawValue)
      }
    }

    /// When the files were written; the server's records are of the first of February.
    var modified: ServerDate? {
      switch self {
      case .newestHere: ServerDate("2026-03-01T00:00:00Z")
      case .newestThere: ServerDate("2026-01-15T00:00:00Z")
      default: nil
      }
    }

    func winner(_ kind: EntityKind, isDelete: Bool) -> Winner {
      switch (self, kind) {
      case (.policy, .heroes), (.server, _): .server
      case (.policy, .events), (.local, _): .local
      case (.newestHere, _) where !isDelete: .local
      case (.newestThere, _) where !isDelete: .server
      default: .nobody
      }
    }
  }

  // MARK: Records

  /// A scalar field whose strategy is the kind's, and another one.
  private static func fields(_ kind: EntityKind) -> (String, String) {
    switch kind {
    case .heroes: ("appearance", "hairColor")
    case .events: ("promptSeed", "tone")
    default: ("title", "language")
    }
  }

  private static func base(_ kind: EntityKind) -> JSONObject {
    switch kind {
    case .heroes:
      ["name": "X", "age": 7, "traits": ["x"], "appearance": "old", "hairColor": "old"]
    case .events: ["title": "X", "promptSeed": "old", "tone": "old"]
    default: ["title": "old", "heroId": "hero-1", "language": "en", "content": "once"]
    }
  }

  private static func values(_ kind: EntityKind, _ changes: [String: JSONValue]) -> JSONObject {
    var object = base(kind)
    for (key, value) in changes { object[key] = value }
    return object
  }

  private static func text(_ kind: EntityKind, _ changes: [String: JSONValue] = [:]) -> String {
    JSONValue.object(values(kind, changes)).compactText
  }

  private func source(_ row: Row, _ kind: EntityKind, _ chosen: Chosen) throws -> MemorySource {
    var source = MemorySource()
    source.modifiedAt = chosen.modified
    let (field, other) = Self.fields(kind)
    func changed(_ key: String, _ value: String) -> [String: JSONValue] {
      [key: key == "language" ? (value == "mine" ? "fr" : "de") : .string(value)]
    }
    var sidecar = Sidecar(
      id: "id-1", updatedAt: "2026-01-01T00:00:00.000Z",
      base: FieldValues(kind: kind, wire: Self.base(kind)))
    var there: [String: JSONValue] = [:]
    switch row.there {
    case .unchanged, .deleted: break
    case .changedElsewhere: there = changed(other, "theirs")
    case .changed: there = changed(field, "theirs")
    case .changedAlike: there = changed(field, "mine")
    }
    func conflict() -> Sidecar.Conflict {
      .fields(
        updatedAt: sidecar.updatedAt, [.init(wireKey: field, base: "older", server: "old")])
    }
    let name = "\(kind.folder)/x"
    let mine = Self.text(kind, changed(field, "mine"))
    switch row.here {
    case .unchanged: try source.add(name, text: Self.text(kind), sidecar: sidecar)
    case .edited: try source.add(name, text: mine, sidecar: sidecar)
    case .editedElsewhere:
      try source.add(name, text: Self.text(kind, changed(other, "mine")), sidecar: sidecar)
    case .renamed:
      try source.add(
        name, text: Self.text(kind), sidecar: sidecar, renamedFrom: "\(kind.folder)/old")
    case .renamedAndEdited:
      try source.add(name, text: mine, sidecar: sidecar, renamedFrom: "\(kind.folder)/old")
    case .deleted: try source.add(name, text: nil, sidecar: sidecar)
    case .deletedByCommand:
      sidecar.isDeleteStated = true
      try source.add(name, text: nil, sidecar: sidecar)
    case .new: try source.add(name, text: mine, sidecar: nil)
    case .newAndEqual: try source.add(name, text: Self.text(kind, there), sidecar: nil)
    case .unreadable:
      try source.add(name, text: Self.text(kind), sidecar: sidecar, state: .unreadable)
    case .duplicate:
      try source.add(name, text: Self.text(kind), sidecar: sidecar, state: .duplicateId)
    case .notCheckedOut: try source.add(name, text: nil, sidecar: sidecar, state: .notCheckedOut)
    case .invalid: try source.add(name, text: Self.text(kind, [field: 5]), sidecar: sidecar)
    case .fieldConflict:
      sidecar.conflict = conflict()
      try source.add(name, text: mine, sidecar: sidecar)
    case .fieldConflictAndEdited:
      sidecar.conflict = conflict()
      let both = changed(field, "mine").merging(changed(other, "mine")) { first, _ in first }
      try source.add(name, text: Self.text(kind, both), sidecar: sidecar)
    case .deletedOnServer:
      sidecar.conflict = .deletedOnServer
      try source.add(name, text: mine, sidecar: sidecar)
    case .deletedLocally:
      sidecar.conflict = .deletedLocally
      try source.add(name, text: nil, sidecar: sidecar)
    case .deletedOnServerAndHere:
      sidecar.conflict = .deletedOnServer
      try source.add(name, text: nil, sidecar: sidecar)
    case .missing: try source.add(name, text: nil, sidecar: sidecar, state: .missing)
    case .missingAndDeletedOnServer:
      sidecar.conflict = .deletedOnServer
      try source.add(name, text: nil, sidecar: sidecar, state: .missing)
    }
    switch row.there {
    case .unchanged: break
    case .deleted: source.deleteThere(kind, "id-1")
    default:
      source.addThere(
        RemoteRecord(
          kind: kind, id: "id-1", updatedAt: "2026-02-01T00:00:00.000Z",
          fields: FieldValues(kind: kind, wire: Self.values(kind, there)), server: JSONObject()))
    }
    return source
  }

  /// What a plan does, as the table writes it.
  private func outline(_ plan: Plan) -> String {
    var parts = plan.steps.map { step in
      switch step.action {
      case .recordConflict(let kind): "conflict(\(kind))"
      default: "\(step.action)"
      }
    }
    if !plan.failures.isEmpty { parts.append("failure") }
    if !plan.openConflicts.isEmpty { parts.append("open") }
    return parts.joined(separator: "+")
  }

  @Test(arguments: EntityKind.writable, Chosen.allCases)
  func everyStateOnBothSides(_ kind: EntityKind, _ chosen: Chosen) throws {
    for row in Self.rows {
      let isDelete = row.here == .deleted
      let expected = row.expected(chosen.winner(kind, isDelete: isDelete))
      let source = try source(row, kind, chosen)
      for (place, direction) in [(0, (true, true)), (1, (true, false)), (2, (false, true))] {
        let plan = try source.plan(
          pulls: direction.0, pushes: direction.1, strategy: chosen.strategy)
        let name = ["both", "pull", "push"][place]
        let comment: Comment = "\(row.here) here, \(row.there) there, \(name)"
        #expect(outline(plan) == expected[place], comment)
        #expect(plan.stops.isEmpty, comment)
      }
    }
  }

  @Test func tableHasEveryStateHere() {
    #expect(Set(Self.rows.map(\.here)) == Set(Here.allCases))
    let pairs = Self.rows.map { "\($0.here) \($0.there)" }
    #expect(Set(pairs).count == pairs.count)
  }
}
