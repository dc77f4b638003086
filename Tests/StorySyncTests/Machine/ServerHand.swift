import JSONText
import StoryLibrary
import StoryServer

/// Somebody who works on the server with another program.
struct ServerHand {
  let world: TestWorld
  let ledger: Ledger

  private func note(_ text: String) { ledger.note("server: \(text)") }

  private func records(_ kind: EntityKind) throws -> [(id: String, value: JSONValue)] {
    let recordKind = RecordKind(rawValue: kind.schema.wirePath) ?? .heroes
    return try world.server.records(recordKind, of: TestWorld.account)
      .filter { !$0.isDeleted }.compactMap { record in record.value.map { (record.id, $0) } }
      .sorted { $0.0 < $1.0 }
  }

  /// All live records as text.
  func text() throws -> String {
    try EntityKind.writable.flatMap { try records($0).map(\.value.compactText) }
      .joined(separator: "\n")
  }

  /// The live records of a kind by id.
  func live(_ kind: EntityKind) throws -> [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: try records(kind).map { ($0.id, $0.value) })
  }

  private func path(_ kind: EntityKind, _ id: String = "") -> String {
    "/api/" + kind.schema.wirePath + (id.isEmpty ? "" : "/" + id)
  }

  func edit(_ random: inout SeededGenerator) throws {
    let kind = EntityKind.writable.randomElement(using: &random) ?? .heroes
    guard let (id, value) = try records(kind).randomElement(using: &random) else { return }
    let edit = Edits(ledger: ledger).edit(
      kind, { value[$0] }, heroes: try records(.heroes).map(\.id),
      events: try records(.events).map(\.id), &random)
    guard let edit else { return }
    let key = ["hero": "heroId", "event": "customEventId"][edit.key] ?? edit.key
    if ["name", "title"].contains(key) { ledger.allowLostName(value.compactText, in: world) }
    note("edits \(key) of \(kind) \(id.prefix(8)) \(edit.mark ?? edit.value.compactText)")
    let answer = try world.server.perform(
      "PATCH", path(kind, id), body: .object([key: edit.value]), as: TestWorld.account)
    guard answer.status == 200 else {
      return ledger.giveUp(edit.mark.map { [$0] } ?? [])
    }
    ledger.replace(value[key]?.compactText, by: edit.value.compactText)
    if edit.count > 0 { ledger.count(value.compactText, edit.count) }
  }

  func create(_ random: inout SeededGenerator) throws {
    let kind = EntityKind.writable.randomElement(using: &random) ?? .heroes
    let heroes = try records(.heroes)
    guard kind != .stories || !heroes.isEmpty else { return }
    var record = Edits(ledger: ledger).newRecord(kind, ledger.birth(), &random)
    if kind == .stories {
      record["heroId"] = .string(heroes.randomElement(using: &random)?.id ?? "")
    }
    note("creates one of the \(kind): \(record["name"] ?? record["title"] ?? .null)")
    let answer = try world.server.perform(
      "POST", path(kind), body: .object(record), as: TestWorld.account)
    guard answer.status == 201 else { throw Unexpected("create answered \(answer.status)") }
  }

  func delete(_ random: inout SeededGenerator) throws {
    let kind = EntityKind.writable.randomElement(using: &random) ?? .heroes
    guard let (id, value) = try records(kind).randomElement(using: &random) else { return }
    note("deletes \(kind) \(id.prefix(8))")
    var gone = [value.compactText]
    if kind == .heroes {
      gone += try records(.stories).map(\.value).filter { $0["heroId"]?.string == id }
        .map(\.compactText)
    }
    try world.delete(kind.schema.wirePath, id)
    for text in gone {
      ledger.replace(text, by: nil)
      ledger.makeUncertain(text)
    }
  }
}
