import JSONText
import StoryLibrary
import StoryServer
import TestSupport

/// Somebody who works on the server with another program.
struct ServerHand {
  let world: TestWorld
  let ledger: Ledger

  private func note(_ text: String) { ledger.note("server: \(text)") }

  private func records(_ kind: EntityKind) throws -> [(id: String, value: JSONValue)] {
    let records = try world.live(RecordKind(rawValue: kind.schema.wirePath) ?? .heroes)
    // Ids on a Kinto come from keys that no seed gives.
    guard world.bucket == nil else {
      return records.sorted { $0.value.textWithoutIDs < $1.value.textWithoutIDs }
    }
    return records.sorted { $0.id < $1.id }
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

  func edit(_ random: inout SeededGenerator) throws {
    let kind = EntityKind.writable.randomElement(using: &random) ?? .heroes
    guard let (id, value) = try records(kind).randomElement(using: &random) else { return }
    let edit = Edits(ledger: ledger).edit(
      kind, { value[$0] }, heroes: try records(.heroes).map(\.id),
      events: try records(.events).map(\.id), &random)
    guard let edit else { return }
    guard world.takes(edit.key, edit.value) else { return }
    let key = ["hero": "heroId", "event": "customEventId"][edit.key] ?? edit.key
    if ["name", "title"].contains(key) { ledger.allowLostName(value.textWithoutIDs, in: world) }
    note("edits \(key) of \(kind) \(id.prefix(8)) \(edit.mark ?? edit.value.compactText)")
    do {
      try world.patch(kind.schema.wirePath, id, .object([key: edit.value]))
    } catch {
      return ledger.giveUp(edit.mark.map { [$0] } ?? [])
    }
    ledger.replace(value[key]?.compactText, by: edit.value.compactText)
    if edit.count > 0 { ledger.count(value.textWithoutIDs, edit.count) }
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
    try world.create(kind.schema.wirePath, .object(record))
  }

  func delete(_ random: inout SeededGenerator) throws {
    let kind = EntityKind.writable.randomElement(using: &random) ?? .heroes
    guard let (id, value) = try records(kind).randomElement(using: &random) else { return }
    note("deletes \(kind) \(id.prefix(8))")
    var gone = [value.textWithoutIDs]
    // A Kinto leaves a hero's stories as they are.
    if kind == .heroes, world.bucket == nil {
      gone += try records(.stories).map(\.value).filter { $0["heroId"]?.string == id }
        .map(\.textWithoutIDs)
    }
    try world.delete(kind.schema.wirePath, id)
    for text in gone {
      ledger.replace(text, by: nil)
      ledger.makeUncertain(text)
    }
  }
}

extension JSONValue {
  /// A record's text without ids, in which any mark may stand by chance, and its version.
  var textWithoutIDs: String {
    guard case .object(var object) = self else { return compactText }
    for key in ["id", "heroId", "customEventId", "updatedAt"] { object[key] = nil }
    return JSONValue.object(object).compactText
  }
}
